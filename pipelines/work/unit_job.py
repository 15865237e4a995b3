"""Process one work unit: read, run the chain, stage the output with a receipt.

A plain function of a unit and the settings, called by every executor. Calling it twice writes the same bytes
under the same name, so retries never duplicate output.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain as chain_iter
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import orjson
import pyarrow as pa

from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.chain.conversations import portions_of, risk_records, run_chain
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.safe_labels import safe_labels
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work import receipts as work_folder
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.releasing.dataset_card import counted_tokens
from tacenda.transforms.releasing.manifest import combine, receipt_from_json, receipt_to_json
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.replacing.standing_out import MOST_IDS
from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.rejection import NOT_READ, Stage
from tacenda.transforms.schema.url_redaction import source_name
from tacenda.transforms.schema.work_unit import Encoding, Partition, WorkUnit
from tacenda.transforms.shapes.json_cells import in_whole_cells
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.shapes.turn_rows import regroup
from tacenda.transforms.storage import lease
from tacenda.transforms.storage.machine_cache import processor
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import from_stream
from tacenda.transforms.writing.columns import CorpusLayout, CorpusRows, hashes_table
from tacenda.transforms.writing.converting import TARGETS
from tacenda.transforms.writing.part_files import assemble
from tacenda.transforms.writing.splitting import Split, as_words
from tacenda.transforms.writing.staging import UnitWriter, findings_table, quarantine_lines, risk_table
from tacenda.transforms.writing.standoff import standoff_file, standoff_table, who_is_who

BATCH_CHARS = 256 << 10
"""Code points of a batch."""


class Source(NamedTuple):
    """What a unit is read from: its receipt before that, its readings once they are asked for, its encoding.

    ``repeated`` are hashes of the conversation ids that earlier units have.
    """

    receipt: Receipt
    readings: Callable[[], Iterable[Reading]]
    encoding: Encoding
    repeated: frozenset[bytes] = frozenset()

    @classmethod
    def of_unit(cls, unit: WorkUnit, shape: Shape, repeated: frozenset[bytes] = frozenset()) -> "Source":
        """A work unit."""
        receipt = Receipt(unit.name, sources=unit.sources(), text_bytes=unit.text_bytes)
        readings = partial(read_unit, unit, shape, batch_chars=BATCH_CHARS)
        return cls(receipt, readings, unit.encoding, repeated)

    @classmethod
    def of_partition(
        cls, partition: Partition, tables: Iterable[bytes], encoding: Encoding, shape: Shape
    ) -> "Source":
        """A hash partition of turn-a-row input, from the tables of its rows in any order, as streams."""
        receipt = Receipt(partition.name, text_bytes=partition.text_bytes)
        return cls(receipt, partial(_regrouped, tables, shape), encoding)

    def finished(self, job: JobSettings | None) -> Receipt | None:
        """The receipt of a unit that was finished before the run was resumed."""
        return None if job is None or self.repeated else work_folder.load_receipt(job, self.receipt.unit)

    def portions(self, shape: Shape, job: JobSettings | None, hashes: list[bytes]) -> Iterator[Outcome]:
        """The conversations, before any step; outside of a run, with the usual rules for labels."""
        readings = safe_labels(self.readings(), shape, LabelRules() if job is None else job.labels)
        return portions_of(readings, hashes, self.repeated, work_folder.known_ids(job))


def _regrouped(tables: Iterable[bytes], shape: Shape) -> Iterable[Reading]:
    return regroup(list(map(from_stream, tables)), shape, batch_chars=BATCH_CHARS)


def process(source: Source, job: JobSettings) -> Receipt:
    """Run the chain and stage the output.

    Raises:
        UnitFailedError: the unit cannot be read or written.
    """
    with sanitize_errors(f"unit {source.receipt.unit}"), gc_paused():
        portions = source.portions(job.shape, job, hashes := list[bytes]())
        # map keeps no reference, so that the source of a batch is freed while the batch is processed.
        processed = map(partial(run_chain, chain_of(job.chain())), portions)
        return stage_unit(source.receipt, processed, hashes, source.encoding, job, collect_young)


def _layout_of(job: JobSettings, encoding: Encoding) -> CorpusLayout:
    """The form of the corpus for input of an encoding."""
    from_tables = encoding == "parquet"
    schema = None
    if job.corpus_format == "parquet" or (job.corpus_format is None and from_tables):
        schema = job.schema if job.to is None else TARGETS[job.to]
    return CorpusLayout(job.shape, schema, from_tables, job.to, job.roles)


def stage_unit(
    receipt: Receipt,
    portions: Iterable[Outcome],
    hashes: Sequence[bytes],
    encoding: Encoding,
    job: JobSettings,
    after_each: Callable[[], None] = lambda: None,
) -> Receipt:
    """Write the processed batches of a work unit to the work folder; completes and returns its receipt.

    ``hashes`` of its distinct conversation ids are read after all portions have been written. ``after_each`` is
    called once a batch has been freed if ``portions`` is lazy.
    """
    scores = Recount()
    key, layout = job.linking_key(), _layout_of(job, encoding)
    table = job.risk.table()
    name = f"part-{receipt.unit}"
    who = f"{job.dictionary}/{name}.jsonl"
    with UnitWriter(job.lines) as writer:
        # Whole before the receipt is written, which says that the unit is done.
        with (
            standoff_file(f"{job.standoff}/{name}.parquet") if job.standoff else nullcontext() as standoff,
            publish(who, private=True) if job.dictionary else nullcontext() as dictionary,
        ):
            # An empty batch first, so that every file exists, with its schema, even without conversations.
            for outcome in chain_iter([Outcome()], portions):
                rows = None
                if job.command == "anonymize":
                    rows = layout.rows(outcome.batch, outcome.texts, outcome.speakers)
                    # Rows may not fit the schema of their shape, or the form of the corpus.
                    lost = {i: (Stage.WRITE, error) for i, error in rows.failed.items()}
                    outcome = outcome.without(lost)
                records = add_risks(scores, outcome, key)
                _write(writer, receipt, outcome, rows, records, layout, job, key)
                if standoff is not None:
                    of_cells = outcome.findings, outcome.entities, outcome.values, outcome.speakers
                    places = standoff_table(outcome.batch, *of_cells, outcome.labels)
                    receipt.standoff_rows += places.num_rows
                    standoff.write(places)
                if dictionary is not None:
                    dictionary.write(who_is_who(outcome.batch, outcome.reconciled))
                # With numbers that persist through the corpus, there are as many tokens as entities.
                _count(receipt, outcome, rows is not None and job.replacement.scope == "conversation")
                # With a direct identifier that was replaced, or one that is left.
                identified = {i for i, _, risk in outcome.scored() if risk.direct_identifier}
                for cell, several in enumerate(outcome.findings):
                    if any(map(table.is_direct, {one.info_type for one in several})):
                        identified.add(outcome.batch.conversation_of(cell))
                receipt.identified += len(identified)
                # Free the batch first: the collector would scan it in vain.
                del outcome
                after_each()
        receipt.risk, receipt.missed = scores.sketch.to_json(), scores.missed
        receipt.id_hashes = b"".join(hashes)
        receipt.processors = Counter({processor(): receipt.conversations})
        lease.check(job.lease)
        writer.stage(work_folder.staged_url(job, receipt.unit), receipt_to_json(receipt))
    return receipt


def _write(
    writer: UnitWriter,
    receipt: Receipt,
    outcome: Outcome,
    rows: CorpusRows | None,
    records: pa.Table,
    layout: CorpusLayout,
    job: JobSettings,
    key: bytes,
) -> None:
    if job.command == "inspect":
        batch, findings, (entities,) = in_whole_cells(outcome.batch, outcome.findings, outcome.entities)
        table = findings_table(batch, findings, entities)
        writer.table("findings", table)
        lines = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in table.to_pylist())
        writer.lines("findings-jsonl", b"".join(lines), table.num_rows)
    else:
        writer.table("risk", records)
    if rows is not None:
        splits = None
        if job.split is None:
            writer.corpus(rows.rows)
        else:
            splits = _write_split(writer, outcome, rows, layout, job.split)
            receipt.splits.update(splits)
        writer.table("hashes", hashes_table(outcome.batch, rows.hashes, splits))
    if job.drop_over is not None:
        writer.table("dropped", risk_table(risk_records(outcome.dropped or Outcome(), key)))
    quarantined = [one for one in outcome.rejections if one.error != NOT_READ]
    names = [source_name(file.url) for file in job.input_files]
    told = quarantine_lines(receipt.unit, names.__getitem__, quarantined)
    writer.lines("quarantine", told, len(quarantined))


def _write_split(
    writer: UnitWriter, outcome: Outcome, rows: CorpusRows, layout: CorpusLayout, split: Split
) -> list[str]:
    """Write the rows of each split to its own section: the first always, the others if they have rows.

    Returns the split of each conversation.
    """
    batch, people = outcome.batch, [""] * len(outcome.batch)
    if split.by is not None:
        records = iter(layout.shape.write_records(batch, batch.texts, batch.speakers))
        for i, count in enumerate(batch.rows):
            values = [as_words(record.get(split.by)) for record in islice(records, count)]
            people[i] = min(filter(None, values), default="")
    sides = split.sides(batch, outcome.findings, people)
    of_rows = np.repeat(np.array(sides, np.intp), layout.written_rows(batch))
    for side, name in enumerate(split.names):
        own = np.flatnonzero(of_rows == side)
        if len(own) or not side:
            if isinstance(rows.rows, pa.Table):
                writer.corpus(rows.rows.take(own), name)
            else:
                writer.corpus([rows.rows[row] for row in own.tolist()], name)
    return [split.names[side] for side in sides]


def _count(receipt: Receipt, outcome: Outcome, counts_tokens: bool) -> None:
    batch = outcome.batch
    receipt.add(outcome.totals)
    receipt.rows_out += sum(batch.rows)
    not_read = [rejection.rows for rejection in outcome.rejections if rejection.error == NOT_READ]
    quarantined = [rejection for rejection in outcome.rejections if rejection.error != NOT_READ]
    receipt.rows_not_read += sum(not_read)
    receipt.rows_quarantined += sum(rejection.rows for rejection in quarantined)
    if outcome.dropped is not None:
        receipt.rows_dropped += sum(outcome.dropped.batch.rows)
        receipt.dropped += len(outcome.dropped.batch)
    receipt.conversations += len(batch)
    has_word = [any(map(str.isalnum, text)) for text in batch.texts]
    receipt.wordless += sum(not any(has_word[batch.own(i)]) for i in range(len(batch)))
    # A turn may have several cells, and a cell may be outside all turns.
    receipt.turns += sum(turn >= 0 for turn in {*batch.turn_numbers().tolist()})
    receipt.characters += sum(map(len, batch.texts))
    receipt.suspected = sorted([*receipt.suspected, *outcome.suspected])[:MOST_IDS]
    receipt.annotations.update(
        (Annotation.HUMAN if source == Annotation.HUMAN.value else annotation).value
        for source, annotation in zip(outcome.sources, batch.annotations, strict=True)
    )
    for _, _, risk in outcome.scored():
        receipt.unscored.update(dict(risk.unscored))
    receipt.findings.update(map(attrgetter("info_type"), chain_iter.from_iterable(outcome.findings)))
    if counts_tokens:
        tokens = Counter(chain_iter(chain_iter.from_iterable(outcome.values), filter(None, outcome.speakers)))
        receipt.tokens.update(counted_tokens(tokens))
    for rejection in quarantined:
        receipt.quarantined[f"{rejection.stage.value}/{rejection.error}"] += rejection.rows


def add_risks(scores: Recount, outcome: Outcome, key: bytes = b"") -> pa.Table:
    """Add the risks of a batch to those of others; returns its risk records, with digests by a key."""
    records = risk_table(risk_records(outcome, key))
    scores.add(records)
    unread = Counter(
        context
        for context, source, risk in zip(outcome.batch.contexts, outcome.sources, outcome.risks, strict=True)
        if source is None or risk is None
    )
    for context, times in unread.items():
        scores.sketch.add_unreviewed("human", context, times)
    return records


def finish_part(part: str, units: Iterable[str], job: JobSettings) -> Receipt:
    """Write the files of a part from what its units staged; returns the sum of their receipts.

    A retry writes the same bytes, or finds the part finished.

    Raises:
        UnitFailedError: something cannot be read or written.
    """
    with sanitize_errors(f"part {part}"):
        finished = work_folder.load_part(job, part)
        if finished is None:
            lease.check(job.lease)
            staged = [work_folder.staged_url(job, unit) for unit in sorted(set(units))]
            told, files = assemble(job.output, part, staged)
            receipts = list(map(receipt_from_json, told))
            finished = work_folder.FinishedPart(replace(combine(part, receipts), files=files), receipts)
            work_folder.save_part(job, finished)
        work_folder.remove_staged(job, part)
        return finished.receipt
