import itertools
import pickle

import pytest

from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.rules.catalogue import default_info_types, ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases
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


# The default set (requirement P8-01)


def test_gender_is_found_only_when_asked_for():
    assert _found("the caller is female") == []
    assert _found("the caller is female", {"info_types": _only("GENDER")}) == [("female", "GENDER")]


def test_a_date_of_birth_is_found_and_a_date_is_not():
    assert ("02/12/77", "DATE_OF_BIRTH") in _found("my date of birth is 02/12/77")
    assert _found("we met on 02/12/77") == []


# Exclusions (P8-02)


def test_an_excluded_term_is_kept_for_another_infotype():
    config = {
        "info_types": _only("DATE"),
        "custom_info_types": [_dictionary("PERSON_NAME", "May", "Pam"), _dictionary("PRODUCT", "may")],
        "rule_set": _rule(
            "PERSON_NAME",
            exclusion_rule={
                "dictionary": {"word_list": {"words": ["MAY"]}},
                "matching_type": "MATCHING_TYPE_FULL_MATCH",
            },
        ),
    }
    assert _found("May met Pam", config) == [("May", "PRODUCT"), ("Pam", "PERSON_NAME")]


@pytest.mark.parametrize(
    ("matching", "kept"), cases(__file__, "test_matching_types_of_exclusions/matching,kept")
)
@pytest.mark.parametrize(
    "condition", [{"regex": {"pattern": "example"}}, {"dictionary": {"word_list": {"words": ["Example"]}}}]
)
def test_matching_types_of_exclusions(matching, kept, condition):
    config = {
        "info_types": _only("EMAIL_ADDRESS"),
        "rule_set": _rule("EMAIL_ADDRESS", exclusion_rule={**condition, "matching_type": matching}),
    }
    assert [text for text, _ in _found("jane@example.com bob@work.com", config)] == kept


def test_findings_of_another_infotype_exclude_even_if_they_are_not_returned():
    config = {
        "info_types": _only("EMAIL_ADDRESS"),
        "custom_info_types": [
            {
                "info_type": {"name": "INTERNAL"},
                "regex": {"pattern": r"\w+@work\.com"},
                "exclusion_type": "EXCLUSION_TYPE_EXCLUDE",
            }
        ],
        "rule_set": _rule(
            "EMAIL_ADDRESS",
            exclusion_rule={
                "exclude_info_types": {"info_types": _only("INTERNAL")},
                "matching_type": "MATCHING_TYPE_FULL_MATCH",
            },
        ),
    }
    assert _found("jane@example.com bob@work.com", config) == [("jane@example.com", "EMAIL_ADDRESS")]


def test_a_built_in_infotype_excludes_without_being_asked_for():
    config = {
        "info_types": _only("DOMAIN_NAME"),
        "rule_set": _rule(
            "DOMAIN_NAME",
            exclusion_rule={
                "exclude_info_types": {"info_types": _only("EMAIL_ADDRESS")},
                "matching_type": "MATCHING_TYPE_PARTIAL_MATCH",
            },
        ),
    }
    assert _found("jane@example.com at work.com", config) == [("work.com", "DOMAIN_NAME")]


@pytest.mark.parametrize("asked", [("DOMAIN_NAME",), ("DOMAIN_NAME", "EMAIL_ADDRESS")])
def test_a_hotword_decides_whether_a_finding_excludes_others(asked):
    config = {
        "info_types": _only(*asked),
        "rule_set": [
            *_rule(
                "DOMAIN_NAME",
                exclusion_rule={
                    "exclude_info_types": {"info_types": _only("EMAIL_ADDRESS")},
                    "matching_type": "MATCHING_TYPE_PARTIAL_MATCH",
                },
            ),
            *_rule(
                "EMAIL_ADDRESS",
                hotword_rule={
                    "hotword_regex": {"pattern": "handle"},
                    "proximity": {"window_before": 20},
                    "likelihood_adjustment": {"fixed_likelihood": "VERY_UNLIKELY"},
                },
            ),
        ],
    }
    assert _found("handle jane@example.com", config) == [("example.com", "DOMAIN_NAME")]
    assert ("example.com", "DOMAIN_NAME") not in _found("reach jane@example.com", config)


@pytest.mark.parametrize("asked", [("DOMAIN_NAME",), ("DOMAIN_NAME", "NUMERIC")])
@pytest.mark.parametrize(
    ("thresholds", "excludes"),
    [
        ({}, True),
        ({"min_likelihood": "VERY_LIKELY"}, False),
        ({"min_likelihood_per_info_type": [("NUMERIC", "LIKELY")]}, False),
        ({"min_likelihood": "VERY_LIKELY", "min_likelihood_per_info_type": [("NUMERIC", "POSSIBLE")]}, True),
    ],
)
def test_what_excludes_has_its_threshold_whether_or_not_it_is_asked_for(asked, thresholds, excludes):
    own = [("DOMAIN_NAME", "UNLIKELY"), *thresholds.get("min_likelihood_per_info_type", ())]
    config = {
        **thresholds,
        "min_likelihood_per_info_type": [
            {"info_type": {"name": name}, "min_likelihood": least} for name, least in own
        ],
        "info_types": _only(*asked),
        "custom_info_types": [{"info_type": {"name": "DOMAIN_NAME"}, "regex": {"pattern": "12345"}}],
        "rule_set": _rule(
            "DOMAIN_NAME",
            exclusion_rule={
                "exclude_info_types": {"info_types": _only("NUMERIC")},
                "matching_type": "MATCHING_TYPE_FULL_MATCH",
            },
        ),
    }
    assert (("12345", "DOMAIN_NAME") not in _found("in 12345", config)) == excludes


def test_a_hotword_can_exclude():
    config = {
        "info_types": _only("NUMERIC"),
        "rule_set": _rule(
            "NUMERIC",
            exclusion_rule={
                "exclude_by_hotword": {
                    "hotword_regex": {"pattern": "order"},
                    "proximity": {"window_before": 7},
                },
                "matching_type": "MATCHING_TYPE_FULL_MATCH",
            },
        ),
    }
    assert _found("order 12345 and 67890", config) == [("67890", "NUMERIC")]


# Custom infoTypes (P8-03)


def test_a_term_only_in_the_dictionary_is_found():
    config = {"info_types": _only("PERSON_NAME"), "custom_info_types": [_dictionary("PERSON_NAME", "Zaphod")]}
    assert _found("ask zaphod, not zaphodia") == []
    assert _found("ask zaphod, not zaphodia", config) == [("zaphod", "PERSON_NAME")]


def test_a_custom_regex_adds_to_a_built_in_infotype():
    config = {
        "info_types": _only("GENERIC_ID"),
        "custom_info_types": [
            {
                "info_type": {"name": "GENERIC_ID"},
                "regex": {"pattern": r"(badge) (\d+)", "group_indexes": [2]},
            }
        ],
    }
    assert _found("badge 77, INS-337486902", config) == [
        ("77", "GENERIC_ID"),
        ("INS-337486902", "GENERIC_ID"),
    ]


def test_anchors_of_a_custom_regex_hold_for_each_cell():
    config = {
        "info_types": _only("URL"),
        "custom_info_types": [{"info_type": {"name": "FIRST"}, "regex": {"pattern": r"^\pL+"}}],
    }
    assert _found(["één two", "three 😀"], config) == [("één", "FIRST"), ("three", "FIRST")]


def _surrogate(name):
    return {
        "info_types": _only("URL"),
        "custom_info_types": [{"info_type": {"name": name}, "surrogate_type": {}}],
    }


@pytest.mark.parametrize("name", ["MY$X", "BADGE-ID", "A__B"])
def test_the_name_of_a_surrogate_is_no_pattern(name):
    assert _found(f"a {name}(2):xyz", _surrogate(name)) == [(f"{name}(2):xy", name)]


def test_a_surrogate_is_read_once():
    text = "TOKEN(11):TOKEN(1):ab TOKEN(3):abc TOKEN(99):TOKEN(2):xy"
    found = ["TOKEN(11):TOKEN(1):ab", "TOKEN(3):abc", "TOKEN(2):xy"]
    assert _found(text, _surrogate("TOKEN")) == [(surrogate, "TOKEN") for surrogate in found]


def test_surrogates_in_surrogates_take_linear_time():
    detector = RulesDetector(parse_inspect_config(_surrogate("TOKEN")))

    def find(count):
        text = f"TOKEN({count * 9:06d}):[X_1]" * count
        assert len(detector.find(TextColumn([text]))[0]) <= count

    assert grows_linearly(find, 500)


def test_likelihood_and_detection_rules_of_a_custom_infotype():
    rule = {
        "hotword_rule": {
            "hotword_regex": {"pattern": "(?i)colleague"},
            "proximity": {"window_before": 20},
            "likelihood_adjustment": {"relative_likelihood": 2},
        }
    }
    config = {
        "info_types": _only("URL"),
        "custom_info_types": [
            _dictionary("PERSON_NAME", "Mark", likelihood="VERY_UNLIKELY", detection_rules=[rule])
        ],
    }
    assert _found("mark this", config) == []
    assert _found("my colleague Mark", config) == [("Mark", "PERSON_NAME")]


# Spelled words and numbers (P8-04, P8-05)


@pytest.mark.parametrize("text", ["A-L-P-H-A", "M-A-R-K", "m-a-r-k", "M-K-2-1", "M A R K", "S.M.I.T.H"])
def test_spelled_words(text):
    assert _found(f"it is {text}, yes") == [(text, "SPELLED_WORD")]


@pytest.mark.parametrize("text", ["follow-up", "e-mail", "X-ray", "I-I think", "I-I-I think", "a T-shirt"])
def test_not_spelled_words(text):
    assert _found(f"the {text} it was") == []


def test_table_2_of_the_paper():
    assert _found("B. 231 C. for A. two") == [("231", "NUMERIC")]


@pytest.mark.parametrize("number", ["+1 (212) 555-0143", "212-555-0143", "+34 633 349 565"])
def test_a_phone_number_is_not_also_numeric(number):
    assert _found(f"ring {number} now") == [(number, "PHONE_NUMBER")]


# The user-name rule (P8-06)

HOTWORD_RULE = {
    "info_types": _only("PERSON_NAME"),
    "custom_info_types": [
        {
            "info_type": {"name": "GENERIC_ID"},
            "regex": {"pattern": r"\b[a-z]+\d+\b"},
            "likelihood": "VERY_UNLIKELY",
            "detection_rules": [
                {
                    "hotword_rule": {
                        "hotword_regex": {"pattern": "(?i)(username|user name|user id)"},
                        "proximity": {"window_before": 100, "window_after": 100},
                        "likelihood_adjustment": {"fixed_likelihood": "LIKELY"},
                    }
                }
            ],
        }
    ],
}


@pytest.mark.parametrize("config", [{}, HOTWORD_RULE])
@pytest.mark.parametrize(("gap", "found"), [(92, True), (93, False), (192, False)])
def test_the_window_of_the_hotword_ends_at_100(config, gap, found):
    before = "username" + "." * (gap - 1) + " enigma52"
    after = "enigma52 " + "." * (gap - 1) + "username"
    assert _found(before, config) == [("enigma52", "GENERIC_ID")] * found
    assert _found(after, config) == [("enigma52", "GENERIC_ID")] * found


def test_a_user_name_needs_its_hotword():
    assert _found("I met enigma52 there") == []
    assert _found("my username is enigma52")[0][0] == "enigma52"
    assert _found("the user name is Mrbigchef.")[0][0] == "Mrbigchef"


def test_the_hotword_may_stand_in_the_turn_before():
    turns = ["what's your username?", "enigma52"]
    assert _found(turns) == [("enigma52", "GENERIC_ID")]
    assert _found(["what's your username?", "Mrbigchef"]) == [("Mrbigchef", "GENERIC_ID")]
    assert _found(turns, first_cell=[0, 1, 2]) == []


def test_a_name_answers_the_question_for_it():
    assert _found(["may I have your name?", "siva"]) == [("siva", "PERSON_NAME")]
    assert _found(["may I have your name?", "sure"]) == []
    assert _found(["how are you?", "siva"]) == []


# Thresholds


def test_min_likelihood_by_infotype_beats_the_general_one():
    config = {"info_types": _only("NUMERIC", "EMAIL_ADDRESS"), "min_likelihood": "LIKELY"}
    text = "a@b.com 12345"
    assert _found(text, config) == [("a@b.com", "EMAIL_ADDRESS")]
    by_type = {
        "min_likelihood_per_info_type": [{"info_type": {"name": "NUMERIC"}, "min_likelihood": "POSSIBLE"}]
    }
    assert len(_found(text, {**config, **by_type})) == 2


def test_the_second_look_overrides_every_threshold():
    config = {"info_types": _only("US_STATE"), "min_likelihood": "LIKELY"}
    assert _found("Texas", config) == []
    assert _found("Texas", config, min_likelihood=Likelihood.VERY_UNLIKELY) == [("Texas", "US_STATE")]


def test_the_second_look_does_not_report_short_turns_as_names():
    turns = ["sounds lovely", "Zanzibar", "my dog ate it 3 x"]
    assert _found(turns, min_likelihood=Likelihood.VERY_UNLIKELY) == []
    asked = ["may I have your name?", "siva"]
    assert _found(asked, min_likelihood=Likelihood.VERY_UNLIKELY) == [("siva", "PERSON_NAME")]


def test_a_rule_can_lift_a_built_in_infotype():
    config = {
        "info_types": _only("US_STATE"),
        "rule_set": _rule(
            "US_STATE",
            hotword_rule={
                "hotword_regex": {"pattern": "shipped"},
                "proximity": {"window_before": 30},
                "likelihood_adjustment": {"fixed_likelihood": "VERY_LIKELY"},
            },
        ),
    }
    assert _found("Texas", config) == []
    assert _found("shipped to Texas", config) == [("Texas", "US_STATE")]


# Tokens and hostile text


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


def test_batches_do_not_change_what_is_found():
    texts = [
        "my username is é enigma52",
        "😀 212-555-0143",
        "",
        "what is your name?",
        "siva",
        "zip code 90210",
    ]
    first_cell = [0, 1, 3, 5, 6]
    detector = RulesDetector(parse_inspect_config({}))
    together = detector.find(TextColumn(texts, first_cell))
    apart = [
        found
        for low, high in itertools.pairwise(first_cell)
        for found in detector.find(TextColumn(texts[low:high], [0, high - low]))
    ]
    assert together == apart
    assert all(found == sorted(found) for found in together)


def test_context_cells_count_for_those_asked_for():
    texts = ["your user name?", "it is enigma52", "my number is 212-555-0143", "zip code 90210", "é enigma52"]
    detector = RulesDetector(parse_inspect_config({}))
    whole = detector.find(TextColumn(texts, [0, 5]))
    asked = detector.find(TextColumn(texts, [0, 5]), [1, 3])
    assert whole[1]
    assert whole[3]
    assert [asked[1], asked[3]] == [whole[1], whole[3]]
    assert asked[2] == asked[4] == []


@pytest.mark.slow
@pytest.mark.parametrize("unit", cases(__file__, "test_hostile_text_takes_linear_time"))
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
@pytest.mark.parametrize("asked", [None, [1, 2]])
def test_two_looks_are_what_two_detectors_find(least, asked):
    settings = parse_inspect_config({"min_likelihood": least})
    detector = RulesDetector(settings)
    found, unsure = detector.find_twice(TextColumn(_TURNS, [0, 2, 5]), asked)
    everything = RulesDetector(settings, Likelihood.VERY_UNLIKELY).find(TextColumn(_TURNS, [0, 2, 5]), asked)
    of_asked = range(len(_TURNS)) if asked is None else asked
    first = detector.find(TextColumn(_TURNS, [0, 2, 5]), asked)
    assert [found[cell] for cell in of_asked] == [first[cell] for cell in of_asked]
    assert [sorted(found[cell] + unsure[cell]) for cell in of_asked] == [
        everything[cell] for cell in of_asked
    ]
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
