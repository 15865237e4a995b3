"""A conversation before and after, in pieces that show each replacement."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tacenda.transforms.replacing.offsets import OffsetMap, Range
from tacenda.transforms.schema.finding import Finding

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
