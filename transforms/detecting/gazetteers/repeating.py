"""Repeated names: who was named once in a conversation is named again, with less around to show it."""

from collections.abc import Iterator, Sequence

import numpy as np

from transforms.detecting.gazetteers.evidence import Evidence
from transforms.detecting.gazetteers.facts import Flags
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
    known, others = (np.flatnonzero(words) for words in (named, again))
    names, found = (
        joined(read.conversation(words).astype(np.uint64), read.hashes[words]) for words in (known, others)
    )
    for i in others[np.isin(found, names)].tolist():
        yield Span(i, i + 1, PERSON, Likelihood.POSSIBLE)


def _words_of(spans: Sequence[Span], count: int) -> Flags:
    """Which of so many words are in some span."""
    within = np.zeros(count, dtype=np.bool_)
    words = np.array([span.start for span in spans], dtype=np.int64)
    ends = np.array([span.end for span in spans], dtype=np.int64)
    while len(words):
        within[words] = True
        words += 1
        words, ends = words[words < ends], ends[words < ends]
    return within
