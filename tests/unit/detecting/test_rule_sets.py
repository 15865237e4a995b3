"""Rules applied to other detectors' findings."""

from typing import Any

import pytest

from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rule_sets import RuleSetProcessor
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

PLACE = candidates([(0, 3, 8, Likelihood.POSSIBLE)])


@pytest.mark.parametrize("by", ["rules", "the detector itself"])
@pytest.mark.parametrize(
    ("thresholds", "left"),
    [
        ({}, 0),
        ({"min_likelihood": "LIKELY"}, 1),
        (
            {
                "min_likelihood_per_info_type": [
                    {"info_type": {"name": "NUMERIC"}, "min_likelihood": "LIKELY"}
                ]
            },
            1,
        ),
    ],
)
def test_exclusion_only_types_keep_their_threshold(thresholds: dict[str, Any], left: int, by: str) -> None:
    rule = {
        "exclude_info_types": {"info_types": [{"name": "NUMERIC"}]},
        "matching_type": "MATCHING_TYPE_FULL_MATCH",
    }
    rule_set = {"info_types": [{"name": "PERSON_NAME"}], "rules": [{"exclusion_rule": rule}]}
    settings = parse_inspect_config(
        {"info_types": [{"name": "PERSON_NAME"}], "rule_set": [rule_set], **thresholds}
    )
    ruling = RuleSetProcessor(settings, {"PERSON_NAME": Likelihood.POSSIBLE}, None)
    text, found = ("in 12345", {}) if by == "rules" else ("in Texas", {"NUMERIC": PLACE})
    assert len(ruling.left(TextColumn([text]), {"PERSON_NAME": PLACE, **found})["PERSON_NAME"]) == left
