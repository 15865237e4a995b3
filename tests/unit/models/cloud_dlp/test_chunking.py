"""Chunks cover all of a text, overlap enough, and have exact positions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.models.cloud_dlp.detector import Window, windows

OVERLAP = 10
SMALLEST = 10 * (OVERLAP + 1_000)


def test_a_short_text_is_one_window() -> None:
    assert list(windows("to Zoë", SMALLEST, OVERLAP)) == [Window(0, "to Zoë")]


def test_cuts_fall_on_white_space() -> None:
    text = "word\n" * 10_000
    for window in windows(text, SMALLEST, OVERLAP):
        assert window.text.startswith("word")
        assert window.text.endswith("word\n")


def test_a_text_without_white_space_is_cut_all_the_same() -> None:
    text = "漢" * 20_000
    found = list(windows(text, SMALLEST, OVERLAP))
    assert all(len(w.text.encode()) <= SMALLEST for w in found)
    assert len(found) < 10


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", "é", "漢", "👩‍🦰", " ", "\n", "\u3000", "x" * 700]), min_size=1, max_size=30
    ),
    st.integers(1, 400),
    st.integers(SMALLEST, 3 * SMALLEST),
    st.integers(1, OVERLAP),
)
def test_windows_cover_a_text_and_overlap(parts: list[str], times: int, size: int, overlap: int) -> None:
    text = ("".join(parts) * times)[:60_000]
    end = 0
    for i, window in enumerate(windows(text, size, overlap)):
        assert text[window.start : window.start + len(window.text)] == window.text
        assert len(window.text.encode()) <= size
        assert window.start <= end - overlap if i else window.start == 0
        assert window.start + len(window.text) > end or not text
        end = window.start + len(window.text)
    assert end == len(text)


def test_a_window_smaller_than_its_overlap_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        list(windows("text", SMALLEST - 1, OVERLAP))
