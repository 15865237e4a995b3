"""Transformations with a key: hashes, ciphers that the key reverses, and the marks of their surrogates."""

import base64
import binascii
import hmac
import string
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from tacenda.transforms.replacing.keys import Key, derive, key_bytes
from tacenda.transforms.replacing.transformations import Transform
from tacenda.transforms.schema.errors import RecordError

Convert = Callable[[str], str]
"""From a value to another; raises ``RecordError`` for one that it cannot take."""


class Cipher(NamedTuple):
    """Both directions."""

    encrypt: Convert
    decrypt: Convert


def encrypted(key: Key, cipher: Callable[..., Cipher], mark: str | None, *settings: str) -> Transform:
    """Values of a cipher that a function makes of key and settings; :func:`decrypted` is the inverse.

    ``mark`` is written before the encrypted value, so that it can be found again.
    """
    encrypt = cipher(key, *settings).encrypt
    return lambda mention: annotated(mark, encrypt(mention.text))


def decrypted(key: Key, cipher: Callable[..., Cipher], _mark: str | None, *settings: str) -> Convert:
    """From an encrypted value without its mark to the original."""
    return cipher(key, *settings).decrypt


def annotated(info_type: str | None, surrogate: str) -> str:
    """The surrogate with its mark; without an infoType, as it is.

    >>> annotated("MY_TOKEN", "abc")
    'MY_TOKEN(3):abc'
    """
    return surrogate if info_type is None else f"{info_type}({len(surrogate)}):{surrogate}"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


SIZES = (32, 64)
"""Allowed sizes of a hash's key in bytes."""


def hashed(key: Key) -> Transform:
    """HMAC-SHA256 of the value in UTF-8, in base64."""
    secret = key_bytes(key, SIZES)
    return lambda mention: base64.b64encode(hmac.digest(secret, _bytes(mention.text), "sha256")).decode()


_EXPANDED = 64


def deterministic(key: Key) -> Cipher:
    """AES-SIV.

    Google expands the key to 64 bytes in an undocumented way; here it is HKDF-SHA256, so neither can reverse
    the other's surrogates.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    siv = AESSIV(derive(key_bytes(key), "AES-SIV", _EXPANDED))

    def encrypt(text: str) -> str:
        return base64.b64encode(siv.encrypt(_bytes(text), None)).decode()

    def decrypt(text: str) -> str:
        try:
            told: bytes = siv.decrypt(base64.b64decode(text, validate=True), None)
            return told.decode("utf-8", "surrogatepass")
        except (InvalidTag, binascii.Error, ValueError):
            raise RecordError("NotOurSurrogate") from None

    return Cipher(encrypt, decrypt)


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


def format_preserving(key: Key, alphabet: str) -> Cipher:
    """FF1 over an alphabet, to values of the same alphabet and length.

    It raises ``RecordError`` for a value with other characters, or too short for the cipher.
    """
    ff1 = Ff1(key_bytes(key), len(alphabet))
    numerals = {character: i for i, character in enumerate(alphabet)}

    def through(convert: Callable[[Sequence[int]], Sequence[int]]) -> Convert:
        def converted(text: str) -> str:
            if not numerals.keys() >= {*text}:
                raise RecordError("NotInAlphabet")
            return "".join(alphabet[i] for i in convert([numerals[one] for one in text]))

        return converted

    return Cipher(through(ff1.encrypt), through(ff1.decrypt))


_ROUNDS = 10
_BLOCK = 16
_LEAST_DOMAIN = 100
"""Minimum number of values of a given length (SP 800-38G); revision 1 requires a million."""

_MOST_NUMERALS = 1 << 16


class Ff1:
    """FF1, format-preserving encryption of NIST SP 800-38G: numerals of a radix to equally many numerals.

    Implemented here because no maintained library has FF1; AES itself is OpenSSL's.

    Args:
        key: 16, 24 or 32 bytes.
        radix: number of distinct numerals, from 2 to 65,536.
    """

    def __init__(self, key: bytes, radix: int) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher
        from cryptography.hazmat.primitives.ciphers.algorithms import AES
        from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB

        self._radix = radix
        # PRF is the last block of CBC with a zero initial block; single blocks use ECB.
        self._chained = Cipher(AES(key), CBC(bytes(_BLOCK)))
        self._single = Cipher(AES(key), ECB())  # noqa: S305 - one block, as the standard has it

    def encrypt(self, numerals: Sequence[int], tweak: bytes = b"") -> list[int]:
        """Encrypt numerals.

        Raises:
            RecordError: too few numerals, or far too many.
        """
        return self._through(numerals, tweak, 1)

    def decrypt(self, numerals: Sequence[int], tweak: bytes = b"") -> list[int]:
        """Decrypt numerals; the inverse of :meth:`encrypt`."""
        return self._through(numerals, tweak, -1)

    def _through(self, numerals: Sequence[int], tweak: bytes, sign: int) -> list[int]:
        """Algorithms 7 and 8: a Feistel network, which with its halves swapped runs backwards."""
        radix, n = self._radix, len(numerals)
        if n < 2 or radix ** min(n, 7) < _LEAST_DOMAIN:
            raise RecordError("ValueTooShort")
        if n > _MOST_NUMERALS:
            raise RecordError("ValueTooLong")
        u = n // 2
        sizes = u, n - u
        size = ((radix ** sizes[1] - 1).bit_length() + 7) // 8
        wide = 4 * -(-size // 4) + 4
        head = bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([_ROUNDS, u % 256])
        head += n.to_bytes(4, "big") + len(tweak).to_bytes(4, "big")
        head += tweak + bytes(-(len(tweak) + size + 1) % _BLOCK)
        a, b = (self._number(half) for half in (numerals[:u], numerals[u:])[::sign])
        for i in range(_ROUNDS)[::sign]:
            block = self._encrypted(self._chained, head + bytes([i]) + b.to_bytes(size, "big"))
            stream = block
            for j in range(1, -(-wide // _BLOCK)):
                counted = int.from_bytes(block, "big") ^ j
                stream += self._encrypted(self._single, counted.to_bytes(_BLOCK, "big"))
            a, b = b, (a + sign * int.from_bytes(stream[:wide], "big")) % radix ** sizes[i % 2]
        first, second = (a, b)[::sign]
        return self._numerals(first, sizes[0]) + self._numerals(second, sizes[1])

    def _encrypted(self, cipher: Any, data: bytes) -> bytes:
        """The last block of some data."""
        return bytes(cipher.encryptor().update(data)[-_BLOCK:])

    def _number(self, numerals: Sequence[int]) -> int:
        return reduce(lambda number, numeral: number * self._radix + numeral, numerals, 0)

    def _numerals(self, number: int, size: int) -> list[int]:
        numerals = []
        for _ in range(size):
            number, numeral = divmod(number, self._radix)
            numerals.append(numeral)
        return numerals[::-1]
