"""Segments: pieces of text with at most one label each, which keep spans exact while the text is altered."""

from collections.abc import Iterable
from typing import TypedDict

Segment = tuple[str, str]
"""A piece of text and its label, empty for text that is not personal."""


class Span(TypedDict):
    """Half-open code point range of a turn, with a label."""

    start: int
    end: int
    label: str


class Turn(TypedDict):
    """One turn with the spans of its personal data."""

    speaker: str
    text: str
    spans: list[Span]


def turn(speaker: str, segments: Iterable[Segment]) -> Turn:
    """Join segments into one turn. Spans exclude surrounding white space; double spaces are merged."""
    parts: list[str] = []
    spans: list[Span] = []
    length = 0
    open_end = True
    for piece, label in segments:
        if open_end:
            piece = piece.lstrip(" ")
        if not piece:
            continue
        if label:
            inner = piece.strip()
            if inner:
                start = length + piece.index(inner)
                spans.append({"start": start, "end": start + len(inner), "label": label})
        parts.append(piece)
        length += len(piece)
        open_end = piece[-1] in " \n"
    text = "".join(parts)
    return {"speaker": speaker, "text": text.rstrip(), "spans": spans}
