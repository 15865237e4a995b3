from typing import Any

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.mention_rules import MentionRules
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXTS = ["so", "Will and Annie, or Ann"]
WILL = Finding(0, 4, "PERSON_NAME", Likelihood.LIKELY, "propagation")
ANNIE = Finding(9, 14, "PERSON_NAME", Likelihood.POSSIBLE, "propagation")
ANN = Finding(19, 22, "FIRST_NAME", Likelihood.POSSIBLE, "propagation")


def left(config: dict[str, Any], *findings: Finding) -> list[Finding]:
    rules = MentionRules(parse_inspect_config(config))
    return [one for _, several in rules.left(TEXTS, [(1, list(findings))]) for one in several]


def test_without_rules_everything_is_left() -> None:
    assert left({}, WILL, ANNIE, ANN) == [WILL, ANNIE, ANN]


@pytest.mark.parametrize(
    "config",
    [
        {"min_likelihood": "LIKELY"},
        {
            "info_types": [{"name": "PERSON_NAME"}, {"name": "FIRST_NAME"}],
            "min_likelihood_per_info_type": [
                {"info_type": {"name": name}, "min_likelihood": "LIKELY"}
                for name in ("PERSON_NAME", "FIRST_NAME")
            ],
        },
    ],
)
def test_unlikely_findings_are_left_out(config: dict[str, Any]) -> None:
    assert left(config, WILL, ANNIE, ANN) == [WILL]


def test_mentions_excluded_by_a_rule_are_removed() -> None:
    exclusion = {
        "matching_type": "MATCHING_TYPE_FULL_MATCH",
        "dictionary": {"word_list": {"words": ["will"]}},
    }
    rule_set = [{"info_types": [{"name": "PERSON_NAME"}], "rules": [{"exclusion_rule": exclusion}]}]
    assert left({"rule_set": rule_set}, WILL, ANNIE, ANN) == [ANNIE, ANN]


def test_hotwords_make_mentions_likelier() -> None:
    hotword = {
        "hotword_regex": {"pattern": "Will"},
        "proximity": {"window_before": 10},
        "likelihood_adjustment": {"fixed_likelihood": "VERY_LIKELY"},
    }
    rule_set = [{"info_types": [{"name": "PERSON_NAME"}], "rules": [{"hotword_rule": hotword}]}]
    assert left({"rule_set": rule_set}, ANNIE) == [ANNIE._replace(likelihood=Likelihood.VERY_LIKELY)]


def test_cells_without_anything_left_are_left_out() -> None:
    rules = MentionRules(parse_inspect_config({"min_likelihood": "VERY_LIKELY"}))
    assert rules.left(TEXTS, [(1, [WILL])]) == []
