"""The passes between detectors and entities, in order.

The main loop is data: :data:`PASSES` is read from top to bottom, and each pass turns the findings of one
conversation into others. ``passes.json`` beside this file says what each is worth on text that it was not
written from.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

from tacenda.transforms.detecting.correcting.marks import Protected, divided, overlaid
from tacenda.transforms.detecting.overlaps import resolve
from tacenda.transforms.detecting.passes.code import drop_code as _drop_code
from tacenda.transforms.detecting.passes.people import PERSON
from tacenda.transforms.detecting.passes.people import split_people as _split_people
from tacenda.transforms.detecting.passes.regions import Region
from tacenda.transforms.detecting.rule_sets import MentionRules, OfCells
from tacenda.transforms.linking.propagation.mentions import find_mentions
from tacenda.transforms.schema.finding import Finding

Findings = list[list[Finding]]
"""Those of each cell of a conversation; disjoint and sorted by start once overlaps are resolved."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What passes know of a conversation.

    Attributes:
        texts: its cells.
        parts: for each cell that is a value of JSON, its path; else None.
        labels: the infoType of each speaker label that is personal data.
        rank: infoType to rank, for overlapping findings.
        own_types: infoTypes that the config defines itself.
        suppressed: findings that the user's lists ask for, by cell; disjoint and sorted by start.
        protected: where the user's lists keep text readable, by cell.
        rules: the config's rules on findings, for mentions that no detector found.
        code: where cells are code or records, by cell, as far as a pass has looked.
    """

    texts: Sequence[str]
    parts: Sequence[str | None]
    labels: Mapping[str, str] = field(default_factory=dict)
    rank: Mapping[str, int] = field(default_factory=dict)
    own_types: frozenset[str] = frozenset()
    suppressed: Mapping[int, Sequence[Finding]] = field(default_factory=dict)
    protected: Mapping[int, Sequence[Protected]] = field(default_factory=dict)
    rules: MentionRules | None = None
    code: dict[int, list[Region]] = field(default_factory=dict)


Pass = Callable[[Conversation, Findings], Findings]


def drop_code(conversation: Conversation, findings: Findings) -> Findings:
    """Drop findings within code and records that are pieces of a program."""
    return _drop_code(
        conversation.texts, conversation.parts, findings, conversation.own_types, conversation.code
    )


def split_people(conversation: Conversation, findings: Findings) -> Findings:
    """Split findings of several people into one for each."""
    return _by_cell(
        lambda text, several: [
            one
            for found in several
            for one in (_split_people(text, found) if found.info_type == PERSON else (found,))
        ],
        conversation,
        findings,
    )


def resolve_overlaps(conversation: Conversation, findings: Findings) -> Findings:
    """Make findings disjoint; every letter that one of them covers stays covered."""
    return _by_cell(lambda text, several: resolve(text, several, conversation.rank), conversation, findings)


def hide_listed(conversation: Conversation, findings: Findings) -> Findings:
    """Add what the user's lists say to hide, over all else."""
    return _replaced(
        findings, {k: overlaid(findings[k], listed) for k, listed in conversation.suppressed.items()}
    )


def propagate(conversation: Conversation, findings: Findings) -> Findings:
    """Find further mentions of what was found elsewhere; in code, those that count there."""
    mentions: OfCells = find_mentions(conversation.texts, findings, conversation.labels)
    if mentions and conversation.rules is not None:
        mentions = conversation.rules.left(conversation.texts, mentions)
    if not mentions:
        return findings
    texts, rank = conversation.texts, conversation.rank
    # Before they are merged with what was found, so that a wider mention takes nothing along that has counted.
    more = drop_code(conversation, _replaced([[] for _ in texts], dict(mentions)))
    return _replaced(
        findings, {k: resolve(texts[k], [*findings[k], *more[k]], rank) for k, _ in mentions if more[k]}
    )


def show_protected(conversation: Conversation, findings: Findings) -> Findings:
    """Drop what the user's lists say to keep readable."""
    texts = conversation.texts
    shown = {
        k: divided(texts[k], findings[k], [one for one in several if not one.entity])[0]
        for k, several in conversation.protected.items()
    }
    return _replaced(findings, shown)


PASSES: tuple[Pass, ...] = (
    drop_code,
    split_people,
    resolve_overlaps,
    hide_listed,
    propagate,
    show_protected,
)


def run_passes(conversation: Conversation, findings: Findings, passes: Sequence[Pass] = PASSES) -> Findings:
    """What passes leave of findings."""
    for one in passes:
        findings = one(conversation, findings)
    return findings


def _by_cell(
    fitted: Callable[[str, list[Finding]], Iterator[Finding] | list[Finding]],
    conversation: Conversation,
    findings: Findings,
) -> Findings:
    """The findings with those of each cell that has any fitted."""
    cells = compress(range(len(findings)), findings)
    return _replaced(findings, {k: list(fitted(conversation.texts[k], findings[k])) for k in cells})


def _replaced(findings: Findings, cells: Mapping[int, list[Finding]]) -> Findings:
    """The findings with those of some cells in place of theirs."""
    if not cells:
        return findings
    left = list(findings)
    for k, several in cells.items():
        left[k] = several
    return left
