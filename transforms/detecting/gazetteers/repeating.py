"""Repeated names: who was named once in a conversation is named again, with less around to show it."""

from collections.abc import Iterator, Sequence

import numpy as np

from transforms.detecting.gazetteers.evidence import Evidence
from transforms.detecting.gazetteers.lexicon import Flags
from transforms.detecting.gazetteers.span import PERSON, Span
from transforms.detecting.word_hash import joined
from transforms.schema.likelihood import Likelihood

_SHORTEST = 3
"""Letters of a word that is worth finding again."""


def repeated(evidence: Evidence, spans: Sequence[Span]) -> Iterator[Span]:
    """Capitalised words in no span that stand in the name of a person elsewhere in their conversation."""
    read = evidence.reading
    sure = [span for span in spans if span.likelihood >= Likelihood.POSSIBLE]
    named = _words_of([span for span in sure if span.info_type == PERSON], len(read))
    worth = (evidence.word == 0) & (read.length >= _SHORTEST) & read.capital
    again = worth & read.cased & ~_words_of(sure, len(read))
    named &= worth
    # A word of a conversation, as one number.
    names, others = (joined(read.conversation[w].astype(np.uint64), read.hashes[w]) for w in (named, again))
    for i in np.flatnonzero(again)[np.isin(others, names)].tolist():
        yield Span(i, i + 1, PERSON, Likelihood.POSSIBLE)


def _words_of(spans: Sequence[Span], count: int) -> Flags:
    """Which of so many words are in some span."""
    steps = np.zeros(count + 1, dtype=np.int64)
    np.add.at(steps, [span.start for span in spans], 1)
    np.add.at(steps, [span.end for span in spans], -1)
    within: Flags = np.cumsum(steps[:-1]) > 0
    return within
