"""Segments: a text in pieces, each of one label or of none; how spans stay exact while the text is altered."""

from collections.abc import Iterable
from typing import TypedDict

Segment = tuple[str, str]
"""A piece of text and its label; the empty label is for words that identify nobody."""


class Span(TypedDict):
    """Code points ``start … end`` (half-open) of a turn."""

    start: int
    end: int
    label: str


class Turn(TypedDict):
    """What one speaker says, and where in it personal data are."""

    speaker: str
    text: str
    spans: list[Span]


def turn(speaker: str, segments: Iterable[Segment]) -> Turn:
    """The segments as one text with spans: outer white space stays outside of a span, and none is doubled."""
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
