"""Numbers of persons and businesses of Asia, the Pacific and Africa."""

from collections.abc import Callable, Mapping

from stdnum import luhn

from tacenda.transforms.identifiers.digits import compact, day_exists, weighted
from tacenda.transforms.identifiers.library import stdnum_check


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


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "au_abn": stdnum_check("au.abn"),
    "au_acn": stdnum_check("au.acn"),
    "au_medicare": au_medicare,
    "au_tfn": stdnum_check("au.tfn"),
    "cn_ric": stdnum_check("cn.ric"),
    "cn_uscc": stdnum_check("cn.uscc"),
    "hk_id": hk_id,
    "id_nik": id_nik,
    "il_id": stdnum_check("il.idnr"),
    "in_aadhaar": stdnum_check("in_.aadhaar"),
    "in_epic": stdnum_check("in_.epic"),
    "in_gstin": stdnum_check("in_.gstin"),
    "in_pan": stdnum_check("in_.pan"),
    "jp_corporate": stdnum_check("jp.cn"),
    "jp_driver": jp_driver,
    "jp_individual": stdnum_check("jp.in_"),
    "kr_rrn": kr_rrn,
    "my_nric": my_nric,
    "nz_ird": stdnum_check("nz.ird"),
    "nz_nhi": nz_nhi,
    "sg_nric": sg_nric,
    "th_pin": stdnum_check("th.pin"),
    "tw_id": tw_id,
    "za_id": za_id,
}
"""By the names that the infoType files use."""
