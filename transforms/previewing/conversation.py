"""A conversation before and after, in pieces that show each replacement."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tacenda.transforms.replacing.replacement import OffsetMap, Range
from tacenda.transforms.schema.finding import Finding
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


class Entity(NamedTuple):
    """An entity: its number, infoType, the replacement of its first mention, and its number of mentions."""

    number: int
    info_type: str
    value: str
    mentions: int


class Previewed(NamedTuple):
    """One conversation; ``risk`` describes the remaining risk, empty if it was not checked."""

    id: str
    context: str
    risk: str
    cells: tuple[Cell, ...]
    entities: tuple[Entity, ...]


class Columns(NamedTuple):
    """A conversation from a chain, one entry per cell: originals, output, and findings."""

    turns: Sequence[int]
    parts: Sequence[str | None]
    speakers: Sequence[str | None]
    texts: Sequence[str]
    written_speakers: Sequence[str | None]
    written_texts: Sequence[str]
    findings: Sequence[Sequence[Finding]]
    entities: Sequence[Sequence[int]]
    values: Sequence[Sequence[str]]


def previewed(
    conversation_id: str, context: str, risk: str, columns: Columns, labels: Mapping[str, Mention]
) -> Previewed:
    """Cut a conversation into pieces; ``labels`` are the replaced speaker labels."""
    known: dict[int, tuple[str, str]] = {}
    mentions: Counter[int] = Counter()
    cells = []
    for cell in zip(*columns, strict=True):
        turn, part, speaker, text, new_speaker, new_text, findings, entities, values = cell
        mention = labels.get(speaker) if speaker is not None else None
        found = [
            Mention(entity, finding.info_type, finding.likelihood.name, finding.detector)
            for finding, entity in zip(findings, entities, strict=True)
        ]
        if mention is not None:
            known.setdefault(mention.entity, (mention.info_type, new_speaker or ""))
            mentions[mention.entity] += 1
        for one, value in zip(found, values, strict=True):
            known.setdefault(one.entity, (one.info_type, value))
            mentions[one.entity] += 1
        offsets = OffsetMap(findings, values)
        cells.append(
            Cell(
                place_name(turn, part),
                Piece(speaker or "", mention),
                Piece(new_speaker or "", mention),
                tuple(_pieces(text, offsets.original, found)),
                tuple(_pieces(new_text, offsets.output, found)),
            )
        )
    entities = tuple(Entity(number, *known[number], mentions[number]) for number in sorted(known))
    return Previewed(conversation_id, context, risk, tuple(cells), entities)


def place_name(turn: int, part: str | None) -> str:
    """The name of a cell; for a text outside of all turns, just its field."""
    named = [str(turn)] if turn >= 0 else []
    return " ".join([*named, part] if part else named)


def _pieces(text: str, ranges: Sequence[Range], mentions: Sequence[Mention]) -> Iterator[Piece]:
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
_COLOURS = (33, 166, 34, 134, 161, 37, 136, 99)
"""Of the 256 terminal colours, readable on black and on white; entities use them in turn."""

_PLAIN, _FAINT, _BOLD = "\x1b[0m", "\x1b[2m", "\x1b[1m"

Styled = tuple[str, int]
"""A character, and its entity or 0."""


def side_by_side(conversation: Previewed, width: int, coloured: bool) -> Iterator[str]:
    """The lines of a conversation: its heading, then each turn before and after.

    Args:
        conversation: cut into pieces.
        width: columns of the terminal.
        coloured: whether the terminal supports colours; if not, replaced text is in «» on the left.
    """
    width = max(width, _LEAST_WIDTH)
    column = (width - 3) // 2
    head = " · ".join(
        filter(None, (visible(conversation.id), visible(conversation.context), conversation.risk))
    )
    yield from (_bold(line, coloured) for line in _plain_lines(head, width))
    yield f"{_cell('before', column)} │ after"
    yield f"{'─' * column}─┼─{'─' * column}"
    for cell in conversation.cells:
        left = _lines(_named(cell.speaker_before, cell.before, quoted=not coloured), column)
        right = _lines(_named(cell.speaker_after, cell.after), column)
        for i in range(max(len(left), len(right))):
            yield (
                f"{_drawn(left[i] if i < len(left) else (), column, coloured)} │ "
                f"{_drawn(right[i] if i < len(right) else (), column, coloured)}"
            ).rstrip()
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


def _named(speaker: Piece, text: Sequence[Piece], quoted: bool = False) -> list[Styled]:
    pieces = [speaker, Piece(": "), *text] if speaker.text else text
    styled: list[Styled] = []
    for piece in pieces:
        shown = visible(piece.text).replace("\t", _TAB)
        entity = piece.mention.entity if piece.mention is not None else 0
        marked = f"«{shown}»" if entity and quoted else shown
        styled += ((character, entity) for character in marked)
    return styled


def _lines(styled: Sequence[Styled], width: int) -> list[Sequence[Styled]]:
    """Lines of at most ``width`` columns, broken after spaces if possible."""
    lines: list[Sequence[Styled]] = []
    start = used = 0
    space = -1
    for i, (character, _) in enumerate(styled):
        if character == "\n":
            lines.append(styled[start:i])
            start, used, space = i + 1, 0, -1
            continue
        taken = _width(character)
        if used + taken > width:
            end = space + 1 if space >= start else i
            lines.append(styled[start:end])
            start, space = end, -1
            used = sum(_width(one) for one, _ in styled[start:i])
        used += taken
        if character == " ":
            space = i
    lines.append(styled[start:])
    return lines


def _drawn(line: Sequence[Styled], width: int, coloured: bool) -> str:
    drawn: list[str] = []
    before = 0
    for character, entity in line:
        if coloured and entity != before:
            drawn.append(
                _PLAIN if not entity else f"{_PLAIN}\x1b[1;38;5;{_COLOURS[(entity - 1) % len(_COLOURS)]}m"
            )
            before = entity
        drawn.append(character)
    if coloured and before:
        drawn.append(_PLAIN)
    return "".join(drawn) + " " * (width - sum(_width(character) for character, _ in line))


def _plain_lines(text: str, width: int) -> list[str]:
    return ["".join(character for character, _ in line) for line in _lines([(c, 0) for c in text], width)]


def _bold(text: str, coloured: bool) -> str:
    return f"{_BOLD}{text}{_PLAIN}" if coloured else text


def _cell(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))
