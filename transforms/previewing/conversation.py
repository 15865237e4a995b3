"""A conversation before and after, in pieces that show each replacement."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from tacenda.transforms.replacing.replacement import value_ranges
from tacenda.transforms.text.characters import visible

SPEAKER = "speaker label"
"""In place of a detector: a speaker label that is a name is replaced whole."""


class Mention(NamedTuple):
    """One mention of an entity; ``likelihood`` is empty for a speaker label."""

    entity: int
    info_type: str
    likelihood: str
    detector: str


class Piece(NamedTuple):
    """Some text, and the entity it mentions."""

    text: str
    mention: Mention | None = None


class Cell(NamedTuple):
    """One cell before and after; ``name`` is its turn and, if the turn has several, its part."""

    name: str
    speaker_before: Piece
    speaker_after: Piece
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]


class Previewed(NamedTuple):
    """One conversation; ``risk`` describes the remaining risk."""

    id: str
    context: str
    risk: str
    cells: tuple[Cell, ...]

    def numbers(self) -> set[int]:
        """The numbers of the entities that are mentioned."""
        pieces = (piece for cell in self.cells for piece in (cell.speaker_before, *cell.before))
        return {piece.mention.entity for piece in pieces if piece.mention is not None}


def previewed(
    conversation_id: str,
    context: str,
    risk: str,
    cells: Iterable[Sequence[Any]],
    labels: Mapping[str, Mention],
) -> Previewed:
    """Cut a conversation into pieces.

    Args:
        conversation_id: as people know it.
        context: of the conversation.
        risk: in words.
        cells: of each the turn, the part, speaker and text before, speaker and text after, the findings, and
            their entities and values.
        labels: the replaced speaker labels.
    """
    pieces = []
    for turn, part, speaker, text, new_speaker, new_text, findings, entities, values in cells:
        mention = labels.get(speaker) if speaker is not None else None
        found = [
            Mention(entity, finding.info_type, finding.likelihood.name, finding.detector)
            for finding, entity in zip(findings, entities, strict=True)
        ]
        pieces.append(
            Cell(
                place_name(turn, part),
                Piece(speaker or "", mention),
                Piece(new_speaker or "", mention),
                tuple(_pieces(text, [one[:2] for one in findings], found)),
                tuple(_pieces(new_text, value_ranges(findings, values), found)),
            )
        )
    return Previewed(conversation_id, context, risk, tuple(pieces))


def place_name(turn: int, part: str | None) -> str:
    """The name of a cell; for a text outside of all turns, just its field."""
    named = [str(turn)] if turn >= 0 else []
    return " ".join([*named, part] if part else named)


def _pieces(text: str, ranges: Sequence[tuple[int, int]], mentions: Sequence[Mention]) -> Iterator[Piece]:
    position = 0
    for (start, end), mention in zip(ranges, mentions, strict=True):
        if start > position:
            yield Piece(text[position:start])
        yield Piece(text[start:end], mention)
        position = end
    if position < len(text):
        yield Piece(text[position:])


WARNING = "contains personal data – for restricted eyes"
"""Shown on everything that contains originals."""

_LEAST_WIDTH = 40
_TAB = "    "


def side_by_side(conversation: Previewed, width: int) -> Iterator[str]:
    """The lines of a conversation: its heading, then each turn before and after.

    Args:
        conversation: cut into pieces; replaced text is in «» on the left.
        width: columns of the terminal.
    """
    width = max(width, _LEAST_WIDTH)
    column = (width - 3) // 2
    head = (visible(conversation.id), visible(conversation.context), conversation.risk)
    yield from _lines(" · ".join(filter(None, head)), width)
    yield f"{_padded('before', column)} │ after"
    yield f"{'─' * column}─┼─{'─' * column}"
    for cell in conversation.cells:
        left = _lines(_said(cell.speaker_before, cell.before, "«{}»"), column)
        right = _lines(_said(cell.speaker_after, cell.after, "{}"), column)
        for one, other in zip_longest(left, right, fillvalue=""):
            yield f"{_padded(one, column)} │ {other}".rstrip()
    yield ""


def display_width(text: str) -> int:
    r"""The number of terminal columns of a text.

    >>> display_width("aé中"), display_width("e\u0301")
    (4, 1)
    """
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _said(speaker: Piece, text: Sequence[Piece], marked: str) -> str:
    """A turn in one text, with what was replaced marked."""
    pieces = [speaker, Piece(": "), *text] if speaker.text else text
    shown = ((visible(piece.text).replace("\t", _TAB), piece.mention) for piece in pieces)
    return "".join(marked.format(text) if mention else text for text, mention in shown)


def _lines(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` columns, broken after spaces if possible."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used = "", 0
        for character in paragraph:
            if used + _width(character) > width:
                before, space, rest = line.rpartition(" ")
                lines.append(before + space or line)
                line = rest if space else ""
                used = display_width(line)
            line += character
            used += _width(character)
        lines.append(line)
    return lines


def _padded(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))
