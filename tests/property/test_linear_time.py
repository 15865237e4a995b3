"""Time grows with the length of hostile text and not with its square.

The margin is generous and a slope over it is measured again: machines are busy, and 1.5 is far from 2.
``tests/benchmarks/bench_hostile.py`` measures all infoTypes, and closely.
"""

from functools import cache

import pytest

from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.text.column import TextColumn
from tests.benchmarks.bench_hostile import PIECES, WORDS, info_type_detector, measured, whole_detectors

BOUND = 1.5
LENGTH = 1 << 17
TEXTS = {**PIECES, **WORDS}
CASES = [
    *((name, text) for name in ("rules", "gazetteer", "spoken") for text in TEXTS),
    ("NUMERIC", "one digit"),
    ("PHONE_NUMBER", "near matches"),
    ("PERSON_NAME", "nested"),
    ("STREET_ADDRESS", "streets"),
    ("USER_NAME", "nested"),
]


@cache
def _detector(name: str) -> Detector:
    detector = whole_detectors()[name]() if name.islower() else info_type_detector(name)
    detector.find(TextColumn(["warm up"]))
    return detector


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text"), CASES)
def test_time_is_linear_in_length(name: str, text: str) -> None:
    for _ in range(6):
        if measured(_detector(name), text, TEXTS[text], LENGTH, 1).slope < BOUND:
            return
    pytest.fail(f"{name} takes more than linear time on {text}")
