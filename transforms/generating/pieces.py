"""Pieces: an utterance under construction, in which every gold span is a piece.

Noise is applied to pieces, not offsets, so spans are exact by construction whatever happens to the text.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.inventory import document


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
_WORDS: dict[str, Any] = document("speech.yaml")
HESITATIONS: tuple[str, ...] = tuple(_WORDS["hesitations"].split("|"))
SOUNDS_LIKE: dict[str, str] = dict(_WORDS["sounds_like"])
_PUNCTUATION = re.compile(r"[.,!?;:]+(?=\s|$)|^[.,!?;:]+")
_BLANKS = re.compile(r"\s{2,}")
_WORD = re.compile(r"[A-Za-z]+(?=[ ,.])")
_STUTTERED = re.compile(r"(?<![\w'])(" + "|".join(_WORDS["stuttered"].split()) + r")(?= \w)")
_CONFUSABLE = re.compile(r"\b(" + "|".join(SOUNDS_LIKE) + r")\b")
_KEEPS_CAPITAL = re.compile(r"I\b|[A-Z]{2}")


def assemble(pieces: list[Piece]) -> tuple[str, list[Span]]:
    """Text of an utterance and its spans."""
    texts: list[str] = []
    spans = []
    position = 0
    for text, label, identity in pieces:
        if label:
            spans.append(Span(position, position + len(text), label, identity))
        elif text.startswith(".") and texts and texts[-1].endswith("."):
            text = text[1:]  # "at 3 p.m." ends the sentence too
        texts.append(text)
        position += len(text)
    return "".join(texts), spans


@cache
def bare(text: str) -> str:
    """Lower case without punctuation, as from a recogniser without a formatter; keeps spaces at both ends.

    >>> bare("Hi, thanks! My name is ")
    'hi thanks my name is '
    """
    return _BLANKS.sub(" ", _PUNCTUATION.sub("", text).replace("(", "").replace(")", "")).lower()


def _changed(
    pieces: list[Piece], draw: Draw, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str]
) -> list[Piece]:
    """The pieces with one match of a pattern changed, in one of the unlabelled pieces that have one."""
    candidates = [i for i, piece in enumerate(pieces) if not piece.label and pattern.search(piece.text)]
    if not candidates:
        return pieces
    index = draw.pick(candidates)
    match = draw.pick(list(pattern.finditer(pieces[index].text)))
    text = pieces[index].text
    changed = list(pieces)
    changed[index] = Piece(f"{text[: match.start()]}{change(match)}{text[match.end() :]}")
    return changed


def without_punctuation(pieces: list[Piece]) -> list[Piece]:
    """All unlabelled text in lower case without punctuation; the voice handles values."""
    return [piece if piece.label else Piece(bare(piece.text)) for piece in pieces]


def capitalized(pieces: list[Piece]) -> list[Piece]:
    """A capital at the start of the utterance, unless it starts with a value."""
    text = pieces[0].text
    if pieces[0].label or not text or not text[0].islower():
        return pieces
    return [Piece(text[0].upper() + text[1:]), *pieces[1:]]


def hesitating(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """A filler before the utterance."""
    first = pieces[0]
    text = first.text
    if not first.label and text and not _KEEPS_CAPITAL.match(text):
        first = Piece(text[0].lower() + text[1:])
    return [Piece(draw.pick(HESITATIONS)), first, *pieces[1:]]


def stuttering(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """Repeat one short word."""
    return _changed(pieces, draw, _STUTTERED, lambda match: f"{match.group()} {match.group()}")


def misheard(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """Replace one word by another that sounds alike."""
    return _changed(pieces, draw, _CONFUSABLE, lambda match: SOUNDS_LIKE[match.group()])


def broken_off(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """Break the utterance off in its first word, and start again."""
    first = pieces[0]
    word = _WORD.match(first.text)
    if first.label or word is None or len(word.group()) < 3:
        return pieces
    heard = word.group()[: draw.between(1, len(word.group()) - 1)]
    return [Piece(f"{heard}- "), *pieces]
