"""Where a position of a text lies after replacement, and where it lay before."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.schema.finding import Finding


class Range(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


class OffsetMap:
    """Maps positions of one text to those of the text with values in place of its findings, and back.

    A position is that of the code point behind it. One inside of what was replaced has no counterpart: it maps
    to where its replacement begins.

    Args:
        findings: what was replaced, disjoint and sorted by start.
        values: what stands there now.

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> found = Finding(3, 6, "PERSON_NAME", Likelihood.LIKELY, "rules")  # in "Hi Ann!"
    >>> offsets = OffsetMap([found], ["[PERSON_NAME_1]"])  # in "Hi [PERSON_NAME_1]!"
    >>> offsets.to_output(6), offsets.to_output(4), offsets.to_original(18)
    (18, 3, 6)
    """

    def __init__(self, findings: Sequence[Finding], values: Sequence[str]) -> None:
        self.original = [Range(finding.start, finding.end) for finding in findings]
        self.output: list[Range] = []
        grown = 0
        for (start, end), value in zip(self.original, values, strict=True):
            self.output.append(Range(start + grown, start + grown + len(value)))
            grown += len(value) - (end - start)

    def to_output(self, position: int) -> int:
        """Where what stood at a position of the original stands in the output."""
        return _mapped(position, self.original, self.output)

    def to_original(self, position: int) -> int:
        """Where what stands at a position of the output stood in the original."""
        return _mapped(position, self.output, self.original)


def _mapped(position: int, here: Sequence[Range], there: Sequence[Range]) -> int:
    before = bisect_right(here, position, key=lambda range: range.start) - 1
    if before < 0:
        return position
    if position < here[before].end:
        return there[before].start
    return position - here[before].end + there[before].end
