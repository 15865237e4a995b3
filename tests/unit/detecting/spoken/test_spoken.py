import pickle

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.spoken.detector import SpokenDetector, View, spoken_runs
from tacenda.transforms.detecting.spoken.lexicon import (
    JOINERS,
    LANGUAGES,
    Part,
    Said,
    figures,
    lexicon,
    number_word,
)
from tacenda.transforms.detecting.spoken.reading import SpokenRun, tokens
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import tabled
from tests.growth import is_linear_work


def runs_of(text, languages=("en",)):
    return spoken_runs(TextColumn([text]), languages).get(0, [])


def detector(config=None, least=None):
    settings = parse_inspect_config(config or {})
    return SpokenDetector(RulesDetector(settings, least), settings, least)


def find(*texts, config=None):
    found = detector(config).find(TextColumn(texts, [0, len(texts)]))
    return [[(t[f.start : f.end], f.info_type) for f in cell] for t, cell in zip(texts, found, strict=True)]


@tabled("text", "said", "info_type")
def test_spoken_forms_are_found_where_they_are_said(text, said, info_type):
    ((found,),) = find(text)
    assert found[0] == said
    assert info_type is None or found[1] == info_type


def test_the_hotword_may_stand_in_the_turn_before():
    cells = find("what is your social security number", "five one two three four five six seven eight")
    assert cells[1][0][1] == "US_SOCIAL_SECURITY_NUMBER"


def test_only_configured_info_types_are_found():
    only_mail = {"info_types": [{"name": "EMAIL_ADDRESS"}]}
    assert find("call four one five five five five oh one two three", config=only_mail) == [[]]
    assert find("john dot smith at g mail dot com", config=only_mail)[0][0][1] == "EMAIL_ADDRESS"


SPELLED = "that is M. A. R. K., right"
MAIL = "write to john dot smith at gmail dot com"


def _ruled(name, rule):
    return {"info_types": [{"name": name}], "rule_set": [{"info_types": [{"name": name}], "rules": [rule]}]}


@pytest.mark.parametrize(("least", "count"), [("POSSIBLE", 1), ("VERY_LIKELY", 0)])
def test_the_threshold_applies_to_values_named_by_their_words(least, count):
    config = {
        "info_types": [{"name": "EMAIL_ADDRESS"}, {"name": "SPELLED_WORD"}],
        "min_likelihood": "LIKELY" if count else "POSSIBLE",
        "min_likelihood_per_info_type": [{"info_type": {"name": "SPELLED_WORD"}, "min_likelihood": least}],
    }
    assert len(find(SPELLED, config=config)[0]) == count


@pytest.mark.parametrize(("pattern", "count"), [(".*@gmail.com", 0), (".*@example.org", 1)])
def test_exclusions_apply_to_spoken_as_to_written_values(pattern, count):
    rule = {"regex": {"pattern": pattern}, "matching_type": "MATCHING_TYPE_FULL_MATCH"}
    assert len(find(MAIL, config=_ruled("EMAIL_ADDRESS", {"exclusion_rule": rule}))[0]) == count


WHAT_FOR = "what phone number can we reach you at?"
PHONE = "it is four one five two two zero nine nine three one"


@pytest.mark.parametrize("between", [[], ["sure"], ["sure", "", "one moment", "I have it"]])
@pytest.mark.parametrize(("window", "count"), [(100, 1), (10, 0)])
def test_a_users_hotword_works_within_its_window(between, window, count):
    rule = {
        "matching_type": "MATCHING_TYPE_INVERSE_MATCH",
        "exclude_by_hotword": {
            "hotword_regex": {"pattern": "phone"},
            "proximity": {"window_before": window, "window_after": window},
        },
    }
    config = _ruled("PHONE_NUMBER", {"exclusion_rule": rule})
    assert len(find(WHAT_FOR, *between, PHONE, config=config)[-1]) == count
    assert len(find(PHONE, *between, "is it a phone?", config=config)[0]) == count


def test_offsets_are_code_points_and_runs_do_not_shift_each_other():
    text = "🙂 john dot smith at g mail dot com or 🙂 four one five five five five oh one two three"
    found = detector().find(TextColumn([text]))[0]
    assert [text[f.start : f.end] for f in found] == [
        "john dot smith at g mail dot com",
        "four one five five five five oh one two three",
    ]


def test_conversations_are_independent():
    texts = ["what is your social security number", "five one two three four five six seven eight"]
    found = detector().find(TextColumn(texts, [0, 1, 2]))
    assert [f.info_type for f in found[1]] != ["US_SOCIAL_SECURITY_NUMBER"]


def test_it_can_be_pickled():
    again = pickle.loads(pickle.dumps(detector()))
    assert again.find(TextColumn(["double two nine seven"]))[0]


@pytest.mark.parametrize("least", ["VERY_UNLIKELY", "POSSIBLE", "LIKELY", "VERY_LIKELY"])
def test_a_two_look_search_contains_the_first_look(least):
    settings = parse_inspect_config({"min_likelihood": least})
    detector = SpokenDetector(RulesDetector(settings), settings)
    texts = [
        "my social is four one five, oh, five five five two six seven one",
        SPELLED,
        MAIL,
        "four one five five",
    ]
    found, unsure = detector.find_twice(TextColumn(texts, [0, 2, 4]))
    assert found == detector.find(TextColumn(texts, [0, 2, 4]))
    lowest = RulesDetector(settings, Likelihood.VERY_UNLIKELY)
    everything = SpokenDetector(lowest, settings, Likelihood.VERY_UNLIKELY).find(TextColumn(texts, [0, 2, 4]))
    for cell, findings in enumerate(everything):
        held = [(f.start, f.end) for f in found[cell] + unsure[cell]]
        assert all(any(a <= f.start and f.end <= b for a, b in held) for f in findings)


ENGLISH_AND_SWEDISH = ("en", "sv")
SAID = "sju tre fem noll"


def spoken_runs_of_column(column, languages=("en",)):
    runs = spoken_runs(column, languages)
    return [runs.get(cell, []) for cell in range(len(column))]


def values(texts, first_cell=None):
    return [
        [run.value for run in runs]
        for runs in spoken_runs_of_column(TextColumn(texts, first_cell), ENGLISH_AND_SWEDISH)
    ]


def test_the_language_of_number_words_applies_to_the_conversation():
    texts = ["hej, det är Anna", "prick fyra minus åtta, ett ett"]
    both = spoken_runs_of_column(TextColumn(texts, [0, 2]), ENGLISH_AND_SWEDISH)
    assert both == spoken_runs_of_column(TextColumn(texts), ("sv",))


def test_few_number_words_identify_the_language():
    talk = "we went over the plan once more and nothing has changed since then " * 40
    assert values([talk, SAID, talk], [0, 3])[1] == ["7350"]


def test_the_first_language_is_always_read():
    assert values(["four one five, sju tre fem", "four one five"], [0, 1, 2]) == [["415", "735"], ["415"]]


def read(text, language="en"):
    return [(text[r.start : r.end], r.value, r.kind) for r in runs_of(text, (language,))]


@tabled("said", "value", "kind")
def test_spoken_values_are_found_at_their_positions(said, value, kind):
    assert read(f"well it's {said}") == [(said, value, kind)]
    assert read(said) == [(said, value, kind)]


@tabled("text")
def test_common_words_are_not_numbers(text):
    assert read(text) == []


@tabled("language", "said", "value")
def test_other_languages(language, said, value):
    assert read(f"x: {said}!", language) == [(said, value, "digits")]


def test_with_several_languages_the_longest_run_is_kept():
    text = "numret är sju tre fem, sorry, seven three five"
    assert [r.value for r in runs_of(text, ("en", "sv"))] == ["735", "735"]


def test_a_repeated_repetition_does_not_count():
    text = "double " * 5000 + "double five one two"
    assert read(text) == [("double five one two", "5512", "digits")]


def test_a_decomposed_letter_is_one_word_in_its_composed_form():
    (token,) = tokens("a\u030atta")
    assert (token.start, token.end, token.folded) == (0, 5, "åtta")


def test_hyphenated_words_of_the_lexicon_count_as_one():
    assert [t.folded for t in tokens("E-mail 5e-mail e-mail-x e - mail")] == [
        *("e-mail", "5", "e", "-", "mail"),
        *("e-mail", "-", "x"),
        *("e", "-", "mail"),
    ]


TEXT = "call four one five now"
VIEW = View(TEXT, [SpokenRun(5, 18, "415", "digits")])


@tabled("part", "original")
def test_ranges_of_the_view_map_to_the_text(part, original):
    start = VIEW.text.index(part)
    first, last = VIEW.original(start, start + len(part))
    assert TEXT[first:last] == original


def said(text, language="en"):
    return [number_word(word, lexicon(language)) for word in text.split()]


@tabled("text", "digits")
def test_english_numbers_in_telephone_style(text, digits):
    assert figures(said(text)) == digits


@tabled("language", "text", "digits")
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


@tabled("said", "value", "kind")
def test_spoken_addresses(said, value, kind):
    assert read(f"yes, that is {said} thanks") == [(said, value, kind)]


def test_a_web_address_after_at_is_no_email():
    assert read("a report at www dot example dot com") == [
        ("www dot example dot com", "www.example.com", "url")
    ]


@tabled("text")
def test_plain_text_and_written_addresses_are_left_to_other_rules(text):
    assert read(text) == []


@tabled("language", "said", "value")
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
