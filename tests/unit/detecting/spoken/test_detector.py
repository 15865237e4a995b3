import pickle

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.spoken.detector import SpokenDetector
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


def detector(config: dict | None = None, least: Likelihood | None = None) -> SpokenDetector:
    settings = parse_inspect_config(config or {})
    return SpokenDetector(RulesDetector(settings, least), settings, least)


def find(*texts: str, config: dict | None = None) -> list[list[tuple[str, str]]]:
    found = detector(config).find(TextColumn(texts, [0, len(texts)]))
    return [[(t[f.start : f.end], f.info_type) for f in cell] for t, cell in zip(texts, found, strict=True)]


@pytest.mark.parametrize(
    ("text", "said", "info_type"),
    [
        (
            "my phone number is four one five five five five oh one two three thanks",
            "four one five five five five oh one two three",
            "PHONE_NUMBER",
        ),
        (
            "call me on o seven seven double o nine hundred one two three",
            "o seven seven double o nine hundred one two three",
            "PHONE_NUMBER",
        ),
        ("my name is b double o n", "b double o n", "PERSON_NAME"),
        ("it's john dot smith at g mail dot com okay", "john dot smith at g mail dot com", "EMAIL_ADDRESS"),
        ("see w w w dot example dot org slash docs now", "w w w dot example dot org slash docs", "URL"),
        ("the code was double two nine seven", "double two nine seven", "NUMERIC"),
        (
            "mitt nummer är noll sju noll ett två tre fyra fem sex sju",
            "noll sju noll ett två tre fyra fem sex sju",
            None,
        ),
    ],
)
def test_spoken_forms_are_found_where_they_are_said(text: str, said: str, info_type: str | None) -> None:
    ((found,),) = find(text)
    assert found[0] == said
    assert info_type is None or found[1] == info_type


def test_spoken_numbers_are_validated_by_checksum() -> None:
    text = "card four one one one, one one one one, one one one one, one one one one"
    ((found,),) = find(text)
    assert found[1] == "CREDIT_CARD_NUMBER"


def test_the_hotword_may_stand_in_the_turn_before() -> None:
    cells = find("what is your social security number", "five one two three four five six seven eight")
    assert cells[1][0][1] == "US_SOCIAL_SECURITY_NUMBER"


def test_quantities_stay() -> None:
    texts = [
        "thirty nine minutes",
        "one hundred twenty dollars and ninety nine cents",
        "one or two of us",
        "no numbers",
    ]
    assert find(*texts) == [[], [], [], []]


def test_only_configured_info_types_are_found() -> None:
    only_mail = {"info_types": [{"name": "EMAIL_ADDRESS"}]}
    assert find("call four one five five five five oh one two three", config=only_mail) == [[]]
    assert find("john dot smith at g mail dot com", config=only_mail)[0][0][1] == "EMAIL_ADDRESS"


SPELLED = "that is M. A. R. K., right"
MAIL = "write to john dot smith at gmail dot com"


def _ruled(name: str, rule: dict) -> dict:
    return {"info_types": [{"name": name}], "rule_set": [{"info_types": [{"name": name}], "rules": [rule]}]}


@pytest.mark.parametrize(("least", "count"), [("POSSIBLE", 1), ("VERY_LIKELY", 0)])
def test_the_threshold_applies_to_values_named_by_their_words(least: str, count: int) -> None:
    config = {
        "info_types": [{"name": "EMAIL_ADDRESS"}, {"name": "SPELLED_WORD"}],
        "min_likelihood": "LIKELY" if count else "POSSIBLE",
        "min_likelihood_per_info_type": [{"info_type": {"name": "SPELLED_WORD"}, "min_likelihood": least}],
    }
    assert len(find(SPELLED, config=config)[0]) == count


@pytest.mark.parametrize(("pattern", "count"), [(".*@gmail.com", 0), (".*@example.org", 1)])
def test_exclusions_apply_to_spoken_as_to_written_values(pattern: str, count: int) -> None:
    rule = {"regex": {"pattern": pattern}, "matching_type": "MATCHING_TYPE_FULL_MATCH"}
    assert len(find(MAIL, config=_ruled("EMAIL_ADDRESS", {"exclusion_rule": rule}))[0]) == count


@pytest.mark.parametrize(("pattern", "count"), [("(?i)that is", 0), ("(?i)this is", 1)])
def test_a_hotword_changes_values_named_by_their_words(pattern: str, count: int) -> None:
    rule = {
        "hotword_regex": {"pattern": pattern},
        "proximity": {"window_before": 20},
        "likelihood_adjustment": {"relative_likelihood": -1},
    }
    assert len(find(SPELLED, config=_ruled("SPELLED_WORD", {"hotword_rule": rule}))[0]) == count


WHAT_FOR = "what phone number can we reach you at?"
PHONE = "it is four one five two two zero nine nine three one"


@pytest.mark.parametrize("between", [[], ["sure"], ["sure", "", "one moment", "I have it"]])
@pytest.mark.parametrize(("window", "count"), [(100, 1), (10, 0)])
def test_a_users_hotword_works_within_its_window(between: list[str], window: int, count: int) -> None:
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


@pytest.mark.parametrize(("window", "count"), [(14, 1), (13, 0)])
def test_the_window_of_a_users_hotword_ends_where_it_ends_for_what_is_written(
    window: int, count: int
) -> None:
    rule = {
        "hotword_regex": {"pattern": "zebra"},
        "proximity": {"window_before": window},
        "likelihood_adjustment": {"fixed_likelihood": "VERY_LIKELY"},
    }
    config = {**_ruled("PHONE_NUMBER", {"hotword_rule": rule}), "min_likelihood": "VERY_LIKELY"}
    for number in ("four one five two two zero nine nine three one", "4152209931"):
        settings = parse_inspect_config(config)
        rules = RulesDetector(settings)
        texts = ["a zebra", "yes", "", "is", number]
        found = [d.find(TextColumn(texts, [0, 5]))[4] for d in (rules, SpokenDetector(rules, settings))]
        assert any(found) == count


def test_offsets_are_code_points_and_runs_do_not_shift_each_other() -> None:
    text = "🙂 john dot smith at g mail dot com or 🙂 four one five five five five oh one two three"
    found = detector().find(TextColumn([text]))[0]
    assert [text[f.start : f.end] for f in found] == [
        "john dot smith at g mail dot com",
        "four one five five five five oh one two three",
    ]


def test_conversations_are_independent() -> None:
    texts = ["what is your social security number", "five one two three four five six seven eight"]
    found = detector().find(TextColumn(texts, [0, 1, 2]))
    assert [f.info_type for f in found[1]] != ["US_SOCIAL_SECURITY_NUMBER"]


def test_it_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(detector()))
    assert again.find(TextColumn(["double two nine seven"]))[0]


@pytest.mark.parametrize("least", ["VERY_UNLIKELY", "POSSIBLE", "LIKELY", "VERY_LIKELY"])
def test_a_two_look_search_contains_the_first_look(least: str) -> None:
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
