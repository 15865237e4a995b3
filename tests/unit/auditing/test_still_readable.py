"""What is unsure and was not replaced stands, moved by the tokens before it, in the new text."""

import pytest

from tests.growth import grows_linearly
from transforms.auditing.still_readable import still_readable
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood

TEXT = "Pam saw Dwight in New York."
NEW = "[PERSON_NAME_1] saw Dwight in New [LOCATION_12]."
REPLACED = [(0, 3), (22, 26)]


def findings(*places: tuple[int, int]) -> list[Finding]:
    return [Finding(a, b, "X", Likelihood.UNLIKELY, "model") for a, b in places]


@pytest.mark.parametrize(
    ("unsure", "left"),
    [
        ([(8, 14)], ["Dwight"]),
        ([(18, 26)], ["New "]),
        ([(0, 3)], []),
        ([(0, 14)], [" saw Dwight"]),
        ([(22, 27)], []),
        ([(0, 27)], [" saw Dwight in New "]),
        ([(18, 21), (8, 14)], ["Dwight", "New"]),
        ([], []),
    ],
)
def test_parts_that_are_left(unsure: list[tuple[int, int]], left: list[str]) -> None:
    found = still_readable(findings(*unsure), findings(*REPLACED), NEW)
    assert [NEW[f.start : f.end] for f in found] == left


def test_nothing_replaced_moves_nothing() -> None:
    (same,) = still_readable(findings((8, 14)), [], TEXT)
    assert (same.start, same.end) == (8, 14)


def test_a_text_of_other_findings_is_refused() -> None:
    with pytest.raises(ValueError, match="does not have the tokens"):
        still_readable(findings((8, 14)), findings((4, 7)), TEXT)


def test_time_grows_with_the_text_and_not_with_its_square() -> None:
    def look(repeats: int) -> None:
        new = "[PERSON_NAME_1] met Ana today. " * repeats
        replaced = findings(*((i * 29, i * 29 + 13) for i in range(repeats)))
        unsure = findings(*((i * 29 + 18, i * 29 + 21) for i in range(repeats)))
        assert len(still_readable(unsure, replaced, new)) == repeats

    assert grows_linearly(look, 400)
