import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.replacing.surrogates.context import Checksums, SurrogateSettings
from tacenda.transforms.replacing.surrogates.number_words import number_words, number_words_for, read_symbols
from tests.marked_conversations import values


def test_two_digits_are_said_as_people_say_them() -> None:
    english = number_words()[0]
    said = [english.say(digits) for digits in ("7", "42", "40", "13", "07", "00")]
    assert said == ["seven", "forty two", "forty", "thirteen", "zero seven", "zero zero"]


def test_days_of_the_month_have_ordinals() -> None:
    english = number_words()[0]
    assert [english.say_ordinal(day) for day in (1, 20, 21, 31)] == [
        "first",
        "twentieth",
        "twenty first",
        "thirty first",
    ]


def test_the_language_is_that_of_most_words() -> None:
    assert number_words_for(["fyra", "två", "x"]).language == "sv"
    assert number_words_for(["siete", "dos"]).language == "es"
    assert number_words_for(["nothing"]).language == "en"


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("(555) 010-0199", "5550100199"),
        ("four one double five", "4155"),
        ("ninety eight thirty nine", "9839"),
        ("INC-29 a", "inc29a"),
        ("07 12 75-95571", "07127595571"),
        ("fyra två noll", "420"),
    ],
)
def test_a_number_is_its_digits_however_it_is_said(text: str, symbols: str) -> None:
    assert read_symbols(text).symbols == symbols


@pytest.mark.parametrize(
    ("text", "symbols", "written"),
    [
        ("(555) 010-0199", "2125550143", "(212) 555-0143"),
        ("INC-29 a", "inc47k", "INC-47 k"),
        ("four one double five", "3208", "three two zero eight"),
        ("ninety eight", "41", "forty one"),
        ("fyra två", "68", "sex åtta"),
    ],
)
def test_other_symbols_stand_in_the_same_form(text: str, symbols: str, written: str) -> None:
    assert read_symbols(text).with_symbols(symbols) == written


def test_a_word_of_a_sentence_makes_it_no_code() -> None:
    assert not read_symbols("Dial eight oh zero").is_code
    assert read_symbols("I N C eight one").is_code
    assert read_symbols("hyejin1973").is_code


@given(st.text(alphabet="0123456789abcXYZ -./()", min_size=1, max_size=30))
def test_the_own_symbols_give_the_text_again(text: str) -> None:
    written = read_symbols(text)
    if not written.is_spoken:
        assert written.with_symbols(written.symbols) == text


_NUMBERS = {
    "CREDIT_CARD_NUMBER": ("4111 1111 1111 1111", "payment_card"),
    "IBAN_CODE": ("GB82 WEST 1234 5698 7654 32", "iban"),
    "SWEDEN_NATIONAL_ID_NUMBER": ("640823-3234", "se_personnummer"),
    "SWEDEN_COORDINATION_NUMBER": ("701063-2391", "se_samordningsnummer"),
    "NORWAY_NI_NUMBER": ("01017012363", "no_fodselsnummer"),
    "FINLAND_NATIONAL_ID_NUMBER": ("131052-308T", "fi_hetu"),
    "SPAIN_DNI_NUMBER": ("54362315K", "es_dni"),
    "US_HEALTHCARE_NPI": ("1234567893", "us_npi"),
    "VEHICLE_IDENTIFICATION_NUMBER": ("1HGCM82633A004352", "vin"),
    "CANADA_SOCIAL_INSURANCE_NUMBER": ("123 456 782", "ca_sin"),
}


def _one(info_type: str, text: str, checksums: Checksums = "as_written", conversation: str = "call 1") -> str:
    settings = SurrogateSettings(checksums=checksums)
    return values(f"it is <{info_type}:{text}>", conversation_id=conversation, settings=settings)[0]


def _form(text: str) -> str:
    return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text)))


@pytest.mark.parametrize("conversation", ["call 1", "call 2", "call 3"])
@pytest.mark.parametrize("info_type", _NUMBERS)
def test_check_digits_are_right_or_wrong_as_asked_for(info_type: str, conversation: str) -> None:
    text, name = _NUMBERS[info_type]
    check = VALIDATORS[name]
    right = _one(info_type, text, "right", conversation)
    wrong = _one(info_type, text, "wrong", conversation)
    assert check(right)
    assert not check(wrong)
    assert _form(right) == _form(wrong) == _form(text)
    assert text not in (right, wrong)


@pytest.mark.parametrize("info_type", _NUMBERS)
def test_check_digits_are_as_valid_as_those_of_the_original(info_type: str) -> None:
    text, name = _NUMBERS[info_type]
    assert VALIDATORS[name](text) == VALIDATORS[name](_one(info_type, text))


def test_a_number_that_fails_its_check_has_one_that_fails() -> None:
    # The example of NorDeid is one; it is told by its place and form.
    value = _one("NORWAY_NI_NUMBER", "010101-12345")
    assert re.fullmatch(r"\d{6}-\d{5}", value)
    assert not VALIDATORS["no_fodselsnummer"](value)


def test_the_date_of_birth_inside_moves_with_the_others() -> None:
    number, birth = values("<SWEDEN_NATIONAL_ID_NUMBER:640823-3234>, born <DATE_OF_BIRTH:1964-08-23>")
    assert number[:6] == birth.replace("-", "")[2:]


def test_the_same_number_is_the_same_however_it_is_said() -> None:
    written, said, part = values(
        "<PHONE_NUMBER:555-0143>",
        "so <PHONE_NUMBER:five five five oh one four three>",
        "<NUMERIC:0143> at the end",
    )
    digits = {
        "zero": "0",
        "one": "1",
        "two": "2",
        "three": "3",
        "four": "4",
        "five": "5",
        "six": "6",
        "seven": "7",
    }
    digits |= {"eight": "8", "nine": "9"}
    assert "".join(digits[word] for word in said.split()) == written.replace("-", "")
    assert written.replace("-", "").endswith(part)


def test_telephones_of_north_america_are_of_those_kept_for_fiction() -> None:
    assert re.fullmatch(r"\(\d{3}\) 555-01\d\d", _one("PHONE_NUMBER", "(212) 867-5309"))
    assert re.fullmatch(r"\+1 \d{3} 555 01\d\d", _one("PHONE_NUMBER", "+1 212 867 5309"))
    assert re.fullmatch(
        r"\+47 9\d \d\d \d\d \d\d|\+47 \d\d \d\d \d\d \d\d", _one("PHONE_NUMBER", "+47 93 09 22 61")
    )


@pytest.mark.parametrize("text", ["INC2917461", "X02-4637", "t m 6541 t", "A1-b2"])
def test_codes_keep_their_form(text: str) -> None:
    value = _one("GENERIC_ID", text)
    assert value != text
    assert _form(value) == _form(text)
    assert value.startswith("INC") == text.startswith("INC")


def test_two_numbers_stay_two() -> None:
    made = values(*(f"<GENERIC_ID:{n:04d}>" for n in range(200)))
    assert len(set(made)) == 200


def test_a_pool_that_is_exhausted_gives_tokens() -> None:
    made = values(*(f"<GENERIC_ID:{n}>" for n in range(10)))
    assert made == [f"[GENERIC_ID_{n + 1}]" for n in range(10)]
