"""The dictionary of a conversation: the people of its clusters, with their original text and positions.

It reverses the replacement, so access must be restricted; it is never written beside the output.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tacenda.transforms.linking.psilence.clusters import Reconciled

Clusters = Mapping[str, Sequence[Mapping[str, Sequence[Sequence[int]]]]]


def dictionary(
    reconciled: Reconciled, cells: Sequence[tuple[int | str, ...]] | None = None
) -> dict[str, Any]:
    """Roles to clusters, with their written forms and places: cell and half-open range of code points.

    Witnesses come in the order of their numbers; the other roles are listed so that a cluster can be moved.
    ``cells`` says what each cell is called there; without it, by its number.
    """
    linked = reconciled.linked
    written: list[dict[str, list[list[int | str]]]] = [{} for _ in linked.info_types]
    for cell, (text, found, own) in enumerate(
        zip(linked.texts, linked.findings, linked.entities, strict=True)
    ):
        for finding, entity in zip(found, own, strict=True):
            place = [*((cell,) if cells is None else cells[cell]), finding.start, finding.end]
            written[entity - 1].setdefault(text[finding.start : finding.end], []).append(place)
    clusters: dict[str, list[dict[str, list[list[int | str]]]]] = {}
    for decision, writings in zip(reconciled.decisions, written, strict=True):
        if decision is not None and writings:
            clusters.setdefault(decision.role, []).append(writings)
    return {"conversation_id": linked.id, "clusters": clusters}


def check_dictionary(clusters: Clusters, texts: Sequence[str]) -> None:
    """Reject a dictionary that does not fit its conversation, such as the one printed in the paper.

    Raises:
        ValueError: a place is outside of its text, its text differs, or two places overlap.
    """
    places: list[tuple[int, int, int]] = []
    for role, several in clusters.items():
        for cluster in several:
            for writing, where in cluster.items():
                for cell, start, end in where:
                    if not (0 <= cell < len(texts) and texts[cell][start:end] == writing and start < end):
                        raise ValueError(f"{role}: cell {cell}, {start} to {end}: the text differs")
                    places.append((cell, start, end))
    places.sort()
    for (cell, start, end), (other, follows, _) in pairwise(places):
        if cell == other and follows < end:
            raise ValueError(f"cell {cell}: the mentions at {start} and {follows} overlap")
