"""Marks of readers in anonymised conversations, as packets and Label Studio return them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.score_table import ScoreTable, Unscored


class Talk(NamedTuple):
    """A conversation to read: its turns as (speaker, text), their hash, and that of the texts of the corpus
    alone.
    """

    conversation_id: str
    context: str
    text_hash: str
    turns: tuple[tuple[str | None, str], ...]
    plain_hash: str = ""


class Mark(NamedTuple):
    """Something that is still readable.

    ``start`` and ``end`` are code points, half-open, in the text of ``turn`` (0-based), or in its speaker label
    if ``on_label``. ``label`` is a tag as ``MISSED_PERSON_NAME_PARTIAL``. Marks of one conversation with an
    equal ``entity`` mean the same person or thing.
    """

    turn: int
    start: int
    end: int
    label: str
    entity: str | None = None
    on_label: bool = False


class Reading(NamedTuple):
    """One reader's marks of one conversation; none if it is clean.

    A reading that is not ``finished`` has marks that count, but nobody read the conversation. ``seconds`` is
    how long it took, None where that is not known.
    """

    conversation_id: str
    reader: str
    marks: tuple[Mark, ...]
    finished: bool = True
    seconds: float | None = None


def check_marks(
    talk: Talk, marks: Iterable[tuple[Mark, str]], table: ScoreTable, where: str
) -> tuple[Mark, ...]:
    """Check that marks are places of the conversation with known tags, and return them in order.

    Each mark comes with the text that its reader saw there; ``where`` is the file and the position in it, for
    messages.

    Raises:
        UserError: for the first mark that is wrong; a mark must not be lost.
    """
    checked = []
    for number, (mark, seen) in enumerate(marks, 1):
        speaker, text = talk.turns[mark.turn] if 0 <= mark.turn < len(talk.turns) else (None, "")
        text = (speaker or "") if mark.on_label else text
        if not 0 <= mark.start < mark.end <= len(text):
            raise UserError(f"{where}, mark {number}: is outside of the text; export it again")
        if text[mark.start : mark.end] != seen:
            raise UserError(f"{where}, mark {number}: the corpus has another text there; export it again")
        try:
            meaning = table.resolve(mark.label)
        except RecordError:
            raise UserError(f"{where}, mark {number}: unknown tag; use those of the score table") from None
        if isinstance(meaning, Unscored):
            raise UserError(f"{where}, mark {number}: this tag adds nothing by decision; choose another")
        checked.append(mark)
    return tuple(sorted(set(checked), key=order))


def find_text(text: str, start: int, end: int, seen: str) -> tuple[int, int] | None:
    """Find a range that a browser counted in code points or in UTF-16 units, by the text that was seen there.

    None if neither count gives that text, or both do at different places.
    """
    ranges = {(start, end)} if text[start:end] == seen else set()
    units = text.encode("utf-16-le")
    before, inside = (
        units[2 * a : 2 * b].decode("utf-16-le", "ignore") for a, b in ((0, start), (start, end))
    )
    if inside == seen and len((before + inside).encode("utf-16-le")) == 2 * end:
        ranges.add((len(before), len(before) + len(inside)))
    return ranges.pop() if len(ranges) == 1 and seen else None


def joined_entities(marks: Sequence[Mark], pairs: Iterable[tuple[int, int]]) -> tuple[Mark, ...]:
    """Marks with an entity for those that pairs of positions join; others keep theirs.

    >>> a, b, c = (Mark(0, i, i + 1, "MISSED_AGE") for i in range(3))
    >>> [mark.entity for mark in joined_entities([a, b, c], [(0, 2)])]
    ['1', None, '1']
    """
    groups = [{i} for i in range(len(marks))]
    for one, other in pairs:
        groups[one] |= groups[other]
        for i in groups[one]:
            groups[i] = groups[one]
    firsts = [min(group) for group in groups if len(group) > 1]
    numbers = {first: str(n) for n, first in enumerate(dict.fromkeys(firsts), 1)}
    return tuple(
        mark._replace(entity=numbers[min(group)]) if len(group) > 1 else mark
        for mark, group in zip(marks, groups, strict=True)
    )


def order(mark: Mark) -> tuple[int, bool, int, int, str, str]:
    """The order of marks: as they are read, longer ones first."""
    return mark.turn, not mark.on_label, mark.start, -mark.end, mark.label, mark.entity or ""
