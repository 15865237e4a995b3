"""The step at which a gold span was lost."""

import pytest

from tacenda.transforms.evaluating.leak_causes import CAUSES, cause
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXT = "call Ann Lee now"
NAME = (5, 12)


def finding(start: int, end: int) -> Finding:
    return Finding(start, end, "PERSON_NAME", Likelihood.LIKELY, "rules")


WHOLE, FIRST, LAST = finding(5, 12), finding(5, 8), finding(9, 12)


@pytest.mark.parametrize(
    ("left", "found", "unsure", "told"),
    [
        ([WHOLE], [], [], None),
        ([FIRST, LAST], [], [], None),
        ([FIRST], [WHOLE], [], "lost in resolution"),
        ([FIRST], [FIRST], [LAST], "partial"),
        ([], [WHOLE], [], "vetoed"),
        ([], [FIRST], [], "vetoed"),
        ([], [], [FIRST], "too unlikely"),
        ([], [finding(0, 4)], [finding(13, 16)], "no candidate"),
    ],
)
def test_a_span_is_lost_at_one_step(
    left: list[Finding], found: list[Finding], unsure: list[Finding], told: str | None
) -> None:
    assert cause(TEXT, NAME, left, found, unsure) == told
    assert told is None or told in CAUSES


def test_what_was_covered_elsewhere_or_is_in_doubt_is_neither_detectors_fault() -> None:
    assert cause(TEXT, NAME, [], [], [], covered_elsewhere=True) == "repeat not swept"
    assert cause(TEXT, NAME, [], [], [], covered_elsewhere=True, in_doubt=True) == "gold in doubt"
