"""What is done with one work unit: read, run the chain, write, and leave a receipt.

A plain function of a unit and the settings. Every executor calls it, and calling it twice writes the same bytes
under the same names, so a retried attempt overwrites and never doubles.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain as chain_iter
from operator import attrgetter
from typing import Protocol

import numpy as np
import pyarrow as pa

from pipelines.chain import Chain, Outcome
from pipelines.collecting import collect_young, collector_at_rest
from pipelines.detectors import build_detectors
from pipelines.failure import without_text
from pipelines.receipts import load_receipt, save_receipt
from pipelines.score_chain import ScoreChain
from pipelines.settings import JobSettings
from transforms.detecting.catalogue import ranks
from transforms.detecting.detector import TwoLookDetector
from transforms.reading.regrouping import regroup
from transforms.reading.units import read_unit
from transforms.releasing.duplicates import id_hash
from transforms.reviewing.spans_files import load_reviews
from transforms.schema.conversation import ConversationBatch
from transforms.schema.likelihood import Likelihood
from transforms.schema.receipt import Receipt
from transforms.schema.rejection import Rejection, Stage
from transforms.schema.work_unit import Encoding, Partition, WorkUnit
from transforms.scoring.score_table import ScoreTable
from transforms.scoring.statistics import RiskSketch
from transforms.shapes.shape import Shape
from transforms.shapes.turn_rows import TurnRowsShape
from transforms.storage.showing import shown
from transforms.writing.risk import RiskRecord
from transforms.writing.unit_parts import UnitParts

Batches = Iterable[tuple[ConversationBatch, list[Rejection]]]


class AnyChain(Protocol):
    """What turns a batch into its outcome."""

    def run(self, batch: ConversationBatch) -> Outcome: ...


def process_unit(unit: WorkUnit, job: JobSettings, repeated: frozenset[bytes] = frozenset()) -> Receipt:
    """Process one work unit.

    Args:
        unit: the range to read.
        job: the settings of the run.
        repeated: hashes of conversation ids that an earlier unit holds; they go to quarantine here.

    Raises:
        UnitFailedError: the unit cannot be read or written.
    """
    if not repeated:
        receipt = load_receipt(job, unit.name)
        if receipt is not None:
            return receipt
    source = {
        "url": shown(unit.url),
        "start": unit.start,
        "stop": unit.stop,
        "counts": "row groups" if unit.encoding == "parquet" else "bytes",
    }
    receipt = Receipt(unit.name, source=source)
    with without_text(f"unit {unit.name}"):
        return _process(receipt, unit.encoding, read_unit(unit, job.shape), job, repeated)


def process_partition(
    partition: Partition, tables: Sequence[pa.Table], encoding: Encoding, job: JobSettings
) -> Receipt:
    """Process one hash partition of turn-a-row input; ``tables`` in any order."""
    receipt = load_receipt(job, partition.name)
    if receipt is not None:
        return receipt
    receipt = Receipt(partition.name, source={"partition": partition.ordinal})
    with without_text(f"unit {partition.name}"):
        return _process(receipt, encoding, regroup(tables), job, frozenset())


def turn_rows(shape: Shape) -> TurnRowsShape:
    """The shape of turn-a-row input, which alone is partitioned."""
    assert isinstance(shape, TurnRowsShape)
    return shape


def _process(
    receipt: Receipt, encoding: Encoding, batches: Batches, job: JobSettings, repeated: frozenset[bytes]
) -> Receipt:
    chain = _chain(job.identity.fingerprint, _Keyed(job))
    seen = set(repeated)
    sketch = RiskSketch()
    hashes: list[bytes] = []
    schema = job.schema if encoding == "parquet" else None

    def take(batch: ConversationBatch, rejections: Sequence[Rejection]) -> None:
        unique, repetitions = _first_of_each(batch, seen, hashes)
        outcome = chain.run(unique)
        rejections = [*rejections, *repetitions, *outcome.rejections]
        _write(parts, outcome, rejections, schema, job)
        _count(receipt, batch, outcome, rejections)
        _add_risks(sketch, receipt, outcome)
        if isinstance(chain, ScoreChain):
            receipt.reviews_matched += sum(i in chain.reviews for i in unique.ids)

    with collector_at_rest(), UnitParts(job.output, receipt.unit) as parts:
        # An empty batch first, so that a unit's files exist, with their schema, though nothing came through.
        for batch, rejections in chain_iter([(ConversationBatch(), [])], batches):
            take(batch, rejections)
            # Before the collector looks: it would walk through what is alive and find no cycle in it.
            del batch, rejections
            collect_young()
    receipt.files = parts.files
    receipt.risk = sketch.to_json()
    receipt.id_hashes = b"".join(hashes)
    save_receipt(job, receipt)
    return receipt


def _write(
    parts: UnitParts,
    outcome: Outcome,
    rejections: Sequence[Rejection],
    schema: pa.Schema | None,
    job: JobSettings,
) -> None:
    if job.command == "inspect":
        parts.write_findings(outcome.batch, outcome.findings, outcome.entities)
    else:
        parts.write_risk(_risk_records(outcome))
    if job.command == "anonymize":
        parts.write_corpus(job.shape, schema, outcome.batch, outcome.texts, outcome.speakers)
    parts.write_quarantine(rejections)


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
    for counts, more in ((receipt.findings, findings), (receipt.entities, outcome.entity_counts)):
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


def _add_risks(sketch: RiskSketch, receipt: Receipt, outcome: Outcome) -> None:
    contexts, risks = outcome.batch.contexts, outcome.risks
    for (context, source, risk), times in Counter(
        (context, source, risk and (risk.score, risk.direct_identifier))
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


@lru_cache(maxsize=4)
def _chain(fingerprint: str, keyed: _Keyed) -> AnyChain:
    """One chain a process: compiling the rules and loading dictionaries is not for every unit."""
    job = keyed.job
    table = ScoreTable.load(job.risk.preset, job.risk.overrides, job.risk.labels)
    if job.command == "score":
        return ScoreChain(table, load_reviews(job.spans), job.all_reviewed, job.risk.variant_clustering)
    detectors = build_detectors(job.detectors, job.inspect, job.cloud_dlp, models=job.models)
    if job.command == "inspect":
        return Chain(detectors, [], ranks(), None)
    lowest = build_detectors(job.detectors, job.inspect, job.cloud_dlp, Likelihood.VERY_UNLIKELY, job.models)
    second_look = [detector for detector in lowest if not isinstance(detector, TwoLookDetector)]
    return Chain(detectors, second_look, ranks(), table, job.risk.variant_clustering)
