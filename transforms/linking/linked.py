"""LinkedConversation: a conversation in which mentions of one person, number or thing share a number."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tacenda.transforms.schema.finding import Finding


@dataclass(frozen=True, slots=True)
class LinkedConversation:
    """The findings to replace in a conversation and their entities; the input of every replacer.

    ``texts``, ``speakers``, ``findings`` and ``entities`` have one entry a cell. The findings of a cell are
    disjoint and sorted by start; ``entities`` has the entity number of each of them. Entities are numbered
    from 1 by first appearance, a cell's speaker before its text. ``labels`` maps each speaker label that is
    personal data to its entity, and ``info_types`` has the infoType of each entity at its number minus one.
    ``agreements`` has the kind of agreement of each finding with its entity; ``names.yaml`` gives the
    confidence of each kind.
    """

    id: str
    texts: Sequence[str]
    speakers: Sequence[str | None]
    findings: Sequence[Sequence[Finding]]
    entities: Sequence[Sequence[int]]
    labels: Mapping[str, int]
    info_types: Sequence[str]
    agreements: Sequence[Sequence[str]] = ()

    def entity_counts(self) -> dict[str, int]:
        """The number of distinct entities of each infoType, including speaker labels."""
        return Counter(self.info_types)
