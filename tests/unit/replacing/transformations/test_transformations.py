"""transformations"""

import base64
import hashlib
import hmac
import re
from collections import Counter
from datetime import date, time

import pytest

from tacenda.transforms.replacing.transformations.reversible_cipher import (
    COMMON_ALPHABETS,
    NATIVE,
    CryptoDeterministic,
    CryptoHash,
    FormatPreserving,
)
from tacenda.transforms.replacing.transformations.transformation import (
    COMMON_CHARACTERS,
    Bucket,
    Bucketing,
    CharacterMask,
    Choices,
    DateShift,
    FixedSizeBucketing,
    Mention,
    TimePart,
)
from tacenda.transforms.schema.errors import RecordError, UserError
from tests.cases import cases
from tests.growth import is_linear_work


def test_it_is_hmac_sha256_in_base64(said, key):
    by_hand = hmac.digest(bytes(range(32)), "Ann Lée".encode(), hashlib.sha256)
    assert said(CryptoHash(key), "Ann Lée") == base64.b64encode(by_hand).decode()
    assert len(said(CryptoHash(key), "")) == 44


def test_it_depends_on_key_and_value_alone(said, key, other_key):
    assert said(CryptoHash(key), "Ann", "c1", 1) == said(CryptoHash(key), "Ann", "c2", 7)
    assert said(CryptoHash(key), "Ann") != said(CryptoHash(key), "ann")
    assert said(CryptoHash(key), "Ann") != said(CryptoHash(other_key), "Ann")


def test_a_key_has_32_or_64_bytes(monkeypatch, key):
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(16)).decode())
    with pytest.raises(UserError, match="32 or 64 bytes"):
        CryptoHash(key).build()
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(64)).decode())
    CryptoHash(key).build()


@pytest.mark.parametrize("text", ["Ann Lee", "åäö 日本", "x", "a" * 1000])
def test_there_and_back(said, key, text):
    encryption = CryptoDeterministic(key, "NAME_TOKEN")
    found = re.fullmatch(r"NAME_TOKEN\((\d+)\):(.+)", said(encryption, text))
    assert found is not None
    assert int(found[1]) == len(found[2])
    assert len(base64.b64decode(found[2])) == 16 + len(text.encode()), "the tag of SIV before the text"
    assert encryption.build_reversal()(Mention(found[2], "c1", 1)) == text


def test_the_conversation_may_be_the_context(said, key):
    encryption = CryptoDeterministic(key, None, by_conversation=True)
    one, other = said(encryption, "Ann", "c1"), said(encryption, "Ann", "c2")
    assert one != other
    back = encryption.build_reversal()
    assert back(Mention(other, "c2", 1)) == "Ann"
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        back(Mention(one, "c2", 1))


@pytest.mark.parametrize("forged", ["", "no base64!", "AAAA", base64.b64encode(bytes(40)).decode()])
def test_other_text_is_not_reversed(key, forged):
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        CryptoDeterministic(key, "X").build_reversal()(Mention(forged, "c1", 1))


@pytest.mark.parametrize(
    ("alphabet", "text"),
    [
        (COMMON_ALPHABETS["NUMERIC"], "4111111111111111"),
        (COMMON_ALPHABETS["HEXADECIMAL"], "DEADBEEF"),
        (COMMON_ALPHABETS["UPPER_CASE_ALPHA_NUMERIC"], "SE45500"),
        (COMMON_ALPHABETS["ALPHA_NUMERIC"], "Ann"),
        ("0123456789-", "070-123 45".replace(" ", "-")),
        (NATIVE, "12 High St."),
    ],
)
def test_there_and_back_in_the_same_form(said, key, alphabet, text):
    encryption = FormatPreserving(key, alphabet, None)
    encrypted = said(encryption, text)
    assert encrypted != text
    assert len(encrypted) == len(text)
    assert {*encrypted} <= {*alphabet}
    assert encryption.build_reversal()(Mention(encrypted, "c1", 1)) == text
    assert said(FormatPreserving(key, alphabet, "FORM"), text) == f"FORM({len(text)}):{encrypted}"


def test_the_native_alphabet_is_what_ascii_prints():
    assert sorted(NATIVE) == [chr(code) for code in range(32, 127)]
    assert [len(alphabet) for alphabet in COMMON_ALPHABETS.values()] == [10, 16, 36, 62]


@pytest.mark.parametrize(
    ("text", "error"), [("1", "ValueTooShort"), ("12-34", "NotInAlphabet"), ("", "ValueTooShort")]
)
def test_what_the_cipher_cannot_take_is_an_error(said, key, text, error):
    with pytest.raises(RecordError, match=error):
        said(FormatPreserving(key, COMMON_ALPHABETS["NUMERIC"], None), text)


AGES = FixedSizeBucketing(10, 89, 10)

LEVELS = Bucketing((Bucket(1.0, 31.0, "LOW"), Bucket(31.0, 66.0, "MEDIUM"), Bucket(66.0, None, "HIGH")))


@pytest.mark.parametrize(
    ("text", "bucket"),
    cases(__file__, "test_ranges_of_one_size"),
)
def test_ranges_of_one_size(said, text, bucket):
    assert said(AGES, text) == bucket


@pytest.mark.parametrize("text", ["thirty", "3 of 5", "", "10.1.2.3", "a1b2"])
def test_what_is_no_one_number_is_an_error(said, text):
    with pytest.raises(RecordError, match="NotANumber"):
        said(AGES, text)


@pytest.mark.parametrize(
    ("text", "bucket"), [("1", "LOW"), ("30.9", "LOW"), ("31", "MEDIUM"), ("1000", "HIGH")]
)
def test_custom_ranges(said, text, bucket):
    assert said(LEVELS, text) == bucket


def test_what_lies_in_no_range_is_an_error(said):
    for text in ("0", "nothing"):
        with pytest.raises(RecordError, match="InNoBucket"):
            said(LEVELS, text)


def test_dates_times_and_texts_have_ranges_too(said):
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
def test_as_google_describes_it(said, mask, text, masked):
    assert said(mask, text) == masked


def test_what_stays_readable_is_said():
    assert CharacterMask().describe().weakness == "its length stays readable"
    assert "all but 4" in str(CharacterMask(number=-4).describe().weakness)
    assert "only 3" in str(CharacterMask(number=3).describe().weakness)
    assert "letters and digits" in str(CharacterMask(ignored="a").describe().weakness)


WORDS = ("Kim", "Lou", "Max", "Noa")


def test_each_entity_has_its_own_word_as_long_as_they_last():
    choices = Choices("c1", ["Ann"], [])
    chosen = [choices.word(entity, WORDS) for entity in range(1, 5)]
    assert {*chosen} == {*WORDS}
    assert choices.word(9, WORDS) is None
    assert [choices.word(entity, WORDS) for entity in range(1, 5)] == chosen


@pytest.mark.parametrize("conversation", [f"c{number}" for number in range(20)])
def test_what_was_said_is_no_choice(conversation):
    choices = Choices(conversation, ["KIM Lee"], ["noa called"])
    assert {choices.word(entity, WORDS) for entity in range(4)} == {"Lou", "Max", None}


def test_a_used_up_list_is_walked_once():
    def run(size):
        choices = Choices("c1", [], [])
        words = tuple(f"w{number}" for number in range(size))
        for entity in range(2 * size):
            choices.word(entity, words)

    assert is_linear_work(run, 200)


def test_a_conversation_moves_as_a_whole(said, key):
    shift = DateShift(-30, 30, key)
    dates = [
        date.fromisoformat(said(shift, text, "c7")) for text in ("2024-01-01", "2024-01-15", "2025-01-01")
    ]
    assert [(day - dates[0]).days for day in dates] == [0, 14, 366]


def test_the_bounds_are_included_and_nothing_beyond(key):
    drawn = Counter(DateShift(-2, 3, key).days(key.read(), f"c{i}") for i in range(600))
    assert {*drawn} == {-2, -1, 0, 1, 2, 3}
    assert min(drawn.values()) > 60
    assert DateShift(5, 5, key).days(key.read(), "c1") == 5


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
def test_only_the_part_is_left(said, part, value):
    assert said(TimePart(part), "4 March 2024, 5:15 pm") == value


@pytest.mark.parametrize(
    ("text", "year"),
    [("1998", "1998"), ("summer of 2017", "2017"), ("vuonna 1997", "1997"), ("5/6/98", "1998")],
)
def test_a_year_alone_is_the_year(said, text, year):
    assert said(TimePart("YEAR"), text) == year


@pytest.mark.parametrize(
    ("part", "text"), [("YEAR", "4 March"), ("HOUR_OF_DAY", "4 March 2024"), ("DAY_OF_WEEK", "March 2024")]
)
def test_a_part_that_is_not_said_is_an_error(said, part, text):
    with pytest.raises(RecordError, match="NoSuchTimePart"):
        said(TimePart(part), text)
