"""Transformations with a key: hashes, ciphers that the key reverses, and the marks of their surrogates."""

import base64
import binascii
import hashlib
import hmac
import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote

from tacenda.transforms.replacing.ff1 import Ff1
from tacenda.transforms.replacing.keys import Key, derive, key_bytes
from tacenda.transforms.replacing.transformations.transformation import (
    Description,
    Mention,
    Reverse,
    Transform,
    Transformation,
)
from tacenda.transforms.schema.errors import RecordError

_BYTE = re.compile(r"%([0-9A-Fa-f]{2})")


def annotated(info_type: str | None, surrogate: str) -> str:
    """The surrogate with its mark; without an infoType, as it is.

    >>> annotated("MY_TOKEN", "abc")
    'MY_TOKEN(3):abc'
    """
    return surrogate if info_type is None else f"{info_type}({len(surrogate)}):{surrogate}"


class Surrogates:
    """Finds marked surrogates in texts.

    Args:
        info_types: the names in the marks.
    """

    def __init__(self, info_types: Iterable[str]) -> None:
        # Longer names first: one may be a suffix of another.
        names = sorted(info_types, key=len, reverse=True)
        self._named = {one: name for name in names for one in (quote(name, safe=""), name)}
        self._mark = re.compile(
            f"({'|'.join(map(re.escape, self._named))})(?:\\(|(%28))([1-9][0-9]{{0,8}})(?(2)%29%3A|\\):)"
        )

    def sub(self, reverse: Callable[[str, str], str], text: str) -> str:
        """Replace each surrogate by the result of ``reverse`` for its infoType and value.

        A mark whose value would extend beyond the end of the text is ignored.
        """
        pieces: list[str] = []
        position = 0
        while found := self._mark.search(text, position):
            escaped, length = found[2] is not None, int(found[3])
            end = _end_of_escaped(text, found.end(), length) if escaped else found.end() + length
            if end > len(text):
                pieces.append(text[position : found.end()])
                position = found.end()
                continue
            value = text[found.end() : end]
            original = reverse(self._named[found[1]], unquote(value) if escaped else value)
            pieces += text[position : found.start()], quote(original) if escaped else original
            position = end
        return "".join([*pieces, text[position:]])


def _end_of_escaped(text: str, start: int, length: int) -> int:
    """The end of ``length`` characters, escaped byte by byte or not; beyond the text if there are fewer."""
    for _ in range(length):
        if start >= len(text):
            return len(text) + 1
        byte = _BYTE.match(text, start)
        first = 0 if byte is None else int(byte[1], 16)
        start += 1 if byte is None else 3 * (1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0))
    return start


Convert = Callable[[str, bytes | None], str]
"""From a value and the conversation's id, or None where all conversations are one, to another value."""


class Cipher(NamedTuple):
    """Both directions; either raises ``RecordError`` for a value that it cannot take."""

    encrypt: Convert
    decrypt: Convert


class ReversibleCipher(Transformation):
    """A transformation by a cipher.

    With ``by_conversation``, a value has a different surrogate in each conversation. ``surrogate`` is written
    before the encrypted value, so that it can be found again.
    """

    __slots__ = ()
    key: Key
    surrogate: str | None
    by_conversation: bool

    def cipher(self) -> Cipher:
        """The cipher with its key."""
        raise NotImplementedError

    def build(self) -> Transform:
        encrypt = self.cipher().encrypt
        return lambda mention: annotated(self.surrogate, encrypt(mention.text, self._context(mention)))

    def build_reversal(self) -> Reverse:
        """The inverse function, for a mention whose text is the bare surrogate."""
        decrypt = self.cipher().decrypt
        return lambda mention: decrypt(mention.text, self._context(mention))

    @property
    def scope(self) -> str:
        """Where equal values have equal surrogates, in words."""
        return "a conversation" if self.by_conversation else "all conversations"

    def _context(self, mention: Mention) -> bytes | None:
        return mention.conversation.encode("utf-8", "surrogatepass") if self.by_conversation else None


SIZES = (32, 64)
"""Allowed key sizes in bytes."""


@dataclass(frozen=True, slots=True)
class CryptoHash(Transformation):
    """HMAC-SHA256 of the value in UTF-8, in base64."""

    key: Key

    def build(self) -> Transform:
        keyed = hmac.new(key_bytes(self.key, SIZES), digestmod=hashlib.sha256)

        def hashed(mention: Mention) -> str:
            one = keyed.copy()
            one.update(mention.text.encode("utf-8", "surrogatepass"))
            return base64.b64encode(one.digest()).decode()

        return hashed

    def describe(self) -> Description:
        return Description(
            "a keyed hash",
            "one value has one hash in all conversations, and anyone with the key can find it by trying",
            pseudonymised=True,
        )


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

    def describe(self) -> Description:
        return Description(
            "encrypted by AES-SIV: reversible with the key",
            f"one value has one surrogate in {self.scope}, and anyone with the key can read it",
            pseudonymised=True,
        )


def _data(context: bytes | None) -> list[bytes]:
    return [] if context is None else [context]


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

    def describe(self) -> Description:
        return Description(
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
