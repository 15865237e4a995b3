"""``crypto_replace_ffx_fpe_config``: format-preserving encryption by FF1, reversible with the key."""

import string
from collections.abc import Mapping
from dataclasses import dataclass

from tacenda.transforms.replacing.ff1 import Ff1
from tacenda.transforms.replacing.keys import Key, key_bytes
from tacenda.transforms.replacing.transformations.reversible_cipher import Cipher, ReversibleCipher
from tacenda.transforms.replacing.transformations.transformation import Telling
from tacenda.transforms.schema.errors import RecordError

NATIVE = (
    string.digits + string.ascii_uppercase + string.ascii_lowercase + " ~`!@#$%^&*()_-+={[}]|\\:;\"'<,>.?/"
)
"""All characters that an alphabet may have; a radix uses the first ones."""

COMMON_ALPHABETS: Mapping[str, str] = {
    "NUMERIC": NATIVE[:10],
    "HEXADECIMAL": NATIVE[:16],
    "UPPER_CASE_ALPHA_NUMERIC": NATIVE[:36],
    "ALPHA_NUMERIC": NATIVE[:62],
}
"""``FfxCommonNativeAlphabet``."""

_OF_A_STRING = b"\x02"
"""Suffix of a tweak that is a text."""


@dataclass(frozen=True, slots=True)
class FormatPreserving(ReversibleCipher):
    """Encrypts values of an ``alphabet`` to values of the same alphabet and length."""

    key: Key
    alphabet: str
    surrogate: str | None
    by_conversation: bool = False

    def cipher(self) -> Cipher:
        """FF1 over the alphabet; a conversation is the tweak.

        It raises ``RecordError`` for a value with other characters, or too short for the cipher.
        """
        ff1 = Ff1(key_bytes(self.key), len(self.alphabet))
        numerals = {character: i for i, character in enumerate(self.alphabet)}

        def encrypted(text: str, context: bytes | None) -> str:
            return "".join(self.alphabet[i] for i in ff1.encrypt(_taken(text, numerals), _tweak(context)))

        def decrypted(text: str, context: bytes | None) -> str:
            return "".join(self.alphabet[i] for i in ff1.decrypt(_taken(text, numerals), _tweak(context)))

        return Cipher(encrypted, decrypted)

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling(
            "encrypted by FF1, of the same length and alphabet: reversible with the key",
            f"its length stays readable, one value has one surrogate in {self.scope}, and the key reveals it",
            pseudonymised=True,
        )


def _tweak(context: bytes | None) -> bytes:
    return b"" if context is None else context + _OF_A_STRING


def _taken(text: str, numerals: Mapping[str, int]) -> list[int]:
    try:
        return [numerals[character] for character in text]
    except KeyError:
        raise RecordError("NotInAlphabet") from None
