"""Words found because a neighbour is, on columns of a few words."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.models.token_classifier.decoding import companions, lifted
from tacenda.models.token_classifier.decoding_settings import Decision, Rule


def flags(text: str) -> Any:
    return np.array([sign == "x" for sign in text], np.bool_)


@pytest.mark.parametrize(
    ("found", "near", "linked", "of"),
    [
        ("x..", "xx.", "xx.", [0, 0, 2]),
        (".x.", "xxx", "xx.", [1, 1, 1]),
        ("x..", "xxx", "xx.", [0, 0, 2]),
        ("x.x", "xxx", "xx.", [0, 0, 2]),
        ("x.x", "xxx", ".x.", [0, 2, 2]),
        ("x.x", "x.x", "xx.", [0, 1, 2]),
        ("...", "xxx", "xx.", [0, 1, 2]),
        ("", "", "", []),
    ],
)
def test_a_word_near_the_threshold_is_joined_to_a_found_neighbour(
    found: str, near: str, linked: str, of: list[int]
) -> None:
    assert companions(flags(found), flags(near), flags(linked)).tolist() == of


eighths = st.integers(0, 8).map(lambda n: n / 8)
words = st.lists(st.tuples(eighths, st.booleans()), max_size=12)


@given(words, eighths, st.sampled_from([0.25, 0.5, 1.0]))
def test_the_adjusted_score_decides_whether_a_word_is_found(
    several: list[tuple[float, bool]], limit: float, hysteresis: float
) -> None:
    scores = np.array([score for score, _ in several], np.float32)
    linked = np.array([link for _, link in several], np.bool_)
    linked[-1:] = False
    found, near = scores > limit, scores > limit * hysteresis
    of = companions(found, near, linked)
    assert ((lifted(scores, linked, hysteresis) > limit) == found[of]).all()


def test_the_detector_applies_hysteresis(detector: Callable[..., Any], found: Callable[..., Any]) -> None:
    alone = found("hardly pam hardly hardly")
    assert alone == [[("pam", "PERSON_NAME", "VERY_LIKELY")]]
    kind = found("hardly pam hardly hardly", by=detector(Decision(Rule.SUM, 0.2, hysteresis=0.25)))
    assert kind == [[("hardly pam hardly", "PERSON_NAME", "VERY_LIKELY")]]
    lines = found("hardly\npam", by=detector(Decision(Rule.SUM, 0.2, hysteresis=0.25)))
    assert lines == alone
