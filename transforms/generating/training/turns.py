"""Turns: what a speaker says, as text and spans."""

from collections.abc import Iterable
from typing import TypedDict

from tacenda.transforms.generating.pieces import Piece, assemble


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


def turn(speaker: str, pieces: Iterable[Piece]) -> Turn:
    """Join pieces into one turn."""
    text, spans = assemble(pieces)
    named: list[Span] = [{"start": span.start, "end": span.end, "label": span.label} for span in spans]
    return {"speaker": speaker, "text": text, "spans": named}
