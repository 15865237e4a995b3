import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.auditing.still_readable import Letters


@given(st.text("aZ9_ .é東\u0301\u00b2", max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_letters_and_digits_are_counted_as_one_by_one(text: str, start: int, end: int) -> None:
    start, end = min(start, len(text)), min(end, len(text))
    count = sum(map(str.isalnum, text[start:end]))
    assert Letters(text).count(start, end) == count
    assert Letters(text).any_in(start, end) is (count > 0)


@pytest.mark.parametrize("text", ["", "...", "_"])
def test_punctuation_has_no_letters(text: str) -> None:
    assert not Letters(text).any_in(0, len(text))
