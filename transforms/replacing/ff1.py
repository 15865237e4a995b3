"""FF1, format-preserving encryption of NIST SP 800-38G: numerals of a radix to equally many numerals.

Implemented here because no maintained library has FF1; AES itself is OpenSSL's.
"""

from collections.abc import Sequence

from tacenda.transforms.schema.errors import RecordError

_ROUNDS = 10
_BLOCK = 16
_LEAST_DOMAIN = 100
"""Minimum number of values of a given length (SP 800-38G); revision 1 requires a million."""

_MOST_NUMERALS = 1 << 16


class Ff1:
    """The cipher for a key and a radix; algorithms 7 and 8 of SP 800-38G.

    Args:
        key: 16, 24 or 32 bytes.
        radix: number of distinct numerals, from 2 to 65,536.
    """

    def __init__(self, key: bytes, radix: int) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher
        from cryptography.hazmat.primitives.ciphers.algorithms import AES
        from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB

        if not 2 <= radix <= 1 << 16:
            raise ValueError("the radix is out of range")
        self._radix = radix
        # PRF is the last block of CBC with a zero initial block; single blocks use ECB.
        self._chained = Cipher(AES(key), CBC(bytes(_BLOCK)))
        self._single = Cipher(AES(key), ECB())  # noqa: S305 - one block, as the standard has it

    def encrypt(self, numerals: Sequence[int], tweak: bytes = b"") -> list[int]:
        """Encrypt numerals.

        Raises:
            RecordError: too few numerals, or far too many.
        """
        return self._through(numerals, tweak, range(_ROUNDS), 1)

    def decrypt(self, numerals: Sequence[int], tweak: bytes = b"") -> list[int]:
        """Decrypt numerals; the inverse of :meth:`encrypt`."""
        return self._through(numerals, tweak, range(_ROUNDS - 1, -1, -1), -1)

    def _through(self, numerals: Sequence[int], tweak: bytes, rounds: Sequence[int], sign: int) -> list[int]:
        radix, n = self._radix, len(numerals)
        if n < 2 or radix ** min(n, 7) < _LEAST_DOMAIN:
            raise RecordError("ValueTooShort")
        if n > _MOST_NUMERALS:
            raise RecordError("ValueTooLong")
        u = n // 2
        v = n - u
        a, b = self._number(numerals[:u]), self._number(numerals[u:])
        size = ((radix**v - 1).bit_length() + 7) // 8
        wide = 4 * -(-size // 4) + 4
        head = bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([_ROUNDS, u % 256])
        head += n.to_bytes(4, "big") + len(tweak).to_bytes(4, "big")
        padded = tweak + bytes(-(len(tweak) + size + 1) % _BLOCK)
        for i in rounds:
            m = u if i % 2 == 0 else v
            half = b if sign > 0 else a
            block = self._last_block(head + padded + bytes([i]) + half.to_bytes(size, "big"))
            stream = block + b"".join(
                self._one_block(bytes(x ^ y for x, y in zip(block, j.to_bytes(_BLOCK, "big"), strict=True)))
                for j in range(1, -(-wide // _BLOCK))
            )
            y = int.from_bytes(stream[:wide], "big")
            if sign > 0:
                a, b = b, (a + y) % radix**m
            else:
                a, b = (b - y) % radix**m, a
        return self._numerals(a, u) + self._numerals(b, v)

    def _last_block(self, data: bytes) -> bytes:
        encryptor = self._chained.encryptor()
        return bytes(encryptor.update(data)[-_BLOCK:])

    def _one_block(self, data: bytes) -> bytes:
        return bytes(self._single.encryptor().update(data))

    def _number(self, numerals: Sequence[int]) -> int:
        number = 0
        for numeral in numerals:
            number = number * self._radix + numeral
        return number

    def _numerals(self, number: int, size: int) -> list[int]:
        numerals = []
        for _ in range(size):
            number, numeral = divmod(number, self._radix)
            numerals.append(numeral)
        return numerals[::-1]
