"""Draws that a secret and a conversation determine: the same on every worker, and no others' to repeat."""

import hmac
from hashlib import sha256

from tacenda.transforms.generating.draw import Draw


class KeyedDraws:
    """Streams of choices for one conversation; ``secret`` is any number of bytes, kept by the caller.

    >>> KeyedDraws(b"k", "call 1").draw("age").below(1000) == KeyedDraws(b"k", "call 1").draw("age").below(1000)
    True
    """

    __slots__ = ("_key",)

    def __init__(self, secret: bytes, conversation_id: str) -> None:
        self._key = hmac.digest(secret, conversation_id.encode("utf-8", "surrogatepass"), "sha256")

    def draw(self, *purpose: str | int) -> Draw:
        """The stream for a purpose; streams of different purposes tell nothing of each other."""
        return Draw(hmac.new(self._key, repr(purpose).encode("utf-8", "surrogatepass"), sha256).hexdigest())
