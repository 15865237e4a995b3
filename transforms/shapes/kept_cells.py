"""Turn kept fields into cells, so that they are inspected and replaced like turns.

A shape leaves the values of kept fields in its frames. Each text in them, and each number that could be a
telephone or card number, becomes a cell after those of the turns; before writing, the contents of these cells
are put back. Opaque fields stay unchanged.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, NamedTuple

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS, ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.declared import check_texts
from tacenda.transforms.shapes.json_text import MOST_LEVELS, Visit, is_searched
from tacenda.transforms.shapes.tool_arguments import in_its_type, object_walked
from tacenda.transforms.storage.json_values import NUMBERS

VisitValue = Callable[[int | None, str, Any], Any]
"""Called with the list entry that a kept field is in (None at the top level), its name and its value; returns
the new value."""

MapKept = Callable[[Any, VisitValue], Any]
"""Returns a frame with the value of each kept field replaced; visits them in a fixed order."""


def visited(
    record: dict[str, Any], opened: Container[str], visit: VisitValue, entry: int | None = None
) -> dict[str, Any]:
    """An object with its ``opened`` fields replaced, all others as they are."""
    return {key: visit(entry, key, value) if key in opened else value for key, value in record.items()}


class _KeptCell(NamedTuple):
    """A text in a kept field: the entry that the field is in, its path, and the text."""

    entry: int | None
    path: str
    text: str


def with_kept_cells(
    reading: tuple[ConversationBatch, list[Rejection]],
    map_kept: MapKept,
    turns_of: Callable[[Any, Sequence[int]], Sequence[int]],
    max_chars: int,
) -> tuple[ConversationBatch, list[Rejection]]:
    """Add a cell for each text of the kept fields; conversations with unsupported values are rejected.

    The parts of these cells are the paths of their fields; their turn is that of their entry, by
    ``turns_of``, or ``OUTSIDE_TURNS``.
    """
    batch, rejections = reading
    opened = ConversationBatch()
    unread: list[Rejection] = []
    for i, frame in enumerate(batch.frames):
        try:
            kept = _cells_of(frame, map_kept)
            check_texts([cell.text for cell in kept], max_chars)
        except RecordError as error:
            place = batch.positions[i], Stage.READ, error.error, batch.rows[i], batch.origins[i]
            unread.append(Rejection(*place))
            continue
        one = batch.select(i)
        turns = turns_of(frame, one.turns)
        opened.extend(one)
        opened.texts += [cell.text for cell in kept]
        opened.speakers += [None] * len(kept)
        opened.turns += [OUTSIDE_TURNS if cell.entry is None else turns[cell.entry] for cell in kept]
        opened.parts += [cell.path for cell in kept]
        opened.spans += [()] * len(kept)
        opened.first_cell[-1] += len(kept)
    return opened, sorted([*rejections, *unread]) if unread else rejections


def without_kept_cells(
    batch: ConversationBatch,
    texts: Sequence[str],
    speakers: Sequence[str | None],
    map_kept: MapKept,
    typed: bool,
) -> tuple[ConversationBatch, list[str], list[str | None]]:
    """Put the contents of kept-field cells back into the frames, leaving only the cells of turns.

    With ``typed``, as for columns of numbers or times, those that a text replaces become null.
    """
    closed = ConversationBatch()
    texts_of_turns: list[str] = []
    speakers_of_turns: list[str | None] = []
    for i, frame in enumerate(batch.frames):
        cells = batch.cells(i)
        kept = len(_cells_of(frame, map_kept))
        last = cells.stop - kept
        one = batch.select(i)
        for column in (one.texts, one.speakers, one.turns, one.parts, one.spans):
            del column[len(column) - kept :]
        one.first_cell[-1] -= kept
        one.frames = [_written(frame, map_kept, iter(texts[last : cells.stop]), typed)]
        closed.extend(one)
        texts_of_turns += texts[cells.start : last]
        speakers_of_turns += speakers[cells.start : last]
    return closed, texts_of_turns, speakers_of_turns


def _cells_of(frame: Any, map_kept: MapKept) -> list[_KeptCell]:
    cells: list[_KeptCell] = []

    def collect(entry: int | None, name: str, value: Any) -> Any:
        def cell(path: str, text: str) -> str:
            cells.append(_KeptCell(entry, path, text))
            return text

        return _walked(value, name, cell, typed=False)

    map_kept(frame, collect)
    return cells


def _written(frame: Any, map_kept: MapKept, texts: Iterator[str], typed: bool) -> Any:
    def replace(_entry: int | None, name: str, value: Any) -> Any:
        return _walked(value, name, lambda _path, _text: next(texts), typed)

    return map_kept(frame, replace)


def _walked(value: Any, path: str, visit: Visit, typed: bool, level: int = 0) -> Any:
    """A kept value with every text, time and long number replaced by what ``visit`` returns.

    Raises:
        RecordError: ``UnsupportedContent`` for values that cannot be inspected, such as bytes.
    """
    if type(value) is str:
        return visit(path, value) if value else value
    if value is None or type(value) is bool:
        return value
    if isinstance(value, (int, float, Decimal, datetime, date, time)):
        spelled = value.isoformat() if isinstance(value, (datetime, date, time)) else str(value)
        if not is_searched(spelled):
            return value
        replaced = visit(path, spelled)
        if replaced == spelled:
            return value
        written = in_its_type(replaced) if type(value) in NUMBERS else replaced
        return None if typed and type(written) is not type(value) else written
    if level == MOST_LEVELS:
        raise RecordError("UnsupportedContent")
    if type(value) in (list, tuple):
        walked = [_walked(item, f"{path}.{k}", visit, typed, level + 1) for k, item in enumerate(value)]
        return walked if type(value) is list else tuple(walked)
    if type(value) is dict:
        return object_walked(
            value, path, visit, lambda item, below: _walked(item, below, visit, typed, level + 1)
        )
    raise RecordError("UnsupportedContent")
