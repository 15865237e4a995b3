"""The ``n`` of ``[TYPE_n]``: numbers the entities of a conversation in the order in which they first appear."""

from collections.abc import Iterable

from tacenda.transforms.linking.normalising import normalised_value


class ConversationEntities:
    """The entities of one conversation; made anew for each, so that nothing crosses conversations.

    Two counters run side by side. ``entity`` counts all entities of the conversation from 1 and is what the
    findings carry. ``number`` counts within an infoType and is the ``n`` of the token ``[TYPE_n]``; numbers in
    ``taken`` are skipped, because the input already holds a token that says them.
    """

    def __init__(self, taken: Iterable[tuple[str, int]] = ()) -> None:
        self._known: dict[tuple[str, str], tuple[int, int]] = {}
        self._last: dict[str, int] = {}
        self._taken = frozenset(taken)

    def mention(self, info_type: str, text: str) -> tuple[int, int]:
        """Register a mention; return its (entity, number)."""
        key = (info_type, normalised_value(info_type, text))
        known = self._known.get(key)
        if known is None:
            number = self._last.get(info_type, 0) + 1
            while (info_type, number) in self._taken:
                number += 1
            self._last[info_type] = number
            known = self._known[key] = len(self._known) + 1, number
        return known

    def counts(self) -> dict[str, int]:
        """How many distinct entities each infoType has."""
        counts: dict[str, int] = {}
        for info_type, _ in self._known:
            counts[info_type] = counts.get(info_type, 0) + 1
        return counts
