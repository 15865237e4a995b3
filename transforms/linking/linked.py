"""LinkedConversation: a conversation in which mentions of one person, number or thing share a number."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from tacenda.transforms.schema.finding import Finding


@dataclass(frozen=True, slots=True)
class LinkedConversation:
    """The findings to replace in a conversation and their entities; the input of every replacer.

    ``texts``, ``speakers``, ``findings`` and ``entities`` have one entry a cell. The findings of a cell are
    disjoint and sorted by start; ``entities`` has the entity number of each of them. Entities are numbered
    from 1 by first appearance, a cell's speaker before its text. ``labels`` maps each speaker label that is
    personal data to its entity, and ``info_types`` has the infoType of each entity at its number minus one.
    ``agreements`` has the kind of agreement of each finding with its entity; ``names.yaml`` gives the
    confidence of each kind. ``language`` is that of most cells, empty if none is known; None if nobody asked.
    """

    id: str
    texts: Sequence[str]
    speakers: Sequence[str | None]
    findings: Sequence[Sequence[Finding]]
    entities: Sequence[Sequence[int]]
    labels: Mapping[str, int]
    info_types: Sequence[str]
    agreements: Sequence[Sequence[str]] = ()
    language: str | None = None

    def mentions(self) -> Iterator[tuple[str, int, str, int, int]]:
        """Text, entity, infoType, start and end of each speaker label, which is whole, and of each finding."""
        for label, entity in self.labels.items():
            yield label, entity, self.info_types[entity - 1], 0, len(label)
        for text, found, entities in zip(self.texts, self.findings, self.entities, strict=True):
            for (start, end, info_type, *_), entity in zip(found, entities, strict=True):
                yield text, entity, info_type, start, end

    def without(self, gone: Collection[tuple[int, int]]) -> "LinkedConversation":
        """The same without some findings, given by cell and index; the others keep their entities.

        Entities are renumbered by first appearance.
        """
        left = [[k for k in range(len(found)) if (i, k) not in gone] for i, found in enumerate(self.findings)]
        numbers: dict[int, int] = {}
        for i, (speaker, kept) in enumerate(zip(self.speakers, left, strict=True)):
            label = self.labels.get(speaker) if speaker is not None else None
            for entity in (*(() if label is None else (label,)), *(self.entities[i][k] for k in kept)):
                numbers.setdefault(entity, len(numbers) + 1)
        return replace(
            self,
            findings=[[self.findings[i][k] for k in kept] for i, kept in enumerate(left)],
            entities=[[numbers[self.entities[i][k]] for k in kept] for i, kept in enumerate(left)],
            labels={label: numbers[entity] for label, entity in self.labels.items()},
            info_types=[self.info_types[entity - 1] for entity in numbers],
            agreements=[[self.agreements[i][k] for k in kept] for i, kept in enumerate(left)]
            if self.agreements
            else (),
        )

    def label_entities(self) -> dict[str, tuple[int, str]]:
        """The entity of each speaker label that is personal data, and the entity's infoType."""
        return {label: (entity, self.info_types[entity - 1]) for label, entity in self.labels.items()}


Reconcile = Literal["none", "paper", "conservative"]
"""Whether clusters are reconciled by the rules of PSILENCE, and how readily they leave somebody readable."""

RECONCILE = "reconcile"
"""The name of the rules in the laboratory."""

PUBLIC_ROLE = "public_role"
"""Why a finding stays readable: reconciliation took its cluster for somebody whose role is public."""

PUBLIC_KNOWLEDGE = "public_knowledge"
"""Why a finding stays readable: everybody knows it, and no turn ties it to anybody."""


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """``roles``: labels of speakers, as ``speakers.folded_label`` gives them, that are no names.
    ``public_knowledge``: what everybody knows stays readable (``linking.public_knowledge``).
    """

    reconcile: Reconcile = "none"
    roles: frozenset[str] = frozenset()
    public_knowledge: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report, and in the config's hash."""
        told: dict[str, Any] = {"reconcile": self.reconcile}
        return {**told, "public_knowledge": True} if self.public_knowledge else told


WITNESS = "WITNESS"
"""The infoType of reconciled people who are replaced."""


Reconciler = Callable[..., Any]
"""Decides for each cluster of a linked conversation whether it is replaced (``lab.psilence``)."""
