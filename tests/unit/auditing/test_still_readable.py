"""Unsure findings that were not replaced are in the new text, shifted by the tokens before them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.auditing.still_readable import still_readable
from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly

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


def test_positions_are_unchanged_without_replacements() -> None:
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


@pytest.mark.parametrize("step", [0, 1])
def test_time_does_not_grow_with_findings_over_findings(step: int) -> None:
    """Findings over the whole text, and each extending a little further than the previous one."""

    def look(repeats: int) -> None:
        new = "[PERSON_NAME_1] met Ana today. " * repeats
        replaced = findings(*((i * 29, i * 29 + 13) for i in range(repeats)))
        end = 29 * repeats
        unsure = findings(*((i * step, end - (repeats - i) * step) for i in range(repeats)))
        assert still_readable(unsure, replaced, new)

    assert grows_linearly(look, 200)


_PLACES = st.lists(st.tuples(st.integers(0, 14), st.integers(1, 8)), max_size=6)


@given(st.text("aB ._", min_size=14, max_size=14), _PLACES, st.sets(st.integers(0, 13)))
def test_remaining_text_is_the_same_for_one_and_many_findings(
    text: str, unsure: list[tuple[int, int]], cuts: set[int]
) -> None:
    replaced = findings(*((at, at + 1) for at in sorted(cuts)))
    new = "".join("[X_1]" if i in cuts else c for i, c in enumerate(text))
    several = findings(*((start, min(start + size, 14)) for start, size in unsure if start < 14))
    together = merge_overlapping(still_readable(several, replaced, new), {})
    apart = merge_overlapping([left for one in several for left in still_readable([one], replaced, new)], {})
    assert together == apart
