"""How unusual the words around replaced data are, as DeIDClinic measures it.

Paul et al., "DeIDClinic: A Multi-Layered Framework for De-identification of Clinical Free-text Data", 2024:
the *context* of a replaced entity is the entity with five words on either side. Two contexts with a cosine
below .5 are unlike each other; a document of which many contexts are unlike those of others may stand out
although nobody is named. It was never compared with an attack: it suggests what to read first and has no part
in a release.

There, a context is a vector of BERT; here, its words and how often each occurs, and the kind of the replaced
entity. Dot products of counts are whole numbers, so the result does not depend on how contexts are cut into
blocks.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.token import TOKEN

Level = Literal["green", "yellow", "red"]

WINDOW = 5
"""Words on either side of the entity."""

COSINE = 0.5
YELLOW, RED = 25.0, 50.0
"""Per cent: from the first on yellow; above the second red."""

BUCKETS = 1 << 11
_BLOCK = 1024
"""Contexts compared at once with as many others: 8 MB of counts on each side."""

_WORD = re.compile(rf"{TOKEN.pattern}|\w+")

Counts = npt.NDArray[np.float32]


class Uniqueness(NamedTuple):
    """The figures of one document: its contexts, those unlike all of other documents, and their percentage.

    ``percent`` and ``level`` are None where there is nothing to compare with.
    """

    contexts: int
    counted: int
    percent: float | None
    level: Level | None


def contexts_of(text: str, window: int = WINDOW) -> Iterator[list[str]]:
    """The words around each replacement token of a text, cut off at its ends; tokens are their kinds.

    >>> list(contexts_of("Call [PERSON_NAME_1] at noon", 1))
    [['call', '[PERSON_NAME]', 'at']]
    """
    found = list(_WORD.finditer(text))
    words = [_word(one[0]) for one in found]
    for i, word in enumerate(words):
        if word.startswith(("[", "%5B")):
            yield words[max(0, i - window) : i + window + 1]


def count_words(contexts: Sequence[Sequence[str]]) -> Counts:
    """A row for each context: how often words of each of ``BUCKETS`` hashes occur in it."""
    counts = np.zeros((len(contexts), BUCKETS), np.float32)
    for row, words in zip(counts, contexts, strict=True):
        for word in words:
            row[zlib.crc32(word.encode("utf-8", "surrogatepass")) % BUCKETS] += 1
    return counts


def count_unlike(vectors: Counts, owners: npt.NDArray[np.intp], block: int = _BLOCK) -> npt.NDArray[np.int64]:
    """For each document, by its number, its contexts that are unlike every context of other documents.

    Args:
        vectors: a row for each context, of whole numbers, none of them zero throughout.
        owners: the number of each context's document, from 0.
        block: bounds memory; the result is the same for any.
    """
    sizes = (vectors.astype(np.float64) ** 2).sum(axis=1)
    counts = np.zeros(int(owners.max(initial=-1)) + 1, np.int64)
    for start in range(0, len(vectors), block):
        rows = slice(start, start + block)
        alike = np.zeros(len(vectors[rows]), np.int64)
        for other in range(0, len(vectors), block):
            columns = slice(other, other + block)
            common = (vectors[rows] @ vectors[columns].T).astype(np.float64)
            near = common >= COSINE * np.sqrt(np.outer(sizes[rows], sizes[columns]))
            alike += (near & (owners[rows, None] != owners[None, columns])).sum(axis=1)
        np.add.at(counts, owners[rows], (alike == 0).astype(np.int64))
    return counts


def grade(counts: Sequence[int], contexts: Sequence[int]) -> list[Uniqueness]:
    """The figures of documents of which ``counts`` are unlike others and which have so many ``contexts``.

    The paper's percentages are shares of what counts in all documents, so that at most four are yellow or red,
    however large the corpus; these are shares of the document's own contexts.
    """
    alone = sum(number > 0 for number in contexts) < 2
    graded = []
    for count, own in zip(counts, contexts, strict=True):
        percent = None if alone and own else 100 * count / max(own, 1)
        graded.append(Uniqueness(own, count, percent, None if percent is None else level_of(percent)))
    return graded


def level_of(percent: float) -> Level:
    """The level of a percentage; both bounds are yellow.

    >>> [level_of(percent) for percent in (24.99, 25, 50, 50.01)]
    ['green', 'yellow', 'yellow', 'red']
    """
    return "green" if percent < YELLOW else "yellow" if percent <= RED else "red"


def _word(found: str) -> str:
    token = TOKEN.fullmatch(found)
    return f"[{token[1]}]" if token else found.casefold()
