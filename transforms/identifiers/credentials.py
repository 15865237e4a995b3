"""Checks that distinguish a secret from a word that looks like one."""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Callable, Mapping
from math import log2
from urllib.parse import urlsplit

from tacenda.transforms.identifiers.digits import stdnum_check

_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_EXPANDED_PREFIX = (3, 3, 0, 2, 3)
"""The letters of "bc" as input of the checksum: their high bits, a zero, their low bits."""
_is_base58 = stdnum_check("bitcoin")


def bitcoin(text: str) -> bool:
    """The checksum of BIP 13, BIP 173 (version 0 of witness programs) or BIP 350 (all later versions)."""
    from stdnum.bitcoin import bech32_checksum

    prefix, signs = text[:3].lower(), text[3:].lower()
    if prefix != "bc1":
        return _is_base58(text)
    if not set(signs) <= set(_BECH32):
        return False
    expected = 1 if signs.startswith("q") else 0x2BC830A3
    return bool(bech32_checksum((*_EXPANDED_PREFIX, *map(_BECH32.index, signs))) == expected)


def random_looking(text: str) -> bool:
    """At least three bits of entropy per character, as keys have, unlike words and dotted names."""
    counts = Counter(text)
    return -sum(n / len(text) * log2(n / len(text)) for n in counts.values()) >= 3


def mixed_case_and_digits(text: str) -> bool:
    """Capitals, small letters and digits, as Base64 of forty bytes almost certainly has."""
    return (
        any(c.isupper() for c in text) and any(c.islower() for c in text) and any(c.isdigit() for c in text)
    )


def key_material(text: str) -> bool:
    """Letters and digits mixed as in a key: no UUID, no placeholder, no dotted name, no text of words.

    >>> [key_material(text) for text in ("9q8w7e6r5t4y3u2i", "os.environ.api_key2", "your-api-key-here-1")]
    [True, False, False]
    """
    if _UUID.fullmatch(text) or _PLACEHOLDER.search(text):
        return False
    if not (any(map(str.isdigit, text)) and any(map(str.isalpha, text))):
        return False
    words = all(map(_WORD_AND_NUMBER.fullmatch, filter(None, _PIECE.split(text))))
    return not words and random_looking(text)


_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_PLACEHOLDER = re.compile(
    r"(?i)your|x{4}|\.{3}|placeholder|change.?me|redacted|replace.?(?:me|with)|insert|dummy|<|\$\{"
)
_PIECE = re.compile(r"[^0-9A-Za-z]+")
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]*[0-9]{0,4}")
"""A word, a number, or a word with a number behind it, as names in programs and versions are made of."""


def url_with_password(text: str) -> bool:
    """A URL whose password is none of those that documentation writes.

    >>> [url_with_password(f"ftp://ann:{word}@example.com") for word in ("q8Zt4w", "password", "PASS")]
    [True, False, False]
    """
    try:
        password = urlsplit(text.removeprefix("jdbc:")).password or ""
    except ValueError:
        return True
    return not (_STANDING_IN.fullmatch(password) or _PLACEHOLDER.search(password) or len(set(password)) < 2)


_STANDING_IN = re.compile(
    r"(?i)pass(?:word|wd)?|pwd|secret|token|api_?key|%[sdv]|[a-z]+_(?:pass(?:word)?|pwd|secret|token)"
)


def basic_credentials(text: str) -> bool:
    """Base64 of a name, a colon and a password (RFC 7617)."""
    try:
        return b":" in base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False


def json_web_token(text: str) -> bool:
    """A header that is the Base64url of a JSON object with an algorithm (RFC 7515)."""
    header = text.split(".", 1)[0]
    try:
        decoded = base64.urlsafe_b64decode(header + "=" * (-len(header) % 4))
    except (binascii.Error, ValueError):
        return False
    return decoded.lstrip().startswith(b"{") and b'"alg"' in decoded


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "basic_credentials": basic_credentials,
    "bitcoin": bitcoin,
    "json_web_token": json_web_token,
    "key_material": key_material,
    "lei": stdnum_check("lei"),
    "mixed_case_and_digits": mixed_case_and_digits,
    "random_looking": random_looking,
    "url_with_password": url_with_password,
}
"""By the names that the infoType files use."""
