"""Staging: a work unit's results until its part is assembled, one file of sections with a header.

The header is a line of JSON: the unit's receipt, and the name, rows and bytes of each section. The sections
follow: tables as Arrow streams, JSON lines as they will be in the part. A file is published atomically, so a
unit either has its receipt and all its results, or is processed again. Sections are the corpus, the findings,
the risk and the quarantine: the positions and error classes of records that could not be processed.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain
from typing import Any, BinaryIO, NamedTuple, cast

import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.rejection import Rejection
from tacenda.transforms.shapes.shape import Record
from tacenda.transforms.storage.json_lines import JsonLinesWriter
from tacenda.transforms.storage.layouts import DelimitedWriter, TableForm
from tacenda.transforms.storage.locating import format_of
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import from_stream
from tacenda.transforms.writing.columns import LinesFormat, hashes_table


def quarantine_lines(unit: str, name_of: Callable[[int], str], rejections: Iterable[Rejection]) -> bytes:
    """JSON lines, one per rejection, sorted by file and position.

    ``name_of`` gives the name of an input file. The file is null for records not read from one.
    """
    lines = []
    for rejection in sorted(rejections, key=_place):
        line = {
            "unit": unit,
            "file": None if rejection.file is None else name_of(rejection.file),
            "position": rejection.position,
            "stage": rejection.stage.value,
            "error": rejection.error,
            "rows": rejection.rows,
            **({} if rejection.pointer is None else {"pointer": rejection.pointer}),
        }
        lines.append(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)


def _place(rejection: Rejection) -> tuple[int, int, str, str]:
    file = -1 if rejection.file is None else rejection.file
    return file, rejection.position, rejection.stage.value, rejection.error


FINDINGS_SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string(), nullable=False),
        pa.field("turn", pa.int32(), nullable=False),
        pa.field("part", pa.string()),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("info_type", pa.string(), nullable=False),
        pa.field("likelihood", pa.string(), nullable=False),
        pa.field("detector", pa.string(), nullable=False),
        pa.field("entity", pa.int32()),
    ]
)


def findings_table(
    batch: ConversationBatch,
    findings: Sequence[Sequence[Finding]],
    entities: Sequence[Sequence[int]],
) -> pa.Table:
    """One row per finding, in the order of conversations, turns and starts.

    ``part`` distinguishes the cells of one turn (``tool_calls.0.arguments.city``) and is null if the turn is
    one cell. ``findings`` and ``entities`` have one list for each cell of ``batch``.
    """
    ids: list[str] = []
    turns: list[int] = []
    parts: list[str | None] = []
    flat: list[Finding] = []
    numbers: list[int] = []
    for conversation, conversation_id in enumerate(batch.ids):
        for cell in batch.cells(conversation):
            count = len(findings[cell])
            if count:
                ids.extend([conversation_id] * count)
                turns.extend([batch.turns[cell]] * count)
                parts.extend([batch.parts[cell]] * count)
                flat.extend(findings[cell])
                numbers.extend(entities[cell])
    return pa.table(
        [
            ids,
            turns,
            parts,
            [f.start for f in flat],
            [f.end for f in flat],
            [f.info_type for f in flat],
            [f.likelihood.name for f in flat],
            [f.detector for f in flat],
            numbers,
        ],
        schema=FINDINGS_SCHEMA,
    )


TAG = pa.struct(
    [
        pa.field("tag", pa.string(), nullable=False),
        pa.field("partial", pa.bool_(), nullable=False),
        pa.field("entities", pa.int32(), nullable=False),
        pa.field("score", pa.int32(), nullable=False),
    ]
)
RISK_SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string(), nullable=False),
        pa.field("context", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("score", pa.int32(), nullable=False),
        pa.field("tags", pa.list_(pa.field("element", TAG, nullable=False)), nullable=False),
        pa.field("direct_identifier", pa.bool_(), nullable=False),
        pa.field("combination", pa.string()),
        pa.field("links", pa.list_(pa.field("element", pa.string(), nullable=False)), nullable=False),
    ]
)


class RiskRecord(NamedTuple):
    """A scored conversation; for each tag: name, partial or not, number of entities, points.

    ``combination`` and ``links`` are digests of what is left, in hexadecimal (``scoring.identifiability``).
    """

    conversation_id: str
    context: str
    source: str
    score: int
    tags: Sequence[tuple[str, bool, int, int]]
    direct_identifier: bool
    combination: str | None = None
    links: Sequence[str] = ()


def risk_table(records: Sequence[RiskRecord]) -> pa.Table:
    """One row per record, in order."""
    if not records:
        return RISK_SCHEMA.empty_table()
    columns = dict(zip(RiskRecord._fields, zip(*records, strict=True), strict=True))
    inside = zip(*chain.from_iterable(columns["tags"]), strict=True)
    values = [pa.array(next(inside, ()), field.type) for field in TAG]
    arrays = [
        pa.ListArray.from_arrays(
            pa.array([0, *accumulate(map(len, columns["tags"]))], pa.int32()),
            pa.StructArray.from_arrays(values, fields=list(TAG)),
            type=field.type,
        )
        if field.name == "tags"
        else pa.array(columns[field.name], field.type)
        for field in RISK_SCHEMA
    ]
    return pa.Table.from_arrays(arrays, schema=RISK_SCHEMA)


IN_MEMORY_BYTES = 16 << 20
"""Longer sections are kept in an anonymous temporary file."""

SPLIT = "split"
"""The section from which the corpus is split; it comes first, and goes into no file."""

SUFFIXES = {
    "corpus.jsonl": "jsonl",
    "corpus.jsonl.gz": "jsonl.gz",
    "corpus.jsonl.zst": "jsonl.zst",
    "corpus.csv": "csv",
    "corpus.tsv": "tsv",
    "findings-jsonl": "jsonl",
    "quarantine": "jsonl",
}
"""Sections of lines, by folder; all others are tables. A section has the name of its folder."""


class Section(NamedTuple):
    """What a unit wrote for one output folder."""

    name: str
    rows: int
    bytes: int

    @property
    def folder(self) -> str:
        """The output folder of the section."""
        return self.name.partition(".")[0]

    @property
    def suffix(self) -> str:
        """The suffix of files in that folder."""
        return SUFFIXES.get(self.name, "parquet")

    @property
    def is_table(self) -> bool:
        """Whether it is an Arrow stream, not lines."""
        return self.name not in SUFFIXES

    @property
    def has_header(self) -> bool:
        """Whether its lines begin with the names of columns."""
        return self.suffix in ("csv", "tsv")


class UnitWriter:
    """Collects what a work unit writes, batch by batch.

    The quarantine lists ``unit``, and input files by number with their ``name_of``. ``lines`` is the format of
    records in the corpus, ``table`` its form if that is a table.
    """

    def __init__(
        self, unit: str, name_of: Callable[[int], str], lines: LinesFormat, table: TableForm | None = None
    ) -> None:
        self._unit = unit
        self._name_of = name_of
        self._lines_format = lines
        self._table_form = table
        self._open: dict[str, tuple[BinaryIO, Any]] = {}
        self._rows: dict[str, int] = {}

    def __enter__(self) -> "UnitWriter":
        return self

    def __exit__(self, *_: object) -> None:
        for file, _writer in self._open.values():
            file.close()

    def write_corpus(self, rows: pa.Table | list[Record]) -> None:
        """Append rows of the corpus: a table, or records as JSON lines."""
        if isinstance(rows, pa.Table):
            self._table("corpus", rows)
            return
        name = f"corpus.{self._lines_format}"
        if name not in self._open:
            file, form = self._spool(), format_of(f"part.{self._lines_format}")
            assert form is not None
            writer: Any
            if form.kind == "table":
                assert self._table_form is not None
                writer = DelimitedWriter(file, self._table_form)
            else:
                writer = JsonLinesWriter(file, form.compression)
            self._open[name] = (file, writer)
        self._open[name][1].write(rows)
        self._rows[name] = self._rows.get(name, 0) + len(rows)

    def write_split(self, table: pa.Table) -> None:
        """Append what decides the split of each conversation, before its rows."""
        self._table(SPLIT, table)

    def write_findings(
        self,
        batch: ConversationBatch,
        findings: Sequence[Sequence[Finding]],
        entities: Sequence[Sequence[int]],
    ) -> None:
        """Append findings, as a table and as JSON lines."""
        table = findings_table(batch, findings, entities)
        self._table("findings", table)
        lines = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in table.to_pylist())
        self._lines("findings-jsonl", b"".join(lines), table.num_rows)

    def write_risk(self, records: Sequence[RiskRecord]) -> None:
        """Append risk records."""
        self._table("risk", risk_table(records))

    def write_hashes(self, batch: ConversationBatch, hashes: Sequence[str]) -> None:
        """Append the text hash of each conversation of a batch."""
        self._table("hashes", hashes_table(batch, hashes))

    def write_dropped(self, records: Sequence[RiskRecord]) -> None:
        """Append the risk of conversations that were dropped for their scores."""
        self._table("dropped", risk_table(records))

    def write_quarantine(self, rejections: Sequence[Rejection]) -> None:
        """Append rejected records; the section exists even if there are none."""
        self._lines("quarantine", quarantine_lines(self._unit, self._name_of, rejections), len(rejections))

    def stage(self, url: str, receipt: Mapping[str, Any]) -> None:
        """Complete the sections and publish them with the receipt; nothing can be appended afterwards."""
        for file, writer in self._open.values():
            if writer is not file:
                writer.close()
        sections = [(name, self._rows[name], file.tell()) for name, (file, _) in self._open.items()]
        with publish(url) as sink:
            sink.write(
                orjson.dumps({"receipt": receipt, "sections": sections}, option=orjson.OPT_APPEND_NEWLINE)
            )
            for file, _writer in self._open.values():
                file.seek(0)
                shutil.copyfileobj(file, sink)

    def _table(self, name: str, table: pa.Table) -> None:
        if name not in self._open:
            file = self._spool()
            options = pa.ipc.IpcWriteOptions(compression="zstd")
            self._open[name] = (file, pa.ipc.new_stream(file, table.schema, options=options))
        if table.num_rows:
            self._open[name][1].write_table(table)
        self._rows[name] = self._rows.get(name, 0) + table.num_rows

    def _lines(self, name: str, data: bytes, rows: int) -> None:
        if name not in self._open:
            file = self._spool()
            self._open[name] = (file, file)
        self._open[name][0].write(data)
        self._rows[name] = self._rows.get(name, 0) + rows

    def _spool(self) -> BinaryIO:
        return cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES))


class StagedUnit(NamedTuple):
    """The header of a staged unit, and its open file, positioned at the first section."""

    receipt: dict[str, Any]
    sections: list[Section]
    file: BinaryIO


def read_split(url: str) -> pa.Table:
    """The section of a staged unit from which the corpus is split."""
    with open_staged(url) as unit:
        first = unit.sections[0]
        if first.name != SPLIT:
            raise ValueError(first.name)
        return from_stream(unit.file.read(first.bytes))


@contextmanager
def open_staged(url: str) -> Iterator[StagedUnit]:
    """Open a staged unit; its sections must be read in order."""
    with open_read(url) as file:
        header = orjson.loads(file.readline())
        yield StagedUnit(header["receipt"], [Section(*section) for section in header["sections"]], file)
