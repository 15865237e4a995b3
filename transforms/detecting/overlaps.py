"""Merge overlapping findings so that nothing any detector covered is lost."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Protocol

from tacenda.transforms.schema.finding import Finding

UNRANKED = 50
"""Rank of an infoType that is not in the catalogue (a user's or a model's own)."""

_HEARD_AFTER = {"model": 1, "gazetteer": 2}
"""Precedence of detectors for infoTypes of equal rank (a name may be a person's, a place's or a firm's):
first rules and the user's dictionaries, then models, which see the context, then lists of names."""


def detector_precedence(detector: str) -> int:
    """A detector's position in that precedence, from 0 for the highest."""
    return _HEARD_AFTER.get(detector, 0)


def merge_overlapping(findings: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    """Merge the findings of one cell into disjoint ones, sorted by start.

    Findings that overlap, directly or through others, become ONE finding over the union of their ranges. It
    takes infoType, likelihood and detector from the best of them: by rank of the infoType (``rank``, higher
    is better, ``UNRANKED`` if missing), then detector, likelihood, length, earliest start, and name. So a
    catch-all such as NUMERIC only ever widens a better finding. Adjacent ranges are not merged.
    """
    return [_merged(group, rank) for group in overlapping(findings)]


def overlapping(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    """Groups of findings that overlap, directly or through others, sorted by start; empty ones are left out."""
    group: list[Finding] = []
    reach = -1
    for finding in sorted(f for f in findings if f.start < f.end):
        if group and finding.start >= reach:
            yield group
            group = []
        reach = max(reach, finding.end) if group else finding.end
        group.append(finding)
    if group:
        yield group


def not_within(findings: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """The findings that are not entirely within one of ``others``; both are disjoint and sorted by start."""
    starts = [other.start for other in others]
    left = []
    for finding in findings:
        before = bisect_right(starts, finding.start) - 1
        if before < 0 or others[before].end < finding.end:
            left.append(finding)
    return left


class Range(Protocol):
    """Code points of a cell, half-open."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


def apart_from(findings: Sequence[Finding], others: Sequence[Range]) -> list[Finding]:
    """The findings that touch none of ``others``."""
    ordered = sorted(others, key=lambda one: one.start)
    starts = [one.start for one in ordered]
    reached = list(accumulate((one.end for one in ordered), max))
    before = [bisect_left(starts, f.end) for f in findings]
    return [f for f, k in zip(findings, before, strict=True) if not k or reached[k - 1] <= f.start]


def _merged(group: list[Finding], rank: Mapping[str, int]) -> Finding:
    if len(group) == 1:
        return group[0]
    best = min(
        group,
        key=lambda f: (
            -rank.get(f.info_type, UNRANKED),
            detector_precedence(f.detector),
            -f.likelihood,
            f.start - f.end,
            f.start,
            f.info_type,
            f.detector,
        ),
    )
    return best._replace(start=group[0].start, end=max(f.end for f in group))
