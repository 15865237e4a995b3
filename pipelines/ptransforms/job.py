"""The whole job as a Beam pipeline; ``tacenda.beam`` exports its transforms for use in other pipelines.

Writing shuffles names and receipts only: units are staged, then the files of parts assembled. Conversations
that were not read from files are gathered into shards first, which serve as work units.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput

from tacenda.pipelines.chain.conversations import Conversations
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.output.conclusion import conclude
from tacenda.pipelines.ptransforms.detecting import RunChain
from tacenda.pipelines.ptransforms.metrics import count, end_unit
from tacenda.pipelines.ptransforms.reading import ReadAgain, ReadParts, Repeated
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.unit_job import Layout, finish_part, layout_of, stage_unit
from tacenda.transforms.releasing.duplicates import by_bucket, id_hash, repeated_in_later_units
from tacenda.transforms.releasing.manifest import combine
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt, Totals
from tacenda.transforms.schema.work_unit import ordinal_name, part_of, planned_part, unit_name
from tacenda.transforms.writing.columns import CorpusLayout

_LAYOUT_DIGITS = 8


def build(
    pipeline: beam.Pipeline, plan: Plan, job: JobSettings, model_hints: Mapping[str, str] | None = None
) -> Any:
    """Add the whole job to a pipeline; ``model_hints`` are resource hints for the stage with the models."""
    processed = pipeline | "Read" >> ReadParts(plan, job) | "Process" >> RunChain(job.chain(), model_hints)
    staged = processed.conversations | "Write" >> StageUnits(job, len(plan.parts))
    names = staged.staged
    if not plan.partitions:
        # If two units have the same conversation id, the later one is processed again without it.
        repaired = (
            staged.id_hashes
            | "EqualIdsMeet" >> beam.GroupByKey()
            | "FindRepeated" >> beam.FlatMap(_repeated)
            | "UnitsByPart" >> beam.GroupByKey()
            | "ReadAgain" >> ReadAgain(plan, job)
            | "ProcessAgain" >> RunChain(job.chain(), model_hints)
        )
        written = repaired.conversations | "WriteAgain" >> StageUnits(job)
        names = (names, written.staged) | "WithRepaired" >> beam.Flatten()
    return (
        names
        | "Finish" >> FinishParts(job)
        | "NameParts" >> beam.Map(lambda part: (part, [part.unit]))
        | "CombineReceipts" >> beam.CombineGlobally(_combined_receipts)
        | "Conclude" >> beam.Map(_conclude, job)
    )


def _repeated(
    group: tuple[int, Iterable[tuple[str, bytes]]],
) -> Iterator[tuple[str, tuple[str, Repeated]]]:
    for unit, repeated in repeated_in_later_units(group[1]).items():
        yield planned_part(part_of(unit)), (unit, repeated)


def _conclude(run: tuple[Receipt, list[str]], job: JobSettings) -> State:
    return conclude(*run, job)


def _combined_receipts(several: Iterable[tuple[Receipt, list[str]]]) -> tuple[Receipt, list[str]]:
    """The sum of receipts with names of parts, and all these names."""
    told = list(several)
    return combine("", (receipt for receipt, _ in told)), [name for _, names in told for name in names]


class StageUnits(beam.PTransform):  # type: ignore[misc]
    """Stage the output of work units; returns their (part, unit) names. Retries write the same bytes.

    The tagged output ``id_hashes`` has (bucket, (unit, hashes of its conversation ids)), for finding ids that
    occur in several units.
    """

    def __init__(self, job: JobSettings, buckets: int = 1) -> None:
        super().__init__()
        self._job = job
        self._buckets = buckets

    def expand(self, conversations: beam.PCollection) -> Any:
        stage = beam.FlatMap(_staged, self._job, self._buckets)
        return conversations | "Stage" >> stage.with_outputs("id_hashes", main="staged")


def _staged(conversations: Conversations, job: JobSettings, buckets: int) -> Iterator[Any]:
    receipt = conversations.unit
    assert receipt is not None, "what is staged was read as a work unit"
    name = receipt.unit
    if not conversations.finished:
        if job.input_files:
            layout = layout_of(job, conversations.encoding)
        else:  # conversations without a run say themselves what to write
            names, schema = dict(conversations.files), conversations.schema
            corpus = CorpusLayout(conversations.shape, schema, from_tables=schema is not None)
            layout = Layout(conversations.command, corpus, lambda file: names.get(file, ""))
        with sanitize_errors(f"unit {name}"):
            receipt = stage_unit(deepcopy(receipt), conversations.portions, conversations.hashes, layout, job)
    if not conversations.again:
        if not conversations.finished:
            end_unit(name)
        count(units=1, rows_out=receipt.rows_out, rows_quarantined=receipt.rows_quarantined)
    for bucket, hashes in by_bucket(receipt.id_hashes, buckets):
        yield TaggedOutput("id_hashes", (bucket, (name, hashes)))
    yield part_of(name), name


class FinishParts(beam.PTransform):  # type: ignore[misc]
    """Write the files of parts from the (part, unit) names of staged units; returns the parts' receipts.

    If ``repaired``, units may have been staged twice, in
    which case the second counts; receipts then omit the files, which are read again from the work folder.
    """

    def __init__(self, job: JobSettings, repaired: bool = True) -> None:
        super().__init__()
        self._job = job
        self._repaired = repaired

    def expand(self, names: beam.PCollection) -> beam.PCollection[Receipt]:
        finish = beam.Map(_finished, self._job, self._repaired)
        return names | "ByPart" >> beam.GroupByKey() | "FinishPart" >> finish.with_output_types(Receipt)


def _finished(part: tuple[str, Iterable[str]], job: JobSettings, repaired: bool) -> Receipt:
    name, units = part[0], list(part[1])
    if repaired:
        return replace(finish_part(name, units, job), files={})
    if len(set(units)) < len(units):
        raise UserError("Write got the same input twice; write each pipeline's output to its own folder")
    return finish_part(name, units, job)


class GatherShards(beam.PTransform):  # type: ignore[misc]
    """Regroup ``Conversations`` into one element per shard, sorted by id; this shuffles text.

    There are so many ``shards`` for each shape and, for tables, each schema. A shard must fit in memory.
    """

    def __init__(self, shards: int) -> None:
        super().__init__()
        self._shards = shards

    def expand(self, conversations: beam.PCollection) -> beam.PCollection[Conversations]:
        split = beam.FlatMap(_by_shard, self._shards).with_output_types(tuple[str, Conversations])
        pieces = conversations | "SplitByShard" >> split | "EqualShardsMeet" >> beam.GroupByKey()
        return pieces | "JoinShard" >> beam.MapTuple(_joined).with_output_types(Conversations)


def _by_shard(conversations: Conversations, shards: int) -> Iterator[tuple[str, Conversations]]:
    # Pieces meet if they are written alike.
    shape, schema = conversations.shape, conversations.schema
    columns = b"" if schema is None else schema.serialize().to_pybytes()
    named = (
        f"{shape.name} {shape.options.keep} {sorted(shape.options.fields.items())} {conversations.command}"
    )
    layout = hashlib.sha256(named.encode() + columns).hexdigest()[:_LAYOUT_DIGITS]
    for portion in conversations.portions:
        chosen: dict[int, list[int]] = {}
        for i, conversation_id in enumerate(portion.batch.ids):
            chosen.setdefault(int.from_bytes(id_hash(conversation_id), "big") % shards, []).append(i)
        if portion.rejections:
            chosen.setdefault(0, [])
        for shard, indexes in chosen.items():
            rejections = [] if shard else portion.rejections
            rows = [portion.batch.rows[i] for i in indexes] + [lost.rows for lost in rejections]
            part = replace(portion.take(indexes), rejections=rejections, totals=Totals(rows_in=sum(rows)))
            yield f"{layout}-{ordinal_name(shard)}", replace(conversations, portions=(part,))


def _joined(name: str, pieces: Iterable[Conversations]) -> Conversations:
    """Join the pieces of a shard, sorted by id, so that their order does not matter."""
    several = list(pieces)
    portions = [portion for piece in several for portion in piece.portions]
    whole = Outcome()
    for portion in portions:
        whole.extend(portion)
    ids, cells = whole.batch.ids, whole.batch.own
    # Equal ids are ordered by text.
    order = sorted(range(len(ids)), key=lambda i: (ids[i], *whole.texts[cells(i)]))
    rejections = sorted((r for portion in portions for r in portion.rejections), key=repr)
    totals = Totals(rows_in=sum(portion.totals.rows_in for portion in portions))
    joined = replace(whole.take(order), rejections=rejections, totals=totals)
    return replace(several[0], portions=(joined,), unit=Receipt(unit_name(name, 0)), ids=(), hashes=())
