import pickle

import pytest

from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.rules.catalogue import default_info_types, ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases, tabled
from tests.growth import grows_linearly


def _found(text, config=None, first_cell=None, **options):
    texts = [text] if isinstance(text, str) else text
    detector: Detector = RulesDetector(parse_inspect_config(config or {}), **options)
    found = detector.find(TextColumn(texts, first_cell or [0, len(texts)]))
    return [
        (t[f.start : f.end], f.info_type)
        for t, fs in zip(texts, found, strict=True)
        for f in merge_overlapping(fs, ranks())
    ]


def _dictionary(name, *words, **fields):
    return {"info_type": {"name": name}, "dictionary": {"word_list": {"words": list(words)}}, **fields}


def _only(*names):
    return [{"name": name} for name in names]


def _rule(name, **rule):
    return [{"info_types": _only(name), "rules": [rule]}]


def _surrogate(name):
    return {
        "info_types": _only("URL"),
        "custom_info_types": [{"info_type": {"name": name}, "surrogate_type": {}}],
    }


@pytest.mark.parametrize(
    ("case", "turns", "found"),
    [
        pytest.param(case, turns, found, id=name)
        for name, several in cases(__file__, "FOUND").items()
        for case in several
        for turns, *found in case["finds"]
    ],
)
def test_a_config_finds(case, turns, found):
    options = {"min_likelihood": Likelihood[case["least"]]} if "least" in case else {}
    assert _found(turns, case.get("config"), case.get("first_cell"), **options) == list(map(tuple, found))


def test_surrogates_in_surrogates_take_linear_time():
    detector = RulesDetector(parse_inspect_config(_surrogate("TOKEN")))

    def find(count):
        text = f"TOKEN({count * 9:06d}):[X_1]" * count
        assert len(detector.find(TextColumn([text]))[0]) <= count

    assert grows_linearly(find, 500)


def test_tokens_are_never_part_of_a_finding():
    config = {
        "info_types": default_names(),
        "custom_info_types": [
            {"info_type": {"name": "ANY"}, "regex": {"pattern": "(?s).+"}},
            _dictionary("PERSON_NAME", "person name"),
        ],
    }
    text = "hi [PERSON_NAME_1] and [PHONE_NUMBER_1234], bye"
    assert [t for t, _ in _found(text, config)] == ["hi ", " and ", ", bye"]
    assert _found("[PHONE_NUMBER_1234]") == []
    assert _found("[PHONE_NUMBER 1234") != []


def default_names():
    return _only(*default_info_types())


def test_empty_input():
    detector = RulesDetector(parse_inspect_config({}))
    assert detector.find(TextColumn([], [0])) == []
    assert detector.find(TextColumn(["", ""], [0, 0, 2])) == [[], []]


def test_pickles_as_its_settings_and_finds_the_same():
    detector = RulesDetector(parse_inspect_config({}), Likelihood.UNLIKELY)
    data = pickle.dumps(detector)
    assert len(data) < 5000
    texts = ["call 212-555-0143", "Texas"]
    assert pickle.loads(data).find(TextColumn(texts, [0, 2])) == detector.find(TextColumn(texts, [0, 2]))


@pytest.mark.slow
@tabled("unit")
def test_hostile_text_takes_linear_time(unit):
    detector = RulesDetector(parse_inspect_config({}))
    assert grows_linearly(lambda size: detector.find(TextColumn([unit * (size // len(unit))])), 12_500)


_TURNS = [
    "my number is 4152209112",
    "born 4 May 1980, ref ab12cd, in Texas",
    "[PERSON_NAME_1] 12 ab34",
    "ok",
    "",
]


@pytest.mark.parametrize("least", ["VERY_UNLIKELY", "POSSIBLE", "VERY_LIKELY"])
def test_two_looks_are_what_two_detectors_find(least):
    settings = parse_inspect_config({"min_likelihood": least})
    detector = RulesDetector(settings)
    found, unsure = detector.find_twice(TextColumn(_TURNS, [0, 2, 5]))
    everything = RulesDetector(settings, Likelihood.VERY_UNLIKELY).find(TextColumn(_TURNS, [0, 2, 5]))
    assert found == detector.find(TextColumn(_TURNS, [0, 2, 5]))
    assert [sorted(both) for both in map(list.__add__, found, unsure)] == everything
    assert any(unsure) == (least != "VERY_UNLIKELY")


def test_an_exclusion_rejects_the_same_in_both_looks():
    config = {
        "info_types": _only("URL"),
        "custom_info_types": [{"info_type": {"name": "URL"}, "regex": {"pattern": "ref [0-9]+"}}],
        "rule_set": _rule(
            "URL",
            exclusion_rule={
                "exclude_info_types": {"info_types": _only("GENERIC_ID")},
                "matching_type": "MATCHING_TYPE_PARTIAL_MATCH",
            },
        ),
    }
    text = "ref 12345, see example.org/a"
    detector = RulesDetector(parse_inspect_config(config))
    found, unsure = detector.find_twice(TextColumn([text]))
    assert found == detector.find(TextColumn([text]))
    assert found[0]
    assert unsure == [[]]
