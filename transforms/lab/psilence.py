"""Witnesses and public roles among the people of a legal case, after PSILENCE (CALD-pseudo 2024).

After Cabrera-Diego and Gheewala, "PSILENCE", CALD-pseudo 2024, module 4. By rules 1 to 3, one wrong mention
or link can make a witness readable; ``conservative`` makes them stricter. Cases that the paper leaves open
are decided in favour of the person: exactly 30 % is not more than 30 %, and a tie between types counts for
none of them.

The dictionary of a conversation reverses the replacement, so access must be restricted; it is never written
beside the output.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tacenda.transforms.linking.linked import WITNESS, LinkedConversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

PERSON, PARTY = "PERSON", "PARTY"


class Decision(NamedTuple):
    """The role of a cluster, the rule that decided it (0 to 4), and whether its mentions are replaced."""

    role: str
    rule: int
    is_replaced: bool


def reconcile(mentions: Mapping[str, int], conservative: bool = False, is_sure: bool = True) -> Decision:
    """Decide on a cluster by the counts of its mention types.

    Args:
        mentions: counts by mention type (``roles.yaml``), with at least one mention.
        conservative: a minority of mentions, or an uncertain link, makes nobody readable.
        is_sure: whether every mention is certain to belong to its cluster and was found as at least likely.

    >>> reconcile({"PERSON": 3, "PARTY": 1})
    Decision(role='PARTY', rule=1, is_replaced=False)
    >>> reconcile({"PERSON": 3, "PARTY": 1}, conservative=True)
    Decision(role='WITNESS', rule=4, is_replaced=True)
    """
    rules = roles()
    total = sum(mentions.values())
    (most, count), *others = sorted(mentions.items(), key=lambda item: (-item[1], item[0]))
    is_most = not others or others[0][1] < count
    may_stay = not conservative or is_sure
    if not others:
        if most == PERSON:
            return Decision(WITNESS, 0, True)
        return Decision(most, 0, False) if may_stay else Decision(WITNESS, 0, True)
    if mentions.get(PARTY) and may_stay and (not conservative or 2 * mentions[PARTY] > total):
        return Decision(PARTY, 1, False)
    if not conservative:
        not_people = sum(mentions.get(name, 0) for name in rules["not_people"])
        if not_people > rules["largest_share"] * total:
            return Decision(max(rules["not_people"], key=lambda name: mentions.get(name, 0)), 2, False)
    if is_most and most in rules["public_roles"] and may_stay and (not conservative or 2 * count > total):
        return Decision(most, 3, False)
    return Decision(WITNESS, 4, True)


@built_once
def roles() -> Mapping[str, Any]:
    """The rules of ``roles.yaml``."""
    rules: Mapping[str, Any] = data_file(__package__, "roles.yaml")
    return rules


_REACH = 80


def mention_type(finding: Finding, text: str) -> str | None:
    """The type of a finding in the text of its cell; None if it is not a name.

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> mention_type(Finding(0, 8, "PERSON_NAME", Likelihood.LIKELY, "model"), "John Doe QC spoke")
    'LAWYER'
    """
    known: str | None = roles()["mention_types"].get(finding.info_type)
    if known != PERSON:
        return known
    before = text[max(0, finding.start - _REACH) : finding.start]
    named = text[finding.start : finding.end + _REACH]
    for role, (ends, begins) in _cues().items():
        # A title or post-nominal may also be part of the finding.
        within = begins is not None and begins.search(text[finding.start : finding.end])
        follows = begins is not None and begins.match(text, finding.end)
        leads = ends is not None and (
            ends.search(before) or ends.match(named, 0, finding.end - finding.start)
        )
        if within or follows or leads:
            return role
    return known


@built_once
def _cues() -> Mapping[str, tuple[re.Pattern[str] | None, re.Pattern[str] | None]]:
    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    return {
        role: (
            compiled(rf"(?<!\w)(?:{sides['before']})$") if "before" in sides else None,
            compiled(rf"(?:{sides['after']})(?!\w)") if "after" in sides else None,
        )
        for role, sides in roles()["cues"].items()
    }


_SURE = frozenset({"same", "part"})


class Reconciled(NamedTuple):
    """``conversation`` has what is replaced; ``decisions`` has one for each entity of ``linked``, or None.

    ``linked`` is the conversation before, with all clusters; ``left`` has, for each cell, the findings that
    stay readable, with the role of their cluster in the place of the infoType.
    """

    conversation: LinkedConversation
    linked: LinkedConversation
    decisions: Sequence[Decision | None]
    left: Sequence[Sequence[Finding]]

    def dictionary(self, cells: Sequence[tuple[int | str, ...]]) -> dict[str, Any]:
        """Roles to clusters, with their written forms and places: cell and half-open range of code points.

        Witnesses come in the order of their numbers; the other roles are listed so that a cluster can be moved.
        ``cells`` says what each cell is called there.
        """
        linked = self.linked
        written: list[dict[str, list[list[int | str]]]] = [{} for _ in linked.info_types]
        rows = zip(cells, linked.texts, linked.findings, linked.entities, strict=True)
        for called, text, found, own in rows:
            for finding, entity in zip(found, own, strict=True):
                place = [*called, finding.start, finding.end]
                written[entity - 1].setdefault(text[finding.start : finding.end], []).append(place)
        clusters: dict[str, list[dict[str, list[list[int | str]]]]] = {}
        for decision, writings in zip(self.decisions, written, strict=True):
            if decision is not None and writings:
                clusters.setdefault(decision.role, []).append(writings)
        return {"conversation_id": linked.id, "clusters": clusters}


def reconcile_conversation(
    linked: LinkedConversation,
    found: Sequence[Sequence[Finding]],
    conservative: bool = False,
    replaced: Collection[int] = (),
) -> Reconciled:
    """Apply the rules to every cluster with a mention that is a person's name.

    Who speaks in the conversation is a witness, whatever the rules say: the paper's cases are written about
    people, and a transcript holds what they said themselves.

    Args:
        linked: the conversation with its clusters.
        found: its findings before linking, with the infoTypes under which they were found.
        conservative: as in :func:`reconcile`.
        replaced: numbers of entities that are replaced in any case, as those of speakers are.
    """
    always = {*linked.labels.values(), *replaced}
    decisions = [
        Decision(WITNESS, one.rule, True) if one is not None and number in always else one
        for number, one in enumerate(_decisions(linked, found, conservative), 1)
    ]
    stay = {number for number, one in enumerate(decisions, 1) if one is not None and not one.is_replaced}
    info_types = [
        info_type if one is None else one.role
        for one, info_type in zip(decisions, linked.info_types, strict=True)
    ]
    findings: list[list[Finding]] = []
    left: list[list[Finding]] = []
    gone: list[tuple[int, int]] = []
    for i, (cell, own) in enumerate(zip(linked.findings, linked.entities, strict=True)):
        typed = [
            one._replace(info_type=info_types[entity - 1]) for one, entity in zip(cell, own, strict=True)
        ]
        findings.append(typed)
        left.append([one for one, entity in zip(typed, own, strict=True) if entity in stay])
        gone += ((i, k) for k, entity in enumerate(own) if entity in stay)
    conversation = replace(linked, findings=findings, info_types=info_types).without(frozenset(gone))
    return Reconciled(conversation, linked, decisions, left)


def _decisions(
    linked: LinkedConversation, found: Sequence[Sequence[Finding]], conservative: bool
) -> list[Decision | None]:
    counts: list[Counter[str]] = [Counter() for _ in linked.info_types]
    sure = [True] * len(counts)
    rows = zip(linked.texts, linked.findings, found, linked.entities, linked.agreements, strict=True)
    for text, cell, before, own, hows in rows:
        starts = [one.start for one in before]
        for finding, entity, how in zip(cell, own, hows, strict=True):
            # Linking may have parted what was found as one.
            was = before[bisect_right(starts, finding.start) - 1]
            kind = mention_type(finding._replace(info_type=was.info_type), text)
            if kind is not None:
                counts[entity - 1][kind] += 1
            if how not in _SURE or finding.likelihood < Likelihood.LIKELY:
                sure[entity - 1] = False
    for entity in linked.labels.values():
        counts[entity - 1][PERSON] += 1
    people = {PERSON, "PARTY", *roles()["public_roles"]}
    return [
        reconcile(types, conservative, certain) if people & types.keys() else None
        for types, certain in zip(counts, sure, strict=True)
    ]
