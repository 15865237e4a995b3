"""Split cells that contain JSON into one cell per value, and join them again for writing.

Every shape may have such texts: the answer of a tool, a function call in ShareGPT's spelling, a column of
payloads. The JSON's own cell stays, empty, with its speaker and part; the cells of its values follow.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count, groupby
from typing import Any, NamedTuple

from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch, JsonText
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.json_text import NONE, call_labels, is_json, places_of_values, walk_text

Reading = tuple[ConversationBatch, list[Rejection]]
ConstantsOf = Callable[[Any], frozenset[str]]

_FIRST = frozenset("{[ \t\r\n")
"""Possible first characters of a text that is JSON."""

_WHOLE = "json"
"""Prefix of the paths of values if the turn is one cell."""


CALLERS = frozenset({"function_call", "tool_call", "tool_calls"})
"""Speakers of function calls, in ShareGPT's spelling."""


def names_of_calls(batch: ConversationBatch, conversation: int) -> list[str]:
    """The names of functions, and ids of calls, in the JSON of callers."""
    first = batch.first_cell[conversation]
    return [
        label
        for place, json in (batch.json_texts[conversation] or {}).items()
        if batch.speakers[first + place] in CALLERS
        for label in call_labels(json.text)
    ]


def with_json_cells(reading: Reading, constants_of: ConstantsOf = lambda _frame: NONE) -> Reading:
    """Split every cell that contains a JSON object or list.

    The values become cells of the same turn, with their paths in the JSON as parts; ``json_texts`` of the
    batch has the original JSON. Annotated spans stay with the JSON's own cell, as ranges of the original
    (:func:`gold_cells`). JSON with more than ``MOST_LEVELS`` rejects its conversation. ``constants_of`` returns
    the values that are no cells, from a frame.
    """
    batch, rejections = reading
    holding = [cell for cell, text in enumerate(batch.texts) if text[:1] in _FIRST and is_json(text)]
    if not holding:
        return reading
    opened = ConversationBatch()
    unread: list[Rejection] = []
    done = 0
    for i, cells in groupby(holding, key=batch.conversation_of):
        opened.extend(batch.slice(done, i))
        done = i + 1
        try:
            within = {cell - batch.first_cell[i] for cell in cells}
            opened.extend(_opened(batch.select(i), within, constants_of(batch.frames[i])))
        except RecordError as error:
            place = batch.positions[i], Stage.READ, error.error, batch.rows[i], batch.origins[i]
            unread.append(Rejection(*place))
    opened.extend(batch.slice(done, len(batch)))
    return opened, sorted([*rejections, *unread]) if unread else rejections


def without_json_cells(
    batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
) -> tuple[ConversationBatch, Sequence[str], Sequence[str | None]]:
    """Join JSON again, with the values from ``texts``."""
    holding = [i for i, jsons in enumerate(batch.json_texts) if jsons]
    if not holding:
        return batch, texts, speakers
    closed = ConversationBatch()
    closed_texts: list[str] = []
    closed_speakers: list[str | None] = []
    done = 0
    for i in [*holding, len(batch)]:
        closed.extend(batch.slice(done, i))
        between = slice(batch.first_cell[done], batch.first_cell[i])
        closed_texts += texts[between]
        closed_speakers += speakers[between]
        done = i + 1
        if i < len(batch):
            own = slice(batch.first_cell[i], batch.first_cell[i + 1])
            one, cells = _closed(batch.select(i), texts[own])
            closed.extend(one)
            closed_texts += one.texts
            closed_speakers += [speakers[own.start + cell] for cell in cells]
    return closed, closed_texts, closed_speakers


def in_whole_cells(
    batch: ConversationBatch, findings: Sequence[Sequence[Finding]], *others: Sequence[Sequence[Any]]
) -> tuple[ConversationBatch, list[list[Finding]], list[list[list[Any]]]]:
    """A batch with unsplit JSON, as it was read, and findings as ranges of it.

    Args:
        batch: the batch as it was read.
        findings: those of each cell.
        others: columns with one entry for each finding of each cell.
    """
    whole, _, _ = without_json_cells(batch, batch.texts, batch.speakers)
    if whole is batch:
        return batch, list(map(list, findings)), [list(map(list, column)) for column in others]
    columns: list[list[list[Any]]] = [[] for _ in (findings, *others)]
    for i, jsons in enumerate(batch.json_texts):
        cells = iter(batch.cells(i))
        for cell in cells:
            json = (jsons or {}).get(cell - batch.first_cell[i])
            own = [[*column[cell]] for column in (findings, *others)]
            is_call = batch.speakers[cell] in CALLERS
            told = () if json is None else places_of_values(json.text, 0, is_call, json.constants)
            for places in told:
                value = next(cells)
                own[0] += [f._replace(start=places[f.start], end=places[f.end]) for f in findings[value]]
                for k, column in enumerate(others, 1):
                    own[k] += column[value]
            for column, values in zip(columns, own, strict=True):
                column.append(values)
    return whole, columns[0], columns[1:]


class GoldCells(NamedTuple):
    """The cells of a conversation as its spans refer to them: annotated JSON is in one, its values empty."""

    texts: Sequence[str]
    spans: Sequence[Sequence[AnnotatedSpan]]
    findings: Sequence[Sequence[Finding]]


def gold_cells(batch: ConversationBatch, conversation: int, findings: Sequence[list[Finding]]) -> GoldCells:
    """Texts, spans and findings of a conversation, with annotated JSON whole; ``findings`` are of its cells."""
    cells = batch.cells(conversation)
    own = slice(cells.start, cells.stop)
    texts, spans, found = batch.texts[own], batch.spans[own], list(findings)
    for n, json in (batch.json_texts[conversation] or {}).items():
        if not spans[n]:
            continue
        texts[n], found[n] = json.text, []
        told = places_of_values(json.text, 0, batch.speakers[own][n] in CALLERS, json.constants)
        for value, places in enumerate(told, n + 1):
            found[n] += [f._replace(start=places[f.start], end=places[f.end]) for f in findings[value]]
            texts[value], found[value] = "", []
    return GoldCells(texts, spans, found)


def _opened(one: ConversationBatch, holding: set[int], constants: frozenset[str]) -> ConversationBatch:
    """A conversation with the cells ``holding`` JSON split."""
    jsons: dict[int, JsonText] = {}
    cells: list[int] = []
    texts: list[str] = []
    parts: list[str | None] = []
    spans: list[Sequence[AnnotatedSpan]] = []
    for cell, (text, part) in enumerate(zip(one.texts, one.parts, strict=True)):
        if cell in holding:
            jsons[len(texts)] = JsonText(text, constants)

        def collect(path: str, value: str) -> str:
            texts.append(value)
            parts.append(path)
            spans.append(())
            return value

        texts.append("" if cell in holding else text)
        parts.append(part)
        spans.append(one.spans[cell])
        if cell in holding:
            is_call = one.speakers[cell] in CALLERS
            walk_text(text, part or _WHOLE, collect, 0, constants, is_call)
        cells += [cell] * (len(texts) - len(cells))
    return replace(one.with_cells(cells, texts, parts, [jsons]), spans=spans)


def _closed(one: ConversationBatch, written: Sequence[str]) -> tuple[ConversationBatch, list[int]]:
    """A conversation with JSON joined from its ``written`` cells, and the indexes of the remaining cells."""
    jsons = one.json_texts[0] or {}
    cells: list[int] = []
    texts: list[str] = []
    cell = 0
    while cell < len(written):
        cells.append(cell)
        cell += 1
        json = jsons.get(cell - 1)
        if json is None:
            texts.append(written[cell - 1])
        else:
            text, values = _put_together(json, written, cell, one.speakers[cell - 1] in CALLERS)
            texts.append(text)
            cell += values
    return one.with_cells(cells, texts, [one.parts[cell] for cell in cells], [None]), cells


def _put_together(json: JsonText, written: Sequence[str], first: int, is_call: bool) -> tuple[str, int]:
    """JSON with its values taken from ``written``, starting at ``first``; and their number."""
    places = count(first)
    text = walk_text(json.text, "", lambda _path, _value: written[next(places)], 0, json.constants, is_call)
    return text, next(places) - first
