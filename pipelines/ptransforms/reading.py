"""Reading as a Beam transform: from parts of the input to conversations, one element per work unit.

Shuffled are: parts and work units; blocks of files that can only be read sequentially; and, for turn-a-row
input, hash partitions as Arrow tables.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import apache_beam as beam
import pyarrow as pa

from tacenda.pipelines.chain.conversations import Conversations
from tacenda.pipelines.chain.portion import Portions, safe_labels
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.ptransforms.metrics import begin_unit, count
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.receipts import known_ids, load_receipt
from tacenda.pipelines.work.unit_job import BATCH_CHARS, receipt_of, turn_rows
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.regrouping import partition_unit, regroup
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.schema.work_unit import Encoding, Part, WorkUnit
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.storage.tables import from_stream, to_stream

_CODEC = "zstd"

Repeated = frozenset[bytes]


class ReadParts(beam.PTransform):  # type: ignore[misc]
    """Read the parts of a plan into ``Conversations``, one per work unit or partition of turn-a-row input.
    input.

    Args:
        plan: the plan.
        job: the run, whose finished units are skipped; None if there is no run.
    """

    def __init__(self, plan: Plan, job: JobSettings | None = None) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection[Conversations]:
        shape, partitions = self._plan.shape, self._plan.partitions
        units = (
            pipeline
            | "Plan" >> beam.Create(list(self._plan.parts))
            | "Cut" >> beam.ParDo(_CutPart(shape))
            | "SpreadUnits" >> beam.Reshuffle()
        )
        if partitions:
            return (
                units
                | "Partition" >> beam.ParDo(_PartitionUnit(shape, len(partitions)))
                | "Regroup" >> beam.GroupByKey()
                | "ReadPartition"
                >> beam.ParDo(_ReadPartition(self._plan, self._job)).with_output_types(Conversations)
            )
        return units | "ReadUnit" >> beam.ParDo(_ReadUnit(self._plan, self._job)).with_output_types(
            Conversations
        )


class ReadAgain(beam.PTransform):  # type: ignore[misc]
    """Read (part, [(unit, hashes of ids in earlier units)]) into ``Conversations`` without those ids."""

    def __init__(self, plan: Plan, job: JobSettings) -> None:
        super().__init__()
        self._plan = plan
        self._job = job

    def expand(self, of_parts: beam.PCollection) -> beam.PCollection[Conversations]:
        return (
            of_parts
            | "CutAgain" >> beam.ParDo(_CutAgain(self._plan))
            | "SpreadAgain" >> beam.Reshuffle()
            | "ReadAgain"
            >> beam.ParDo(_ReadUnitAgain(self._plan, self._job)).with_output_types(Conversations)
        )


class _CutPart(beam.DoFn):  # type: ignore[misc]
    def __init__(self, shape: Shape) -> None:
        self._columns = shape.columns()

    def process(self, part: Part) -> Iterator[WorkUnit]:
        with sanitize_errors(f"part {part.name}"):
            yield from map(_packed, units_of(part, self._columns))


class _CutAgain(beam.DoFn):  # type: ignore[misc]
    """Cut a part into units again and yield those with repeated ids, with the hashes of these."""

    def __init__(self, plan: Plan) -> None:
        self._parts = {part.name: part for part in plan.parts}
        self._columns = plan.shape.columns()

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


class _Reader(beam.DoFn):  # type: ignore[misc]
    """Common base of reading units and reading partitions."""

    def __init__(self, plan: Plan, job: JobSettings | None) -> None:
        self._shape = plan.shape
        self._schema = plan.schema
        self._origin = plan.input_state[:8]
        self._job = job

    def known(self, unit: str) -> Receipt | None:
        """The receipt of a unit that this run has already finished."""
        return None if self._job is None else load_receipt(self._job, unit)

    def read(
        self,
        receipt: Receipt,
        encoding: Encoding,
        readings: Iterable[Reading],
        repeated: Repeated = frozenset(),
        files: Iterable[tuple[int, str]] = (),
    ) -> Iterator[Conversations]:
        """Yield one element, with garbage collection paused while the fused steps process it."""
        rules = LabelRules() if self._job is None else self._job.labels
        if not repeated:
            begin_unit(receipt.unit)
        portions = Portions(safe_labels(readings, self._shape, rules), repeated, known_ids(self._job))
        with gc_paused():
            with sanitize_errors(f"unit {receipt.unit}"):
                conversations = Conversations(
                    self._shape,
                    tuple(portions),
                    schema=self._schema if encoding == "parquet" else None,
                    encoding=encoding,
                    unit=receipt,
                    origin=self._origin,
                    hashes=tuple(portions.hashes),
                    again=bool(repeated),
                    files=tuple(dict.fromkeys(files)),
                )
            if not repeated:
                count(rows_in=sum(portion.rows_in for portion in conversations.portions))
            yield conversations
            # Free the batch first: the collector would scan it in vain.
            del conversations
            collect_young()

    def finished(self, receipt: Receipt) -> Conversations:
        """The element for a unit that is already finished."""
        count(rows_in=receipt.rows_in)
        return Conversations(self._shape, (), unit=receipt, finished=True)

    def read_unit(self, unit: WorkUnit, repeated: Repeated = frozenset()) -> Iterator[Conversations]:
        """The element for a unit, without the conversations with ``repeated`` ids."""
        unit = _unpacked(unit)
        readings = read_unit(unit, self._shape, batch_chars=BATCH_CHARS)
        files = ((piece.file, redact_url(piece.url)) for piece in unit.ranges)
        yield from self.read(receipt_of(unit), unit.encoding, readings, repeated, files)


class _ReadUnit(_Reader):
    def process(self, unit: WorkUnit) -> Iterator[Conversations]:
        known = self.known(unit.name)
        if known is not None:
            yield self.finished(known)
        else:
            yield from self.read_unit(unit)


class _ReadUnitAgain(_Reader):
    def process(self, repair: tuple[WorkUnit, Repeated]) -> Iterator[Conversations]:
        yield from self.read_unit(*repair)


class _PartitionUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, shape: Shape, partitions: int) -> None:
        self._shape = turn_rows(shape)
        self._partitions = partitions

    def process(self, unit: WorkUnit) -> Iterator[tuple[int, bytes]]:
        with sanitize_errors(f"unit {unit.name}"):
            for partition, table in partition_unit(unit, self._shape, self._partitions):
                yield partition, to_stream(table, _CODEC)


class _ReadPartition(_Reader):
    def __init__(self, plan: Plan, job: JobSettings | None) -> None:
        super().__init__(plan, job)
        self._partitions = plan.partitions
        self._encoding = plan.encoding

    def process(self, group: tuple[int, Iterable[bytes]]) -> Iterator[Conversations]:
        ordinal, tables = group
        partition = self._partitions[ordinal]
        known = self.known(partition.name)
        if known is not None:
            yield self.finished(known)
            return
        readings = regroup(list(map(from_stream, tables)), self._shape, batch_chars=BATCH_CHARS)
        receipt = Receipt(partition.name, text_bytes=partition.text_bytes)
        yield from self.read(receipt, self._encoding, readings)


def _packed(unit: WorkUnit) -> WorkUnit:
    """Compress the content of a unit for the shuffle."""
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
