"""Bitcoin addresses: Base58Check, and for witness programs Bech32 and Bech32m."""

from tacenda.transforms.identifiers.library import stdnum_check

_PREFIX = "bc1"
_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_EXPANDED_PREFIX = (3, 3, 0, 2, 3)
"""The letters of "bc" as input of the checksum: their high bits, a zero, their low bits."""

_BECH32, _BECH32M = 1, 0x2BC830A3
_CHECK_SIGNS = 6
_is_base58 = stdnum_check("bitcoin")


def bitcoin(text: str) -> bool:
    """The checksum of BIP 13, BIP 173 (version 0 of witness programs) or BIP 350 (all later versions)."""
    if text[:3].lower() != _PREFIX:
        return _is_base58(text)
    signs = text[3:].lower()
    if len(signs) <= _CHECK_SIGNS or not set(signs) <= set(_ALPHABET):
        return False
    values = [_ALPHABET.index(sign) for sign in signs]
    version, program_bits = values[0], 5 * (len(values) - 1 - _CHECK_SIGNS)
    length, padding = divmod(program_bits, 8)
    fits = length in (20, 32) if version == 0 else 2 <= length <= 40
    expected = _BECH32 if version == 0 else _BECH32M
    return fits and version <= 16 and padding < 5 and _checksum(values) == expected


def _checksum(values: list[int]) -> int:
    """The remainder of the code of BIP 173 over the prefix and values of five bits."""
    rest = 1
    for value in (*_EXPANDED_PREFIX, *values):
        top = rest >> 25
        rest = (rest & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATOR):
            rest ^= generator if top >> bit & 1 else 0
    return rest
