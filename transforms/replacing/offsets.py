"""Map positions in a text to positions after replacement, and back."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.schema.finding import Finding


class Range(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


class OffsetMap:
    """Maps positions of a text to those of the same text with its findings replaced, and back.

    A position is the index of the code point that follows it. Positions inside of a replaced range have no
    counterpart and map to the start of the replacement.

    Args:
        findings: the replaced findings, disjoint and sorted by start.
        values: their replacements.

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
        """The output position of an original position."""
        return _mapped(position, self.original, self.output)

    def to_original(self, position: int) -> int:
        """The original position of an output position."""
        return _mapped(position, self.output, self.original)


def _mapped(position: int, here: Sequence[Range], there: Sequence[Range]) -> int:
    before = bisect_right(here, position, key=lambda range: range.start) - 1
    if before < 0:
        return position
    if position < here[before].end:
        return there[before].start
    return position - here[before].end + there[before].end
