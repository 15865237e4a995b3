"""Decisions from plain data, and back."""

from typing import Any

import pytest

from tacenda.models.token_classifier.decoding_settings import Decision, Rule, read_decision
from tacenda.transforms.schema.errors import UserError


@pytest.mark.parametrize(
    ("data", "decision"),
    [
        ({}, Decision(Rule.SUM, 0.2)),
        ({"rule": "outside"}, Decision(Rule.OUTSIDE, 0.85)),
        ({"rule": "each", "threshold": 0.5, "thresholds": {"B": 1, "A": 0.1}},
         Decision(Rule.EACH, 0.5, (("A", 0.1), ("B", 1.0)))),
        ({"hysteresis": 0.5}, Decision(Rule.SUM, 0.2, hysteresis=0.5)),
        ({"rule": "binary", "info_type": "PASSWORD"}, Decision(Rule.BINARY, 0.2, (), "PASSWORD")),
    ],
)  # fmt: skip
def test_valid_settings_are_read(data: dict[str, Any], decision: Decision) -> None:
    read = read_decision(data, "here")
    assert read == decision
    assert read_decision(read.to_dict(), "here") == read


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ([], "here: must be a mapping"),
        ({"treshold": 1}, "here: unknown key 'treshold'; known here: rule, threshold"),
        ({"rule": None}, "here: 'rule' must be one of"),
        ({"threshold": True}, "here: 'threshold' must be a number from 0 to 1"),
        ({"thresholds": [1]}, "here: 'thresholds' must map infoTypes to probabilities"),
        ({"thresholds": {"A": -0.1}}, "here: 'thresholds.A' must be a number from 0 to 1"),
        ({"thresholds": {"A": float("nan")}}, "here: 'thresholds.A' must be a number from 0 to 1"),
        ({"hysteresis": 0}, "here: 'hysteresis' must be above 0; 1 turns it off"),
        ({"hysteresis": 2}, "here: 'hysteresis' must be a number from 0 to 1"),
        ({"info_type": ""}, "here: 'info_type' must be the name of an infoType"),
        ({"rule": "binary", "thresholds": {"A": 0.1}}, "here: rule binary has one threshold for all"),
        ({"rule": "each", "info_type": "A"}, "here: 'info_type' applies to rule binary only"),
    ],
)
def test_invalid_settings_are_refused(data: Any, wrong: str) -> None:
    with pytest.raises(UserError) as raised:
        read_decision(data, "here")
    assert str(raised.value).startswith(wrong)
