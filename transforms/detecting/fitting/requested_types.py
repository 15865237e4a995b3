"""Keep infoTypes to those asked for: a finding must not be retyped to one that the config does not ask for."""

from collections.abc import Collection, Mapping, Sequence

from tacenda.transforms.detecting.overlaps import UNRANKED
from tacenda.transforms.schema.finding import Finding

_INSTEAD: Mapping[str, Sequence[str]] = {"DATE": ("NUMERIC", "GENERIC_ID")}
"""Alternatives, in order, for a finding that is not what it was found as."""


def as_requested(
    fitted: Sequence[Finding], found: Sequence[Finding], rank: Mapping[str, int], asked: Collection[str]
) -> list[Finding]:
    """Give the fitted findings of a cell infoTypes that were asked for or that a detector gave them.

    Args:
        fitted: disjoint findings.
        found: the findings that they were made of.
        rank: of each infoType, higher is better.
        asked: the infoTypes that the config asks for.
    """
    known = {finding.info_type for finding in found}
    return [
        finding
        if finding.info_type in asked or finding.info_type in known
        else finding._replace(info_type=_instead(finding, found, rank, asked))
        for finding in fitted
    ]


def _instead(
    finding: Finding, found: Sequence[Finding], rank: Mapping[str, int], asked: Collection[str]
) -> str:
    for info_type in _INSTEAD.get(finding.info_type, ()):
        if info_type in asked:
            return info_type
    over = (f.info_type for f in found if f.start < finding.end and finding.start < f.end)
    return min(over, key=lambda name: (-rank.get(name, UNRANKED), name), default=finding.info_type)
