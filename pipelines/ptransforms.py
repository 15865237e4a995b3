"""The job as Beam transforms: thin, since everything they call runs without a runner as well.

What is shuffled: work units, receipts, and, for turn-a-row input, hash partitions as Arrow tables. Never a row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import apache_beam as beam
import pyarrow as pa

from pipelines.conclusion import conclude
from pipelines.failure import without_text
from pipelines.plan import Plan
from pipelines.settings import JobSettings
from pipelines.unit_job import process_partition, process_unit, turn_rows
from transforms.reading.regrouping import partition_unit
from transforms.releasing.duplicates import by_bucket, repeated_in_later_units
from transforms.releasing.merging import latest
from transforms.schema.receipt import Receipt
from transforms.schema.work_unit import Encoding, Partition, WorkUnit

NAMESPACE = "tacet"
_ID_HASHES = "id_hashes"


class ProcessUnits(beam.PTransform):  # type: ignore[misc]
    """Work units to receipts; turn-a-row input goes through its hash partitions."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection:
        units = pipeline | "Plan" >> beam.Create(list(self._plan.units))
        if self._plan.partitions:
            return (
                units
                | "Partition" >> beam.ParDo(_PartitionUnit(self._job, len(self._plan.partitions)))
                | "Regroup" >> beam.GroupByKey()
                | "Process" >> beam.ParDo(_ProcessPartition(self._job, self._plan))
            )
        processed = units | "Process" >> beam.ParDo(
            _ProcessUnit(self._job, max(1, len(self._plan.units)))
        ).with_outputs(_ID_HASHES, main="receipts")
        repaired = processed[_ID_HASHES] | "RepairRepeatedIds" >> _RepairRepeatedIds(self._plan, self._job)
        return (processed.receipts, repaired) | "WithRepaired" >> beam.Flatten()


class _RepairRepeatedIds(beam.PTransform):  # type: ignore[misc]
    """Hashes of conversation ids to new receipts of those units that repeat an earlier unit's ids."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, hashes: beam.PCollection) -> beam.PCollection:
        return (
            hashes
            | "EqualIdsMeet" >> beam.GroupByKey()
            | "FindRepeated" >> beam.FlatMap(_repeated)
            | "ByUnit" >> beam.GroupByKey()
            | "Repair" >> beam.ParDo(_RepairUnit(self._plan, self._job))
        )


class _ProcessUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, buckets: int) -> None:
        self._job = job
        self._buckets = buckets

    def process(self, unit: WorkUnit) -> Iterator[Any]:
        receipt = process_unit(unit, self._job)
        _count(receipt)
        for bucket, hashes in by_bucket(receipt.id_hashes, self._buckets):
            yield beam.pvalue.TaggedOutput(_ID_HASHES, (bucket, (receipt.unit, hashes)))
        yield replace(receipt, id_hashes=b"")


class _RepairUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, plan: Plan, job: JobSettings) -> None:
        self._units = {unit.name: unit for unit in plan.units}
        self._job = job

    def process(self, repair: tuple[str, Iterable[frozenset[bytes]]]) -> Iterator[Receipt]:
        name, repeated = repair
        receipt = process_unit(self._units[name], self._job, frozenset().union(*repeated))
        yield replace(receipt, id_hashes=b"", repaired=True)


class _PartitionUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, partitions: int) -> None:
        self._shape = turn_rows(job.shape)
        self._partitions = partitions

    def process(self, unit: WorkUnit) -> Iterator[tuple[int, bytes]]:
        with without_text(f"unit {unit.name}"):
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
        return accumulator


def _repeated(
    group: tuple[int, Iterable[tuple[str, bytes]]],
) -> Iterator[tuple[str, frozenset[bytes]]]:
    _, hashes = group
    yield from repeated_in_later_units(hashes).items()


def _conclude(receipts: Sequence[Receipt], job: JobSettings) -> bool:
    return conclude(latest(receipts), job)


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
    return (
        pipeline
        | "ProcessUnits" >> ProcessUnits(plan, job)
        | "CollectReceipts" >> beam.CombineGlobally(_CollectReceipts())
        | "Conclude" >> beam.Map(_conclude, job)
    )
