"""Reading as a Beam transform: from parts of the input to conversations, one element per work unit.

Shuffled are: parts and work units; blocks of files that can only be read sequentially; and, for turn-a-row
input, hash partitions as Arrow tables.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apache_beam as beam
import pyarrow as pa
import zstandard

from tacenda.pipelines.chain.conversations import Conversations
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.ptransforms.metrics import count
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.unit_job import Source
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.regrouping import partition_units
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.schema.work_unit import Encoding, Part, Partition, WorkUnit
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.tables import to_stream

Repeated = frozenset[bytes]
"""Hashes of conversation ids that earlier units have."""

_Work = tuple[WorkUnit, Repeated]


def read_parts(pipeline: Any, plan: Plan, job: JobSettings | None = None) -> Any:
    """Read the parts of a plan into ``Conversations``, one per work unit or partition of turn-a-row input.

    Units that the run ``job`` has finished are skipped.
    """
    reader = _Reader(plan.shape, plan.schema, job)
    cut = beam.FlatMap(_cut, plan.shape.columns()).with_output_types(_Work)
    parts = pipeline | "Plan" >> beam.Create(list(plan.parts))
    units = parts | "Cut" >> cut | "SpreadUnits" >> beam.Reshuffle()
    if not plan.partitions:
        return units | "ReadUnit" >> beam.FlatMap(reader.unit).with_output_types(Conversations)
    divide = beam.FlatMap(_partitioned, plan.shape, len(plan.partitions))
    rows = units | "Partition" >> divide.with_output_types(tuple[int, bytes])
    read = beam.FlatMap(reader.partition, plan.partitions, plan.encoding)
    return rows | "Regroup" >> beam.GroupByKey() | "ReadPartition" >> read.with_output_types(Conversations)


def read_again(of_parts: beam.PCollection, plan: Plan, job: JobSettings) -> Any:
    """Read (part, [(unit, hashes of ids in earlier units)]) into ``Conversations`` without those ids."""
    parts = {part.name: part for part in plan.parts}
    cut = beam.FlatMap(_cut_again, parts, plan.shape.columns()).with_output_types(_Work)
    read = beam.FlatMap(_Reader(plan.shape, plan.schema, job).unit).with_output_types(Conversations)
    return of_parts | "CutAgain" >> cut | "SpreadAgain" >> beam.Reshuffle() | "ReadAgain" >> read


def _cut(part: Part, columns: Sequence[str]) -> Iterator[_Work]:
    with sanitize_errors(f"part {part.name}"):
        for unit in units_of(part, columns):
            yield _with_content(unit, zstandard.compress), frozenset()


def _cut_again(
    of_part: tuple[str, Iterable[tuple[str, Repeated]]], parts: dict[str, Part], columns: Sequence[str]
) -> Iterator[_Work]:
    """Cut a part into units again and yield those with repeated ids, with the hashes of these."""
    name, units = of_part
    repeated: dict[str, Repeated] = {}
    for unit_name, hashes in units:
        repeated[unit_name] = repeated.get(unit_name, frozenset()) | hashes
    for unit, _ in _cut(parts[name], columns):
        if unit.name in repeated:
            yield unit, repeated[unit.name]


def _partitioned(work: _Work, shape: Shape, partitions: int) -> Iterator[tuple[int, bytes]]:
    with sanitize_errors(f"unit {work[0].name}"):
        unit = _with_content(work[0], zstandard.decompress)
        for partition, table in partition_units([unit], shape, partitions):
            yield partition, to_stream(table, "zstd")


@dataclass(frozen=True)
class _Reader:
    """Reads units and partitions; an element for each, with garbage collection paused for the fused steps."""

    shape: Shape
    schema: pa.Schema | None
    job: JobSettings | None

    def unit(self, work: _Work) -> Iterable[Conversations]:
        unit, repeated = _with_content(work[0], zstandard.decompress), work[1]
        files = tuple(dict.fromkeys((piece.file, redact_url(piece.url)) for piece in unit.ranges))
        return self._read(Source.of_unit(unit, self.shape, repeated), files)

    def partition(
        self, group: tuple[int, Iterable[bytes]], partitions: Sequence[Partition], encoding: Encoding
    ) -> Iterable[Conversations]:
        return self._read(Source.of_partition(partitions[group[0]], group[1], encoding, self.shape))

    def _read(self, source: Source, files: tuple[tuple[int, str], ...] = ()) -> Iterator[Conversations]:
        if known := source.finished(self.job):
            count(rows_in=known.rows_in)
            yield Conversations(self.shape, (), unit=known, finished=True)
            return
        again = bool(source.repeated)
        with gc_paused():
            with sanitize_errors(f"unit {source.receipt.unit}"):
                portions = tuple(source.portions(self.shape, self.job, hashes := list[bytes]()))
                conversations = Conversations(
                    self.shape,
                    portions,
                    schema=self.schema if source.encoding == "parquet" else None,
                    encoding=source.encoding,
                    unit=source.receipt,
                    hashes=tuple(hashes),
                    again=again,
                    files=files,
                )
            if not again:
                count(rows_in=sum(portion.totals.rows_in for portion in conversations.portions))
            yield conversations
            # Free the batch first: the collector would scan it in vain.
            del conversations
            collect_young()


def _with_content(unit: WorkUnit, change: Callable[[bytes], bytes]) -> WorkUnit:
    """A unit whose content is compressed for the shuffle, or decompressed."""
    block = unit.block
    return unit if block is None else replace(unit, block=block._replace(data=change(block.data)))
