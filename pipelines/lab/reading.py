"""What the experiments read: batches of a corpus, and rows that a user's own model or program wrote."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.pipelines.executors.fold import run_fold
from tacenda.pipelines.work.fold import Fold
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.opening import open_read

_AT_ONCE = 1 << 14

Item = TypeVar("Item")
Result = TypeVar("Result")


def added_up(
    items: Sequence[Item],
    of_item: Callable[[Item], Result],
    merge: Callable[[Result, Result], Result],
    workers: int | None,
    text_bytes: int,
) -> Result:
    """The sum of the results of all items, computed on this machine; see :func:`run_fold`."""
    results: list[Result] = []
    run_fold(Fold(items, of_item, merge, results.append), (), workers, text_bytes)
    return results[0]


def batches(part: Part, shape: Shape) -> Iterator[tuple[ConversationBatch, int]]:
    """The batches of a part of a corpus, each with the number of rows that could not be read for it."""
    for unit in units_of(part, shape.columns()):
        for batch, rejections in read_unit(unit, shape):
            yield batch, sum(rejection.rows for rejection in rejections)


def rows_with(url: str, fields: Sequence[str], option: str) -> Iterator[list[Any]]:
    """The values of some fields in each row of a file, in the order of ``fields``.

    Raises:
        UserError: the file cannot be read, or a row lacks a field; ``option`` is the one that names the file.
    """
    for number, row in enumerate(_rows(absolute(url), url, fields, option), 1):
        values = [row.get(name) for name in fields]
        if any(value is None or isinstance(value, (dict, list)) for value in values):
            raise UserError(f"{option} {url}: row {number}: needs {', '.join(fields)}, each with a value")
        yield values


def number_of(
    value: Any,
    url: str,
    option: str,
    wrong: str = "a score is not a number; give a loss, such as the mean by token",
) -> float:
    """A value as a number.

    Raises:
        UserError: it is not a number.
    """
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = float("nan")
    if found != found or isinstance(value, bool):
        raise UserError(f"{option} {url}: {wrong}")
    return found


def _rows(where: str, url: str, fields: Sequence[str], option: str) -> Iterator[Mapping[str, Any]]:
    name = where.lower()
    try:
        with open_read(where) as file:
            if name.endswith(".parquet"):
                reader = pq.ParquetFile(pa.PythonFile(file))
                columns = [column for column in fields if column in reader.schema_arrow.names]
                for batch in reader.iter_batches(_AT_ONCE, columns=columns):
                    yield from batch.to_pylist()
            elif name.endswith((".csv", ".tsv")):
                text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
                yield from csv.DictReader(text, delimiter="\t" if name.endswith("tsv") else ",")
            elif name.endswith((".jsonl", ".ndjson")):
                for line in file:
                    row = orjson.loads(line)
                    yield row if isinstance(row, dict) else {}
            else:
                raise UserError(f"{option} {url}: use a file that ends in .jsonl, .csv, .tsv or .parquet")
    except (OSError, ValueError, pa.ArrowException, csv.Error) as error:
        raise UserError(f"{option} {url}: cannot be read ({type(error).__name__})") from None
