"""LinkedConversation: a conversation whose mentions of one person, number or thing carry one number."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tacenda.transforms.schema.finding import Finding


@dataclass(frozen=True, slots=True)
class LinkedConversation:
    """What is replaced in a conversation, and which of it means the same; the input of every replacer.

    ``texts``, ``speakers``, ``findings`` and ``entities`` have one entry a cell. The findings of a cell are
    disjoint and sorted by start; ``entities`` has, for each of them, the number of its entity, from 1 in the
    order in which entities first appear: who speaks before what is said. ``labels`` has the entity of each
    speaker label that is personal data, and ``info_types`` the infoType of each entity, by number less one.
    ``agreements`` tells of each finding in what way it agrees with its entity; how sure that is stands in
    ``names.yaml``.
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
        """How many distinct entities each infoType has, speaker labels included."""
        return Counter(self.info_types)
