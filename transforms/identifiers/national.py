"""Check digits and rules of national identity, tax and health numbers."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from stdnum import luhn

from tacenda.transforms.identifiers.digits import compact, day_exists, stdnum_check, weighted


class Rule(NamedTuple):
    """A number's form and check.

    ``form`` is that of its letters, capitalised, and digits; groups ``y``, ``m`` and ``d`` are a day of birth,
    to whose month and day something may be added. The sums of digits (A is 10) times ``weights``, aligned at
    the end of the number or of group ``n``, have the ``remainder``; a missing digit counts as ``blank``. Group
    ``l`` passes the Luhn check. What matches group ``free`` has no check.
    """

    form: str
    weights: tuple[tuple[int, ...], ...] = ()
    modulus: int = 11
    remainder: int = 0
    months_added: tuple[int, ...] = (0,)
    days_added: tuple[int, ...] = (0,)
    blank: int = 0

    def accepts(self, text: str) -> bool:
        """Whether a text is such a number."""
        found = re.fullmatch(self.form, compact(text), re.ASCII)
        if found is None:
            return False
        groups = found.groupdict()
        if groups.get("free"):
            return True
        if "d" in groups and not self._is_day(groups):
            return False
        if "l" in groups and not luhn.is_valid(groups["l"]):
            return False
        values = [int(character, 36) for character in groups.get("n") or found[0]]
        return all(self._sum(values, weights) % self.modulus == self.remainder for weights in self.weights)

    def _is_day(self, groups: Mapping[str, str]) -> bool:
        year, month, day = groups["y"], int(groups["m"]), int(groups["d"])
        added = ((more, later) for more in self.months_added for later in self.days_added)
        return any(day_exists(year, month - more, day - later) for more, later in added)

    def _sum(self, values: list[int], weights: tuple[int, ...]) -> int:
        padded = [self.blank] * (len(weights) - len(values)) + values
        return sum(value * weight for value, weight in zip(padded, weights, strict=True))


_YMD, _DMY = r"(?P<y>\d\d)(?P<m>\d\d)(?P<d>\d\d)", r"(?P<d>\d\d)(?P<m>\d\d)(?P<y>\d\d)"
_SWEDISH = r"(?P<y>(?:\d\d)?(?=(?P<l>\d{10})$)\d\d)(?P<m>\d\d)(?P<d>\d\d)\d{4}"
_NORWEGIAN = (3, 7, 6, 1, 8, 9, 4, 5, 2, 1, 0), (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)
_NO_MONTHS = (0, 40, 65, 80)
"""Added to months: for people, numbers assigned by health services, and two series of synthetic people."""
_POWERS_OF_TEN = tuple(10**power for power in reversed(range(21)))
_NHS = ((10, 9, 8, 7, 6, 5, 4, 3, 2, 1),)

_RULES: Mapping[str, Rule] = {
    # Services Australia: a check digit, then the issue.
    "au_medicare": Rule(r"(?P<n>[2-6]\d{8})\d{1,2}", ((1, 3, 7, 9, 1, 3, 7, 9, 9),), 10),
    # Ontario Ministry of Health.
    "ca_ohip": Rule(r"(?P<l>[1-9]\d{9})[A-Z]*"),
    # RAMQ: four letters of the name, 50 added to the month of women.
    "ca_quebec_hin": Rule(rf".{{4}}{_YMD}..", months_added=(0, 50)),
    # ICAO Doc 9303 part 3: nine characters and, where a tenth follows, its check digit.
    "de_document": Rule(r"(?P<free>.{9})|.{9}\d", ((7, 3, 1, 7, 3, 1, 7, 3, 1, 9),), 10),
    # CPR-kontoret: the check of numbers given before October 2007.
    "dk_cpr": Rule(rf"{_DMY}\d{{4}}", ((4, 3, 2, 7, 6, 5, 4, 3, 2, 1),)),
    # A permis de conduire: year, month, department and number.
    "fr_licence": Rule(r"\d\d(?:0[1-9]|1[0-2])\d{8}"),
    # Hong Kong Immigration Department.
    "hk_id": Rule(r"[A-Z]{1,2}\d{6}[\dA]", ((9, 8, 7, 6, 5, 4, 3, 2, 1),), blank=36),
    # Permendagri: district, day of birth (40 added for women), number.
    "id_nik": Rule(rf"(?:1[1-9]|[2-9]\d)\d{{4}}{_DMY}(?!0000)\d{{4}}", days_added=(0, 40)),
    # PMLP: the check of numbers given before July 2017; newer ones start with 32.
    "lv_personas_kods": Rule(r"(?P<free>32\d{9})|\d{11}", ((1, 6, 3, 7, 9, 10, 5, 8, 4, 2, 1),), remainder=1),
    # Jabatan Pendaftaran Negara: a day of birth and a code of the place.
    "my_nric": Rule(rf"{_YMD}(?!00|17|18|19|20|69|70|73|80)\d{{6}}"),
    # Skatteetaten; synthetic people of Tenor too. D-numbers have 40 added to the day.
    "no_fodselsnummer": Rule(rf"{_DMY}\d{{5}}", _NORWEGIAN, months_added=_NO_MONTHS),
    "no_d_number": Rule(rf"{_DMY}\d{{5}}", _NORWEGIAN, months_added=_NO_MONTHS, days_added=(40,)),
    # Identity card: three letters, a check digit and five digits; passport: two, a check digit and six.
    "pl_document": Rule(r".{9}", ((7, 3, 1, 9, 7, 3, 1, 7, 3),), 10),
    "pl_passport": Rule(r".{9}", ((7, 3, 9, 1, 7, 3, 1, 7, 3),), 10),
    # Banco de Portugal: ISO/IEC 7064 MOD 97-10.
    "pt_nib": Rule(r"\d{21}", (_POWERS_OF_TEN,), 97, 1),
    # Segurança Social: weights that are primes.
    "pt_niss": Rule(r"[12]\d{10}", ((29, 23, 19, 17, 13, 11, 7, 5, 3, 2, 1),), 10, 9),
    "py_ci": Rule(r"(?!(.)\1*$).{5,7}"),
    # Community Health Index: an NHS number that begins with a day of birth.
    "scotland_chi": Rule(rf"{_DMY}\d{{4}}", _NHS),
    # Skatteverket, SKV 704 and, with 60 added to the day, SKV 707.
    "se_personnummer": Rule(_SWEDISH),
    "se_samordningsnummer": Rule(_SWEDISH, days_added=(60,)),
    # DVLA, INF45: surname, decade, month (50 more for women), day, year, initials, check.
    "uk_driver": Rule(
        r"[A-Z]{1,5}9{0,4}\d(?:[05][1-9]|[16][0-2])(?:0[1-9]|[12]\d|3[01])\d[A-Z9]{2}[A-Z\d]\d?[A-Z]{2}(?:\d\d)?"
    ),
    # NHS Data Dictionary; not all digits alike.
    "uk_nhs": Rule(r"(?!(\d)\1*$)\d{10}", _NHS),
    # HMRC, NIM39110: prefix letters that are in use, and a suffix A to D.
    "uk_nino": Rule(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?"),
    # IRS, Form W-7A instructions.
    "us_atin": Rule(r"9\d\d93\d{4}"),
    # DEA registration number: twice every second digit and the others add up to the last digit.
    "us_dea": Rule(r"..(?P<n>\d{7})", ((1, 2, 1, 2, 1, 2, 9),), 10),
    # Uruguay, DNIC.
    "uy_ci": Rule(r"\d{1,8}", ((2, 9, 8, 7, 6, 3, 4, 1),), 10),
    # South Africa, Department of Home Affairs: a day of birth, a citizenship digit.
    "za_id": Rule(rf"(?P<l>{_YMD}\d{{4}}[012]\d\d)"),
}


def fi_hetu(text: str) -> bool:
    """Day, sign of the century, number and check character; temporary numbers 900 to 999 too (DVV)."""
    from stdnum.fi import hetu

    return bool(hetu.is_valid(text, allow_temporary=True))


def be_national(text: str) -> bool:
    """Check digits modulo 97 of the last or of this century, day of birth or zeros (Rijksregister)."""
    digits = compact(text)
    if len(digits) != 11:
        return False
    base, check = int(digits[:9]), int(digits[9:])
    month, day = int(digits[2:4]) % 20, int(digits[4:6])
    known = month == 0 or day == 0 or day_exists(digits[:2], month, day)
    return known and check in (97 - base % 97, 97 - (2_000_000_000 + base) % 97)


def us_npi(text: str) -> bool:
    """Starts with 1 or 2, and a Luhn check with the prefix 80840 of health applications (CMS)."""
    digits = compact(text)
    return len(digits) == 10 and digits[0] in "12" and luhn.is_valid("80840" + digits)


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


_TW_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"


def tw_id(text: str) -> bool:
    """A letter for the place, nine digits, weighted sum modulo 10 (Taiwan, Ministry of the Interior)."""
    number = compact(text)
    if len(number) != 10 or number[0] not in _TW_LETTERS:
        return False
    place = str(_TW_LETTERS.index(number[0]) + 10)
    return weighted(place + number[1:], (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0


_SG_LETTERS = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK"}


def sg_nric(text: str) -> bool:
    """A letter for the kind, seven digits, a letter from their sum modulo 11 (Singapore ICA)."""
    number = compact(text)
    if len(number) != 9 or not number[1:8].isdigit():
        return False
    total = weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2))
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
    check = 11 - weighted(digits[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return len(digits) == 12 and (0 if check > 9 else check) == int(digits[10])


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


_OF_STDNUM = """
    ar.cuit at.vnr au.abn au.acn au.tfn bg.egn br.cnpj br.cpf ca.bc_phn ca.bn ca.sin ch.ssn cl.rut cn.ric
    cn.uscc co.nit cusip cz.rc de.idnr dk.cvr ee.ik es.cif es.dni es.nie es.nif fi.ytunnus fr.nif fr.nir
    fr.siren fr.siret gr.amka hr.oib ie.pps in_.aadhaar in_.epic in_.gstin in_.pan is_.kennitala it.iva
    lt.asmens mx.curp mx.rfc nl.bsn no.orgnr nz.ird pe.ruc pl.nip pl.pesel pl.regon pt.cc pt.nif py.ruc
    ro.cnp se.orgnr si.emso th.pin tr.tckimlik us.ein us.itin us.ptin ve.rif
"""
"""Modules of python-stdnum whose checks have their names, with an underscore for the dot."""

_OWN = (be_national, br_cnh, fi_hetu, jp_driver, kr_rrn, nz_nhi, sg_nric, tw_id, us_npi)

CHECKS: Mapping[str, Callable[[str], bool]] = {
    **{name.replace("_.", "_").replace(".", "_"): stdnum_check(name) for name in _OF_STDNUM.split()},
    **{name: rule.accepts for name, rule in _RULES.items()},
    **{check.__name__: check for check in _OWN},
    "il_id": stdnum_check("il.idnr"),
    "it_codice_fiscale": stdnum_check("it.codicefiscale"),
    "jp_corporate": stdnum_check("jp.cn"),
    "jp_individual": stdnum_check("jp.in_"),
    "uk_utr": stdnum_check("gb.utr"),
}
"""By the names that the infoType files use."""
