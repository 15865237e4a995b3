import pytest

from tacenda.models.masked_lm.windows import Window, window_of, windows


@pytest.mark.parametrize("tokens", [0, 1, 6, 7, 8, 30, 31, 100])
@pytest.mark.parametrize("places", [8, 9, 16, 31])
def test_every_token_and_every_short_word_is_in_a_window(tokens: int, places: int) -> None:
    several = list(windows(tokens, places))
    assert {t for w in several for t in range(w.start, w.end)} == set(range(tokens))
    assert all(0 < w.end - w.start <= places - 2 for w in several)
    longest = places // 2 - 1
    for first in range(tokens):
        last = min(first + longest, tokens)
        assert window_of(first, last, several) is not None


def test_windows_overlap_by_half() -> None:
    assert list(windows(20, 12)) == [Window(0, 10), Window(5, 15), Window(10, 20)]


def test_a_word_too_long_for_a_window_has_none() -> None:
    assert window_of(0, 11, list(windows(20, 12))) is None


def test_a_window_that_cannot_move_on_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 8"):
        list(windows(3, 7))
