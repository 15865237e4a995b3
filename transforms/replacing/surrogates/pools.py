"""Pools: lists from which a conversation draws values, each at most once.

A value is drawn at random, with a few more tries if it is taken. Once these fail, the list is walked in an
order of the conversation's own, from where the last walk stopped: so a used-up list costs one walk, and not
one for each value that asks it.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.surrogates.keyed import KeyedDraws
from tacenda.transforms.replacing.surrogates.taken import Taken

_TRIES = 12


class Pools:
    """The lists of one conversation, and what is left of them."""

    def __init__(self, draws: KeyedDraws, taken: Taken) -> None:
        self._draws = draws
        self._taken = taken
        self._walks: dict[Hashable, Iterator[str]] = {}

    def drawn(
        self,
        pool: tuple[str | int, ...],
        values: Sequence[str],
        draw: Draw,
        fits: Callable[[str], bool] = bool,
    ) -> str | None:
        """A value that nobody has and that is no word of the conversation; None if none is left.

        Args:
            pool: what identifies the values and ``fits``; equal for equal lists and conditions.
            values: the list.
            draw: the stream of the original to be replaced.
            fits: what else a value must be.
        """
        walk = self._walks.get(pool)
        if walk is None:
            for _ in range(_TRIES if values else 0):
                value = draw.pick(values)
                if fits(value) and self._is_free(value):
                    return value
            walk = self._walks[pool] = iter(_shuffled(values, self._draws.draw("pool", *pool)))
        # What is passed over was taken, is a word or does not fit, and remains so.
        return next((value for value in walk if fits(value) and self._is_free(value)), None)

    def _is_free(self, value: str) -> bool:
        return not self._taken.is_word(value) and self._taken.take(value)


def _shuffled(values: Sequence[str], draw: Draw) -> list[str]:
    return [value for _, value in sorted((draw.random(), value) for value in values)]
