"""What experiments share: batches and draws of corpora, rows of a user's own program, sums and lines."""

import csv
import hashlib
import io
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from dataclasses import fields as fields_of
from functools import partial
from itertools import islice
from sys import maxsize
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.command_line.terminal import give_figures
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.executors.children import fold
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.pipelines.work.plan import Plan, plan_records
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import InputPlan
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.opening import open_read


class Record(NamedTuple):
    """A conversation: its id, speaker and text of each turn, and values of the fields that were asked for."""

    name: str
    turns: Sequence[tuple[str | None, str]]
    values: Sequence[Any] = ()

    @property
    def text(self) -> str:
        """The texts of all turns."""
        return "\n".join(text for _, text in self.turns if text)


class Item(NamedTuple):
    """A part of a corpus."""

    part: Part
    shape: Shape


def merged(one: Any, other: Any) -> Any:
    """The sum of two results: dataclasses by field, dictionaries by key; changes ``one``.

    >>> merged({"a": [1], "b": [2]}, {"a": [3]})
    {'a': [1, 3], 'b': [2]}
    """
    if is_dataclass(one) and not hasattr(one, "__iadd__"):
        for field in fields_of(one):
            setattr(one, field.name, merged(getattr(one, field.name), getattr(other, field.name)))
    elif isinstance(one, dict) and not isinstance(one, Counter):
        for key, value in other.items():
            one[key] = merged(one[key], value) if key in one else value
    else:
        one += other
    return one


def priority(record: str, seed: int, sample: int) -> int:
    """A pseudo-random number below 2^63 for a record; a sample are the records with the smallest ones."""
    digest = hashlib.sha256(f"{seed}/{sample}/{record}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def plan_with(urls: Sequence[str], options: ReadOptions, where: str, fields: Mapping[str, str]) -> Plan:
    """Plan to read a corpus, which the option ``where`` names, with fields, each with the option that names it.

    Raises:
        UserError: the corpus cannot be read, or no record of it has a field.
    """
    unchanged = dict.fromkeys(fields, "it is read for an experiment")
    options = replace(options, keep=(*options.keep, *fields), opaque={**options.opaque, **unchanged})
    plan = plan_records([absolute(url) for url in urls], options, where)
    for name in plan.unseen:
        if name in fields:
            raise UserError(f"{fields[name]}: no record of {where} has the field {name}")
    return plan


def total(plan: InputPlan, of_item: Callable[[Item], Any], arguments: Namespace) -> Any:
    """The sum of what a function finds in the parts of a corpus, in as many processes as asked for."""
    items = [Item(part, plan.shape) for part in plan.parts]
    size = sum(part.text_bytes for part in plan.parts)
    return fold(items, partial(_undisturbed, of_item), merged, arguments.workers, size)


@gc_paused()
def _undisturbed(of_item: Callable[[Item], Any], item: Item) -> Any:
    return of_item(item)


def batches(item: Item) -> Iterator[tuple[ConversationBatch, int]]:
    """The batches of a part of a corpus, each with the number of rows that could not be read for it."""
    for unit in units_of(item.part, item.shape.columns()):
        for batch, rejections in read_unit(unit, item.shape):
            yield batch, sum(rejection.rows for rejection in rejections)


def searched(item: Item, settings: ChainSettings) -> Iterator[tuple[ConversationBatch, Outcome, int]]:
    """The batches of a part with what the detectors find, and how many records could not be searched."""
    for batch, unreadable in batches(item):
        collect_young()
        outcome = chain_of(settings).run(batch)
        yield batch, outcome, unreadable + len(batch) - len(outcome.batch)


def values_of(batch: ConversationBatch, shape: Shape, fields: Sequence[str]) -> list[list[Any]]:
    """The values of fields in each record of a batch."""
    if not fields:
        return [[] for _ in batch.ids]
    written = shape.write_records(batch, batch.texts, batch.speakers)
    return [[record.get(name) for name in fields] for record in written]


def records_of(item: Item, fields: Sequence[str] = ()) -> Iterator[tuple[list[Record], int]]:
    """The records of each batch of a part, with the number of rows that could not be read for it."""
    for batch, unreadable in batches(item):
        turns = list(zip(batch.speakers, batch.texts, strict=True))
        own = (turns[batch.own(i)] for i in range(len(batch)))
        yield list(map(Record, batch.ids, own, values_of(batch, item.shape, fields))), unreadable


@dataclass
class Sample:
    """Records with the smallest priorities, of which there are at most ``most``; samples add up in any order.

    ``whole``: nothing was left out. ``unreadable`` rows are in no sample.
    """

    most: int
    records: list[tuple[int, Record]] = field(default_factory=list)
    whole: bool = True
    unreadable: int = 0

    def __iadd__(self, other: "Sample") -> "Sample":
        self.records = sorted(self.records + other.records, key=lambda one: (one[0], one[1][:2]))
        self.unreadable += other.unreadable
        priorities = sorted({priority for priority, _ in self.records})
        self.whole &= other.whole and len(priorities) <= self.most
        if not self.whole:
            self.records = [one for one in self.records if one[0] <= priorities[: self.most][-1]]
        return self


def drawn(
    plan: Plan,
    count: int | None,
    arguments: Namespace,
    fields: Sequence[str] = (),
    *,
    seed: int = 1,
    of_owners: bool = False,
) -> Sample:
    """``count`` records of a corpus that have all of the fields, drawn by the seed and their ids.

    So versions of one corpus give the same. Without a ``count``, all records, in random order. ``of_owners``
    draws values of the only field, with all records of each.
    """
    draw = partial(_drawn_of, count=count, seed=seed, fields=fields, of_owners=of_owners)
    sample: Sample = total(plan, draw, arguments)
    return sample


def _drawn_of(item: Item, count: int | None, seed: int, fields: Sequence[str], of_owners: bool) -> Sample:
    part = Sample(maxsize if count is None else count)
    for records, unreadable in records_of(item, fields):
        part.unreadable += unreadable
        for record in records:
            if count is None or None not in record.values:
                owner = str(record.values[0]) if of_owners else record.name
                part.records.append((priority(owner, seed, 0), record))
    empty = Sample(part.most)
    empty += part
    return empty


def hashed_runs(text: str, factors: npt.NDArray[np.uint64], bits: int) -> npt.NDArray[np.uint64]:
    """The hash, of so many bits, of each run of as many characters as there are factors."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    runs = np.lib.stride_tricks.sliding_window_view(points, len(factors))
    hashes: npt.NDArray[np.uint64] = (runs * factors).sum(axis=1, dtype=np.uint64) >> np.uint64(64 - bits)
    return hashes


def rows_with(url: str, fields: Sequence[str], option: str) -> Iterator[list[Any]]:
    """The values of some fields in each row of a file, in the order of ``fields``.

    Raises:
        UserError: the file cannot be read, or a row lacks a field; ``option`` is the one that names the file.
    """
    for number, row in enumerate(_rows(absolute(url), url, option), 1):
        values = [row.get(name) for name in fields]
        if any(value is None or isinstance(value, (dict, list)) for value in values):
            raise UserError(f"{option} {url}: row {number}: needs {', '.join(fields)}, each with a value")
        yield values


def number_of(value: Any, wrong: str) -> float:
    """A value as a number; raises ``UserError`` with the message ``wrong`` if it is none."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = float("nan")
    if found != found or isinstance(value, bool):
        raise UserError(wrong)
    return found


def _rows(where: str, url: str, option: str) -> Iterator[Mapping[str, Any]]:
    name = where.lower()
    try:
        with open_read(where) as file:
            if name.endswith((".csv", ".tsv")):
                text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
                yield from csv.DictReader(text, delimiter="\t" if name.endswith("tsv") else ",")
            elif name.endswith((".jsonl", ".ndjson")):
                for line in file:
                    row = orjson.loads(line)
                    yield row if isinstance(row, dict) else {}
            else:
                raise UserError(f"{option} {url}: use a file that ends in .jsonl, .csv or .tsv")
    except (OSError, ValueError, csv.Error) as error:
        raise UserError(f"{option} {url}: cannot be read ({type(error).__name__})") from None


_SHOWN = 20  # rows of a table that are printed; ``--output`` and ``--json`` have all


def tell(arguments: Namespace, figures: Mapping[str, Any], *notes: str) -> None:
    """Write figures to ``--output``, and print them as JSON (``--json``) or as lines, with notes behind."""
    give_figures(arguments, figures, [*lines_of(figures), *notes])


def lines_of(figures: Mapping[str, Any]) -> Iterator[str]:
    r"""Figures for people: a line for each value, and a table where all values of one are rows of figures.

    >>> print(*lines_of({"joined": 1200, "by": {"a": {"n": 0.5}, "b": {"n": None}}}), sep="\n")
    joined                  1,200
    by  n
    a   0.5
    b   –
    """
    for name, value in figures.items():
        rows = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
        if not rows or not all(isinstance(row, dict) for row in rows.values()):
            yield f"{_title(name):<24}{_written(value)}"
            continue
        columns = dict.fromkeys(column for row in rows.values() for column in row)
        shown = islice(rows.items(), _SHOWN)
        cells = [[str(key), *(_written(row.get(column)) for column in columns)] for key, row in shown]
        cells.insert(0, [*map(_title, (name, *columns))])
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for line in cells:
            yield "  ".join(map(str.ljust, line, widths)).rstrip()


def _title(name: str) -> str:
    return name.replace("_", " ") if name.islower() else name


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_title(name)} {_written(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_written, value))})"
    if value is None or isinstance(value, bool):
        return {None: "–", True: "yes", False: "no"}[value]
    return value if isinstance(value, str) else f"{value:,.4g}" if value % 1 else f"{value:,.0f}"
