"""The conversations with the highest scores, which should be read first."""

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from typing import Any, NamedTuple

MOST = 20
"""Number of conversations per source."""


class ScoredConversation(NamedTuple):
    """A conversation by id, and its score."""

    score: int
    direct_identifier: bool
    context: str
    conversation_id: str


Worst = dict[str, list[ScoredConversation]]
"""By source, highest scores first."""


def worst_of(scored: Iterable[tuple[str, ScoredConversation]]) -> Worst:
    """The worst of scored conversations, each with its source; those that score 0 are excluded.

    The result does not depend on order or division: among equal scores, conversations with a direct
    identifier come first, then those with the first ids in sort order.
    """
    by_source: Worst = {}
    for source, conversation in scored:
        if conversation.score:
            by_source.setdefault(source, []).append(conversation)
    return {source: nsmallest(MOST, found, key=_rank) for source, found in sorted(by_source.items())}


def worst_from_json(document: Mapping[str, Any]) -> Iterable[tuple[str, ScoredConversation]]:
    """The inverse of :func:`worst_to_json`, for merging."""
    for source, conversations in document.items():
        for told in conversations:
            yield source, ScoredConversation(**told)


def worst_to_json(worst: Worst) -> dict[str, list[dict[str, Any]]]:
    """Plain data, for receipts and the manifest."""
    return {source: [one._asdict() for one in conversations] for source, conversations in worst.items()}


def _rank(one: ScoredConversation) -> tuple[int, bool, str, str]:
    return -one.score, not one.direct_identifier, one.conversation_id, one.context
