"""Repeated names: who was named once in a conversation is named again, with less around to show it."""

from collections.abc import Iterator, Sequence

import numpy as np

from transforms.detecting.gazetteers.evidence import Evidence
from transforms.detecting.gazetteers.span import PERSON, Span
from transforms.schema.likelihood import Likelihood

_SHORTEST = 3
"""Letters of a word that is worth finding again."""


def repeated(evidence: Evidence, spans: Sequence[Span]) -> Iterator[Span]:
    """Capitalised words in no span that stand in the name of a person elsewhere in their conversation."""
    read = evidence.reading
    covered = np.zeros(len(read), dtype=np.bool_)
    names: set[tuple[int, int]] = set()
    worth = (evidence.word == 0) & (read.length >= _SHORTEST) & read.capital
    for span in spans:
        if span.likelihood >= Likelihood.POSSIBLE:
            covered[span.start : span.end] = True
        if span.info_type == PERSON and span.likelihood >= Likelihood.POSSIBLE:
            for i in range(span.start, span.end):
                if worth[i]:
                    names.add((int(read.conversation[i]), int(read.hashes[i])))
    if not names:
        return
    for i in np.flatnonzero(worth & ~covered & read.cased).tolist():
        if (int(read.conversation[i]), int(read.hashes[i])) in names:
            yield Span(i, i + 1, PERSON, Likelihood.POSSIBLE)
