"""Reconcile the clusters of a linked conversation: witnesses are replaced, public roles stay readable."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.linking.psilence.mention_types import mention_type
from tacenda.transforms.linking.psilence.reconciling import PERSON, WITNESS, Decision, reconcile, roles
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

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
        decision._replace(role=WITNESS, is_replaced=True)
        if decision is not None and number in always
        else decision
        for number, decision in enumerate(_decisions(linked, found, conservative), 1)
    ]
    roles_left = ["" if one is None or one.is_replaced else one.role for one in decisions]
    stays = [decision is not None and not decision.is_replaced for decision in decisions]
    info_types = [
        WITNESS if decision is not None and decision.is_replaced else info_type
        for decision, info_type in zip(decisions, linked.info_types, strict=True)
    ]
    # Entities are renumbered, since those that stay readable have no number.
    numbers: dict[int, int] = {}
    order = [entity for cell in linked.entities for entity in cell]
    firsts = dict.fromkeys((*linked.labels.values(), *order)) if linked.labels else dict.fromkeys(order)
    for entity in sorted(firsts):
        if not stays[entity - 1]:
            numbers[entity] = len(numbers) + 1
    findings, entities, agreements, left = [], [], [], []
    for cell, own, hows in zip(linked.findings, linked.entities, linked.agreements, strict=True):
        kept = [k for k, entity in enumerate(own) if not stays[entity - 1]]
        findings.append([cell[k]._replace(info_type=info_types[own[k] - 1]) for k in kept])
        entities.append([numbers[own[k]] for k in kept])
        agreements.append([hows[k] for k in kept])
        left.append(
            [
                finding._replace(info_type=roles_left[entity - 1])
                for finding, entity in zip(cell, own, strict=True)
                if stays[entity - 1]
            ]
        )
    conversation = replace(
        linked,
        findings=findings,
        entities=entities,
        labels={label: numbers[entity] for label, entity in linked.labels.items() if entity in numbers},
        info_types=[info_types[entity - 1] for entity in numbers],
        agreements=agreements,
    )
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
