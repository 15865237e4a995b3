"""Checks that distinguish a secret from a word that looks like one."""

import base64
import binascii
from collections import Counter
from collections.abc import Callable, Mapping
from math import log2

from tacenda.transforms.identifiers.bitcoin import bitcoin
from tacenda.transforms.identifiers.library import stdnum_check


def random_looking(text: str) -> bool:
    """At least three bits of entropy per character, as keys have, unlike words and dotted names."""
    counts = Counter(text)
    return -sum(n / len(text) * log2(n / len(text)) for n in counts.values()) >= 3


def mixed_case_and_digits(text: str) -> bool:
    """Capitals, small letters and digits, as Base64 of forty bytes almost certainly has."""
    return (
        any(c.isupper() for c in text) and any(c.islower() for c in text) and any(c.isdigit() for c in text)
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
    "lei": stdnum_check("lei"),
    "mixed_case_and_digits": mixed_case_and_digits,
    "random_looking": random_looking,
}
"""By the names that the infoType files use."""
