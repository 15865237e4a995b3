"""Marks on a cell: places where findings are left readable, and places that are always replaced."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

LISTED = "list"
"""The detector of findings that a person listed."""


class Protected(NamedTuple):
    """A place that stays readable: findings within it, of some infoTypes (None: of all), are left.

    ``why`` names who says so, for the counts.
    """

    start: int
    end: int
    info_types: frozenset[str] | None
    why: str

    def holds(self, text: str, finding: Finding) -> bool:
        """Whether a finding lies within it, but for what stands at its edges and is no letter or digit."""
        if self.info_types is not None and finding.info_type not in self.info_types:
            return False
        return not any(map(str.isalnum, text[finding.start : self.start])) and not any(
            map(str.isalnum, text[self.end : finding.end])
        )


@dataclass(slots=True)
class Marks:
    """The marks of a batch, by cell; ``suppressed`` are findings, disjoint and sorted by start.

    ``counts`` has what was left, by ``why/infoType``.
    """

    protected: dict[int, list[Protected]] = field(default_factory=dict)
    suppressed: dict[int, list[Finding]] = field(default_factory=dict)
    counts: dict[int, Counter[str]] = field(default_factory=dict)


class Marking(Protocol):
    """What says where findings are left readable, and where something is always replaced."""

    def marks(self, batch: ConversationBatch, column: TextColumn) -> Marks:
        """The marks of a batch; ``column`` has its texts."""
        ...


def all_marks(markings: Iterable[Marking], batch: ConversationBatch, column: TextColumn) -> Marks:
    """The marks of several, without protection where something is always replaced."""
    whole = Marks()
    for marking in markings:
        some = marking.marks(batch, column)
        for cell, protected in some.protected.items():
            whole.protected.setdefault(cell, []).extend(protected)
        for cell, suppressed in some.suppressed.items():
            whole.suppressed[cell] = overlaid(whole.suppressed.get(cell, ()), suppressed)
    for cell, suppressed in whole.suppressed.items():
        if cell in whole.protected:
            whole.protected[cell] = [
                one
                for one in whole.protected[cell]
                if not any(found.start < one.end and one.start < found.end for found in suppressed)
            ]
    return whole


def divided(
    text: str, findings: Sequence[Finding], protected: Sequence[Protected]
) -> tuple[list[Finding], dict[str, list[Finding]]]:
    """What of some findings is not protected; and the others, by who says that they stay."""
    left: list[Finding] = []
    readable: dict[str, list[Finding]] = {}
    for finding in findings:
        by = next((one for one in protected if one.holds(text, finding)), None)
        if by is None:
            left.append(finding)
        else:
            readable.setdefault(by.why, []).append(finding)
    return left, readable


def overlaid(findings: Sequence[Finding], suppressed: Sequence[Finding]) -> list[Finding]:
    """Findings with others laid over them: where two overlap there is one, over both, of the latter's infoType.

    ``suppressed`` are disjoint and sorted by start; so is what comes back, if ``findings`` are.
    """
    result = list(findings)
    for one in suppressed:
        touched = [f for f in result if f.start < one.end and one.start < f.end]
        result = [f for f in result if not (f.start < one.end and one.start < f.end)]
        start = min([one.start, *(f.start for f in touched)])
        end = max([one.end, *(f.end for f in touched)])
        result.append(one._replace(start=start, end=end))
    return sorted(result)


def listed(start: int, end: int, info_type: str) -> Finding:
    """A finding that a person listed."""
    return Finding(start, end, info_type, Likelihood.VERY_LIKELY, LISTED)
