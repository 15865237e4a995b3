"""Identifying numbers that look real and belong to nobody.

Check digits are valid, for a fair test of detectors that verify them. If an authority reserves a range for
fiction, documentation or tests, numbers are taken from that range.
"""

from itertools import accumulate

from stdnum import iban as iban_of
from stdnum import luhn
from stdnum.us import rtn

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.templates import patterned
from tacenda.transforms.identifiers import vin

CARD_PREFIXES = ("411111", "424242", "400000", "555555", "510510", "601111", "378282")
"""Prefixes of the test numbers that payment processors publish; the last is of cards with 15 digits."""
VIN_MAKERS = ("1HG", "2T1", "3FA", "WVW", "JTD", "KMH", "1FT", "5YJ", "YV1", "WBA")


def grouped(digits: str, groups: tuple[int, ...], separator: str) -> str:
    """Digits in groups of the given sizes.

    >>> grouped("123456789", (3, 2, 4), "-")
    '123-45-6789'
    """
    ends = accumulate(groups)
    return separator.join(digits[end - size : end] for size, end in zip(groups, ends, strict=True))


def north_american_phone(draw: Draw, area_code: str) -> str:
    """A number of 555-0100 … 555-0199, which the North American plan reserves for fiction."""
    return f"{area_code}-555-01{draw.digits(2)}"


FOREIGN_PHONES = (
    "+44 7700 900{d3}",  # Ofcom, numbers for television and radio drama
    "020 7946 0{d3}",  # Ofcom
    "+33 6 39 98 {d2} {d2}",  # Arcep
    "+61 491 570 {acma}",  # ACMA
    "+49 30 23125 {d3}",  # Bundesnetzagentur
    "08-465 004 {d2}",  # PTS, Sweden
)
_ACMA = ("006", "156", "157", "158", "159", "110", "313", "737")


def foreign_phone(draw: Draw) -> str:
    """A number that a national regulator reserves for drama or examples."""
    return draw.pick([patterned(draw, form, lambda _: draw.pick(_ACMA)) for form in FOREIGN_PHONES])


def credit_card(draw: Draw) -> str:
    """A card number with a published test prefix and a valid Luhn digit."""
    prefix = draw.pick(CARD_PREFIXES)
    length, groups = (15, (4, 6, 5)) if prefix == CARD_PREFIXES[-1] else (16, (4, 4, 4, 4))
    return grouped(_with_luhn_digit(prefix + draw.digits(length - 7)), groups, " ")


def social_security(draw: Draw) -> str:
    """A well-formed US number with an area that was not issued before randomisation in June 2011.

    No adult can have it. Areas that are never issued (000, 666, 900 and above) would fail every verifier, and
    so test nothing.
    """
    area = draw.pick((draw.between(734, 749), draw.between(773, 899)))
    return f"{area}-{draw.between(1, 99):02d}-{draw.between(1, 9999):04d}"


def social_insurance(draw: Draw) -> str:
    """A Canadian number with a valid Luhn digit, of the 9 series (temporary residents, and expiring)."""
    return grouped(_with_luhn_digit("9" + draw.digits(7)), (3, 3, 3), " ")


def _with_luhn_digit(body: str) -> str:
    return body + str(luhn.calc_check_digit(body))


_BANKS = (
    *("GB TEST000000{d8}", "DE 00000000{d10}", "NL TEST{d10}", "IE TEST000000{d8}", "SE 000{d10}{d7}"),
    *("AT 00000{d11}", "PL 00000000{d10}{d6}"),
)


def iban(draw: Draw) -> str:
    """An IBAN (ISO 13616) with valid check digits at a nonexistent bank (code 0 or TEST)."""
    country, account = draw.pick([patterned(draw, bank) for bank in _BANKS]).split()
    whole = f"{country}{iban_of.calc_check_digits(f'{country}00{account}')}{account}"
    return " ".join(whole[i : i + 4] for i in range(0, len(whole), 4))


def routing_number(draw: Draw) -> str:
    """A US bank routing number with a valid check digit, near the 110000000 that processors use for tests."""
    body = "1100" + draw.digits(4)
    return f"{body}{rtn.calc_check_digit(body)}"


def vehicle_identification(draw: Draw) -> str:
    """A VIN with a valid check digit and the year code U, Z or 0, which no model year has (49 CFR 565.15)."""
    maker = draw.pick(VIN_MAKERS)
    model, year = draw.letters(5, vin.ALPHABET), draw.pick("UZ0")
    letters = f"{maker}{model}0{year}{draw.letters(1, 'ABCDEFGH')}{draw.digits(6)}"
    return letters[:8] + vin.check_digit(letters) + letters[9:]


def imei(draw: Draw) -> str:
    """A device number with a test type allocation (it starts with 00) and a valid Luhn digit."""
    return _with_luhn_digit("00" + draw.digits(12))


def iccid(draw: Draw) -> str:
    """A SIM card number (ITU-T E.118) with the shared country code 999, which no operator has."""
    return _with_luhn_digit("89999" + draw.digits(13))


def ip_address(draw: Draw, version: int | None = None) -> str:
    """An address of the documentation blocks (RFC 5737, RFC 3849); mostly of version 4 if none is asked for."""
    if version == 6 or (version is None and draw.chance(0.12)):
        return f"2001:db8:{draw.between(1, 9999):x}::{draw.between(1, 65535):x}"
    return f"{draw.pick(('192.0.2', '198.51.100', '203.0.113'))}.{draw.between(1, 254)}"


def mac_address(draw: Draw) -> str:
    """A hardware address of the documentation range 00-00-5E-00-53 (RFC 7042)."""
    return f"00:00:5E:00:53:{draw.below(256):02X}"


def vat_number(draw: Draw) -> str:
    """A British VAT number with valid modulus-97 check digits."""
    body = "000" + draw.digits(4)
    total = sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), body, strict=True))
    return f"GB{body}{97 - total % 97:02d}"


def swift_code(draw: Draw) -> str:
    """A bank identifier in the test form: a location code that ends in 0 (ISO 9362)."""
    country = draw.pick(("US", "GB", "DE", "CA", "SE"))
    return f"{draw.letters(4)}{country}{draw.letters(1)}0"


def passport(draw: Draw) -> str:
    """A number in the form common to US and British passports: nine characters, digits after the first."""
    return draw.pick([patterned(draw, form) for form in ("{l1}{d8}", "{d9}")])


def coordinates(draw: Draw) -> str:
    """A point somewhere at sea, between 20 and 40 degrees south."""
    return patterned(draw, "-{20-39}.{d4}, -{90-120}.{d4}")
