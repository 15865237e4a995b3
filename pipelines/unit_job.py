"""What is done with one work unit: read, run the chain, and stage what comes out with a receipt.

A plain function of a unit and the settings. Every executor calls it, and calling it twice writes the same bytes
under the same name, so a retried attempt overwrites and never doubles.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain as chain_iter
from operator import attrgetter
from typing import Protocol

import numpy as np
import pyarrow as pa

from tacenda.pipelines.chain import Chain, Outcome
from tacenda.pipelines.detectors import build_detectors
from tacenda.pipelines.error_sanitizing import sanitize_errors
from tacenda.pipelines.gc_pause import collect_young, gc_paused
from tacenda.pipelines.leasing import check_held, kept
from tacenda.pipelines.receipts import load_receipt, staged_url
from tacenda.pipelines.score_chain import ScoreChain
from tacenda.pipelines.scoring_chain import scoring_chain
from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.reading.regrouping import regroup
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.releasing.duplicates import id_hash
from tacenda.transforms.releasing.merging import receipt_to_json
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.schema.work_unit import Encoding, Partition, WorkUnit
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.scoring.worst import ScoredConversation, Worst, worst_of, worst_to_json
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.storage.processor import processor
from tacenda.transforms.writing.risk import RiskRecord
from tacenda.transforms.writing.staging import UnitWriter

Batches = Iterable[tuple[ConversationBatch, list[Rejection]]]

Follow = Callable[[int, int, int], None]
"""Is told of conversations and characters as they are done, and of the bytes of text of a unit when it is."""

_BATCH_CHARS = 256 << 10
"""Small enough that progress is seen within a work unit."""


class AnyChain(Protocol):
    """What turns a batch into its outcome."""

    def run(self, batch: ConversationBatch) -> Outcome: ...


def process_unit(
    unit: WorkUnit, job: JobSettings, repeated: frozenset[bytes] = frozenset(), follow: Follow | None = None
) -> Receipt:
    """Process one work unit.

    Args:
        unit: what to read, or its content.
        job: the settings of the run.
        repeated: hashes of conversation ids that an earlier unit holds; they go to quarantine here.
        follow: is told of each batch.

    Raises:
        UnitFailedError: the unit cannot be read or written.
    """
    if not repeated:
        receipt = load_receipt(job, unit.name)
        if receipt is not None:
            return _known(receipt, follow)
    sources = [
        {"url": redact_url(source.url), "start": source.start, "stop": source.stop, "counts": source.measure}
        for source in unit.sources()
    ]
    receipt = Receipt(unit.name, sources=sources, text_bytes=unit.text_bytes)
    with sanitize_errors(f"unit {unit.name}"), kept(job):
        batches = read_unit(unit, job.shape, batch_chars=_BATCH_CHARS)
        return _process(receipt, unit.encoding, batches, job, repeated, follow)


def process_partition(
    partition: Partition,
    tables: Iterable[pa.Table],
    encoding: Encoding,
    job: JobSettings,
    follow: Follow | None = None,
) -> Receipt:
    """Process one hash partition of turn-a-row input; ``tables`` in any order."""
    receipt = load_receipt(job, partition.name)
    if receipt is not None:
        return _known(receipt, follow)
    receipt = Receipt(partition.name, text_bytes=partition.text_bytes)
    with sanitize_errors(f"unit {partition.name}"), kept(job):
        batches = regroup(list(tables), batch_chars=_BATCH_CHARS)
        return _process(receipt, encoding, batches, job, frozenset(), follow)


def _known(receipt: Receipt, follow: Follow | None) -> Receipt:
    """The receipt of a unit that was finished before this run was started again."""
    if follow is not None:
        follow(receipt.conversations, receipt.characters, receipt.text_bytes)
    return receipt


def turn_rows(shape: Shape) -> TurnRowsShape:
    """The shape of turn-a-row input, which alone is partitioned."""
    assert isinstance(shape, TurnRowsShape)
    return shape


def _process(
    receipt: Receipt,
    encoding: Encoding,
    batches: Batches,
    job: JobSettings,
    repeated: frozenset[bytes],
    follow: Follow | None,
) -> Receipt:
    chain = _chain(job.identity.fingerprint, _Keyed(job))
    seen = set(repeated)
    sketch = RiskSketch()
    worst: Worst = {}
    hashes: list[bytes] = []
    schema = job.schema if encoding == "parquet" else None

    def name_of(file: int) -> str:
        return redact_url(job.input_files[file].url)

    def take(batch: ConversationBatch, rejections: Sequence[Rejection]) -> None:
        unique, repetitions = _first_of_each(batch, seen, hashes)
        outcome = chain.run(unique)
        rejections = [*rejections, *repetitions, *outcome.rejections]
        _write(writer, outcome, rejections, schema, job)
        _count(receipt, batch, outcome, rejections)
        _add_risks(sketch, receipt, outcome)
        worst.update(worst_of(chain_iter(_each(worst), _scored(outcome))))
        if isinstance(chain, ScoreChain):
            receipt.reviews_matched += sum(i in chain.reviews for i in unique.ids)
        if follow is not None:
            follow(len(batch), sum(map(len, batch.texts)), 0)

    with gc_paused(), UnitWriter(receipt.unit, name_of, job.corpus_compression) as writer:
        # An empty batch first, so that every file exists, with its schema, though nothing came through.
        for batch, rejections in chain_iter([(ConversationBatch(), [])], batches):
            take(batch, rejections)
            # Before the collector looks: it would walk through what is alive and find no cycle in it.
            del batch, rejections
            collect_young()
        receipt.risk = sketch.to_json()
        receipt.worst = worst_to_json(worst)
        receipt.id_hashes = b"".join(hashes)
        receipt.processors = {processor(): receipt.conversations}
        check_held(job)
        writer.stage(staged_url(job, receipt.unit), receipt_to_json(receipt))
    if follow is not None:
        follow(0, 0, receipt.text_bytes)
    return receipt


def _write(
    writer: UnitWriter,
    outcome: Outcome,
    rejections: Sequence[Rejection],
    schema: pa.Schema | None,
    job: JobSettings,
) -> None:
    if job.command == "inspect":
        writer.write_findings(outcome.batch, outcome.findings, outcome.entities)
    else:
        writer.write_risk(_risk_records(outcome))
    if job.command == "anonymize":
        writer.write_corpus(job.shape, schema, outcome.batch, outcome.texts, outcome.speakers)
    writer.write_quarantine(rejections)


def _risk_records(outcome: Outcome) -> list[RiskRecord]:
    """Rows of the risk part; a conversation that nobody scored has none."""
    return [
        RiskRecord(
            conversation_id,
            context,
            source,
            risk.score,
            [(tag.tag + "_SPEAKER" * tag.speaker, tag.partial, tag.entities, tag.score) for tag in risk.tags],
            risk.direct_identifier,
        )
        for conversation_id, context, source, risk in zip(
            outcome.batch.ids, outcome.batch.contexts, outcome.sources, outcome.risks, strict=True
        )
        if risk is not None and source is not None
    ]


def _first_of_each(
    batch: ConversationBatch, seen: set[bytes], hashes: list[bytes]
) -> tuple[ConversationBatch, list[Rejection]]:
    """The conversations whose id was not seen before, and the rejections of the others."""
    repeated: set[int] = set()
    for i, conversation_id in enumerate(batch.ids):
        key = id_hash(conversation_id)
        if key in seen:
            repeated.add(i)
        else:
            seen.add(key)
            hashes.append(key)
    return batch.without(repeated), [
        Rejection(batch.positions[i], Stage.READ, "DuplicateConversationId", batch.rows[i], batch.origins[i])
        for i in sorted(repeated)
    ]


def _count(
    receipt: Receipt, batch: ConversationBatch, outcome: Outcome, rejections: Sequence[Rejection]
) -> None:
    rejected = sum(r.rows for r in rejections)
    receipt.rows_out += sum(outcome.batch.rows)
    receipt.rows_quarantined += rejected
    # Rows in is counted from what was read and not from what came out, so that the balance can fail.
    unread = sum(r.rows for r in rejections if r.stage is Stage.READ and r.error != "DuplicateConversationId")
    receipt.rows_in += sum(batch.rows) + unread
    receipt.conversations += len(outcome.batch)
    receipt.turns += _turns(outcome.batch)
    receipt.characters += sum(map(len, outcome.batch.texts))
    receipt.speakers_replaced += outcome.speakers_replaced
    findings = Counter(map(attrgetter("info_type"), chain_iter.from_iterable(outcome.findings)))
    for counts, more in (
        (receipt.findings, findings),
        (receipt.entities, outcome.entity_counts),
        (receipt.sampling, outcome.sampling),
    ):
        for info_type, count in more.items():
            counts[info_type] = counts.get(info_type, 0) + count
    for rejection in rejections:
        key = f"{rejection.stage.value}/{rejection.error}"
        receipt.quarantined[key] = receipt.quarantined.get(key, 0) + rejection.rows


def _turns(batch: ConversationBatch) -> int:
    """How many turns there are; the cells of a turn stand side by side."""
    turns = np.asarray(batch.turns, np.int64)
    new = np.ones(len(turns), np.bool_)
    new[1:] = turns[1:] != turns[:-1]
    first = np.asarray(batch.first_cell, np.int64)
    new[first[first < len(turns)]] = True
    return int(np.count_nonzero(new))


def _scored(outcome: Outcome) -> Iterator[tuple[str, ScoredConversation]]:
    """The conversations of a batch that scored anything, by source."""
    for conversation_id, context, source, risk in zip(
        outcome.batch.ids, outcome.batch.contexts, outcome.sources, outcome.risks, strict=True
    ):
        if source is not None and risk is not None and risk.score:
            yield source, ScoredConversation(risk.score, risk.direct_identifier, context, conversation_id)


def _each(worst: Worst) -> Iterator[tuple[str, ScoredConversation]]:
    return ((source, one) for source, conversations in worst.items() for one in conversations)


def _add_risks(sketch: RiskSketch, receipt: Receipt, outcome: Outcome) -> None:
    contexts, risks = outcome.batch.contexts, outcome.risks
    for (context, source, risk), times in Counter(
        (context, source, risk and (risk.score, risk.direct_identifier, risk.names_somebody))
        for context, source, risk in zip(contexts, outcome.sources, risks, strict=True)
    ).items():
        if risk is None or source is None:
            sketch.add_unreviewed("human", context, times)
        else:
            sketch.add(source, context, *risk, times)
    scored = [risk for risk in risks if risk is not None]
    for tag, times in Counter(chain_iter.from_iterable(risk.tags for risk in scored)).items():
        key = tag.tag + "_SPEAKER" * tag.speaker + "_PARTIAL" * tag.partial
        receipt.missed[key] = receipt.missed.get(key, 0) + tag.entities * times
    for label, count in chain_iter.from_iterable(risk.unscored for risk in scored):
        receipt.unscored[label] = receipt.unscored.get(label, 0) + count


class _Keyed:
    """Settings as a cache key: a run's fingerprint says everything that its chain depends on."""

    def __init__(self, job: JobSettings) -> None:
        self.job = job

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other.job.identity == self.job.identity

    def __hash__(self) -> int:
        return hash(self.job.identity.fingerprint)


@built_once_for(4)
def _chain(fingerprint: str, keyed: _Keyed) -> AnyChain:
    """One chain a process: compiling the rules and loading dictionaries is not for every unit."""
    job = keyed.job
    table = ScoreTable.load(job.risk.preset, job.risk.overrides, job.risk.labels)
    if job.command == "score":
        return ScoreChain(table, load_reviews(job.spans), job.all_reviewed, job.risk.variant_clustering)
    asked = job.detectors, job.inspect, job.cloud_dlp, job.models
    if job.command == "inspect":
        return Chain(build_detectors(*asked), [], ranks(), None)
    return scoring_chain(*asked, table, job.risk.variant_clustering)
