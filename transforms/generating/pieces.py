"""Pieces: labelled text under construction, in which every gold span is a piece.

Noise is applied to pieces, not offsets, so spans are exact by construction whatever happens to the text.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Piece(NamedTuple):
    """A run of text; ``label`` is empty if the text is not personal data."""

    text: str
    label: str = ""
    identity: str = ""


class Span(NamedTuple):
    """A labelled range of code points, half-open."""

    start: int
    end: int
    label: str
    identity: str


SPACE = Piece(" ")


def assemble(pieces: Iterable[Piece]) -> tuple[str, list[Span]]:
    """Text of an utterance and its spans.

    White space around a value is outside of its span. The text neither begins nor ends with spaces, and where
    two pieces meet there is one at most.
    """
    texts: list[str] = []
    spans = []
    position = 0
    after_space = True
    for text, label, identity in pieces:
        if after_space:
            text = text.lstrip(" ")
        if not text:
            continue
        if label:
            value = text.strip()
            if value:
                start = position + text.index(value)
                spans.append(Span(start, start + len(value), label, identity))
        texts.append(text)
        position += len(text)
        after_space = text[-1] in " \n"
    return "".join(texts).rstrip(), spans
