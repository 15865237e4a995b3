"""Overlapping windows over the tokens of a document."""

from collections.abc import Iterator
from typing import NamedTuple

SPECIALS = 2
"""The classifying and the separating token around a window."""

LEAST_PLACES = 8


class Window(NamedTuple):
    """The network sees the tokens ``start:end``."""

    start: int
    end: int


def windows(tokens: int, places: int) -> Iterator[Window]:
    """Windows of at most ``places`` places, special tokens included; each overlaps the one before by half.

    The overlap is ``places // 2 - 1`` tokens (Myntti 2025, section 5.3.1).

    >>> [tuple(window) for window in windows(1200, 512)]
    [(0, 510), (255, 765), (510, 1020), (765, 1200)]

    Raises:
        ValueError: a window is too small to move on.
    """
    if places < LEAST_PLACES:
        raise ValueError(f"a window has at least {LEAST_PLACES} places")
    capacity, overlap = places - SPECIALS, places // 2 - 1
    start = 0
    while start < tokens:
        end = min(tokens, start + capacity)
        yield Window(start, end)
        if end == tokens:
            return
        start = end - overlap


def window_of(first: int, last: int, several: list[Window]) -> Window | None:
    """The first window that holds the tokens ``first:last`` whole; None if none does."""
    return next((window for window in several if window.start <= first and last <= window.end), None)
