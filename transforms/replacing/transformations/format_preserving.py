"""``crypto_replace_ffx_fpe_config``: format-preserving encryption by FF1, reversible with the key."""

import string
from collections.abc import Mapping
from dataclasses import dataclass

from tacenda.transforms.replacing.ff1 import Ff1
from tacenda.transforms.replacing.keys import Key, key_bytes
from tacenda.transforms.replacing.surrogate_form import annotated
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
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
class FormatPreserving:
    """Encrypts values of an ``alphabet`` to values of the same alphabet and length.

    With ``by_conversation``, the conversation's id is the tweak, so a value has a different surrogate in each
    conversation.
    """

    key: Key
    alphabet: str
    surrogate: str | None
    by_conversation: bool = False

    def build(self) -> Transform:
        """The function.

        It raises ``RecordError`` for a value with other characters, or too short for the cipher.
        """
        cipher = self._cipher()
        numerals = {character: i for i, character in enumerate(self.alphabet)}

        def encrypted(mention: Mention) -> str:
            taken = _taken(mention.text, numerals)
            said = "".join(self.alphabet[i] for i in cipher.encrypt(taken, self._tweak(mention.conversation)))
            return annotated(self.surrogate, said)

        return encrypted

    def build_reversal(self) -> Transform:
        """The inverse function, for a mention whose text is the bare surrogate."""
        cipher = self._cipher()
        numerals = {character: i for i, character in enumerate(self.alphabet)}

        def decrypted(mention: Mention) -> str:
            taken = _taken(mention.text, numerals)
            return "".join(self.alphabet[i] for i in cipher.decrypt(taken, self._tweak(mention.conversation)))

        return decrypted

    def keys(self) -> tuple[Key, ...]:
        """The cipher's key."""
        return (self.key,)

    def telling(self) -> Telling:
        """Description for manifest and report."""
        where = "a conversation" if self.by_conversation else "all conversations"
        return Telling(
            "encrypted by FF1, of the same length and alphabet: reversible with the key",
            f"its length stays readable, one value has one surrogate in {where}, and the key reveals it",
            pseudonymised=True,
        )

    def _cipher(self) -> Ff1:
        return Ff1(key_bytes(self.key), len(self.alphabet))

    def _tweak(self, conversation: str) -> bytes:
        return conversation.encode("utf-8", "surrogatepass") + _OF_A_STRING if self.by_conversation else b""


def _taken(text: str, numerals: Mapping[str, int]) -> list[int]:
    try:
        return [numerals[character] for character in text]
    except KeyError:
        raise RecordError("NotInAlphabet") from None
