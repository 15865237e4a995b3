"""IBAN lengths by country, so that a short word after an IBAN is not included."""

import re
from functools import cache

_COUNTRY_AND_CHECK_DIGITS = 4
_COUNTS = re.compile(r"\d+")
_CHARACTER = re.compile(r"[A-Za-z0-9]")


def own_length(text: str) -> tuple[int, int]:
    """The range of the IBAN at the start of a text; all of it if the country is unknown or it is short."""
    length = _length_in(text[:2].upper())
    ends = [match.end() for match in _CHARACTER.finditer(text)]
    if length is None or len(ends) <= length or text[ends[length - 1]].isalnum():
        return 0, len(text)
    return 0, ends[length - 1]


@cache
def _length_in(country: str) -> int | None:
    """Length of a country's IBAN, from python-stdnum's copy of the IBAN registry."""
    from stdnum import numdb

    (_, known), *_ = numdb.get("iban").info(country)
    if "bban" not in known:
        return None
    return _COUNTRY_AND_CHECK_DIGITS + sum(map(int, _COUNTS.findall(known["bban"])))
