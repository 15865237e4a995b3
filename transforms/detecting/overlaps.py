"""Merge overlapping findings so that nothing any detector covered is lost."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from tacenda.transforms.schema.finding import Finding

UNRANKED = 50
"""Rank of an infoType that the catalogue does not know (a user's or a model's own)."""

_HEARD_AFTER = {"model": 1, "gazetteer": 2}
"""Among infoTypes of one rank (a name is a person's, a place's or a firm's) rules and the user's dictionaries
are heard first, then a network that read the sentence, then lists of names."""


def heard_after(detector: str) -> int:
    """Where a detector comes in that order, from 0 for those that are heard first."""
    return _HEARD_AFTER.get(detector, 0)


def merge_overlapping(findings: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    """Disjoint findings of one cell, sorted by start.

    Findings that overlap, directly or through others, become ONE finding over the union of their ranges. Its
    infoType, likelihood and detector are those of the best: by rank of the infoType (``rank``, higher is
    better, ``UNRANKED`` where missing), then detector, then likelihood, then length, then earliest start, then
    name. So a catch-all such as NUMERIC only ever widens a better finding. Ranges that merely touch stay apart.
    """
    if len(findings) < 2:
        return [f for f in findings if f.start < f.end]
    ordered = sorted(f for f in findings if f.start < f.end)
    resolved: list[Finding] = []
    group: list[Finding] = []
    reach = -1
    for finding in ordered:
        if finding.start >= reach and group:
            resolved.append(_merged(group, reach, rank))
            group = []
        group.append(finding)
        reach = max(reach, finding.end) if len(group) > 1 else finding.end
    if group:
        resolved.append(_merged(group, reach, rank))
    return resolved


def not_within(findings: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Those of some findings that do not lie wholly within one of others; both disjoint, sorted by start."""
    starts = [other.start for other in others]
    left = []
    for finding in findings:
        before = bisect_right(starts, finding.start) - 1
        if before < 0 or others[before].end < finding.end:
            left.append(finding)
    return left


def _merged(group: list[Finding], end: int, rank: Mapping[str, int]) -> Finding:
    if len(group) == 1:
        return group[0]
    best = min(
        group,
        key=lambda f: (
            -rank.get(f.info_type, UNRANKED),
            heard_after(f.detector),
            -f.likelihood,
            f.start - f.end,
            f.start,
            f.info_type,
            f.detector,
        ),
    )
    return best._replace(start=group[0].start, end=end)
