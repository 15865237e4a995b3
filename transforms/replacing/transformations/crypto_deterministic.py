"""``crypto_deterministic_config``: encryption by AES-SIV (RFC 5297), reversible with the key."""

import base64
import binascii
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key, derive, key_bytes
from tacenda.transforms.replacing.transformations.reversible_cipher import Cipher, ReversibleCipher
from tacenda.transforms.replacing.transformations.transformation import Telling
from tacenda.transforms.schema.errors import RecordError

_EXPANDED = 64


@dataclass(frozen=True, slots=True)
class CryptoDeterministic(ReversibleCipher):
    """Equal values have equal surrogates: in the corpus, or with ``by_conversation`` in a conversation.

    Google expands the key to 64 bytes in an undocumented way; here it is HKDF-SHA256, so neither can reverse
    the other's surrogates.
    """

    key: Key
    surrogate: str | None
    by_conversation: bool = False

    def cipher(self) -> Cipher:
        """AES-SIV with the expanded key; a conversation is associated data."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        siv = AESSIV(derive(key_bytes(self.key), "AES-SIV", _EXPANDED))

        def encrypted(text: str, context: bytes | None) -> str:
            secret = siv.encrypt(text.encode("utf-8", "surrogatepass"), _data(context))
            return base64.b64encode(secret).decode()

        def decrypted(text: str, context: bytes | None) -> str:
            try:
                told: bytes = siv.decrypt(base64.b64decode(text, validate=True), _data(context))
                return told.decode("utf-8", "surrogatepass")
            except (InvalidTag, binascii.Error, ValueError):
                raise RecordError("NotOurSurrogate") from None

        return Cipher(encrypted, decrypted)

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling(
            "encrypted by AES-SIV: reversible with the key",
            f"one value has one surrogate in {self.scope}, and anyone with the key can read it",
            pseudonymised=True,
        )


def _data(context: bytes | None) -> list[bytes]:
    return [] if context is None else [context]
