"""Number the entities of one conversation in the order in which they first appear."""

from collections import defaultdict
from collections.abc import Iterable

from transforms.linking.normalising import normalised_value


class ConversationEntities:
    """The entities of one conversation; made anew for each, so that nothing crosses conversations.

    Two counters run side by side. ``entity`` counts all entities of the conversation from 1 and is what the
    findings carry. ``number`` counts within an infoType and is the ``n`` of the token ``[TYPE_n]``; numbers in
    ``taken`` are skipped, because the input already holds a token that says them.
    """

    def __init__(self, taken: Iterable[tuple[str, int]] = ()) -> None:
        self._entity: dict[tuple[str, str], int] = {}
        self._number: dict[tuple[str, str], int] = {}
        self._last: defaultdict[str, int] = defaultdict(int)
        self._taken = frozenset(taken)

    def mention(self, info_type: str, text: str) -> tuple[int, int]:
        """Register a mention; return its (entity, number)."""
        key = (info_type, normalised_value(info_type, text))
        if key not in self._entity:
            self._entity[key] = len(self._entity) + 1
            number = self._last[info_type] + 1
            while (info_type, number) in self._taken:
                number += 1
            self._last[info_type] = number
            self._number[key] = number
        return self._entity[key], self._number[key]

    def counts(self) -> dict[str, int]:
        """How many distinct entities each infoType has."""
        counts: dict[str, int] = {}
        for info_type, _ in self._entity:
            counts[info_type] = counts.get(info_type, 0) + 1
        return counts
