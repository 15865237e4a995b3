"""Numbers of persons and businesses of the Americas."""

import re
from collections.abc import Callable, Mapping

from stdnum import luhn

from tacenda.transforms.identifiers.digits import compact, day_exists, weighted
from tacenda.transforms.identifiers.library import stdnum_check


def us_npi(text: str) -> bool:
    """Starts with 1 or 2, and a Luhn check with the prefix 80840 of health applications (CMS)."""
    digits = compact(text)
    return len(digits) == 10 and digits[0] in "12" and luhn.is_valid("80840" + digits)


def us_dea(text: str) -> bool:
    """Twice every second digit and the others add up to the last digit (DEA registration number)."""
    number = compact(text)
    digits = number[2:]
    if len(digits) != 7 or not digits.isdigit():
        return False
    return (weighted(digits[:6], (1, 2, 1, 2, 1, 2))) % 10 == int(digits[6])


def us_atin(text: str) -> bool:
    """Starts with 9, and has 93 as fourth and fifth digit (IRS, Form W-7A instructions)."""
    digits = compact(text)
    return len(digits) == 9 and digits[0] == "9" and digits[3:5] == "93"


def ca_ohip(text: str) -> bool:
    """Ten digits that do not start with zero, Luhn check (Ontario Ministry of Health)."""
    digits = re.sub(r"\D", "", text)
    return len(digits) == 10 and digits[0] != "0" and luhn.is_valid(digits)


def ca_quebec_hin(text: str) -> bool:
    """Four letters of the name, then the day of birth, 50 added to the month of women (RAMQ)."""
    number = compact(text)
    if len(number) != 12:
        return False
    return day_exists(number[4:6], int(number[6:8]) % 50, int(number[8:10]))


def py_ci(text: str) -> bool:
    """Five to seven digits, not all alike."""
    digits = compact(text)
    return 5 <= len(digits) <= 7 and len(set(digits)) > 1


def uy_ci(text: str) -> bool:
    """The last digit from weights 2, 9, 8, 7, 6, 3, 4 modulo 10 (Uruguay, DNIC)."""
    digits = compact(text).zfill(8)
    return len(digits) == 8 and (weighted(digits, (2, 9, 8, 7, 6, 3, 4, 1))) % 10 == 0


def br_cnh(text: str) -> bool:
    """Two check digits modulo 11 of a driver's registration (Denatran)."""
    digits = compact(text)
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    first = weighted(digits, range(9, 0, -1)) % 11
    second = weighted(digits, range(1, 10)) % 11
    if first == 10:
        first, second = 0, (second - 2) % 11
    return digits[9:] == f"{first}{0 if second == 10 else second}"


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "ar_cuit": stdnum_check("ar.cuit"),
    "br_cnh": br_cnh,
    "br_cnpj": stdnum_check("br.cnpj"),
    "br_cpf": stdnum_check("br.cpf"),
    "ca_bc_phn": stdnum_check("ca.bc_phn"),
    "ca_bn": stdnum_check("ca.bn"),
    "ca_ohip": ca_ohip,
    "ca_quebec_hin": ca_quebec_hin,
    "ca_sin": stdnum_check("ca.sin"),
    "cl_rut": stdnum_check("cl.rut"),
    "co_nit": stdnum_check("co.nit"),
    "cusip": stdnum_check("cusip"),
    "mx_curp": stdnum_check("mx.curp"),
    "mx_rfc": stdnum_check("mx.rfc"),
    "pe_ruc": stdnum_check("pe.ruc"),
    "py_ci": py_ci,
    "py_ruc": stdnum_check("py.ruc"),
    "us_atin": us_atin,
    "us_dea": us_dea,
    "us_ein": stdnum_check("us.ein"),
    "us_itin": stdnum_check("us.itin"),
    "us_npi": us_npi,
    "us_ptin": stdnum_check("us.ptin"),
    "uy_ci": uy_ci,
    "ve_rif": stdnum_check("ve.rif"),
}
"""By the names that the infoType files use."""
