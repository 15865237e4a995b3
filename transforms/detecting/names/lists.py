"""Read the shipped lists: hashes and levels of their terms, in vectorised chunks.

A line is a term (words joined by single spaces); if the list has levels, a tab and one digit per level
follow.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.words import Hashes, Offsets, word_hashes

_CHUNK = 1 << 20
"""Bytes of text decoded at once, so that a whole list is never in memory at four bytes per character."""

Levels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Listed:
    """Terms: term ``i`` is ``counts[i]`` words from ``words[first[i]]`` on, with levels ``levels[i]``."""

    words: Hashes
    first: Offsets
    counts: Offsets
    levels: Levels


def header(text: bytes) -> tuple[str, ...]:
    """The words of the first line of a list."""
    return tuple(text.split(b"\n", 1)[0].decode().split())


def listed(text: bytes, levels: int = 0) -> Iterator[Listed]:
    """The terms of a list with ``levels`` digits per line; a first line without a term is a header."""
    start = text.index(b"\n") + 1 if text.startswith(b"\t") else 0
    while start < len(text):
        stop = text.find(b"\n", start + _CHUNK) + 1 or len(text)
        yield _parsed(text[start:stop].decode(), levels)
        start = stop


def _parsed(lines: str, levels: int) -> Listed:
    codes = np.frombuffer(lines.encode("utf-32-le"), dtype="<u4")
    line_ends = np.flatnonzero(codes == ord("\n"))
    line_starts = np.zeros_like(line_ends)
    line_starts[1:] = line_ends[:-1] + 1
    term_ends = line_ends - (levels + 1 if levels else 0)
    spaces = np.flatnonzero(codes == ord(" "))
    starts = np.sort(np.concatenate((line_starts, spaces + 1)))
    ends = np.sort(np.concatenate((term_ends, spaces)))
    first = np.searchsorted(starts, line_starts)
    digits = codes[term_ends[:, None] + 1 + np.arange(levels)] - ord("0")
    return Listed(
        word_hashes(codes, starts, ends),
        first,
        np.diff(np.append(first, len(starts))),
        digits.astype(np.uint8),
    )
