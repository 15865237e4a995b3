"""values"""

import pytest

from tacenda.transforms.detecting.spoken.detector import spoken_runs
from tacenda.transforms.detecting.spoken.lexicon import (
    JOINERS,
    LANGUAGES,
    Part,
    Said,
    figures,
    lexicon,
    number_word,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases
from tests.growth import is_linear_work


def runs_of(text, languages=("en",)):
    return spoken_runs(TextColumn([text]), languages).get(0, [])


def said(text, language="en"):
    return [number_word(word, lexicon(language)) for word in text.split()]


@pytest.mark.parametrize(("text", "digits"), cases(__file__, "test_english_numbers_in_telephone_style"))
def test_english_numbers_in_telephone_style(text, digits):
    assert figures(said(text)) == digits


@pytest.mark.parametrize(("language", "text", "digits"), cases(__file__, "test_numbers_of_other_languages"))
def test_numbers_of_other_languages(language, text, digits):
    assert figures(said(text, language)) == digits


def test_a_pause_keeps_tens_and_ones_apart():
    twenty, three = said("twenty three")
    assert figures([twenty, Said(Part.PAUSE, ""), three]) == "203"


@pytest.mark.parametrize("word", ["treasure", "femma", "onehundredone", "centre", "tre-fem", ""])
def test_other_words_are_not_numbers(word):
    assert number_word(word, lexicon("en")) is None


@pytest.mark.parametrize(
    "word", ["sextant", "fembarn", "ochfem", "tioochx", "nollan", "nollställ", "nolloch"]
)
def test_words_that_only_begin_like_compounds_are_not_numbers(word):
    assert number_word(word, lexicon("sv")) is None


@pytest.mark.parametrize("end", ["", "x", "xon"])
@pytest.mark.parametrize("part", ["arton", "fem", "tusen", "hundra", "noll", "femtio"])
def test_endless_compounds_are_read_in_linear_time(part, end):
    assert is_linear_work(lambda n: number_word.__wrapped__(part * n + end, lexicon("sv")), 200)


def test_endless_hundreds_are_read_one_by_one():
    assert figures([Said(Part.HUNDREDS, "100")] * 5_000) == "100" * 5_000


@pytest.mark.parametrize("word", ["unidos", "treintai", "ytres", "itres", "unaydos", "onceava", "milydos"])
def test_spanish_words_containing_a_number_are_not_numbers(word):
    assert number_word(word, lexicon("es")) is None


def read(text, language="en"):
    return [(text[r.start : r.end], r.value, r.kind) for r in runs_of(text, (language,))]


@pytest.mark.parametrize(("said", "value", "kind"), cases(__file__, "test_spoken_addresses"))
def test_spoken_addresses(said, value, kind):
    assert read(f"yes, that is {said} thanks") == [(said, value, kind)]


def test_a_web_address_after_at_is_no_email():
    assert read("a report at www dot example dot com") == [
        ("www dot example dot com", "www.example.com", "url")
    ]


@pytest.mark.parametrize(
    "text", cases(__file__, "test_plain_text_and_written_addresses_are_left_to_other_rules")
)
def test_plain_text_and_written_addresses_are_left_to_other_rules(text):
    assert read(text) == []


@pytest.mark.parametrize(("language", "said", "value"), cases(__file__, "test_addresses_of_other_languages"))
def test_addresses_of_other_languages(language, said, value):
    assert read(f"ok {said}", language) == [(said, value, "email")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_can_count_to_nine_and_name_its_signs(language):
    words = lexicon(language)
    assert {said.value for said in words.numbers.values() if said.part is Part.UNIT} == set("0123456789")
    assert {".", "@", "/", "_", "-"} <= set(words.signs.values()) | {
        sign for phrases in words.long_signs.values() for _, sign in phrases
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_lower_case_and_values_decimal(language):
    words = lexicon(language)
    for word, (part, value) in words.numbers.items():
        assert word == word.lower()
        assert value.isdecimal() or part in JOINERS
    assert words.weak <= set(words.numbers)


@pytest.mark.parametrize(
    ("code", "language"), [("en-GB", "en"), ("sv_SE", "sv"), ("nb", "nb"), ("nn-NO", "nb")]
)
def test_regions_make_no_difference(code, language):
    assert lexicon(code).language == language


def test_an_unknown_language_is_the_users_mistake():
    with pytest.raises(UserError, match=r"language .xx.: no spoken words known; use some of en, es, .*, da"):
        lexicon("xx")
