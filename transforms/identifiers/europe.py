"""Numbers of persons and businesses of the states of Europe, the Nordic and Baltic ones apart."""

import re
from collections.abc import Callable, Mapping

from tacenda.transforms.identifiers.digits import compact, day_exists, mrz, weighted
from tacenda.transforms.identifiers.library import stdnum_check

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


def german_document(text: str) -> bool:
    """Nine characters and, where a tenth follows, its check digit (ICAO Doc 9303 part 3)."""
    number = compact(text)
    return len(number) == 9 or (len(number) == 10 and mrz(number[:9]) == number[9])


def belgian_national(text: str) -> bool:
    """Check digits modulo 97 of the last or of this century, day of birth or zeros (Rijksregister)."""
    digits = compact(text)
    if len(digits) != 11:
        return False
    base, check = int(digits[:9]), int(digits[9:])
    month, day = int(digits[2:4]) % 20, int(digits[4:6])
    known = month == 0 or day == 0 or day_exists(digits[:2], month, day)
    return known and check in (97 - base % 97, 97 - (2_000_000_000 + base) % 97)


def polish_document(text: str) -> bool:
    """Three letters, a check digit and five digits of an identity card (weights 7, 3, 1)."""
    number = compact(text)
    values = [int(c, 36) for c in number]
    weights = (7, 3, 1, 9, 7, 3, 1, 7, 3)
    return len(number) == 9 and sum(v * w for v, w in zip(values, weights, strict=True)) % 10 == 0


def polish_passport(text: str) -> bool:
    """Two letters, a check digit and six digits (weights 7, 3, 9, 1, 7, 3, 1, 7, 3)."""
    number = compact(text)
    values = [int(c, 36) for c in number]
    weights = (7, 3, 9, 1, 7, 3, 1, 7, 3)
    return len(number) == 9 and sum(v * w for v, w in zip(values, weights, strict=True)) % 10 == 0


def french_licence(text: str) -> bool:
    """Year, month (21 more abroad), department and number of a permis de conduire."""
    digits = compact(text)
    return len(digits) == 12 and 1 <= int(digits[2:4]) <= 12


def portuguese_niss(text: str) -> bool:
    """First digit 1 or 2, and a check digit from weights that are primes (Segurança Social)."""
    digits = compact(text)
    if len(digits) != 11 or digits[0] not in "12":
        return False
    return 9 - weighted(digits, (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)) % 10 == int(digits[10])


def portuguese_nib(text: str) -> bool:
    """Two check digits after ISO/IEC 7064 MOD 97-10 (Banco de Portugal)."""
    digits = compact(text)
    return len(digits) == 21 and int(digits) % 97 == 1


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "at_vnr": stdnum_check("at.vnr"),
    "be_national": belgian_national,
    "bg_egn": stdnum_check("bg.egn"),
    "ch_ssn": stdnum_check("ch.ssn"),
    "cz_rc": stdnum_check("cz.rc"),
    "de_document": german_document,
    "de_idnr": stdnum_check("de.idnr"),
    "es_cif": stdnum_check("es.cif"),
    "es_dni": stdnum_check("es.dni"),
    "es_nie": stdnum_check("es.nie"),
    "es_nif": stdnum_check("es.nif"),
    "fr_licence": french_licence,
    "fr_nif": stdnum_check("fr.nif"),
    "fr_nir": stdnum_check("fr.nir"),
    "fr_siren": stdnum_check("fr.siren"),
    "fr_siret": stdnum_check("fr.siret"),
    "gr_amka": stdnum_check("gr.amka"),
    "hr_oib": stdnum_check("hr.oib"),
    "ie_pps": stdnum_check("ie.pps"),
    "it_codice_fiscale": stdnum_check("it.codicefiscale"),
    "it_iva": stdnum_check("it.iva"),
    "nl_bsn": stdnum_check("nl.bsn"),
    "pl_document": polish_document,
    "pl_nip": stdnum_check("pl.nip"),
    "pl_passport": polish_passport,
    "pl_pesel": stdnum_check("pl.pesel"),
    "pl_regon": stdnum_check("pl.regon"),
    "pt_cc": stdnum_check("pt.cc"),
    "pt_nib": portuguese_nib,
    "pt_nif": stdnum_check("pt.nif"),
    "pt_niss": portuguese_niss,
    "ro_cnp": stdnum_check("ro.cnp"),
    "scotland_chi": scotland_chi,
    "si_emso": stdnum_check("si.emso"),
    "tr_tckimlik": stdnum_check("tr.tckimlik"),
    "uk_driver": uk_driver,
    "uk_nhs": uk_nhs,
    "uk_nino": uk_nino,
    "uk_utr": stdnum_check("gb.utr"),
}
"""By the names that the infoType files use."""
