"""Split text that is too long for one request into overlapping windows with exact offsets."""

from collections.abc import Iterator
from typing import NamedTuple

_SEARCHED = 1_000
"""Code points from the end of a window in which white space is looked for before a word is cut."""


class Window(NamedTuple):
    """A piece of a text; ``start`` is the code point of the whole text at which it begins."""

    start: int
    text: str


def windows(text: str, max_bytes: int, overlap: int) -> Iterator[Window]:
    """Cut a text into windows of at most ``max_bytes`` bytes of UTF-8 that cover all of it.

    Neighbours share at least ``overlap`` code points, so that what a cut falls into stands whole in one of
    them, with words around it. Cuts fall on white space where there is some.

    Raises:
        ValueError: a window cannot hold more than its overlap (a code point takes up to 4 bytes).
        UnicodeEncodeError: the text holds half of a surrogate pair.
    """
    if max_bytes < 10 * (overlap + _SEARCHED):
        raise ValueError("max_bytes is too small for the overlap")
    start = 0
    while True:
        # As many code points as bytes are allowed can be too much, never too little.
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
    """The last place up to ``last`` that follows white space, but not before ``first``; else ``last``."""
    searched = text[first:last]
    words = searched.split()
    if not words or searched[-1].isspace():
        return last
    before = len(searched) - len(words[-1])
    return first + before if before else last
