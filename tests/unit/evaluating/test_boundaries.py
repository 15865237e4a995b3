import pytest

from tacenda.transforms.evaluating.matches import inner_limits
from tests.cases import cases


@pytest.mark.parametrize(
    ("text", "inner"),
    cases(__file__, "test_titles_and_signs_are_no_part_of_a_name"),
)
def test_titles_and_signs_are_no_part_of_a_name(text, inner):
    start, end = inner_limits(f"to {text}", 3, 3 + len(text), True)
    assert f"to {text}"[start:end] == inner


def test_other_labels_keep_their_boundaries():
    assert inner_limits("Don Valley.", 0, 11, False) == (0, 10)
