"""The plan of a run: what is read and in which parts. It depends on files and options, never on workers."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from transforms.reading import planning
from transforms.reading.kept_fields import unseen
from transforms.schema.errors import UserError
from transforms.schema.work_unit import Encoding, Partition, WorkUnit
from transforms.shapes.options import ReadOptions
from transforms.shapes.shape import Shape
from transforms.storage.locating import FileInfo, locate
from transforms.storage.showing import shown


@dataclass(frozen=True, slots=True)
class Plan:
    """Work units and, for input whose conversations are spread over rows, hash partitions.

    ``schema`` is that of Parquet corpus parts; None where no input is Parquet. ``input_state`` changes when a
    file is written again, even with the same size. ``unseen`` names fields to keep that none of the records
    looked at has; ``files`` are all that were found.
    """

    shape: Shape
    schema: pa.Schema | None
    units: tuple[WorkUnit, ...]
    input_state: str
    partitions: tuple[Partition, ...] = ()
    unseen: tuple[str, ...] = ()
    files: tuple[FileInfo, ...] = ()

    @property
    def parts(self) -> Sequence[WorkUnit | Partition]:
        """What leaves a receipt and output files: the partitions where there are any, else the units."""
        return self.partitions or self.units

    @property
    def encoding(self) -> Encoding:
        """How hash partitions are written: as Parquet where all units are, since JSON fits no column types."""
        encodings = {unit.encoding for unit in self.units}
        return "parquet" if encodings == {"parquet"} else "jsonl"

    @property
    def size_bytes(self) -> int:
        """Stored bytes to read."""
        return sum(unit.size_bytes for unit in self.units)

    def inputs(self) -> tuple[dict[str, Any], ...]:
        """The units as the manifest says them."""
        return tuple(
            {"url": shown(unit.url), "start": unit.start, "stop": unit.stop, "bytes": unit.size_bytes}
            for unit in self.units
        )


def make_plan(urls: Sequence[str], options: ReadOptions) -> Plan:
    """Find the files, recognise their shape, and cut them into parts.

    Raises:
        UserError: nothing to read, or something that cannot be read; or a field to keep is in none of the
            files, and all are Parquet.
    """
    files = locate(urls)
    found = planning.plan_input(files, options)
    missing = _missing(found, options)
    state = hashlib.sha256(json.dumps([(shown(file.url), file.state) for file in files]).encode()).hexdigest()
    plan = Plan(found.shape, found.schema, found.units, state, unseen=missing, files=tuple(files))
    if not found.shape.grouped or not found.units:
        return plan
    size = sum(unit.size_bytes for unit in found.units)
    count = max(1, math.ceil(size / options.unit_bytes))
    return replace(plan, partitions=tuple(Partition(i, size // count) for i in range(count)))


def _missing(found: planning.InputPlan, options: ReadOptions) -> tuple[str, ...]:
    """Fields to keep that are in no file, as far as was looked; in JSON lines a rare one may yet come."""
    missing = unseen(options, found.fields)
    if missing and found.fields and all(unit.encoding == "parquet" for unit in found.units):
        raise UserError(
            f"--keep {missing[0]}: no input file has such a column; they have {', '.join(sorted(found.fields))}"
        )
    return missing
