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
_EDGE = re.compile(r"^[\W_]+|[\W_]+$")
_POSSESSIVE = re.compile(r"['’]s$")
_NOT_ALNUM = re.compile(r"[\W_]+")

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
        key = _NOT_ALNUM.sub("", folded)
    else:
        key = _EDGE.sub("", folded)
        if info_type in _NAMES:
            key = _POSSESSIVE.sub("", key)
    return key or folded
