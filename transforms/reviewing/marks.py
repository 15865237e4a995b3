"""Marks of readers in anonymised conversations, as packets return them."""

from collections.abc import Iterable
from typing import NamedTuple

from tacenda.transforms.schema.errors import UserError
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
        meaning = table.resolve(mark.label)
        if meaning is None:
            raise UserError(f"{where}, mark {number}: unknown tag; use those of the score table")
        if isinstance(meaning, Unscored):
            raise UserError(f"{where}, mark {number}: this tag adds nothing by decision; choose another")
        checked.append(mark)
    return tuple(sorted(set(checked), key=order))


def order(mark: Mark) -> tuple[int, bool, int, int, str, str]:
    """The order of marks: as they are read, longer ones first."""
    return mark.turn, not mark.on_label, mark.start, -mark.end, mark.label, mark.entity or ""
