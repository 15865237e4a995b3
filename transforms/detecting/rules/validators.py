"""Validators: checks that distinguish real numbers from random digits, and codes from words."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from itertools import pairwise

from stdnum import luhn as _luhn

from tacenda.transforms.detecting.rules import public_functions
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.identifiers import credentials, national
from tacenda.transforms.identifiers.digits import compact, stdnum_check
from tacenda.transforms.identifiers.vin import ALPHABET as VIN_ALPHABET
from tacenda.transforms.identifiers.vin import check_digit as vin_check_digit


def has_digit(text: str) -> bool:
    """At least one digit."""
    return any(c.isdigit() for c in text)


def has_digit_and_letter(text: str) -> bool:
    """Both digits and letters."""
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text)


def mixed_secret(text: str) -> bool:
    """Letters and a digit, with inner capitals or a special character: "Blu3Dolphin"."""
    signs = any(not c.isalnum() and c not in "-./:'" for c in text)
    cases = any(map(str.isupper, text)) and any(map(str.islower, text))
    return has_digit_and_letter(text) and (signs or cases)


def secret_length(text: str) -> bool:
    """At least four characters."""
    return len(text) >= 4


def code_in_pieces(text: str) -> bool:
    """Alternating letters and digits; not common words ("at 5", "10 am") or measures ("5 x 7")."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return bool(words) and word_list("not_names").isdisjoint(words) and not re.search(r"\d ?[xX×] ?\d", text)


def spelled(text: str) -> bool:
    """Single letters: at least two different ones, to exclude stutters as in I-I."""
    symbols = [c for c in text.casefold() if c.isalnum()]
    return len(set(symbols)) > 1 and any(c.isalpha() for c in symbols)


def spelled_apart(text: str) -> bool:
    """For letters separated by spaces: two different letters of one case, not consecutive in the alphabet."""
    letters = [c for c in text if c.isalpha()]
    one_case = len({c.isupper() for c in letters}) == 1
    row = all(ord(b) - ord(a) == 1 for a, b in pairwise(letters))
    return len(set(letters)) > 1 and one_case and not row


def user_name_shape(text: str) -> bool:
    """Letters with digits, an underscore, or capitals in unusual positions."""
    letters = sum(c.isalpha() for c in text)
    if letters < 2 or not user_name_length(text):
        return False
    digits = sum(c.isdigit() for c in text)
    inner_upper = any(c.isupper() for c in text[1:]) and any(c.islower() for c in text)
    return bool(digits) or "_" in text or inner_upper


def user_name_length(text: str) -> bool:
    """Four to forty characters, as most platforms allow."""
    return 4 <= len(text) <= 40


_PHONE_REGIONS = ("US", "GB", "ES", "SE", "FR", "DE")


def luhn(text: str) -> bool:
    """The Luhn check of ISO/IEC 7812-1; rejects repetitions of one digit."""
    digits = "".join(c for c in compact(text) if c.isdigit())
    return len(set(digits)) > 1 and _luhn.is_valid(digits)


def payment_card(text: str) -> bool:
    """A card number's length and first digits (ISO/IEC 7812: major networks) and its Luhn check."""
    digits = compact(text)
    return 12 <= len(digits) <= 19 and digits[0] in "23456" and luhn(digits)


def vin(text: str) -> bool:
    """The check digit of a vehicle identification number (49 CFR 565.15)."""
    number = compact(text)
    if len(number) != 17 or len(set(number)) < 4 or not set(number) <= set(VIN_ALPHABET):
        return False
    return number[8] == vin_check_digit(number)


def imei(text: str) -> bool:
    """Fifteen digits with a Luhn check (3GPP TS 23.003)."""
    return len(compact(text)) == 15 and luhn(text)


def imsi(text: str) -> bool:
    """Starts with a mobile country code of a region in use, 2xx to 7xx (ITU-T E.212)."""
    return compact(text)[0] in "234567"


def us_ssn(text: str) -> bool:
    """Area, group and serial numbers that the Social Security Administration may have issued."""
    digits = compact(text)
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return (
        len(digits) == 9
        and area not in ("000", "666")
        and area < "900"
        and group != "00"
        and serial != "0000"
        and len(set(digits)) > 1
    )


def aba_routing(text: str) -> bool:
    """The 3-7-1 check of an ABA routing number, and a first pair of digits that is in use."""
    d = [int(c) for c in compact(text)]
    first = d[0] * 10 + d[1] if len(d) == 9 else -1
    in_use = 1 <= first <= 12 or 21 <= first <= 32 or 61 <= first <= 72 or first == 80
    return in_use and (3 * sum(d[0::3]) + 7 * sum(d[1::3]) + sum(d[2::3])) % 10 == 0


def ip_address(text: str) -> bool:
    """An address that Python's ipaddress accepts (RFC 791, RFC 4291), with or without a prefix length.

    The first 65,536 of IPv6 are nobody's: the machine itself, and slices of a list as in ``l[::3]``.
    """
    try:
        address = ipaddress.ip_address(text.partition("/")[0])
    except ValueError:
        return False
    return address.version == 4 or int(address) >> 16 > 0


def mac_universal(text: str) -> bool:
    """A MAC address with the universal bit unset that is not the broadcast address (IEEE 802)."""
    return not int(compact(text)[1], 16) & 2


def mac_local(text: str) -> bool:
    """A MAC address with the local bit set (IEEE 802)."""
    return not mac_universal(text)


def coordinates(text: str) -> bool:
    """Two numbers in the ranges of latitude and longitude."""
    numbers = [float(n) for n in re.findall(r"[-+]?\d+(?:\.\d+)?", text)][:2]
    return len(numbers) == 2 and abs(numbers[0]) <= 90 and abs(numbers[1]) <= 180


def phone(text: str) -> bool:
    """A number valid by libphonenumber's metadata, in international format or that of a common region."""
    import phonenumbers

    regions = (None,) if text.lstrip("( ").startswith("+") else _PHONE_REGIONS
    for region in regions:
        try:
            number = phonenumbers.parse(text, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return True
    return False


def phone_length(text: str) -> bool:
    """Seven to fifteen digits (ITU-T E.164), not all equal."""
    digits = [c for c in re.split(r"[^\d ()./+-]", text, maxsplit=1)[0] if c.isdigit()]
    return 7 <= len(digits) <= 15 and len(set(digits)) > 1


def phone_grouping(text: str) -> bool:
    """At least seven digits in groups that are neither a date nor a list of years or amounts."""
    groups = re.findall(r"\d+", text)
    years = sum(len(g) == 4 and g[:2] in ("19", "20") for g in groups)
    separators = set(re.findall(r"(?<=\d)[ .-](?=\d)", text))
    return phone_length(text) and not calendar_date(text) and years < 2 and len(separators) == 1


def not_a_date(text: str) -> bool:
    """Not a numeric date such as 2016-05-17 or 17.05.2016."""
    return not _DATE.fullmatch(text)


_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ](?:0?[1-9]|1[0-2])[-./ ](?:0?[1-9]|[12]\d|3[01])(?:\D.*)?"
    r"|(?:0?[1-9]|[12]\d|3[01])[-./ ](?:0?[1-9]|[12]\d|3[01])[-./ ](?:19|20)\d\d(?:\D.*)?"
)


def calendar_date(text: str) -> bool:
    """Digits that form a day of the years 1900 to 2099, with its parts in any order."""
    parts = re.findall(r"\d+", text)[:3]
    if len(parts) == 1 and len(parts[0]) == 8:
        d = parts[0]
        return any(
            _is_day(*p) for p in ((d[:4], d[4:6], d[6:]), (d[4:], d[2:4], d[:2]), (d[4:], d[:2], d[2:4]))
        )
    if len(parts) != 3:
        return False
    a, b, c = parts
    if len(a) == 4:
        return _is_day(a, b, c)
    return len(c) in (2, 4) and (_is_day(c, b, a) or _is_day(c, a, b))


def _is_day(year: str, month: str, day: str) -> bool:
    return (
        (len(year) == 2 or year[:2] in ("19", "20"))
        and len(month) <= 2
        and len(day) <= 2
        and 1 <= int(month) <= 12
        and 1 <= int(day) <= 31
    )


def years(text: str) -> bool:
    """A range of years no longer than a life or century; not amounts such as 1500-2000."""
    first, last = (int(figures) for figures in re.findall(r"\d+", text)[:2])
    if last < 100:
        return first % 100 < last and first % 100 != 0
    return first < last <= first + 120 and bool(first % 100 or last % 100)


def no_fraction(text: str) -> bool:
    """Not a common fraction such as a half or third, nor "24/7"; "12/05" is a day, "3/4" is not."""
    return not re.fullmatch(r"1/[2-68]|2/[35]|3/[458]|4/5|5/[68]|7/8|[19]/10|24/7", text)


def es_nuss(text: str) -> bool:
    """Province and number modulo 97 equal the last two digits; short numbers drop their leading zero."""
    d = compact(text)
    province, number, check = d[:2], d[2:-2], int(d[-2:])
    base = int(province + number) if int(number) >= 10_000_000 else int(province) * 10_000_000 + int(number)
    return base % 97 == check


def not_function_word(text: str) -> bool:
    """Not a common word, such as answers to questions or words after "is"."""
    return text.lower().strip(".,!?'") not in word_list("not_names")


_HOST = re.compile(
    r"(?:w{2,4}|cloud|tools|docs|drive|maps|play|sites|support|developers?|mail|accounts|apis?|cdn|static)\.[\w.-]+"
)
"""The name of a provider's own host."""


def email_without_at(text: str) -> bool:
    """There is text before the provider's name."""
    lower = text.lower()
    known = ("mail", "yahoo", "outlook", "icloud", "google", "gmail", "email", "hotmail")
    local = re.sub(r"[ .]?(?:dot )?(?:com|con|org|net|gov|edu)$", "", lower)
    if _HOST.fullmatch(lower):
        return False
    return len(lower) > 7 and " ".join(local.split()) not in known


def iban(text: str) -> bool:
    """ISO 13616 check digits and country length; only the form for countries unknown to stdnum."""
    from stdnum import iban as stdnum_iban

    return bool(stdnum_iban.is_valid(text, check_country=False))


def swift(text: str) -> bool:
    """A country code of ISO 3166 at its position (ISO 9362)."""
    return compact(text)[4:6].lower() in word_list("countries")


def domain(text: str) -> bool:
    """The last label is a common or country-code top-level domain."""
    name = text.rsplit(".", 1)[-1]
    if name[:1].isupper() and not text.isupper():
        return False  # a sentence that follows another without a space
    last = name.lower()
    return last in word_list("top_level_domains") or last in word_list("countries")


def capitalised(text: str) -> bool:
    """Begins with a capital letter."""
    return text[:1].isupper()


def title_in_place(text: str) -> bool:
    """A title as it is written before a name: not "ms" of milliseconds, nor "a major Update".

    Those that are common words in lower case need a capital; "MS" and "ms" need a dot.
    """
    first = re.split(r"[ .]", text, maxsplit=1)[0]
    if first in word_list("titles_that_need_a_dot"):
        return "." in text
    return first not in word_list("titles_that_are_words")


def age(text: str) -> bool:
    """At most 125, if in digits."""
    number = re.search(r"\d+", text)
    return number is None or int(number.group()) <= 125


VALIDATORS: Mapping[str, Callable[[str], bool]] = {
    **public_functions(__name__),
    "vat": stdnum_check("eu.vat"),
    **national.CHECKS,
    **credentials.CHECKS,
}
"""By the names used in infoType files."""
