"""Draws determined by secret and conversation: equal on every worker, unpredictable without the secret."""

import hmac

from tacenda.transforms.generating.draw import Draw


class KeyedDraws:
    """Streams of random choices for one conversation; ``secret`` has any length and is kept by the caller.

    >>> KeyedDraws(b"k", "call 1").draw("age").below(1000) == KeyedDraws(b"k", "call 1").draw("age").below(1000)
    True
    """

    __slots__ = ("_key",)

    def __init__(self, secret: bytes, conversation_id: str) -> None:
        self._key = hmac.digest(secret, conversation_id.encode("utf-8", "surrogatepass"), "sha256")

    def draw(self, *purpose: str | int) -> Draw:
        """The stream for a purpose; streams of different purposes are independent."""
        said = repr(purpose).encode("utf-8", "surrogatepass")
        return Draw(hmac.digest(self._key, said, "sha256").hex())
