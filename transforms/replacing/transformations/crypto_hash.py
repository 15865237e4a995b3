"""``crypto_hash_config``: a keyed hash, equal for equal values throughout the corpus."""

import base64
import hashlib
import hmac
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key, key_bytes
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform

SIZES = (32, 64)
"""Allowed key sizes in bytes."""


@dataclass(frozen=True, slots=True)
class CryptoHash:
    """HMAC-SHA256 of the value in UTF-8, in base64."""

    key: Key

    def build(self) -> Transform:
        """Build the function."""
        keyed = hmac.new(key_bytes(self.key, SIZES), digestmod=hashlib.sha256)

        def hashed(mention: Mention) -> str:
            one = keyed.copy()
            one.update(mention.text.encode("utf-8", "surrogatepass"))
            return base64.b64encode(one.digest()).decode()

        return hashed

    def keys(self) -> tuple[Key, ...]:
        """The key of the hash."""
        return (self.key,)

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling(
            "a keyed hash",
            "one value has one hash in all conversations, and anyone with the key can find it by trying",
            pseudonymised=True,
        )
