"""What experiments share: reading corpora and rows of a user's own program, and printing figures."""

import csv
import hashlib
import io
import operator
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import yaml

from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.command_line.terminal import give_figures
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.executors.children import fold
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.pipelines.work.plan import Plan, plan_records
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import InputPlan
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.reviewing.spans_files import rows_of as rows_of_file
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
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


def rows_of(
    plan: InputPlan, of_item: Callable[[Item], Iterable[Any]], arguments: Namespace
) -> tuple[list[Any], int]:
    """What a function finds in the parts of a corpus, in as many processes as asked for.

    It gives None for each record that cannot be read; these are counted apart.
    """
    items = [Item(part, plan.shape) for part in plan.parts]
    size = sum(part.text_bytes for part in plan.parts)
    rows = fold(items, partial(_listed, of_item), operator.iadd, arguments.workers, size)
    known = [row for row in rows if row is not None]
    return known, len(rows) - len(known)


@gc_paused()
def _listed(of_item: Callable[[Item], Iterable[Any]], item: Item) -> list[Any]:
    return list(of_item(item))


def batches(item: Item) -> Iterator[tuple[ConversationBatch, int]]:
    """The batches of a part of a corpus, each with the number of rows that could not be read for it."""
    for unit in units_of(item.part, item.shape.columns()):
        for batch, rejections in read_unit(unit, item.shape):
            yield batch, sum(rejection.rows for rejection in rejections)


def records_of(item: Item, fields: Sequence[str] = ()) -> Iterator[Record | None]:
    """The records of a part; None for each that cannot be read."""
    for batch, unreadable in batches(item):
        yield from [None] * unreadable
        yield from _records(batch, item.shape, fields)


def searched(
    item: Item, settings: ChainSettings, fields: Sequence[str] = ()
) -> Iterator[tuple[Record, Sequence[Sequence[Finding]]] | None]:
    """The records of a part, with what the detectors find in each turn; None for each that is not searched."""
    for batch, unreadable in batches(item):
        collect_young()
        outcome = chain_of(settings).run(batch)
        yield from [None] * (unreadable + len(batch) - len(outcome.batch))
        for i, record in enumerate(_records(outcome.batch, item.shape, fields)):
            yield record, outcome.findings[outcome.batch.own(i)]


def _records(batch: ConversationBatch, shape: Shape, fields: Sequence[str]) -> Iterator[Record]:
    turns = list(zip(batch.speakers, batch.texts, strict=True))
    written = shape.write_records(batch, batch.texts, batch.speakers) if fields else [{}] * len(batch)
    for i, record in enumerate(written):
        yield Record(batch.ids[i], turns[batch.own(i)], [record.get(name) for name in fields])


class Sample(NamedTuple):
    """Records drawn from a corpus; ``whole``: none was left out, but for ``unreadable`` ones."""

    records: list[Record]
    whole: bool
    unreadable: int


def drawn(
    plan: Plan,
    count: int,
    arguments: Namespace,
    fields: Sequence[str] = (),
    *,
    seed: int = 1,
    of_owners: bool = False,
) -> Sample:
    """``count`` records of a corpus that have all of the fields, in random order.

    They are drawn by the seed and their ids, so that versions of one corpus give the same. ``of_owners`` draws
    values of the only field, with all records of each.
    """
    draw = partial(_drawn_of, count=count + 1, seed=seed, fields=fields, of_owners=of_owners)
    rows, unreadable = rows_of(plan, draw, arguments)
    chosen = _lowest(rows, count)
    return Sample([record for _, record in chosen], len(chosen) == len(rows), unreadable)


def _drawn_of(
    item: Item, count: int, seed: int, fields: Sequence[str], of_owners: bool
) -> Iterator[tuple[int, Record] | None]:
    keyed: list[tuple[int, Record]] = []
    for record in records_of(item, fields):
        if record is None:
            yield None
        elif None not in record.values:
            owner = str(record.values[0]) if of_owners else record.name
            keyed.append((priority(owner, seed, 0), record))
    yield from _lowest(keyed, count)


def _lowest(keyed: Sequence[tuple[int, Record]], count: int) -> list[tuple[int, Record]]:
    """The records with so many lowest keys, in order."""
    in_order = sorted(keyed, key=lambda one: (one[0], one[1][:2]))
    keys = sorted({key for key, _ in keyed})[:count]
    return [one for one in in_order if one[0] <= keys[-1]]


def hashed_runs(text: str, factors: npt.NDArray[np.uint64], bits: int) -> npt.NDArray[np.uint64]:
    """The hash, of so many bits, of each run of as many characters as there are factors."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    runs = np.lib.stride_tricks.sliding_window_view(points, len(factors))
    hashes: npt.NDArray[np.uint64] = (runs * factors).sum(axis=1, dtype=np.uint64) >> np.uint64(64 - bits)
    return hashes


def cosines(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """The cosine of each row of one array with each of another; rows are of whole numbers, none all zeros.

    Products and sums of these are exact, so a cosine does not depend on what else is in the arrays.
    """
    sizes = np.outer(*((rows.astype(np.float64) ** 2).sum(axis=1) for rows in (one, other)))
    found: npt.NDArray[np.float64] = (one @ other.T).astype(np.float64) / np.sqrt(sizes)
    return found


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
    if not name.endswith((".csv", ".tsv")):
        yield from rows_of_file(where, f"file of {option}")
        return
    try:
        with open_read(where) as file:
            text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
            yield from csv.DictReader(text, delimiter="\t" if name.endswith("tsv") else ",")
    except (OSError, ValueError, csv.Error) as error:
        raise UserError(f"{option} {url}: cannot be read ({type(error).__name__})") from None


_SHOWN = 20  # items of a list that are printed; ``--output`` and ``--json`` have all


def tell(arguments: Namespace, figures: Mapping[str, Any], *notes: str) -> None:
    """Write figures to ``--output``, and print them as JSON (``--json``) or for people, with notes behind."""
    give_figures(arguments, figures, [in_words(figures), *notes])


def in_words(figures: Mapping[str, Any]) -> str:
    """Figures for people, as YAML."""
    shown = {name: value[:_SHOWN] if isinstance(value, list) else value for name, value in figures.items()}
    return yaml.safe_dump(
        shown, sort_keys=False, default_flow_style=None, allow_unicode=True, width=112
    ).rstrip()
