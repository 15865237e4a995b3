"""The job as Beam transforms: thin, since everything they call runs without a runner as well.

What is shuffled: parts, work units, names and receipts; blocks of what can only be read from its start; and,
for turn-a-row input, hash partitions as Arrow tables.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import apache_beam as beam
import pyarrow as pa

from tacenda.pipelines.conclusion import conclude
from tacenda.pipelines.error_sanitizing import sanitize_errors
from tacenda.pipelines.part_job import finish_part
from tacenda.pipelines.plan import Plan
from tacenda.pipelines.settings import JobSettings
from tacenda.pipelines.unit_job import process_partition, process_unit, turn_rows
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.regrouping import partition_unit
from tacenda.transforms.releasing.duplicates import by_bucket, repeated_in_later_units
from tacenda.transforms.releasing.merging import combine
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import Part, WorkUnit, part_of, planned_part
from tacenda.transforms.storage.arrow_stream import from_stream, to_stream

NAMESPACE = "tacenda"
_ID_HASHES = "id_hashes"
_CODEC = "zstd"

Repeated = frozenset[bytes]


class ProcessUnits(beam.PTransform):  # type: ignore[misc]
    """Parts of the input to (part, finished unit) names; turn-a-row input goes through hash partitions."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        parts = pipeline | "Plan" >> beam.Create(list(self._plan.parts))
        if self._plan.partitions:
            return (
                parts
                | "Cut" >> beam.ParDo(_CutPart(self._job))
                | "SpreadUnits" >> beam.Reshuffle()
                | "Partition" >> beam.ParDo(_PartitionUnit(self._job, len(self._plan.partitions)))
                | "Regroup" >> beam.GroupByKey()
                | "Process" >> beam.ParDo(_ProcessPartition(self._job, self._plan))
            )
        processed = (
            parts
            | "Cut" >> beam.ParDo(_CutPart(self._job))
            | "SpreadUnits" >> beam.Reshuffle()
            | "Process"
            >> beam.ParDo(_ProcessUnit(self._job, len(self._plan.parts))).with_outputs(
                _ID_HASHES, main="finished"
            )
        )
        repaired = processed[_ID_HASHES] | "RepairRepeatedIds" >> _RepairRepeatedIds(self._plan, self._job)
        return (processed.finished, repaired) | "WithRepaired" >> beam.Flatten()


class _RepairRepeatedIds(beam.PTransform):  # type: ignore[misc]
    """Hashes of conversation ids to the units that repeat an earlier unit's ids, when they are done again."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, hashes: beam.PCollection) -> beam.PCollection:
        return (
            hashes
            | "EqualIdsMeet" >> beam.GroupByKey()
            | "FindRepeated" >> beam.FlatMap(_repeated)
            | "ByPart" >> beam.GroupByKey()
            | "CutAgain" >> beam.ParDo(_CutAgain(self._plan, self._job))
            | "SpreadRepairs" >> beam.Reshuffle()
            | "Repair" >> beam.ParDo(_RepairUnit(self._job))
        )


class _CutPart(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings) -> None:
        self._columns = job.shape.columns()

    def process(self, part: Part) -> Iterator[WorkUnit]:
        with sanitize_errors(f"part {part.name}"):
            yield from map(_packed, units_of(part, self._columns))


class _ProcessUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, buckets: int) -> None:
        self._job = job
        self._buckets = buckets

    def process(self, unit: WorkUnit) -> Iterator[Any]:
        receipt = process_unit(_unpacked(unit), self._job)
        _count(receipt)
        for bucket, hashes in by_bucket(receipt.id_hashes, self._buckets):
            yield beam.pvalue.TaggedOutput(_ID_HASHES, (bucket, (unit.name, hashes)))
        yield unit.part, unit.name


class _CutAgain(beam.DoFn):  # type: ignore[misc]
    """The units of a part that repeat ids, each with the hashes of those."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        self._parts = {part.name: part for part in plan.parts}
        self._columns = job.shape.columns()

    def process(
        self, of_part: tuple[str, Iterable[tuple[str, Repeated]]]
    ) -> Iterator[tuple[WorkUnit, Repeated]]:
        name, units = of_part
        repeated: dict[str, Repeated] = {}
        for unit_name, hashes in units:
            repeated[unit_name] = repeated.get(unit_name, frozenset()) | hashes
        with sanitize_errors(f"part {name}"):
            for unit in units_of(self._parts[name], self._columns):
                if unit.name in repeated:
                    yield _packed(unit), repeated[unit.name]


class _RepairUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings) -> None:
        self._job = job

    def process(self, repair: tuple[WorkUnit, Repeated]) -> Iterator[tuple[str, str]]:
        unit, repeated = repair
        process_unit(_unpacked(unit), self._job, repeated)
        yield unit.part, unit.name


class _PartitionUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, partitions: int) -> None:
        self._shape = turn_rows(job.shape)
        self._partitions = partitions

    def process(self, unit: WorkUnit) -> Iterator[tuple[int, bytes]]:
        with sanitize_errors(f"unit {unit.name}"):
            for partition, table in partition_unit(unit, self._shape, self._partitions):
                yield partition, to_stream(table, _CODEC)


class _ProcessPartition(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, plan: Plan) -> None:
        self._job = job
        self._partitions = plan.partitions
        self._encoding = plan.encoding

    def process(self, group: tuple[int, Iterable[bytes]]) -> Iterator[tuple[str, str]]:
        ordinal, tables = group
        partition = self._partitions[ordinal]
        _count(process_partition(partition, map(from_stream, tables), self._encoding, self._job))
        yield partition.part, partition.name


class _FinishPart(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings) -> None:
        self._job = job

    def process(self, part: tuple[str, Iterable[str]]) -> Iterator[Receipt]:
        name, units = part
        # What was written of its files is read again from the work folder, a part at a time.
        yield replace(finish_part(name, units, self._job), files={})


class _Combine(beam.CombineFn):  # type: ignore[misc]
    """Receipts of parts to their sum and the names of the parts."""

    def create_accumulator(self) -> tuple[Receipt, list[str]]:
        return combine("", ()), []

    def add_input(self, accumulator: tuple[Receipt, list[str]], part: Receipt) -> tuple[Receipt, list[str]]:
        whole, names = accumulator
        return combine("", (whole, part)), [*names, part.unit]

    def merge_accumulators(
        self, accumulators: Iterable[tuple[Receipt, list[str]]]
    ) -> tuple[Receipt, list[str]]:
        wholes, names = zip(*accumulators, strict=True)
        return combine("", wholes), [name for several in names for name in several]

    def extract_output(self, accumulator: tuple[Receipt, list[str]]) -> tuple[Receipt, list[str]]:
        return accumulator


def _repeated(
    group: tuple[int, Iterable[tuple[str, bytes]]],
) -> Iterator[tuple[str, tuple[str, Repeated]]]:
    _, hashes = group
    for unit, repeated in repeated_in_later_units(hashes).items():
        yield planned_part(part_of(unit)), (unit, repeated)


def _packed(unit: WorkUnit) -> WorkUnit:
    """A unit whose content is compressed, as it travels."""
    if unit.block is None:
        return unit
    data = pa.compress(unit.block.data, _CODEC, asbytes=True)
    size = len(unit.block.data).to_bytes(8, "little")
    return replace(unit, block=unit.block._replace(data=size + data))


def _unpacked(unit: WorkUnit) -> WorkUnit:
    if unit.block is None:
        return unit
    size, data = unit.block.data[:8], unit.block.data[8:]
    text = pa.decompress(data, int.from_bytes(size, "little"), _CODEC, asbytes=True)
    return replace(unit, block=unit.block._replace(data=text))


def _conclude(run: tuple[Receipt, list[str]], job: JobSettings) -> bool:
    whole, parts = run
    return conclude(whole, parts, job)


def _count(receipt: Receipt) -> None:
    for name, value in (
        ("units", 1),
        ("rows_in", receipt.rows_in),
        ("rows_out", receipt.rows_out),
        ("rows_quarantined", receipt.rows_quarantined),
        ("conversations", receipt.conversations),
        ("characters", receipt.characters),
        ("findings", sum(receipt.findings.values())),
    ):
        beam.metrics.Metrics.counter(NAMESPACE, name).inc(value)


def build(pipeline: beam.Pipeline, plan: Plan, job: JobSettings) -> Any:
    """Put the whole job on a pipeline."""
    return (
        pipeline
        | "ProcessUnits" >> ProcessUnits(plan, job)
        | "ByPart" >> beam.GroupByKey()
        | "FinishParts" >> beam.ParDo(_FinishPart(job))
        | "CombineReceipts" >> beam.CombineGlobally(_Combine())
        | "Conclude" >> beam.Map(_conclude, job)
    )
