"""The dictionary of a conversation: who its clusters are, in the words and places of the original.

It undoes what replacing did, and is for few eyes: it never lies beside the output.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tacenda.transforms.linking.psilence.clusters import Reconciled

Clusters = Mapping[str, Sequence[Mapping[str, Sequence[Sequence[int]]]]]


def dictionary(reconciled: Reconciled) -> dict[str, Any]:
    """Roles to clusters, each with its writings and their places: cell, start, end in code points, half open.

    The witnesses stand in the order of their numbers; the others are listed for who wants to move a cluster.
    """
    linked = reconciled.linked
    written: list[dict[str, list[list[int]]]] = [{} for _ in linked.info_types]
    for cell, (text, found, own) in enumerate(
        zip(linked.texts, linked.findings, linked.entities, strict=True)
    ):
        for finding, entity in zip(found, own, strict=True):
            place = [cell, finding.start, finding.end]
            written[entity - 1].setdefault(text[finding.start : finding.end], []).append(place)
    clusters: dict[str, list[dict[str, list[list[int]]]]] = {}
    for decision, writings in zip(reconciled.decisions, written, strict=True):
        if decision is not None and writings:
            clusters.setdefault(decision.role, []).append(writings)
    return {"conversation_id": linked.id, "clusters": clusters}


def check_dictionary(clusters: Clusters, texts: Sequence[str]) -> None:
    """Refuse a dictionary that does not fit its conversation, as the one that the paper prints.

    Raises:
        ValueError: a place outside of its text, or with other text than it says, or two that overlap.
    """
    places: list[tuple[int, int, int]] = []
    for role, several in clusters.items():
        for cluster in several:
            for writing, where in cluster.items():
                for cell, start, end in where:
                    if not (0 <= cell < len(texts) and texts[cell][start:end] == writing and start < end):
                        raise ValueError(f"{role}: cell {cell}, {start} to {end} has other text than it says")
                    places.append((cell, start, end))
    places.sort()
    for (cell, start, end), (other, follows, _) in pairwise(places):
        if cell == other and follows < end:
            raise ValueError(f"cell {cell}: what begins at {start} and at {follows} overlaps")
