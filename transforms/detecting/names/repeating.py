"""Repeated names: a name found once in a conversation is found again on weaker evidence."""

import numpy as np

from tacenda.transforms.detecting.names.evidence import Evidence
from tacenda.transforms.detecting.names.facts import Flags
from tacenda.transforms.detecting.names.span import INFO_TYPES, PERSON, Spans
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.word_hash import joined

_PERSON = INFO_TYPES.index(PERSON)

_SHORTEST = 3
"""Letters of a word that is worth finding again."""


def repeated(evidence: Evidence, spans: Spans) -> Spans:
    """Capitalised words in no span that stand in the name of a person elsewhere in their conversation."""
    read = evidence.reading
    sure = spans.filter(spans.likelihoods >= Likelihood.POSSIBLE)
    named = _words_of(sure.filter(sure.info_types == _PERSON), len(read))
    worth = (evidence.word == 0) & (read.length >= _SHORTEST) & read.capital
    again = worth & read.cased & ~_words_of(sure, len(read))
    named &= worth
    # A word of a conversation, as one number.
    known, others = (np.flatnonzero(words) for words in (named, again))
    names, found = (
        joined(read.conversation(words).astype(np.uint64), read.hashes[words]) for words in (known, others)
    )
    words = others[np.isin(found, names)]
    return Spans(words, words + 1, *(np.full(len(words), int(n)) for n in (_PERSON, Likelihood.POSSIBLE)))


def _words_of(spans: Spans, count: int) -> Flags:
    """Which of so many words are in some span."""
    within = np.zeros(count, dtype=np.bool_)
    words, ends = spans.starts, spans.ends
    while len(words):
        within[words] = True
        words = words + 1
        words, ends = words[words < ends], ends[words < ends]
    return within
