"""The form under which two mentions of one thing are equal.

The paper gives the same number to "the same masked information" without saying when two strings are the same
(Gardiner et al., CALD-pseudo 2024, section 3). Here: equal after Unicode compatibility folding, case folding
and white-space folding; and for what is written in digits, equal digits, since a phone number is the same
however it is grouped.
"""

import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_POSSESSIVE = re.compile(r"['’]s$")

_GROUPED = frozenset(
    {
        "CREDIT_CARD_NUMBER",
        "PHONE_NUMBER",
        "US_SOCIAL_SECURITY_NUMBER",
        "CANADA_SOCIAL_INSURANCE_NUMBER",
        "IBAN_CODE",
        "SPELLED_WORD",
    }
)
_NAMES = frozenset({"PERSON_NAME", "ORGANIZATION_NAME", "LOCATION", "PRODUCT"})


@lru_cache(maxsize=65_536)
def normalised_value(info_type: str, text: str) -> str:
    """The key of a mention within its infoType.

    >>> normalised_value("PHONE_NUMBER", "(555) 010-0199") == normalised_value("PHONE_NUMBER", "555 0100199")
    True
    >>> normalised_value("PERSON_NAME", "Pam's")
    'pam'
    """
    folded = _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
    if info_type in _GROUPED:
        key = "".join(filter(_is_part, folded))
    else:
        key = _without_edges(folded)
        if info_type in _NAMES:
            key = _POSSESSIVE.sub("", key)
    return key or folded


def _without_edges(text: str) -> str:
    start, end = 0, len(text)
    while start < end and not _is_part(text[start]):
        start += 1
    while start < end and not _is_part(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_part(character: str) -> bool:
    """Whether it is a letter, a digit, or a mark, as vowels of many scripts are, and not only punctuation."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"
