"""Draw: seeded randomness, derived from a key and equal on every machine."""

import random
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A stream of random choices determined by its key alone.

    Only ``random()`` of the standard generator is used: the one method that Python promises to keep stable
    between versions. The key is hashed, so that similar keys give unrelated streams.

    >>> Draw(7, 0).below(1000) == Draw(7, 0).below(1000)
    True
    """

    __slots__ = ("random",)

    def __init__(self, *key: int | str) -> None:
        digest = blake2b(repr(key).encode(), digest_size=16).digest()
        self.random = random.Random(int.from_bytes(digest, "big")).random  # noqa: S311 - no secret

    def below(self, limit: int) -> int:
        """An integer of ``0 … limit - 1``."""
        return int(self.random() * limit)

    def between(self, least: int, most: int) -> int:
        """An integer of ``least … most``, both included."""
        return least + int(self.random() * (most - least + 1))

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each as likely as another."""
        return items[int(self.random() * len(items))]

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.random() < probability

    def digits(self, count: int) -> str:
        """A string of at most 15 digits; more would exceed the precision of a float."""
        return f"{int(self.random() * 10**count):0{count}d}"

    def letters(self, count: int, alphabet: str = "ABCDEFGHJKLMNPQRSTUVWXYZ") -> str:
        """A string of letters (by default without I and O, which can be mistaken for digits)."""
        return "".join([alphabet[int(self.random() * len(alphabet))] for _ in range(count)])
