"""Marks on a cell: ranges where findings stay readable, and ranges that are always replaced."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

LISTED = "list"
"""The detector of findings from a human list."""


class Protected(NamedTuple):
    """A protected range: findings within it, of some infoTypes (None: of all), stay readable.

    ``why`` is the source of the mark, for the counts. With ``entity``, all mentions of an entity found there
    stay readable. ``entry`` is the list entry, for explanations; empty if no list has it.
    """

    start: int
    end: int
    info_types: frozenset[str] | None
    why: str
    entity: bool = False
    entry: str = ""

    def holds(self, text: str, finding: Finding) -> bool:
        """Whether a finding lies within it, ignoring punctuation and spaces at the finding's edges."""
        if self.info_types is not None and finding.info_type not in self.info_types:
            return False
        return not any(map(str.isalnum, text[finding.start : self.start])) and not any(
            map(str.isalnum, text[self.end : finding.end])
        )


class Suppressed(NamedTuple):
    """A range that a list entry suppresses, before it was merged with others."""

    start: int
    end: int
    entry: str


@dataclass(slots=True)
class Marks:
    """The marks of a batch, by cell; ``suppressed`` are findings, disjoint and sorted by start.

    ``counts`` has the number of protected findings, by ``why/infoType``, and ``matched`` the number of
    matches of each list entry (``lists.entry_key``). ``suppressed_by`` has the entries, for explanations.
    """

    protected: dict[int, list[Protected]] = field(default_factory=dict)
    suppressed: dict[int, list[Finding]] = field(default_factory=dict)
    counts: dict[int, Counter[str]] = field(default_factory=dict)
    matched: Counter[str] = field(default_factory=Counter)
    suppressed_by: dict[int, list[Suppressed]] = field(default_factory=dict)


class Marking(Protocol):
    """A source of marks: where findings stay readable, and where text is always replaced."""

    def marks(self, batch: ConversationBatch, column: TextColumn) -> Marks:
        """The marks of a batch; ``column`` has its texts."""
        ...


def all_marks(markings: Iterable[Marking], batch: ConversationBatch, column: TextColumn) -> Marks:
    """The combined marks of several sources; suppression overrides protection."""
    whole = Marks()
    for marking in markings:
        some = marking.marks(batch, column)
        whole.matched.update(some.matched)
        for cell, by in some.suppressed_by.items():
            whole.suppressed_by.setdefault(cell, []).extend(by)
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
    """Split findings into those that are not protected, and the others by the source of their protection."""
    left: list[Finding] = []
    readable: dict[str, list[Finding]] = {}
    for finding in findings:
        by = next((one for one in protected if one.holds(text, finding)), None)
        if by is None:
            left.append(finding)
        else:
            readable.setdefault(by.why, []).append(finding)
    return left, readable


def of_protected_entities(
    texts: Sequence[str],
    findings: Sequence[Sequence[Finding]],
    entities: Sequence[Sequence[int]],
    marks: Iterable[tuple[int, Sequence[Protected]]],
) -> dict[int, Protected]:
    """The protected entities of a conversation: those with a mention in a range marked with ``entity``.

    Args:
        texts: the conversation's texts.
        findings: the findings in each text.
        entities: the entity numbers of the findings.
        marks: protected ranges, by number of the text.
    """
    held: dict[int, Protected] = {}
    for cell, protected in marks:
        whole = [one for one in protected if one.entity]
        for finding, entity in zip(findings[cell], entities[cell], strict=True) if whole else ():
            for one in whole:
                if one.holds(texts[cell], finding):
                    held.setdefault(entity, one)
    return held


def overlaid(findings: Sequence[Finding], suppressed: Sequence[Finding]) -> list[Finding]:
    """Merge ``suppressed`` findings into others; where they overlap, one of their infoType covers both.

    ``suppressed`` are disjoint and sorted by start; so is the result, if ``findings`` are.
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
    """A finding from a human list."""
    return Finding(start, end, info_type, Likelihood.VERY_LIKELY, LISTED)
