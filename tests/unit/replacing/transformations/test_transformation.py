import string
from collections import Counter
from datetime import date, time
from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.transformation import (
    COMMON_CHARACTERS,
    Bucket,
    Bucketing,
    CharacterMask,
    Choices,
    DateShift,
    DictionaryWords,
    FixedSizeBucketing,
    Mention,
    Redaction,
    ReplacementValue,
    TimePart,
)
from tacenda.transforms.schema.errors import RecordError
from tests.growth import is_linear_work

AGES = FixedSizeBucketing(10, 89, 10)
LEVELS = Bucketing((Bucket(1.0, 31.0, "LOW"), Bucket(31.0, 66.0, "MEDIUM"), Bucket(66.0, None, "HIGH")))


@pytest.mark.parametrize(
    ("text", "bucket"),
    [
        # The buckets of Google's reference: -10, 10-20, …, 80-89, 89+.
        ("9", "-10"),
        ("10", "10-20"),
        ("19.99", "10-20"),
        ("20", "20-30"),
        ("35 years", "30-40"),
        ("80", "80-89"),
        ("89", "80-89"),
        ("90", "89+"),
        ("-3", "-10"),
        ("1,200", "89+"),
    ],
)
def test_ranges_of_one_size(said: Any, text: str, bucket: str) -> None:
    assert said(AGES, text) == bucket


def test_sizes_of_two_decimals(said: Any) -> None:
    assert said(FixedSizeBucketing(0, 1, 0.1), "0.3") == "0.3-0.4"
    assert said(FixedSizeBucketing(0, 1, 0.25), "0.99") == "0.75-1"


@pytest.mark.parametrize("text", ["thirty", "3 of 5", "", "10.1.2.3", "a1b2"])
def test_what_is_no_one_number_is_an_error(said: Any, text: str) -> None:
    with pytest.raises(RecordError, match="NotANumber"):
        said(AGES, text)


@pytest.mark.parametrize(
    ("text", "bucket"), [("1", "LOW"), ("30.9", "LOW"), ("31", "MEDIUM"), ("1000", "HIGH")]
)
def test_custom_ranges(said: Any, text: str, bucket: str) -> None:
    assert said(LEVELS, text) == bucket


def test_what_lies_in_no_range_is_an_error(said: Any) -> None:
    for text in ("0", "nothing"):
        with pytest.raises(RecordError, match="InNoBucket"):
            said(LEVELS, text)


def test_dates_times_and_texts_have_ranges_too(said: Any) -> None:
    decades = Bucketing((Bucket(date(1980, 1, 1), date(1990, 1, 1), "the eighties"),))
    assert said(decades, "25 June 1984") == "the eighties"
    for text in ("25 June 1994", "25 June", "June"):
        with pytest.raises(RecordError, match="InNoBucket"):
            said(decades, text)
    assert said(Bucketing((Bucket(time(6), time(12), "morning"),)), "9:30") == "morning"
    assert (
        said(Bucketing((Bucket("a", "n", "first half"), Bucket(None, None, "other"))), "kim") == "first half"
    )
    assert said(Bucketing((Bucket("a", "n", "first half"), Bucket(None, None, "other"))), "zoe") == "other"


CARD = "1234-5678-9012-3456"


@pytest.mark.parametrize(
    ("mask", "text", "masked"),
    [
        # The four examples of Google's reference.
        (CharacterMask(number=-4, ignored="-"), CARD, "****-****-****-3456"),
        (CharacterMask(number=-4, ignored="-", reverse=True), CARD, "1234-****-****-****"),
        (CharacterMask("0", 14), CARD, "00000000000000-3456"),
        (CharacterMask("*", 3, reverse=True), "12345", "12***"),
        (CharacterMask("*", 5, ignored="-"), "555-555-5555", "***-**5-5555"),
        (CharacterMask(), "Ann Lee", "*******"),
        (CharacterMask("#", ignored=COMMON_CHARACTERS["WHITESPACE"]), "Ann Lee", "### ###"),
        (CharacterMask(number=-20), "short", "short"),
        (CharacterMask(number=20), "short", "*****"),
        (CharacterMask(ignored=COMMON_CHARACTERS["ALPHA_LOWER_CASE"]), "Åsa 7", "*sa**"),
        (CharacterMask(), "", ""),
    ],
)
def test_as_google_describes_it(said: Any, mask: CharacterMask, text: str, masked: str) -> None:
    assert said(mask, text) == masked


def test_the_common_characters_are_ascii() -> None:
    assert COMMON_CHARACTERS["PUNCTUATION"] == "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    assert COMMON_CHARACTERS["NUMERIC"] == "0123456789"
    assert {*COMMON_CHARACTERS["WHITESPACE"]} == {*" \t\n\x0b\f\r"}
    assert COMMON_CHARACTERS["ALPHA_UPPER_CASE"] == string.ascii_uppercase


def test_what_stays_readable_is_said() -> None:
    assert CharacterMask().describe().weakness == "its length stays readable"
    assert "all but 4" in str(CharacterMask(number=-4).describe().weakness)
    assert "only 3" in str(CharacterMask(number=3).describe().weakness)
    assert "letters and digits" in str(CharacterMask(ignored="a").describe().weakness)


WORDS = ("Kim", "Lou", "Max", "Noa")


def test_each_entity_has_its_own_word_as_long_as_they_last() -> None:
    choices = Choices("c1", ["Ann"], [])
    chosen = [choices.word(entity, WORDS) for entity in range(1, 5)]
    assert {*chosen} == {*WORDS}
    assert choices.word(9, WORDS) is None
    assert [choices.word(entity, WORDS) for entity in range(1, 5)] == chosen


def test_equal_lists_of_two_infotypes_share_no_word() -> None:
    choices = Choices("c1", [], [])
    other = ("Kim", "Lou", "Max", "Noa", "Kim")
    words = [choices.word(entity, WORDS if entity % 2 else other) for entity in range(1, 5)]
    assert {*words} == {*WORDS}


@pytest.mark.parametrize("conversation", [f"c{number}" for number in range(20)])
def test_what_was_said_is_no_choice(conversation: str) -> None:
    choices = Choices(conversation, ["KIM Lee"], ["noa called"])
    assert {choices.word(entity, WORDS) for entity in range(4)} == {"Lou", "Max", None}


def test_another_conversation_begins_elsewhere() -> None:
    assert {Choices(f"c{number}", [], []).word(1, WORDS) for number in range(50)} == {*WORDS}


def test_a_used_up_list_is_walked_once() -> None:
    def run(size: int) -> None:
        choices = Choices("c1", [], [])
        words = tuple(f"w{number}" for number in range(size))
        for entity in range(2 * size):
            choices.word(entity, words)

    assert is_linear_work(run, 200)


def test_a_conversation_moves_as_a_whole(said: Any, key: Any) -> None:
    shift = DateShift(-30, 30, key)
    dates = [
        date.fromisoformat(said(shift, text, "c7")) for text in ("2024-01-01", "2024-01-15", "2025-01-01")
    ]
    assert [(day - dates[0]).days for day in dates] == [0, 14, 366]


def test_the_bounds_are_included_and_nothing_beyond(key: Any) -> None:
    drawn = Counter(DateShift(-2, 3, key).days(key.read(), f"c{i}") for i in range(600))
    assert {*drawn} == {-2, -1, 0, 1, 2, 3}
    assert min(drawn.values()) > 60
    assert DateShift(5, 5, key).days(key.read(), "c1") == 5


def test_another_key_gives_other_shifts(said: Any, key: Any, other_key: Any) -> None:
    far = [DateShift(-9999, 9999, one) for one in (key, other_key)]
    assert said(far[0], "2024-01-01") != said(far[1], "2024-01-01")


def test_what_is_no_date_is_an_error(said: Any, key: Any) -> None:
    with pytest.raises(RecordError, match="NotADate"):
        said(DateShift(-5, 5, key), "10.1.2.3")


WORDS_DICTIONARY = DictionaryWords(("Kim", "Lou", "Max", "Noa"))


def test_the_entities_of_a_conversation_have_words_of_their_own() -> None:
    choices = Choices("c1", ["Ann"], ["Ann said"])
    chosen = [WORDS_DICTIONARY.build()(Mention("Ann", "c1", number, choices)) for number in range(1, 5)]
    assert {*chosen} == {*WORDS_DICTIONARY.words}


@pytest.mark.parametrize("choices", [None, Choices("c1", ["Kim", "Lou", "Max", "Noa"], [])])
def test_without_a_word_left_a_token_is_asked_for(choices: Choices | None) -> None:
    assert WORDS_DICTIONARY.build()(Mention("Ann", "c1", 1, choices)) is None


def test_nothing_is_left(said: Any) -> None:
    assert said(Redaction(), "Ann") == ""
    assert Redaction().describe().weakness is None


def test_one_value_for_all(said: Any) -> None:
    assert said(ReplacementValue("[gone]"), "Ann") == said(ReplacementValue("[gone]"), "Bo") == "[gone]"
    assert ReplacementValue("x").describe().weakness is None


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("YEAR", "2024"),
        ("MONTH", "3"),
        ("DAY_OF_MONTH", "4"),
        ("DAY_OF_WEEK", "1"),
        ("WEEK_OF_YEAR", "10"),
        ("HOUR_OF_DAY", "17"),
    ],
)
def test_only_the_part_is_left(said: Any, part: str, value: str) -> None:
    assert said(TimePart(part), "4 March 2024, 5:15 pm") == value


@pytest.mark.parametrize(
    ("text", "year"),
    [("1998", "1998"), ("summer of 2017", "2017"), ("vuonna 1997", "1997"), ("5/6/98", "1998")],
)
def test_a_year_alone_is_the_year(said: Any, text: str, year: str) -> None:
    assert said(TimePart("YEAR"), text) == year


@pytest.mark.parametrize(
    ("part", "text"), [("YEAR", "4 March"), ("HOUR_OF_DAY", "4 March 2024"), ("DAY_OF_WEEK", "March 2024")]
)
def test_a_part_that_is_not_said_is_an_error(said: Any, part: str, text: str) -> None:
    with pytest.raises(RecordError, match="NoSuchTimePart"):
        said(TimePart(part), text)
