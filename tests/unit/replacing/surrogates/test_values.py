"""values"""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.replacing.surrogates.context import SurrogateSettings
from tacenda.transforms.replacing.surrogates.dates import moved_digits, read_date
from tacenda.transforms.replacing.surrogates.number_words import number_words_for, read_symbols
from tacenda.transforms.replacing.surrogates.times import ShiftedAges, ShiftedTimes
from tests.cases import cases
from tests.marked_conversations import context, values


@pytest.mark.parametrize(
    ("text", "language", "moved"),
    cases(__file__, "test_dates_move_in_their_form"),
)
def test_dates_move_in_their_form(text, language, moved):
    read = read_date(text, language)
    assert read is not None
    assert read.moved(-500) == moved


@pytest.mark.parametrize("text", ["tomorrow", "the eighties", "45", "31.02.2020", "JUG05", "", "Ann", "12th"])
def test_what_is_no_date_is_not_read(text):
    assert read_date(text) is None


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %B %Y", "%A, %b %d, %Y"]),
)
def test_a_read_date_is_written_as_it_was(day, form):
    text = day.strftime(form)
    read = read_date(text)
    assert read is not None
    assert read.moved(0) == text


@pytest.mark.parametrize(
    ("digits", "form", "moved"),
    [
        ("640823", "yymmdd", "630720"),
        ("19640823", "yyyymmdd", "19630720"),
        ("670123", "ddmmyy", "631221"),  # the D-number of somebody born on 27 January
        ("170161", "yymmdd", "151188"),  # the coordination number of somebody born on 1 January
        ("1203", "ddmm", "0602"),
    ],
)
def test_the_date_in_a_personal_number_moves(digits, form, moved):
    assert moved_digits(digits, form, -400) == moved


@pytest.mark.parametrize(
    ("text", "before", "after"),
    cases(__file__, "test_a_date_among_words_moves_in_its_own_form"),
)
def test_a_date_among_words_moves_in_its_own_form(text, before, after):
    read = read_date(text, among_words=True)
    assert read is not None
    assert (read.moved(-10), read.moved(1)) == (before, after)
    assert str(read.moved(0)).casefold() in (text.casefold(), text.casefold().replace("sept", "sep"))


@pytest.mark.parametrize(
    "text", ["yesterday", "10:30", "3-5 March 2020", "1/2/3", "31/31/2000", "PIN 4711 of 3 May 2020", ""]
)
def test_text_without_exactly_one_date_gives_none(text):
    assert read_date(text, among_words=True) is None


def test_the_parts_of_a_date():
    whole = read_date("Mon, 4 March 2024, 5:15 pm", among_words=True)
    assert whole is not None
    assert (whole.first_day.isoformat(), whole.weekday, whole.hour) == ("2024-03-04", 0, 17)
    march = read_date("March 2024")
    assert march is not None
    assert (march.day, march.month, march.year, march.hour) == (None, 3, 2024, None)
    midnight = read_date("2024-03-04 12 am")
    assert midnight is not None
    assert midnight.hour == 0


def _years(text):
    return int("".join(filter(str.isdigit, text)))


@pytest.mark.parametrize("conversation", [f"call {n}" for n in range(20)])
def test_an_age_is_two_or_three_years_off(conversation):
    moved = ShiftedAges(context(conversation_id=conversation)).value("40 år")
    assert moved is not None
    assert abs(_years(moved) - 40) in (2, 3)
    assert moved.endswith(" år")


def test_what_is_said_in_words_stays_in_words():
    moved = ShiftedAges(context()).value("fifty eight years old")
    assert moved in {f"{n} years old" for n in ("fifty five", "fifty six", "sixty", "sixty one")}
    assert ShiftedAges(context()).value("Thirty-nine") in {
        "Thirty-six",
        "Thirty-seven",
        "Forty-one",
        "Forty-two",
    }


def test_surrogate_ages_are_not_original_ages():
    # All four of 2 and 3 more or less are taken.
    taken = context(mentions={"AGE": ["40", "42", "43", "38", "37"]})
    assert ShiftedAges(taken).value("40") is None


def test_ages_over_the_limit_are_replaced_by_one():
    ages = ShiftedAges(context(settings=SurrogateSettings(oldest_age=89)))
    assert ages.value("97 years") == "90 years"
    assert ages.value("104") == "90"


@pytest.mark.parametrize("oldest", [None, 89])
@pytest.mark.parametrize("conversation", [f"call {n}" for n in range(20)])
def test_nobody_becomes_older_than_89_by_a_shift(conversation, oldest):
    settings = SurrogateSettings(oldest_age=oldest)
    ages = ShiftedAges(context(conversation_id=conversation, settings=settings))
    assert ages.value("87 years") in ("84 years", "85 years", "89 years")
    assert ages.value("89") in ("86", "87")
    assert ages.value("eighty nine") in ("eighty six", "eighty seven")
    assert ages.value("80-årene") == "70-årene"


@pytest.mark.parametrize(
    ("text", "form"),
    [("9:30 am", r"\d\d?:30 am"), ("14:05", r"\d\d:05"), ("3 pm", r"\d\d? pm"), ("09.15", r"\d\d\.15")],
)
def test_minutes_and_form_stay(text, form):
    moved = ShiftedTimes(context()).value(text)
    assert moved is not None
    assert moved != text
    assert re.fullmatch(form, moved)


def test_times_keep_their_distance():
    times = ShiftedTimes(context())
    first, second = times.value("13:10"), times.value("15:20")
    assert first is not None
    assert second is not None
    assert int(second[:2]) - int(first[:2]) == 2


def test_the_language_is_that_of_most_words():
    assert number_words_for(["fyra", "två", "x"]).language == "sv"
    assert number_words_for(["siete", "dos"]).language == "es"
    assert number_words_for(["nothing"]).language == "en"


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
def test_other_symbols_stand_in_the_same_form(text, symbols, written):
    assert read_symbols(text).with_symbols(symbols) == written


def test_a_word_of_a_sentence_makes_it_no_code():
    assert not read_symbols("Dial eight oh zero").is_code
    assert read_symbols("I N C eight one").is_code
    assert read_symbols("hyejin1973").is_code


@given(st.text(alphabet="0123456789abcXYZ -./()", min_size=1, max_size=30))
def test_the_own_symbols_give_the_text_again(text):
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


def _one(info_type, text, checksums="as_written", conversation="call 1"):
    settings = SurrogateSettings(checksums=checksums)
    return values(f"it is <{info_type}:{text}>", conversation_id=conversation, settings=settings)[0]


def _form(text):
    return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text)))


@pytest.mark.parametrize("conversation", ["call 1", "call 2", "call 3"])
@pytest.mark.parametrize("info_type", _NUMBERS)
def test_check_digits_are_right_or_wrong_as_asked_for(info_type, conversation):
    text, name = _NUMBERS[info_type]
    check = VALIDATORS[name]
    right = _one(info_type, text, "right", conversation)
    wrong = _one(info_type, text, "wrong", conversation)
    assert check(right)
    assert not check(wrong)
    assert _form(right) == _form(wrong) == _form(text)
    assert text not in (right, wrong)


def test_a_number_that_fails_its_check_has_one_that_fails():
    # The example of NorDeid is one; it is told by its place and form.
    value = _one("NORWAY_NI_NUMBER", "010101-12345")
    assert re.fullmatch(r"\d{6}-\d{5}", value)
    assert not VALIDATORS["no_fodselsnummer"](value)


def test_the_date_of_birth_inside_moves_with_the_others():
    number, birth = values("<SWEDEN_NATIONAL_ID_NUMBER:640823-3234>, born <DATE_OF_BIRTH:1964-08-23>")
    assert number[:6] == birth.replace("-", "")[2:]


def test_the_same_number_is_the_same_however_it_is_said():
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


def test_telephones_of_north_america_are_of_those_kept_for_fiction():
    assert re.fullmatch(r"\(\d{3}\) 555-01\d\d", _one("PHONE_NUMBER", "(212) 867-5309"))
    assert re.fullmatch(r"\+1 \d{3} 555 01\d\d", _one("PHONE_NUMBER", "+1 212 867 5309"))
    assert re.fullmatch(
        r"\+47 9\d \d\d \d\d \d\d|\+47 \d\d \d\d \d\d \d\d", _one("PHONE_NUMBER", "+47 93 09 22 61")
    )


@pytest.mark.parametrize("text", ["INC2917461", "X02-4637", "t m 6541 t", "A1-b2"])
def test_codes_keep_their_form(text):
    value = _one("GENERIC_ID", text)
    assert value != text
    assert _form(value) == _form(text)
    assert value.startswith("INC") == text.startswith("INC")


def test_two_numbers_stay_two():
    made = values(*(f"<GENERIC_ID:{n:04d}>" for n in range(200)))
    assert len(set(made)) == 200
