"""What ciphers have in common that whoever has the key can reverse."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.surrogate_form import annotated
from tacenda.transforms.replacing.transformations.transformation import Mention, Reverse, Telling, Transform

Convert = Callable[[str, bytes | None], str]
"""From a value and the conversation's id, or None where all conversations are one, to another value."""


class Cipher(NamedTuple):
    """Both directions; either raises ``RecordError`` for a value that it cannot take."""

    encrypt: Convert
    decrypt: Convert


class ReversibleCipher(ABC):
    """A transformation by a cipher.

    With ``by_conversation``, a value has a different surrogate in each conversation. ``surrogate`` is written
    before the encrypted value, so that it can be found again.
    """

    __slots__ = ()
    key: Key
    surrogate: str | None
    by_conversation: bool

    @abstractmethod
    def cipher(self) -> Cipher:
        """The cipher with its key."""

    @abstractmethod
    def telling(self) -> Telling:
        """Description for manifest and report."""

    def build(self) -> Transform:
        """Build the function."""
        encrypt = self.cipher().encrypt
        return lambda mention: annotated(self.surrogate, encrypt(mention.text, self._context(mention)))

    def build_reversal(self) -> Reverse:
        """The inverse function, for a mention whose text is the bare surrogate."""
        decrypt = self.cipher().decrypt
        return lambda mention: decrypt(mention.text, self._context(mention))

    def keys(self) -> tuple[Key, ...]:
        """The cipher's key."""
        return (self.key,)

    @property
    def scope(self) -> str:
        """Where equal values have equal surrogates, in words."""
        return "a conversation" if self.by_conversation else "all conversations"

    def _context(self, mention: Mention) -> bytes | None:
        return mention.conversation.encode("utf-8", "surrogatepass") if self.by_conversation else None
