"""Texts: sentences, messages, notes and letters, assembled from the templates of one file."""

from collections.abc import Iterable
from typing import TypedDict

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece, assemble
from tacenda.transforms.generating.training import lists, noise
from tacenda.transforms.generating.training.slots import Setting


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


def turns(draw: Draw, lang: str, name: str) -> list[Turn]:
    """The turns of a text: one, or one per template if the file has ``turns``."""
    document = lists.document(name)
    setting = Setting(draw, lang)
    templates = document["texts"]
    chosen: list[str] = []
    for _ in range(draw.between(document.get("least", 1), document.get("most", 1))):
        chosen.append(draw.pick([text for text in templates if text not in chosen]))
    texts = [setting.filled(text) for text in chosen]
    how = noise.drawn(draw, document.get("noise", "clean"))
    if document.get("turns"):
        speakers = document["turns"]
        return [
            turn(speakers[i % len(speakers)], noise.noisy(text, how, draw, lang))
            for i, text in enumerate(texts)
        ]
    joint = draw.pick(document.get("joints", [" "]))
    whole: list[Piece] = []
    for text in texts:
        if whole:
            whole.append(Piece(joint))
        whole += text
    return [turn("", noise.noisy(whole, how, draw, lang))]
