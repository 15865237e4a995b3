"""Conversations: some of them in columns, with what the steps of a job made of them."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from tacenda.pipelines.chain import ModelResults, Outcome
from tacenda.pipelines.chains import AnyChain
from tacenda.pipelines.portion import Portion, run_chain, untouched
from tacenda.pipelines.results import Entity, Finding, Rejection, Result, Risk, RiskTag
from tacenda.pipelines.settings import Command
from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.rejection import Rejection as RejectedRows
from tacenda.transforms.schema.work_unit import Encoding
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.writing.findings import findings_table
from tacenda.transforms.writing.risk import RiskRecord, risk_table


@dataclass(frozen=True, slots=True)
class Conversations:
    """Some conversations in columns, and what was made of them so far.

    What ``tacenda.beam`` transforms hand on, and what the Python API makes of an Arrow table. It can be
    pickled. The columns themselves are no part of the API; take out what you need:

    Attributes:
        command: what was done to them: ``anonymize``, ``inspect`` or ``score``; None where they were only read.
    """

    shape: Shape = field(repr=False)
    portions: tuple[Portion, ...] = field(repr=False)
    command: Command | None = None
    schema: pa.Schema | None = field(default=None, repr=False)
    """Of Arrow tables; None where they were JSON."""
    encoding: Encoding = "jsonl"
    unit: Receipt | None = field(default=None, repr=False)
    """The work unit that they were read as; what is known of it, all where it was finished before."""
    finished: bool = False
    again: bool = False
    """Their work unit is done again, without some of them; it was counted before."""
    hashes: tuple[bytes, ...] = field(default=(), repr=False)
    known: tuple[tuple[ModelResults, ...], ...] = field(default=(), repr=False)
    """By model and portion: what models found that run apart from the chain."""
    origin: str = field(default="", repr=False)
    """Names the input that their work unit is of: other inputs have units of the same names."""
    ids: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    """Positions and ids of those that were not read from a file."""
    files: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    """Numbers and URLs of the files that they were read from."""

    def __len__(self) -> int:
        """How many conversations came through."""
        return sum(len(portion.outcome.batch) for portion in self.portions)

    def records(self) -> list[dict[str, Any]]:
        """The conversations as records of the shape they were read from, in order.

        Returns:
            One JSON object a conversation, with declared and kept fields only: what a line of the corpus holds.
        """
        return [record for portion in self.portions for record in self._records(portion.outcome)]

    def table(self) -> pa.Table:
        """The conversations as an Arrow table, in order.

        Returns:
            One row a conversation; of the schema of the table or Parquet file they were read from, less fields
            that are neither declared nor kept. Of records, the schema is inferred.
        """
        if self.schema is None:
            return pa.Table.from_pylist(self.records())
        written = [
            self.shape.write_table(portion.outcome.batch, *self._texts(portion.outcome), self.schema)
            for portion in self.portions
        ]
        return pa.concat_tables(written) if written else self.schema.empty_table()

    def positions(self) -> list[int]:
        """Which they are: rows of a table or Parquet file, bytes of JSON lines, or places among those given."""
        return [position for portion in self.portions for position in portion.outcome.batch.positions]

    def results(self) -> list[Result[dict[str, Any]]]:
        """The conversations one by one, each as a record with its findings, entities and risk."""
        return [
            Result(record, *_found(portion.outcome, i), _risk(portion.outcome, i))
            for portion in self.portions
            for i, record in enumerate(self._records(portion.outcome))
        ]

    def findings(self) -> pa.Table:
        """The findings as a table.

        Returns:
            One row a finding, as ``tacenda inspect`` writes it: ``conversation_id``, ``turn``, ``part``,
            ``start``, ``end`` (code points, half-open), ``info_type``, ``likelihood``, ``detector``,
            ``entity``.
        """
        outcomes = [portion.outcome for portion in self.portions] or [Outcome()]
        return pa.concat_tables([findings_table(o.batch, o.findings, o.entities) for o in outcomes])

    def risks(self) -> pa.Table:
        """The residual risk as a table.

        Returns:
            One row a scored conversation, as ``tacenda anonymize`` writes it: ``conversation_id``, ``context``,
            ``source``, ``score``, ``tags``, ``direct_identifier``.
        """
        outcomes = [portion.outcome for portion in self.portions] or [Outcome()]
        return pa.concat_tables([risk_table(risk_records(outcome)) for outcome in outcomes])

    def rejections(self) -> list[Rejection]:
        """What could not be processed, so far."""
        return self._told(rejection for portion in self.portions for rejection in portion.rejections)

    def _told(self, rejections: Iterable[RejectedRows]) -> list[Rejection]:
        """Rejections as the API tells them, with the URLs of their files or their own ids."""
        files: dict[int | None, str] = dict(self.files)
        ids = dict(self.ids)
        return [
            Rejection(
                one.stage.value, one.error, one.position, files.get(one.file), one.rows, ids.get(one.position)
            )
            for one in rejections
        ]

    def _texts(self, outcome: Outcome) -> tuple[list[str], list[str | None]]:
        """The texts and speakers of a portion's cells as they are written: replaced by ``anonymize`` alone."""
        if self.command == "anonymize":
            return outcome.texts, outcome.speakers
        return outcome.batch.texts, outcome.batch.speakers

    def _records(self, outcome: Outcome) -> list[dict[str, Any]]:
        return self.shape.write_records(outcome.batch, *self._texts(outcome))


def after(
    conversations: Conversations,
    chain: AnyChain,
    command: Command,
    after_each: Callable[[], None] = lambda: None,
) -> Conversations:
    """The same after a chain, which gets the texts as they are now; ``after_each`` is called for each batch."""
    known = zip(*conversations.known, strict=True)
    portions = (
        replace(portion, outcome=untouched(_replaced(portion.outcome)))
        if conversations.command == "anonymize"
        else portion
        for portion in conversations.portions
    )
    done: list[Portion] = []
    for portion in portions:
        done.append(run_chain(chain, portion, next(known, ())))
        after_each()
    return replace(conversations, portions=tuple(done), command=command, known=())


def newly_rejected(before: Conversations, now: Conversations) -> list[Rejection]:
    """What could not be processed in one step; of the first one, in what came before it as well."""
    told: list[Rejection] = []
    for old, new in zip(before.portions, now.portions, strict=True):
        seen = 0 if before.command is None else len(old.rejections)
        told += now._told(new.rejections[seen:])
    return told


def _replaced(outcome: Outcome) -> ConversationBatch:
    """The conversations with what now stands in them; annotations of what stood there do not fit any more."""
    return replace(
        outcome.batch,
        texts=outcome.texts,
        speakers=outcome.speakers,
        spans=[()] * len(outcome.texts),
        annotations=[Annotation.NONE] * len(outcome.batch),
        readers=[None] * len(outcome.batch),
    )


def risk_records(outcome: Outcome) -> list[RiskRecord]:
    """Rows of the risk table; a conversation that nobody scored has none."""
    return [
        RiskRecord(
            outcome.batch.ids[i],
            outcome.batch.contexts[i],
            source,
            risk.score,
            [(tag.tag + "_SPEAKER" * tag.speaker, tag.partial, tag.entities, tag.score) for tag in risk.tags],
            risk.direct_identifier,
        )
        for i, source, risk in outcome.scored()
    ]


def _found(outcome: Outcome, i: int) -> tuple[tuple[Finding, ...], tuple[Entity, ...]]:
    """The findings of a conversation, and what they mean."""
    batch = outcome.batch
    findings: list[Finding] = []
    values: dict[int, str] = {}
    mentions: Counter[int] = Counter()
    info_types: dict[int, str] = {}
    for cell in batch.cells(i):
        for found, entity, value in zip(
            outcome.findings[cell], outcome.entities[cell], outcome.values[cell], strict=True
        ):
            start, end, info_type, likelihood, detector = found
            values.setdefault(entity, value)
            info_types[entity] = info_type
            mentions[entity] += 1
            findings.append(
                Finding(
                    batch.turns[cell], start, end, info_type, likelihood, detector, entity, batch.parts[cell]
                )
            )
    entities = (Entity(n, info_types[n], values[n], mentions[n]) for n in sorted(values))
    return tuple(findings), tuple(entities)


def _risk(outcome: Outcome, i: int) -> Risk | None:
    risk, source = outcome.risks[i], outcome.sources[i]
    if risk is None or source is None:
        return None
    return Risk(risk.score, source, risk.direct_identifier, tuple(RiskTag(*tag) for tag in risk.tags))
