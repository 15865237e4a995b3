"""The property of the map is tested with all shapes; these are the edge cases."""

import pytest

from tacenda.transforms.replacing.replacement import OffsetMap
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def offsets(*places):
    """Each place is start, end and value."""
    findings = [Finding(start, end, "URL", Likelihood.LIKELY, "rules") for start, end, _ in places]
    return OffsetMap(findings, [value for *_, value in places])


def test_positions_are_unchanged_without_replacements():
    assert (offsets().to_output(7), offsets().to_original(7)) == (7, 7)


@pytest.mark.parametrize(
    ("position", "output"), [(0, 0), (2, 2), (3, 2), (4, 2), (5, 5), (6, 6), (8, 8), (9, 8), (10, 8)]
)
def test_a_position_inside_is_where_its_value_begins(position, output):
    # ab[cde → xyz]fgh[ij → nothing]k
    assert offsets((2, 5, "xyz"), (8, 10, "")).to_output(position) == output


def test_text_after_an_empty_value_is_unchanged():
    two = offsets((0, 2, ""), (2, 4, ""))
    assert (two.to_original(0), two.to_output(4), two.to_original(3)) == (4, 0, 7)
