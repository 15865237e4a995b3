"""The job as Beam transforms: thin, since everything they call runs without a runner as well.

What is shuffled: work units, receipts, and, for turn-a-row input, hash partitions as Arrow tables. Never a row.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apache_beam as beam
import pyarrow as pa

from pipelines.conclusion import conclude
from pipelines.plan import Plan
from pipelines.settings import JobSettings
from pipelines.unit_job import process_partition, process_unit, turn_rows
from transforms.reading.regrouping import partition_unit
from transforms.releasing.duplicates import repeated_in_later_units
from transforms.schema.receipt import Receipt
from transforms.schema.work_unit import Encoding, Partition, WorkUnit

NAMESPACE = "tacet"


class ProcessUnits(beam.PTransform):  # type: ignore[misc]
    """Work units to receipts; turn-a-row input goes through its hash partitions."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        units = pipeline | "Plan" >> beam.Create(list(self._plan.units))
        if not self._plan.partitions:
            return units | "Process" >> beam.ParDo(_ProcessUnit(self._job))
        return (
            units
            | "Partition" >> beam.ParDo(_PartitionUnit(self._job, len(self._plan.partitions)))
            | "Regroup" >> beam.GroupByKey()
            | "Process" >> beam.ParDo(_ProcessPartition(self._job, self._plan))
        )


class Conclude(beam.PTransform):  # type: ignore[misc]
    """Receipts to the run's end: repair units whose ids repeat earlier ones, then write the verdict."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, receipts: beam.PCollection) -> beam.PCollection:
        collected = receipts | "Collect" >> beam.CombineGlobally(_CollectReceipts())
        repaired = (
            collected
            | "FindRepeatedIds" >> beam.FlatMap(_repairs, self._plan)
            | "SpreadRepairs" >> beam.Reshuffle()
            | "Repair" >> beam.ParDo(_RepairUnit(self._job))
        )
        return collected | "Conclude" >> beam.Map(_conclude, self._job, beam.pvalue.AsList(repaired))


class _ProcessUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings) -> None:
        self._job = job

    def process(self, unit: WorkUnit) -> Iterator[Receipt]:
        receipt = process_unit(unit, self._job)
        _count(receipt)
        yield receipt


class _RepairUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings) -> None:
        self._job = job

    def process(self, repair: tuple[WorkUnit, frozenset[bytes]]) -> Iterator[Receipt]:
        unit, repeated = repair
        yield process_unit(unit, self._job, repeated)


class _PartitionUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, partitions: int) -> None:
        self._shape = turn_rows(job.shape)
        self._partitions = partitions

    def process(self, unit: WorkUnit) -> Iterator[tuple[int, bytes]]:
        for partition, table in partition_unit(unit, self._shape, self._partitions):
            yield partition, _to_ipc(table)


class _ProcessPartition(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, plan: Plan) -> None:
        self._job = job
        self._partitions: Sequence[Partition] = plan.partitions
        self._encoding: Encoding = plan.encoding

    def process(self, group: tuple[int, Iterable[bytes]]) -> Iterator[Receipt]:
        ordinal, tables = group
        receipt = process_partition(
            self._partitions[ordinal], [_from_ipc(table) for table in tables], self._encoding, self._job
        )
        _count(receipt)
        yield receipt


class _CollectReceipts(beam.CombineFn):  # type: ignore[misc]
    def create_accumulator(self) -> list[Receipt]:
        return []

    def add_input(self, accumulator: list[Receipt], receipt: Receipt) -> list[Receipt]:
        accumulator.append(receipt)
        return accumulator

    def merge_accumulators(self, accumulators: Iterable[list[Receipt]]) -> list[Receipt]:
        return [receipt for accumulator in accumulators for receipt in accumulator]

    def extract_output(self, accumulator: list[Receipt]) -> list[Receipt]:
        return sorted(accumulator, key=lambda receipt: receipt.unit)


def _repairs(receipts: Sequence[Receipt], plan: Plan) -> Iterator[tuple[WorkUnit, frozenset[bytes]]]:
    units = {unit.name: unit for unit in plan.units}
    for name, repeated in repeated_in_later_units(receipts).items():
        yield units[name], repeated


def _conclude(receipts: Sequence[Receipt], job: JobSettings, repaired: Sequence[Receipt]) -> bool:
    latest = {receipt.unit: receipt for receipt in (*receipts, *repaired)}
    return conclude(list(latest.values()), job)


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


def _to_ipc(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _from_ipc(data: bytes) -> pa.Table:
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()


def build(pipeline: beam.Pipeline, plan: Plan, job: JobSettings) -> Any:
    """Put the whole job on a pipeline."""
    return pipeline | "ProcessUnits" >> ProcessUnits(plan, job) | "Finish" >> Conclude(plan, job)
