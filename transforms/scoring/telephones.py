"""Compare telephone numbers in two formats: with country code, and as dialled within the country."""

import re
from collections.abc import Iterable

import phonenumbers

_INTERNATIONAL = re.compile(r"\s*(?:\+|00|011(?=\s))")
_NOT_DIGITS = re.compile(r"\D+")
_TRUNK = re.compile(r"\(0\)")
_NORTH_AMERICAN = re.compile(r"1([2-9]\d{9})")

Telephone = tuple[int, str]
"""The country code, 0 if the number has none, and the remaining digits."""


def telephone(value: str) -> Telephone | None:
    """Parse a written number; None if it has fewer than six digits, as spoken ones do.

    >>> telephone("+46 (0)70-123 45 67"), telephone("070-1234567"), telephone("1-212-555-0100")
    ((46, '701234567'), (0, '701234567'), (1, '2125550100'))
    """
    value = _TRUNK.sub("", value)
    international = _INTERNATIONAL.match(value)
    digits = _NOT_DIGITS.sub("", value[international.end() :] if international else value)
    if len(digits) < 6:
        return None
    if international:
        try:
            number = phonenumbers.parse(f"+{digits}", None)
        except phonenumbers.NumberParseException:
            return 0, digits.lstrip("0")
        return number.country_code or 0, str(number.national_number)
    if american := _NORTH_AMERICAN.fullmatch(digits):
        return 1, american[1]
    return 0, digits.lstrip("0")


def same_lines(numbers: Iterable[Telephone]) -> dict[Telephone, Telephone]:
    """For each number without a country code, the only other number with one and the same digits."""
    countries: dict[str, set[int]] = {}
    for country, digits in numbers:
        countries.setdefault(digits, set()).add(country)
    return {(0, digits): (max(of), digits) for digits, of in countries.items() if len(of) == 2 and 0 in of}
