"""Findings lose the tokens within them and keep everything else."""

import pytest

from tacenda.transforms.detecting.outside_tokens import outside_tokens
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly

TEXT = "Mr [PERSON_NAME_1] and [LOCATION_2]!"


def cut(text: str, *ranges: tuple[int, int]) -> list[str]:
    findings = [Finding(a, b, "PERSON_NAME", Likelihood.LIKELY, "d") for a, b in ranges]
    return [text[f.start : f.end] for f in outside_tokens(text, findings)]


@pytest.mark.parametrize(
    ("place", "left"),
    [
        ((0, 2), ["Mr"]),
        ((0, 18), ["Mr "]),
        ((3, 18), []),
        ((5, 10), []),
        ((10, 22), [" and"]),
        ((0, len(TEXT)), ["Mr ", " and "]),
        ((18, 36), [" and "]),
        ((30, 36), []),
    ],
)
def test_tokens_are_removed_from_a_finding(place: tuple[int, int], left: list[str]) -> None:
    assert cut(TEXT, place) == left


def test_text_that_resembles_a_token_stays() -> None:
    assert cut("[PERSON_NAME]", (0, 13)) == ["[PERSON_NAME]"]
    assert cut("[person_1] x", (0, 10)) == ["[person_1]"]


def test_many_findings_among_many_tokens_take_linear_time() -> None:
    def run(size: int) -> None:
        unit = "[PERSON_NAME_1] x "
        assert len(cut(unit * size, *((i - 2, i - 1) for i in range(18, 18 * size + 1, 18)))) == size

    assert grows_linearly(run, 1000)
