"""Slips of speech and of its recognition, done to the pieces of an utterance."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.sample.inventory import DATA

_WORDS: dict[str, Any] = DATA.document("slips.yaml")
HESITATIONS: tuple[str, ...] = tuple(_WORDS["hesitations"].split("|"))
SOUNDS_LIKE: dict[str, str] = dict(_WORDS["sounds_like"])
_PUNCTUATION = re.compile(r"[.,!?;:]+(?=\s|$)|^[.,!?;:]+")
_BLANKS = re.compile(r"\s{2,}")
_WORD = re.compile(r"[A-Za-z]+(?=[ ,.])")
_STUTTERED = re.compile(r"(?<![\w'])(" + "|".join(_WORDS["stuttered"].split()) + r")(?= \w)")
_CONFUSABLE = re.compile(r"\b(" + "|".join(SOUNDS_LIKE) + r")\b")
_KEEPS_CAPITAL = re.compile(r"I\b|[A-Z]{2}")


def without_doubled_stops(pieces: Iterable[Piece]) -> list[Piece]:
    """A full stop goes behind a piece that ends with one: "at 3 p.m." ends the sentence, too."""
    kept: list[Piece] = []
    for piece in pieces:
        doubled = not piece.label and piece.text.startswith(".") and kept and kept[-1].text.endswith(".")
        kept.append(Piece(piece.text[1:]) if doubled else piece)
    return kept


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
