"""``crypto_deterministic_config``: encryption by AES-SIV (RFC 5297), reversible with the key."""

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacenda.transforms.replacing.keys import Key, derive, key_bytes
from tacenda.transforms.replacing.surrogate_form import annotated
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.schema.errors import RecordError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

_EXPANDED = 64


@dataclass(frozen=True, slots=True)
class CryptoDeterministic:
    """Equal values have equal surrogates: in the corpus, or with ``by_conversation`` in a conversation.

    Google expands the key to 64 bytes in an undocumented way; here it is HKDF-SHA256, so neither can reverse
    the other's surrogates.
    """

    key: Key
    surrogate: str | None
    by_conversation: bool = False

    def build(self) -> Transform:
        """Build the function."""
        cipher = self._cipher()

        def encrypted(mention: Mention) -> str:
            told = mention.text.encode("utf-8", "surrogatepass")
            secret = cipher.encrypt(told, self._context(mention.conversation))
            return annotated(self.surrogate, base64.b64encode(secret).decode())

        return encrypted

    def build_reversal(self) -> Transform:
        """The inverse function, for a mention whose text is the bare surrogate."""
        from cryptography.exceptions import InvalidTag

        cipher = self._cipher()

        def decrypted(mention: Mention) -> str:
            try:
                secret = base64.b64decode(mention.text, validate=True)
                told: bytes = cipher.decrypt(secret, self._context(mention.conversation))
                return told.decode("utf-8", "surrogatepass")
            except (InvalidTag, binascii.Error, ValueError):
                raise RecordError("NotOurSurrogate") from None

        return decrypted

    def keys(self) -> tuple[Key, ...]:
        """The cipher's key."""
        return (self.key,)

    def telling(self) -> Telling:
        """Description for manifest and report."""
        where = "a conversation" if self.by_conversation else "all conversations"
        return Telling(
            "encrypted by AES-SIV: reversible with the key",
            f"one value has one surrogate in {where}, and anyone with the key can read it",
            pseudonymised=True,
        )

    def _cipher(self) -> "AESSIV":
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        return AESSIV(derive(key_bytes(self.key), "AES-SIV", _EXPANDED))

    def _context(self, conversation: str) -> list[bytes]:
        return [conversation.encode("utf-8", "surrogatepass")] if self.by_conversation else []
