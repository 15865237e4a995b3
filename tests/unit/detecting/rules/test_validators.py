from pathlib import Path

import pytest
import yaml

from tacenda.transforms.detecting.rules.validators import VALIDATORS

GOOD_AND_BAD = {
    "capitalised": ("Polish", "polish"),
    "title_in_place": ("Ms", "ms"),
    "luhn": ("4111 1111 1111 1111", "4111 1111 1111 1112"),
    "payment_card": ("378282246310005", "0000000000000000"),
    "vin": ("1M8GDM9AXKP042788", "1M8GDM9A1KP042788"),
    "imei": ("490154203237518", "490154203237517"),
    "us_ssn": ("078-05-1120", "666-05-1120"),
    "aba_routing": ("021000021", "021000022"),
    "es_nuss": ("281234567840", "281234567841"),
    "iban": ("GB29NWBK60161331926819", "GB30NWBK60161331926819"),
    "vat": ("DE136695976", "DE136695978"),
    "swift": ("DEUTDEFF500", "DEUTQQFF"),
    "ip_address": ("2001:db8::1", "2001:db8:::1"),
    "mac_universal": ("00:1B:44:11:3A:B7", "02:1B:44:11:3A:B7"),
    "mac_local": ("02:1B:44:11:3A:B7", "00:1B:44:11:3A:B7"),
    "coordinates": ("41.4, -75.6", "91.4, -75.6"),
    "phone": ("+44 20 7946 0958", "+44 1"),
    "phone_length": ("555-0143x16954", "555-01"),
    "phone_grouping": ("25-62-29-72", "12 10 2018"),
    "no_month": ("9th and Main", "2nd and May 3rd"),
    "not_a_date": ("633 349 565", "2016-05-17"),
    "calendar_date": ("31/12/1999", "31/13/1999"),
    "spelled": ("M-K-2-1", "I-I-I"),
    "spelled_apart": ("M A R K", "A B C D"),
    "user_name_shape": ("enigma52", "enigma"),
    "user_name_length": ("abcd", "abc"),
    "domain": ("dundermifflin.com", "end.Then"),
    "age": ("104 years", "304 years"),
    "imsi": ("310150123456789", "910150123456789"),
    "iccid": ("8901260562000000005", "8901260562000000009"),
    "has_digit": ("a1", "a"),
    "has_digit_and_letter": ("a1", "11"),
    "not_function_word": ("pbeesly", "Okay!"),
    "code_in_pieces": ("rf 56 f 5", "at 5"),
    "secret_length": ("1234", "123"),
    "email_without_at": ("samgmailcom", "internet"),
    "street": ("12 Main Street", "10 percent of the way"),
    "years": ("1947–1964", "1500-2000"),
    "answered_code": ("hg 56 a 2", "10 am or 2"),
    "long_code": ("7740023-A", "12 boxes"),
    "mixed_secret": ("Blu3Dolphin", "dolphin3"),
    "no_fraction": ("12/05", "3/4"),
    "no_year": ("0927", "2019"),
}


@pytest.mark.parametrize("name", sorted(GOOD_AND_BAD))
def test_validator_accepts_and_refuses(name: str) -> None:
    good, bad = GOOD_AND_BAD[name]
    assert VALIDATORS[name](good)
    assert not VALIDATORS[name](bad)


def test_every_validator_has_an_example_here_or_a_conformance_vector() -> None:
    vectors = Path(__file__).parents[3] / "golden" / "vectors"
    conforming = {v["check"] for f in vectors.glob("*.yaml") for v in yaml.safe_load(f.read_text("utf-8"))}
    assert set(VALIDATORS) == set(GOOD_AND_BAD) | conforming


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Mr", True),
        ("Ms", True),
        ("fru", True),
        ("señora", True),
        ("MR", True),
        ("ms", False),
        ("ms.", True),
        ("major", False),
        ("Major", True),
        ("miss", False),
    ],
)
def test_a_title_that_is_a_common_word_or_unit_needs_a_capital_or_a_dot(text: str, right: bool) -> None:
    assert VALIDATORS["title_in_place"](text) is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("den 5 maj 2019 kom hon", False),
        ("El 4 mayo 2018", False),
        ("6. toukokuuta", False),
        # A code that is read out, with letters that are a month as well.
        ("dk 5 maj 19", True),
        ("den 99 maj", True),
    ],
)
def test_a_day_before_a_month_is_a_date_in_every_language(text: str, right: bool) -> None:
    assert VALIDATORS["no_month"](text) is right
