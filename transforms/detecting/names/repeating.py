"""Repeated names: find a conversation's names again, with less evidence."""

import numpy as np

from tacenda.transforms.detecting.names.evidence import Evidence
from tacenda.transforms.detecting.names.facts import Flags
from tacenda.transforms.detecting.names.span import INFO_TYPES, PERSON, Spans
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.words import joined

_PERSON = INFO_TYPES.index(PERSON)

_SHORTEST = 3
"""Fewest letters of a word to find again."""


def repeated(evidence: Evidence, spans: Spans) -> Spans:
    """Capitalised words outside of spans that are part of a person's name elsewhere in the conversation."""
    read = evidence.reading
    sure = spans.filter(spans.likelihoods >= Likelihood.POSSIBLE)
    named = _words_of(sure.filter(sure.info_types == _PERSON), len(read))
    worth = (evidence.word == 0) & (read.length >= _SHORTEST) & read.capital
    again = worth & read.cased & ~_words_of(sure, len(read))
    named &= worth
    # A word together with its conversation, as one number.
    known, others = (np.flatnonzero(words) for words in (named, again))
    names, found = (
        joined(read.conversation(words).astype(np.uint64), read.hashes[words]) for words in (known, others)
    )
    words = others[np.isin(found, names)]
    return Spans(words, words + 1, *(np.full(len(words), int(n)) for n in (_PERSON, Likelihood.POSSIBLE)))


def _words_of(spans: Spans, count: int) -> Flags:
    """For each of ``count`` words, whether it is in a span."""
    within = np.zeros(count, dtype=np.bool_)
    words, ends = spans.starts, spans.ends
    while len(words):
        within[words] = True
        words = words + 1
        words, ends = words[words < ends], ends[words < ends]
    return within
