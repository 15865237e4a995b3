"""The jobs of ``tacenda canaries plant``: choose conversations by a seed, and write the corpus with the
canaries.
"""

import hashlib
import heapq
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from tacenda.pipelines.work.fold import Fold
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.transforms.evaluating.synthetic.diversity import priority
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.conversation import OUTSIDE_TURNS, ConversationBatch
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.storage.publishing import publish

Chosen = list[tuple[int, str]]
"""Priority and id of conversations, the smallest priorities first."""

_CHOOSING = -1
"""The number of the draw, beside the samples that other commands number from 0."""


def choosing_job(
    parts: Sequence[Part], shape: Shape, count: int, seed: int, finish: Any
) -> Fold[Part, Chosen]:
    """Choose ``count`` conversations that a sentence can be added to."""
    of_part = partial(_choose, shape=shape, count=count, seed=seed)
    return Fold(parts, of_part, partial(_first, count=count), finish)


def planting_job(
    parts: Sequence[Part], shape: Shape, planted: Mapping[str, str], output: str, finish: Any
) -> Fold[Part, dict[str, Any]]:
    """Write the corpus as JSON lines, with a sentence at the end of each conversation whose id is in
    ``planted``.
    """
    of_part = partial(_plant, shape=shape, planted=planted, output=output)
    return Fold(parts, of_part, _added, finish)


@gc_paused()
def _choose(part: Part, shape: Shape, count: int, seed: int) -> Chosen:
    ids = {
        name
        for batch, _ in _batches(part, shape)
        for i, name in enumerate(batch.ids)
        if _last_cell(batch, i) is not None
    }
    return heapq.nsmallest(count, ((priority(name, seed, _CHOOSING), name) for name in ids))


def _first(one: Chosen, other: Chosen, count: int) -> Chosen:
    return heapq.nsmallest(count, {*one, *other})


@gc_paused()
def _plant(part: Part, shape: Shape, planted: Mapping[str, str], output: str) -> dict[str, Any]:
    lines: list[bytes] = []
    unreadable = 0
    done: set[str] = set()
    for batch, rejected in _batches(part, shape):
        unreadable += rejected
        texts = list(batch.texts)
        for i, name in enumerate(batch.ids):
            cell = _last_cell(batch, i)
            if name in planted and name not in done and cell is not None:
                texts[cell] = f"{texts[cell]} {planted[name]}".lstrip()
                done.add(name)
        records = shape.write_records(batch, texts, batch.speakers)
        lines += [orjson.dumps(record, plain_value, orjson.OPT_APPEND_NEWLINE) for record in records]
    name = f"corpus/{part.name}.jsonl"
    with publish(f"{output}/{name}", private=True) as sink:
        sink.writelines(lines)
    digest = hashlib.sha256(b"".join(lines)).hexdigest()
    return {"records": len(lines), "unreadable": unreadable, "planted": len(done), "files": {name: digest}}


def _added(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    counts = {name: one[name] + other[name] for name in ("records", "unreadable", "planted")}
    return {**counts, "files": {**one["files"], **other["files"]}}


def _batches(part: Part, shape: Shape) -> Iterator[tuple[ConversationBatch, int]]:
    for unit in units_of(part, shape.columns()):
        for batch, rejections in read_unit(unit, shape):
            yield batch, sum(rejection.rows for rejection in rejections)


def _last_cell(batch: ConversationBatch, i: int) -> int | None:
    """The last spoken text of a conversation; None if there is none."""
    for cell in reversed(batch.cells(i)):
        if batch.turns[cell] != OUTSIDE_TURNS and batch.parts[cell] is None:
            return cell
    return None
