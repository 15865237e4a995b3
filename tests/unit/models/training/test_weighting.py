"""Rare classes count more, and a span counts 1 on average."""

import numpy as np
import pytest

from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.weighting import balanced, sensitive


def record(**counts: int) -> dict[str, object]:
    spans = [{"start": 0, "end": 1, "label": label} for label, n in counts.items() for _ in range(n)]
    return {"turns": [{"text": "x", "spans": spans}]}


def test_weighs_inversely_to_the_number_of_spans(scheme: LabelScheme) -> None:
    weights = balanced([record(PERSON_NAME=30, LOCATION=10, TITLE=99)], scheme)
    assert weights[0] == 1
    assert weights[2] / weights[1] == pytest.approx(3)
    assert (weights[1] * 30 + weights[2] * 10) / 40 == pytest.approx(1)


def test_a_class_that_never_occurs_weighs_one_and_a_rare_one_not_all(scheme: LabelScheme) -> None:
    assert balanced([record(PERSON_NAME=5)], scheme).tolist() == [1, 1, 1]
    weights = balanced([record(PERSON_NAME=100_000, LOCATION=1)], scheme)
    assert np.isfinite(weights).all()
    assert weights[2] / weights[1] <= 100
    assert balanced([], scheme).tolist() == [1, 1, 1]


def test_all_personal_data_may_weigh_as_much_as_all_other_text(scheme: LabelScheme) -> None:
    turn = {"text": "this is Pam Beesly of the office in Scranton", "spans": []}
    spans = [{"start": 8, "end": 18, "label": "PERSON_NAME"}, {"start": 36, "end": 44, "label": "LOCATION"}]
    weights = sensitive([{"turns": [{**turn, "spans": spans}, turn]}], scheme)
    assert weights.tolist() == [1, 5, 5]  # 15 words of 18 for 3
    assert sensitive([{"turns": [turn]}], scheme).tolist() == [1, 1, 1]
    assert sensitive([record(PERSON_NAME=1)], scheme).tolist() == [1, 1, 1]
