"""Staging: a work unit's results until its part is assembled, one file of sections with a header.

The header is a line of JSON: the unit's receipt, and the name, rows and bytes of each section. The sections
follow: tables as Arrow streams, JSON lines as they will be in the part. A file is published atomically, so a
unit either has its receipt and all its results, or is processed again.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple, cast

import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.rejection import Rejection
from tacenda.transforms.shapes.shape import Record
from tacenda.transforms.storage.arrow_stream import from_stream
from tacenda.transforms.storage.delimited import DelimitedWriter, TableForm
from tacenda.transforms.storage.formats import format_of
from tacenda.transforms.storage.json_lines import JsonLinesWriter
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.writing.corpus_layout import LinesFormat
from tacenda.transforms.writing.findings import findings_table
from tacenda.transforms.writing.quarantine import quarantine_lines
from tacenda.transforms.writing.risk import RiskRecord, risk_table
from tacenda.transforms.writing.text_hashes import hashes_table

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
