"""Personal numbers of the Nordic and Baltic states."""

from collections.abc import Callable, Mapping

from stdnum import luhn

from tacenda.transforms.identifiers.digits import compact, day_exists, weighted
from tacenda.transforms.identifiers.library import stdnum_check


def _swedish(text: str, day_offset: int) -> bool:
    digits = compact(text)
    year, month, day = digits[:-8], int(digits[-8:-6]), int(digits[-6:-4])
    return len(year) in (2, 4) and day_exists(year, month, day - day_offset) and luhn.is_valid(digits[-10:])


def se_personnummer(text: str) -> bool:
    """A day of birth and a Luhn check over the last ten digits (Skatteverket, SKV 704)."""
    return _swedish(text, 0)


def se_samordningsnummer(text: str) -> bool:
    """As a personnummer, with 60 added to the day (Skatteverket, SKV 707)."""
    return _swedish(text, 60)


def fi_hetu(text: str) -> bool:
    """Day, sign of the century, number and check character; temporary numbers 900 to 999 too (DVV)."""
    from stdnum.fi import hetu

    return bool(hetu.is_valid(text, allow_temporary=True))


_NO_FIRST = (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)
_NO_SECOND = (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)
_NO_MONTHS = (0, 40, 65, 80)
"""Added to months: for people, numbers assigned by health services, and two series of synthetic people."""


def _norwegian(text: str, day_offset: int) -> bool:
    digits = compact(text)
    if len(digits) != 11 or weighted(digits, _NO_FIRST) % 11 or weighted(digits, _NO_SECOND) % 11:
        return False
    day, month, year = int(digits[:2]) - day_offset, int(digits[2:4]), digits[4:6]
    return any(day_exists(year, month - offset, day) for offset in _NO_MONTHS)


def no_fodselsnummer(text: str) -> bool:
    """A day of birth and two check digits modulo 11 (Skatteetaten); synthetic people of Tenor too."""
    return _norwegian(text, 0)


def no_d_number(text: str) -> bool:
    """As a fødselsnummer, with 40 added to the day (Skatteetaten)."""
    return _norwegian(text, 40)


def dk_cpr(text: str) -> bool:
    """A day of birth and the check modulo 11 that numbers given before October 2007 fulfil (CPR-kontoret)."""
    digits = compact(text)
    in_calendar = len(digits) == 10 and day_exists(digits[4:6], int(digits[2:4]), int(digits[:2]))
    return in_calendar and weighted(digits, (4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def lv_personas_kods(text: str) -> bool:
    """The check modulo 11 of numbers given before July 2017; newer ones start with 32 (PMLP)."""
    digits = compact(text)
    if len(digits) != 11 or digits.startswith("32"):
        return len(digits) == 11
    check = (1101 - weighted(digits[:10], (1, 6, 3, 7, 9, 10, 5, 8, 4, 2))) % 11
    return check == int(digits[10])


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "dk_cpr": dk_cpr,
    "dk_cvr": stdnum_check("dk.cvr"),
    "ee_ik": stdnum_check("ee.ik"),
    "fi_hetu": fi_hetu,
    "fi_ytunnus": stdnum_check("fi.ytunnus"),
    "is_kennitala": stdnum_check("is_.kennitala"),
    "lt_asmens": stdnum_check("lt.asmens"),
    "lv_personas_kods": lv_personas_kods,
    "no_d_number": no_d_number,
    "no_fodselsnummer": no_fodselsnummer,
    "no_orgnr": stdnum_check("no.orgnr"),
    "se_orgnr": stdnum_check("se.orgnr"),
    "se_personnummer": se_personnummer,
    "se_samordningsnummer": se_samordningsnummer,
}
"""By the names that the infoType files use."""
