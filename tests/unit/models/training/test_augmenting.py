"""Augmented gold: new values in the same sentences, with every span on its value."""

import random
from typing import Any

import pytest

from tacenda.models.training.augmenting import augmented

TEXT = "write to ann.lee@example.org or call Pam Beesly at 555-0100 today"


def _span(value: str, label: str) -> dict[str, Any]:
    start = TEXT.index(value)
    return {"start": start, "end": start + len(value), "label": label}


def _varied(spans: list[dict[str, Any]], seed: int) -> dict[str, Any]:
    record = {"turns": [{"speaker": "a", "text": TEXT, "spans": spans}]}
    (turn,) = augmented(record, random.Random(seed))
    return turn


def _outside(text: str, spans: list[dict[str, Any]]) -> str:
    """The letters and digits outside of spans, in lower case."""
    inside = {place for span in spans for place in range(span["start"], span["end"])}
    return "".join(c for i, c in enumerate(text) if i not in inside and c.isalnum()).lower()


@pytest.mark.slow
def test_text_outside_of_spans_is_unchanged() -> None:
    spans = [_span("Pam Beesly", "PERSON_NAME"), _span("555-0100", "PHONE_NUMBER")]
    varied = [_varied(spans, seed) for seed in range(40)]
    assert {_outside(turn["text"], turn["spans"]) for turn in varied} == {_outside(TEXT, spans)}
    assert len({turn["text"].lower() for turn in varied}) > 20


def test_nested_spans_are_unchanged_and_reported_once() -> None:
    nested = [
        _span("ann.lee@example.org", "EMAIL_ADDRESS"),
        _span("ann", "PERSON_NAME"),
        _span("lee", "PERSON_NAME"),
    ]
    crossing = [_span("Pam Beesly", "PERSON_NAME"), _span("Beesly at 555", "STREET_ADDRESS")]
    spans = [*nested, *crossing]
    for seed in range(40):
        turn = _varied(spans, seed)
        assert _outside(turn["text"], turn["spans"]) == _outside(TEXT, spans)
        for before, after in zip(spans, turn["spans"], strict=True):
            value = TEXT[before["start"] : before["end"]]
            now = turn["text"][after["start"] : after["end"]]
            assert list(filter(str.isalnum, now.lower())) == list(filter(str.isalnum, value.lower()))
