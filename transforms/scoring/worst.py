"""The conversations with the highest scores: those that somebody should read first."""

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from typing import Any, NamedTuple

MOST = 20
"""Of each source."""


class ScoredConversation(NamedTuple):
    """A conversation by name, and what it scored."""

    score: int
    direct_identifier: bool
    context: str
    conversation_id: str


Worst = dict[str, list[ScoredConversation]]
"""By source, the highest first."""


def worst_of(scored: Iterable[tuple[str, ScoredConversation]]) -> Worst:
    """The worst of scored conversations, each with its source; whoever scored 0 is not among them.

    The same whatever the order, and however they were divided and put together again: of those that score
    alike, the ones with a direct identifier come first, then the ids that sort first.
    """
    by_source: Worst = {}
    for source, conversation in scored:
        if conversation.score:
            by_source.setdefault(source, []).append(conversation)
    return {source: nsmallest(MOST, found, key=_rank) for source, found in sorted(by_source.items())}


def worst_from_json(document: Mapping[str, Any]) -> Iterable[tuple[str, ScoredConversation]]:
    """What :func:`worst_to_json` wrote, to be put together with others."""
    for source, conversations in document.items():
        for told in conversations:
            yield source, ScoredConversation(**told)


def worst_to_json(worst: Worst) -> dict[str, list[dict[str, Any]]]:
    """Plain data, as receipts and the manifest hold it."""
    return {source: [one._asdict() for one in conversations] for source, conversations in worst.items()}


def _rank(one: ScoredConversation) -> tuple[int, bool, str, str]:
    return -one.score, not one.direct_identifier, one.conversation_id, one.context
