"""Cells that contain JSON are split into one cell per value, and joined again for writing.

Every shape may have such texts: the answer of a tool, a function call in ShareGPT's spelling, a column of
payloads. The JSON's own cell stays, empty, with its speaker and part; the cells of its values follow.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.shapes.json_text import Visit, is_json, places_of_values, walk_text

_FIRST = frozenset("{[ \t\r\n")  # possible first characters of a text that is JSON
_WHOLE = "json"  # prefix of the paths of values if the turn is one cell
CALLERS = frozenset({"function_call", "tool_call", "tool_calls"})  # who calls functions in ShareGPT


def holds_json(text: str) -> bool:
    """Whether a cell is to be split, with its values at their paths in the JSON; see :func:`split`."""
    return text[:1] in _FIRST and is_json(text)


def split(json: str, speaker: str | None, part: str | None, visit: Visit) -> str:
    """The JSON of a cell with every value replaced by what ``visit`` returns."""
    return walk_text(json, part or _WHOLE, visit, speaker in CALLERS)


def _places(json: str, speaker: str | None) -> Iterator[Sequence[int]]:
    return places_of_values(json, speaker in CALLERS)


def _with_json(batch: ConversationBatch) -> Iterator[tuple[int, str | None, Iterator[int]]]:
    """Each cell that is no value of JSON, the JSON that it held, and an iterator that has the values next."""
    for i, jsons in enumerate(batch.json_texts):
        cells = iter(batch.cells(i))
        for cell in cells:
            yield cell, (jsons or {}).get(cell - batch.first_cell[i]), cells


def without_json_cells(
    batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
) -> tuple[ConversationBatch, Sequence[str], Sequence[str | None]]:
    """Join JSON again, with the values from ``texts``."""
    if not any(batch.json_texts):
        return batch, texts, speakers
    kept: list[int] = []
    joined: list[str] = []
    for cell, json, values in _with_json(batch):
        kept.append(cell)
        new = texts[cell]
        if json is not None:
            new = split(json, batch.speakers[cell], "", lambda *_, values=values: texts[next(values)])
        joined.append(new)
    numbers = {cell: number for number, cell in enumerate(kept)}
    others: Any = {
        name: [getattr(batch, name)[cell] for cell in kept]
        for name in ("speakers", "turns", "parts", "spans")
    }
    first_cell = [numbers.get(first, len(kept)) for first in batch.first_cell]
    closed = replace(batch, first_cell=first_cell, texts=joined, json_texts=[None] * len(batch), **others)
    return closed, joined, [speakers[cell] for cell in kept]


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
    for cell, json, values in _with_json(batch):
        own = [[*column[cell]] for column in (findings, *others)]
        for places in () if json is None else _places(json, batch.speakers[cell]):
            value = next(values)
            own[0] += [f._replace(start=places[f.start], end=places[f.end]) for f in findings[value]]
            for k, column in enumerate(others, 1):
                own[k] += column[value]
        for column, entries in zip(columns, own, strict=True):
            column.append(entries)
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
        texts[n], found[n] = json, []
        told = _places(json, batch.speakers[own][n])
        for value, places in enumerate(told, n + 1):
            found[n] += [f._replace(start=places[f.start], end=places[f.end]) for f in findings[value]]
            texts[value], found[value] = "", []
    return GoldCells(texts, spans, found)
