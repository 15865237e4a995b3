"""Split text that is too long for one request into overlapping windows with exact offsets."""

from collections.abc import Iterator
from typing import NamedTuple

_SEARCHED = 1_000
"""How far back from the end of a window, in code points, to search for white space before cutting a word."""


class Window(NamedTuple):
    """Part of a text; ``start`` is its offset in the whole text, in code points."""

    start: int
    text: str


def windows(text: str, max_bytes: int, overlap: int) -> Iterator[Window]:
    """Cut a text into windows of at most ``max_bytes`` bytes of UTF-8 that cover all of it.

    Neighbouring windows share at least ``overlap`` code points, so that anything a cut divides is complete,
    with context, in one of the two. Cuts fall on white space where possible.

    Raises:
        ValueError: ``max_bytes`` leaves no room beyond the overlap (a code point takes up to 4 bytes).
        UnicodeEncodeError: the text contains an unpaired surrogate.
    """
    if max_bytes < 10 * (overlap + _SEARCHED):
        raise ValueError("max_bytes is too small for the overlap")
    start = 0
    while True:
        # max_bytes code points are at least max_bytes bytes, so this slice is never too short.
        rest = text[start : start + max_bytes]
        piece = rest.encode()[:max_bytes].decode(errors="ignore")
        end = start + len(piece)
        if end == len(text):
            yield Window(start, piece)
            return
        end = _after_space(text, end - _SEARCHED, end)
        yield Window(start, text[start:end])
        start = _after_space(text, end - overlap - _SEARCHED, end - overlap)


def _after_space(text: str, first: int, last: int) -> int:
    """The last offset in ``first:last`` that follows white space; ``last`` if there is none."""
    searched = text[first:last]
    words = searched.split()
    if not words or searched[-1].isspace():
        return last
    before = len(searched) - len(words[-1])
    return first + before if before else last
