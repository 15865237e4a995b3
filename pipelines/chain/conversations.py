"""Conversations: a batch in columns, read from files or a caller's objects, with the results of steps."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from tacenda.pipelines.chain.build import AnyChain
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.results import Entity, Finding, Rejection, Result, Risk, RiskTag
from tacenda.pipelines.chain.safe_labels import safe_labels
from tacenda.pipelines.config.job_settings import Command
from tacenda.transforms.releasing.duplicates import id_hash
from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt, Totals
from tacenda.transforms.schema.rejection import Rejection as RejectedRows
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.work_unit import Encoding
from tacenda.transforms.shapes import recognise as recognising
from tacenda.transforms.shapes.arrow_fields import example_of
from tacenda.transforms.shapes.chat import ChatShape, DocumentShape
from tacenda.transforms.shapes.json_cells import in_whole_cells
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.shape import Reading, Shape, rows_of, without
from tacenda.transforms.shapes.turn_rows import TurnRowsShape, regroup
from tacenda.transforms.storage.tables import plain_table
from tacenda.transforms.writing.staging import RiskRecord, findings_table, risk_table


@dataclass(frozen=True, slots=True)
class Conversations:
    """A batch of conversations in columns, with the results so far.

    This is the element of ``tacenda.beam`` collections, and what the Python API makes of an Arrow table. It
    can be pickled. The columns themselves are not part of the API; use the methods to get the data:

    Attributes:
        command: ``anonymize``, ``inspect`` or ``score``; None if the conversations were only read.
    """

    shape: Shape = field(repr=False)
    portions: tuple[Outcome, ...] = field(repr=False)
    command: Command | None = None
    schema: pa.Schema | None = field(default=None, repr=False)  # of Arrow input; None for JSON
    encoding: Encoding = "jsonl"
    unit: Receipt | None = field(default=None, repr=False)
    """The work unit; complete if it was finished in an earlier run."""
    finished: bool = False
    again: bool = False  # the work unit is processed again, without some conversations; it was counted before
    hashes: tuple[bytes, ...] = field(default=(), repr=False)
    ids: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    """Positions and ids of conversations that were not read from a file."""
    files: tuple[tuple[int, str], ...] = field(default=(), repr=False)  # numbers and URLs of the files

    def __len__(self) -> int:
        """Number of conversations, without rejected ones."""
        return sum(len(outcome.batch) for outcome in self.portions)

    def records(self) -> list[dict[str, Any]]:
        """The conversations as records of their input shape, in order.

        Returns:
            One JSON object a conversation, with declared and kept fields only, as in a line of the corpus.
        """
        return [record for outcome in self.portions for record in self._records(outcome)]

    def table(self) -> pa.Table:
        """The conversations as an Arrow table, in order.

        Returns:
            One row a conversation, with the schema of the input table or Parquet file, less fields that are
            neither declared nor kept. For JSON records, the schema is inferred.
        """
        if self.schema is None:
            return pa.Table.from_pylist(self.records())
        written = [
            self.shape.write_table(outcome.batch, *self._texts(outcome), self.schema)
            for outcome in self.portions
        ]
        return pa.concat_tables(written) if written else self.schema.empty_table()

    def positions(self) -> list[int]:
        """Positions in the input: table rows, byte offsets in JSON lines, or indexes of a list."""
        return [position for outcome in self.portions for position in outcome.batch.positions]

    def results(self) -> list[Result[dict[str, Any]]]:
        """The conversations one by one, each as a record with its findings, entities and risk."""
        return [
            Result(record, *_found(outcome, i), _risk(outcome, i))
            for outcome in self.portions
            for i, record in enumerate(self._records(outcome))
        ]

    def findings(self) -> pa.Table:
        """The findings as a table.

        Returns:
            One row a finding, as ``tacenda inspect`` writes it: ``conversation_id``, ``turn``, ``part``,
            ``start``, ``end`` (code points, half-open), ``info_type``, ``likelihood``, ``detector``,
            ``entity``.
        """
        whole = [in_whole_cells(o.batch, o.findings, o.entities) for o in self.portions or [Outcome()]]
        return pa.concat_tables([findings_table(batch, found, *numbers) for batch, found, numbers in whole])

    def risks(self) -> pa.Table:
        """The residual risk as a table.

        Returns:
            One row a scored conversation, as ``tacenda anonymize`` writes it: ``conversation_id``,
            ``context``, ``source``, ``score``, ``tags``, ``direct_identifier``, and digests of what is left,
            here without a key: ``combination``, ``links``.
        """
        outcomes = self.portions or [Outcome()]
        return pa.concat_tables([risk_table(risk_records(outcome)) for outcome in outcomes])

    def rejections(self) -> list[Rejection]:
        """What could not be processed so far."""
        return self._with_origin(rejection for portion in self.portions for rejection in portion.rejections)

    def _with_origin(self, rejections: Iterable[RejectedRows]) -> list[Rejection]:
        """Rejections for the API, with file URLs or ids."""
        files, ids = dict[int | None, str](self.files), dict(self.ids)
        found = ((one, files.get(one.file), ids.get(one.position)) for one in rejections)
        return [
            Rejection(one.stage.value, one.error, one.position, url, one.rows, i) for one, url, i in found
        ]

    def _texts(self, outcome: Outcome) -> tuple[list[str], list[str | None]]:
        """The texts and speakers to write: replaced ones for ``anonymize``, otherwise the original ones."""
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
    """Run a chain on the current texts; ``after_each`` is called after each batch."""
    done: list[Outcome] = []
    for portion in conversations.portions:
        if conversations.command == "anonymize":
            # The replaced texts, without annotations, whose offsets no longer fit.
            texts, of_each = portion.texts, len(portion.batch)
            batch = replace(portion.batch, texts=texts, speakers=portion.speakers, spans=[()] * len(texts))
            batch = replace(batch, annotations=[Annotation.NONE] * of_each, readers=[None] * of_each)
            rows = Totals(rows_in=portion.totals.rows_in)
            portion = replace(Outcome.untouched(batch), rejections=portion.rejections, totals=rows)
        done.append(run_chain(chain, portion))
        after_each()
    return replace(conversations, portions=tuple(done), command=command)


def newly_rejected(before: Conversations, now: Conversations) -> list[Rejection]:
    """Rejections of one step; for the first step, also those of reading."""
    rejected: list[Rejection] = []
    for old, new in zip(before.portions, now.portions, strict=True):
        seen = 0 if before.command is None else len(old.rejections)
        rejected += now._with_origin(new.rejections[seen:])
    return rejected


def risk_records(outcome: Outcome, key: bytes = b"") -> list[RiskRecord]:
    """Rows of the risk table, one a scored conversation; ``key`` is that of digests."""
    records = []
    for i, source, risk in outcome.scored():
        about = outcome.batch.ids[i], outcome.batch.contexts[i], source, risk.score
        tags = [(t.tag + "_SPEAKER" * t.speaker, t.partial, t.entities, t.score) for t in risk.tags]
        left = risk.remains.keyed(key)
        records.append(RiskRecord(*about, tags, risk.direct_identifier, *left))
    return records


def _found(outcome: Outcome, i: int) -> tuple[tuple[Finding, ...], tuple[Entity, ...]]:
    """The findings and entities of a conversation."""
    own = slice(outcome.batch.first_cell[i], outcome.batch.first_cell[i + 1])
    batch, places, columns = in_whole_cells(
        outcome.batch.take([i]), outcome.findings[own], outcome.entities[own], outcome.values[own]
    )
    findings: list[Finding] = []
    entities: dict[int, Entity] = {}
    for cell, (in_cell, *of_cell) in enumerate(zip(places, *columns, strict=True)):
        for found, entity, value in zip(in_cell, *of_cell, strict=True):
            first = entities.get(entity) or Entity(entity, "", value, 0)
            start, end, info_type, likelihood, detector = found
            entities[entity] = replace(first, info_type=info_type, mentions=first.mentions + 1)
            of_turn = batch.turns[cell], start, end, info_type, likelihood, detector
            findings.append(Finding(*of_turn, entity, batch.parts[cell]))
    return tuple(findings), tuple(entities[number] for number in sorted(entities))


def _risk(outcome: Outcome, i: int) -> Risk | None:
    risk, source = outcome.risks[i], outcome.sources[i]
    if risk is None or source is None:
        return None
    return Risk(risk.score, source, risk.direct_identifier, tuple(RiskTag(*tag) for tag in risk.tags))


def as_read(reading: Reading, wrong: Mapping[int, str] = MappingProxyType({})) -> Outcome:
    """The outcome of a reading before any step, without ``wrong`` conversations (errors by number)."""
    rows_in = sum(reading[0].rows) + sum(rejection.rows for rejection in reading[1])
    batch, rejections = without(reading, wrong)
    return replace(Outcome.untouched(batch), rejections=list(rejections), totals=Totals(rows_in=rows_in))


def portions_of(
    readings: Iterable[Reading],
    hashes: list[bytes],
    repeated: frozenset[bytes] = frozenset(),
    known: Container[bytes] = frozenset(),
) -> Iterator[Outcome]:
    """The readings of a work unit, batch by batch; repeated conversation ids are rejected.

    ``hashes`` collects 8 bytes for each distinct id read, except those in ``repeated``, which earlier work
    units have, and in ``known``, which the corpus had before the run.
    """
    seen = set(repeated)

    def first_of_each(reading: Reading) -> Outcome:
        batch, _ = reading
        again: set[int] = set()
        for i, (given, written) in enumerate(zip(batch.given, batch.ids, strict=True)):
            key = id_hash(given)
            if key in seen or id_hash(written) in known:
                again.add(i)
            else:
                seen.add(key)
                hashes.append(key)
        return as_read(reading, dict.fromkeys(again, "DuplicateConversationId"))

    # map keeps no reference, so that the source of a batch is freed while the batch is processed.
    return map(first_of_each, readings)


def run_chain(chain: AnyChain, read: Outcome) -> Outcome:
    """Run a chain on a batch as it was read."""
    done = chain.run(read.batch)
    done.rejections, done.totals.rows_in = [*read.rejections, *done.rejections], read.totals.rows_in
    return done


_KEY = "conversation"  # prefix of generated ids
_ROWS = 1000

TEXT, MESSAGES = "text", "messages"
"""Field names under which bare texts and bare lists of chat messages are read."""


class Intake:
    """Reads a caller's objects; of a turn a row only tables, since one object is not a conversation.

    Args:
        options: shape, field names and fields to keep, as for files.
        labels: rules on ids and contexts.
    """

    def __init__(self, options: ReadOptions, labels: LabelRules) -> None:
        self._options = options
        self._labels = labels
        plain = ReadOptions(max_turn_chars=options.max_turn_chars)
        self._text = DocumentShape(plain)
        self._messages = ChatShape(plain)
        self._known: dict[frozenset[tuple[str, type]], Shape | None] = {}

    def items(self, items: Sequence[Any], first: int = 0) -> Iterator[Conversations]:
        """Read conversations, which may have different shapes; consecutive ones of a shape form one batch.

        Args:
            items: records, lists of chat messages, texts.
            first: the position of the first one.
        """
        shaped = ((self._shape(item), position) for position, item in enumerate(items, first))
        for shape, group in groupby(shaped, key=lambda pair: pair[0]):
            positions = [position for _, position in group]
            ids = tuple((p, name) for p in positions if (name := self._id(items[p - first])) is not None)
            given = [items[position - first] for position in positions]
            if shape is None:
                errors = ("UnknownShape" if isinstance(one, Mapping) else "WrongType" for one in given)
                places = zip(positions, errors, strict=True)
                rejected = [RejectedRows(position, Stage.READ, error) for position, error in places]
                lost = Outcome(rejections=rejected, totals=Totals(rows_in=len(rejected)))
                yield Conversations(self._text, (lost,), ids=ids)
                continue
            records = list(zip(positions, map(_record, given), strict=True))
            yield Conversations(shape, (self._portion(shape, shape.read_records(records, _KEY)),), ids=ids)

    def table(self, table: pa.Table) -> Conversations:
        """Read a table with a conversation or a turn a row."""
        table = plain_table(table)
        shape = recognising.recognise(example_of(table.schema), self._options, "table")
        used = {name.partition(".")[0] for name in shape.columns()}
        rows = table.select([name for name in table.column_names if name in used])
        if isinstance(shape, TurnRowsShape):
            readings = regroup([shape.read_rows(rows_of(rows, 0), 0)], shape)
        else:
            firsts = range(0, table.num_rows, _ROWS)
            readings = (shape.read_table(rows.slice(first, _ROWS), first, _KEY) for first in firsts)
        portions = tuple(self._portion(shape, reading) for reading in readings)
        schema = shape.output_schema(table.schema)
        return Conversations(shape, portions, schema=schema, encoding="parquet")

    def check(self, record: Mapping[str, Any]) -> None:
        """Check that a record has a supported shape."""
        if self._shape(record) is None:
            shape = recognising.recognise(record, self._options, "conversation")
            assert shape.grouped, "a record of any other shape is read"
            raise UserError("conversation: this is a single turn; give all turns under 'turns'")

    def _portion(self, shape: Shape, reading: Reading) -> Outcome:
        (safe,) = safe_labels([reading], shape, self._labels)
        return as_read(safe)

    def _id(self, item: Any) -> str | None:
        names = (actual_name(self._options, "conversation_id"), "id")
        found = (item.get(name) for name in names) if isinstance(item, Mapping) else ()
        return next((str(one) for one in found if isinstance(one, (str, int))), None)

    def _shape(self, item: Any) -> Shape | None:
        if isinstance(item, str):
            return self._text
        if is_messages(item):
            return self._messages
        if not isinstance(item, Mapping):
            return None
        key = frozenset((name, type(value)) for name, value in item.items())
        if key not in self._known:
            fitting = recognising.fitting_shapes(item, self._options)
            shape = recognising.make_shape(fitting[0], self._options) if len(fitting) == 1 else None
            self._known[key] = None if shape is None or shape.grouped else shape
        return self._known[key]


def is_messages(item: Any) -> bool:
    """Whether an object is a list of chat messages with roles."""
    return (
        isinstance(item, (list, tuple))
        and bool(item)
        and all(isinstance(one, Mapping) and "role" in one for one in item)
    )


def _record(item: Any) -> Any:
    if isinstance(item, str):
        return {TEXT: item}
    if isinstance(item, Mapping):
        return dict(item)
    return {MESSAGES: [dict(message) for message in item]}
