"""What the shipped lists say of a word, as a number that the network reads beside each of its pieces.

Knowledge of lists as features of the input: the network learns how much to believe them in each context.
"""

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.storage.process_cache import built_once

Int16s = npt.NDArray[np.int16]

_NAMES, _PLACES, _WORDS = (1, 3), (2, 3), (1, 3)
"""Levels of the lexicon at which the next step of a feature begins."""

KINDS = 2 * 3**4
"""Distinct answers: whether an organisation, and steps of given name, family name, place and ordinary word."""

_WORD = re.compile(r"[^\W\d_]+")


@built_once
def _answers() -> Int16s:
    """The answer for each kind of word of the lexicon."""
    lists = lexicon()
    features = (
        (lists.given, _NAMES),
        (lists.family, _NAMES),
        (lists.place, _PLACES),
        (lists.word.max(axis=1), _WORDS),
    )
    answers = lists.organization.astype(np.int16)
    for levels, steps in features:
        answers = 3 * answers + np.searchsorted(steps, levels, side="right")
    return answers.astype(np.int16)


def listed(texts: Sequence[str], first: npt.NDArray[np.int32], starts: npt.NDArray[np.int32]) -> Int16s:
    """The answer for the word that each token is of; text ``i`` has the tokens ``first[i]:first[i + 1]``.

    A token of no word (a run of letters) gets 0, the answer for a word of no list.
    """
    found = [list(_WORD.finditer(text)) for text in texts]
    words = list(chain.from_iterable(found))
    answers = np.append(np.int16(0), _answers()[lexicon().kinds_of([word[0].lower() for word in words])])
    # Words lie at increasing places of the texts one after another.
    origins = np.cumsum([0, *map(len, texts)])
    shift = np.repeat(origins[:-1], list(map(len, found)))
    begins = np.fromiter((word.start() for word in words), np.int64, len(words)) + shift
    ends = np.fromiter((word.end() for word in words), np.int64, len(words)) + shift
    places = starts + np.repeat(origins[:-1], np.diff(first))
    word = np.searchsorted(begins, places, side="right")
    inside = np.append(np.int64(0), ends)[word] > places
    said: Int16s = answers[np.where(inside, word, 0)]
    return said
