"""Check digits and rules of national identity, tax and health numbers."""

import re
from collections.abc import Callable, Mapping

from stdnum import luhn

from tacenda.transforms.identifiers.digits import compact, day_exists, mrz, stdnum_check, weighted


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


_NINO = re.compile(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?")
_NINO_UNUSED = ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ")


def uk_nino(text: str) -> bool:
    """Prefix letters that are in use, and a suffix A to D (HMRC, NIM39110)."""
    number = compact(text)
    return bool(_NINO.fullmatch(number)) and not number.startswith(_NINO_UNUSED)


def uk_nhs(text: str) -> bool:
    """The check modulo 11 of the NHS Data Dictionary; not all digits alike."""
    digits = compact(text)
    if len(digits) != 10 or len(set(digits)) == 1:
        return False
    return weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def scotland_chi(text: str) -> bool:
    """A day of birth and the check modulo 11 of the Community Health Index (NHS Scotland)."""
    digits = compact(text)
    return uk_nhs(text) and day_exists(digits[4:6], int(digits[2:4]), int(digits[:2]))


_UK_DRIVER = re.compile(r"[A-Z]{1,5}9{0,4}(\d)([0156]\d)([0-3]\d)\d[A-Z9]{2}[A-Z0-9]\d?[A-Z]{2}(?:\d\d)?")


def uk_driver(text: str) -> bool:
    """Surname, decade, month (50 more for women), day, year, initials, check (DVLA, INF45)."""
    number = compact(text)
    found = _UK_DRIVER.fullmatch(number)
    return found is not None and 1 <= int(found[2]) % 50 <= 12 and 1 <= int(found[3]) <= 31


def de_document(text: str) -> bool:
    """Nine characters and, where a tenth follows, its check digit (ICAO Doc 9303 part 3)."""
    number = compact(text)
    return len(number) == 9 or (len(number) == 10 and mrz(number[:9]) == number[9])


def be_national(text: str) -> bool:
    """Check digits modulo 97 of the last or of this century, day of birth or zeros (Rijksregister)."""
    digits = compact(text)
    if len(digits) != 11:
        return False
    base, check = int(digits[:9]), int(digits[9:])
    month, day = int(digits[2:4]) % 20, int(digits[4:6])
    known = month == 0 or day == 0 or day_exists(digits[:2], month, day)
    return known and check in (97 - base % 97, 97 - (2_000_000_000 + base) % 97)


def _polish(text: str, weights: tuple[int, ...]) -> bool:
    values = [int(c, 36) for c in compact(text)]
    return len(values) == 9 and weighted(map(str, values), weights) % 10 == 0


def pl_document(text: str) -> bool:
    """Three letters, a check digit and five digits of an identity card (weights 7, 3, 1)."""
    return _polish(text, (7, 3, 1, 9, 7, 3, 1, 7, 3))


def pl_passport(text: str) -> bool:
    """Two letters, a check digit and six digits (weights 7, 3, 9, 1, 7, 3, 1, 7, 3)."""
    return _polish(text, (7, 3, 9, 1, 7, 3, 1, 7, 3))


def fr_licence(text: str) -> bool:
    """Year, month (21 more abroad), department and number of a permis de conduire."""
    digits = compact(text)
    return len(digits) == 12 and 1 <= int(digits[2:4]) <= 12


def pt_niss(text: str) -> bool:
    """First digit 1 or 2, and a check digit from weights that are primes (Segurança Social)."""
    digits = compact(text)
    if len(digits) != 11 or digits[0] not in "12":
        return False
    return 9 - weighted(digits, (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)) % 10 == int(digits[10])


def pt_nib(text: str) -> bool:
    """Two check digits after ISO/IEC 7064 MOD 97-10 (Banco de Portugal)."""
    digits = compact(text)
    return len(digits) == 21 and int(digits) % 97 == 1


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


def hk_id(text: str) -> bool:
    """One letter or two, six digits, a check modulo 11 (Hong Kong Immigration Department)."""
    number = compact(text)
    body, check = number[:-1].rjust(8), number[-1:]
    values = [36 if c == " " else int(c, 36) for c in body]
    total = sum(v * w for v, w in zip(values, range(9, 1, -1), strict=False))
    return len(body) == 8 and (total + (10 if check == "A" else int(check, 36))) % 11 == 0


_TW_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"


def tw_id(text: str) -> bool:
    """A letter for the place, nine digits, weighted sum modulo 10 (Taiwan, Ministry of the Interior)."""
    number = compact(text)
    if len(number) != 10 or number[0] not in _TW_LETTERS:
        return False
    place = str(_TW_LETTERS.index(number[0]) + 10)
    return weighted(place + number[1:], (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0


_SG_WEIGHTS = (2, 7, 6, 5, 4, 3, 2)
_SG_LETTERS = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK"}


def sg_nric(text: str) -> bool:
    """A letter for the kind, seven digits, a letter from their sum modulo 11 (Singapore ICA)."""
    number = compact(text)
    if len(number) != 9 or not number[1:8].isdigit():
        return False
    total = weighted(number[1:8], _SG_WEIGHTS)
    if number[0] == "M":
        return number[8] == "KLJNPQRTUWX"[10 - (total + 3) % 11]
    letters = _SG_LETTERS.get(number[0], "")
    return bool(letters) and number[8] == letters[(total + 4 * (number[0] in "TG")) % 11]


def kr_rrn(text: str) -> bool:
    """A day of birth and the check that numbers given before October 2020 fulfil (Korea)."""
    digits = compact(text)
    if len(digits) != 13 or not day_exists(digits[:2], int(digits[2:4]), int(digits[4:6])):
        return False
    total = weighted(digits[:12], (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5))
    offset = 13 if digits[6] in "5678" else 11
    return (offset - total % 11) % 10 == int(digits[12])


def jp_driver(text: str) -> bool:
    """Prefecture, year, number, a check modulo 11 over the first ten digits (National Police Agency)."""
    digits = compact(text)
    if len(digits) != 12:
        return False
    check = 11 - weighted(digits[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if check > 9 else check) == int(digits[10])


def au_medicare(text: str) -> bool:
    """First digit 2 to 6, a check digit from eight weights, then the issue (Services Australia)."""
    digits = compact(text)
    if len(digits) not in (10, 11) or digits[0] not in "23456":
        return False
    return weighted(digits[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(digits[8])


_NHI_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def nz_nhi(text: str) -> bool:
    """Three letters, then digits with a check modulo 11, or two and two letters modulo 23 (HISO 10046)."""
    number = compact(text)
    if len(number) != 7 or any(c not in _NHI_LETTERS for c in number if c.isalpha()):
        return False
    values = [_NHI_LETTERS.index(c) + 1 if c.isalpha() else int(c) for c in number[:6]]
    total = sum(v * w for v, w in zip(values, range(7, 1, -1), strict=True))
    if number[6].isdigit():
        return total % 11 != 0 and (11 - total % 11) % 10 == int(number[6])
    return _NHI_LETTERS[23 - total % 23 - 1] == number[6]


def za_id(text: str) -> bool:
    """A day of birth, a citizenship digit, a Luhn check (South Africa, Department of Home Affairs)."""
    digits = compact(text)
    in_calendar = len(digits) == 13 and day_exists(digits[:2], int(digits[2:4]), int(digits[4:6]))
    return in_calendar and digits[10] in "012" and luhn.is_valid(digits)


def id_nik(text: str) -> bool:
    """District, day of birth (40 added for women), number (Indonesia, Permendagri)."""
    digits = compact(text)
    if len(digits) != 16 or not 11 <= int(digits[:2]) <= 99 or digits[12:] == "0000":
        return False
    return day_exists(digits[10:12], int(digits[8:10]), int(digits[6:8]) % 40)


def my_nric(text: str) -> bool:
    """A day of birth and a code of the place (Malaysia, Jabatan Pendaftaran Negara)."""
    digits = compact(text)
    in_calendar = len(digits) == 12 and day_exists(digits[:2], int(digits[2:4]), int(digits[4:6]))
    return in_calendar and digits[6:8] not in ("00", "17", "18", "19", "20", "69", "70", "73", "80")


_OF_STDNUM = """
    ar.cuit at.vnr au.abn au.acn au.tfn bg.egn br.cnpj br.cpf ca.bc_phn ca.bn ca.sin ch.ssn cl.rut cn.ric
    cn.uscc co.nit cusip cz.rc de.idnr dk.cvr ee.ik es.cif es.dni es.nie es.nif fi.ytunnus fr.nif fr.nir
    fr.siren fr.siret gr.amka hr.oib ie.pps in_.aadhaar in_.epic in_.gstin in_.pan is_.kennitala it.iva
    lt.asmens mx.curp mx.rfc nl.bsn no.orgnr nz.ird pe.ruc pl.nip pl.pesel pl.regon pt.cc pt.nif py.ruc
    ro.cnp se.orgnr si.emso th.pin tr.tckimlik us.ein us.itin us.ptin ve.rif
"""
"""Modules of python-stdnum whose checks have their names, with an underscore for the dot."""

_OWN = (
    au_medicare, be_national, br_cnh, ca_ohip, ca_quebec_hin, de_document, dk_cpr, fi_hetu, fr_licence,
    hk_id, id_nik, jp_driver, kr_rrn, lv_personas_kods, my_nric, no_d_number, no_fodselsnummer, nz_nhi,
    pl_document, pl_passport, pt_nib, pt_niss, py_ci, scotland_chi, se_personnummer,
    se_samordningsnummer, sg_nric, tw_id, uk_driver, uk_nhs, uk_nino, us_atin, us_dea, us_npi, uy_ci,
    za_id,
)  # fmt: skip

CHECKS: Mapping[str, Callable[[str], bool]] = {
    **{name.replace("_.", "_").replace(".", "_"): stdnum_check(name) for name in _OF_STDNUM.split()},
    **{check.__name__: check for check in _OWN},
    "il_id": stdnum_check("il.idnr"),
    "it_codice_fiscale": stdnum_check("it.codicefiscale"),
    "jp_corporate": stdnum_check("jp.cn"),
    "jp_individual": stdnum_check("jp.in_"),
    "uk_utr": stdnum_check("gb.utr"),
}
"""By the names that the infoType files use."""
