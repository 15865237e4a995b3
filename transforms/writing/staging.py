"""Staging: a work unit's results until its part is assembled, one file of sections with a header.

The header is a line of JSON: the unit's receipt, and the name, rows and bytes of each section. The sections
follow: tables as Arrow streams, JSON lines as they will be in the part. A file is published atomically, so a
unit either has its receipt and all its results, or is processed again. Sections are the corpus, the findings,
the risk and the quarantine: the positions and error classes of records that could not be processed.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, BinaryIO, NamedTuple

import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.rejection import Rejection
from tacenda.transforms.shapes.shape import Record
from tacenda.transforms.storage import locating
from tacenda.transforms.storage.json_lines import JsonLinesWriter
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.writing.columns import LinesFormat, schema_of


def quarantine_lines(unit: str, name_of: Callable[[int], str], rejections: Iterable[Rejection]) -> bytes:
    """JSON lines, one per rejection, sorted by file and position.

    ``name_of`` gives the name of an input file. The file is null for records not read from one.
    """
    lines = []
    for place in sorted(rejections, key=lambda one: (-1 if one.file is None else one.file, *one[:3])):
        file = None if place.file is None else name_of(place.file)
        told = {"unit": unit, "file": file, "position": place.position, "stage": place.stage.value}
        told |= {"error": place.error, "rows": place.rows}
        lines.append(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)


FINDINGS_SCHEMA = schema_of(
    "conversation_id string, turn int32, part string?, start int32, end int32, info_type string, "
    "likelihood string, detector string, entity int32?"
)


def findings_table(
    batch: ConversationBatch, findings: Sequence[Sequence[Finding]], entities: Sequence[Sequence[int]]
) -> pa.Table:
    """One row per finding, in the order of conversations, turns and starts.

    ``part`` distinguishes the cells of one turn (``tool_calls.0.arguments.city``) and is null if the turn is
    one cell. ``findings`` and ``entities`` have one list for each cell of ``batch``.
    """
    rows = [
        (one_id, batch.turns[cell], batch.parts[cell], *one[:3], one.likelihood.name, one.detector, entity)
        for i, one_id in enumerate(batch.ids)
        for cell in batch.cells(i)
        for one, entity in zip(findings[cell], entities[cell], strict=True)
    ]
    return table_of(rows, FINDINGS_SCHEMA)


def table_of(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table."""
    return pa.table(list(zip(*rows, strict=True)), schema=schema) if rows else schema.empty_table()


TAG = pa.struct(schema_of("tag string, partial bool, entities int32, score int32"))
RISK_SCHEMA = schema_of(
    "conversation_id string, context string, source string, score int32, tags tags, direct_identifier bool, "
    "combination string?, links links",
    tags=pa.list_(pa.field("element", TAG, nullable=False)),
    links=pa.list_(pa.field("element", pa.string(), nullable=False)),
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
    return table_of(records, RISK_SCHEMA)


IN_MEMORY_BYTES = 16 << 20  # longer sections are kept in an anonymous temporary file


class UnitWriter(AbstractContextManager["UnitWriter"]):
    """Collects what a work unit writes, batch by batch, in sections; each exists from the first write on.

    Sections are named after a folder, and their format: ``parquet``, as an Arrow stream, or one of lines.
    ``lines_format`` is that of records in the corpus.
    """

    def __init__(self, lines_format: LinesFormat) -> None:
        self._format = lines_format
        self._open: dict[str, tuple[BinaryIO, Any]] = {}
        self._rows: Counter[str] = Counter()

    def __exit__(self, *_: object) -> None:
        for file, _writer in self._open.values():
            file.close()

    def corpus(self, rows: pa.Table | list[Record], split: str = "") -> None:
        folder = f"corpus/{split}" if split else "corpus"
        if isinstance(rows, pa.Table):
            self.table(folder, rows)
        else:
            form = locating.SUFFIXES[f".{self._format}"]
            made = partial(JsonLinesWriter, compression=form.compression)
            self._writer(f"{folder}.{self._format}", made, len(rows)).write(rows)

    def table(self, folder: str, table: pa.Table) -> None:
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        made = partial(pa.ipc.new_stream, schema=table.schema, options=options)
        writer = self._writer(f"{folder}.parquet", made, table.num_rows)
        if table.num_rows:
            writer.write_table(table)

    def lines(self, folder: str, data: bytes, rows: int) -> None:
        self._writer(f"{folder}.jsonl", lambda file: file, rows).write(data)

    def stage(self, url: str, receipt: Mapping[str, Any]) -> None:
        """Complete the sections and publish them with the receipt; nothing can be appended afterwards."""
        for file, writer in self._open.values():
            if writer is not file:
                writer.close()
        sections = [(name, self._rows[name], file.tell()) for name, (file, _) in self._open.items()]
        header = {"receipt": receipt, "sections": sections}
        with publish(url) as sink:
            sink.write(orjson.dumps(header, option=orjson.OPT_APPEND_NEWLINE))
            for file, _writer in self._open.values():
                file.seek(0)
                shutil.copyfileobj(file, sink)

    def _writer(self, name: str, made: Callable[[BinaryIO], Any], rows: int) -> Any:
        if name not in self._open:
            file: Any = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - closed at the end
            self._open[name] = file, made(file)
        self._rows[name] += rows
        return self._open[name][1]


class StagedUnit(NamedTuple):
    """The receipt of a staged unit; name, rows and bytes of each section; and its file, at the first one."""

    receipt: dict[str, Any]
    sections: list[tuple[str, int, int]]
    file: BinaryIO


@contextmanager
def open_staged(url: str) -> Iterator[StagedUnit]:
    """Open a staged unit; its sections must be read in order."""
    with open_read(url) as file:
        header = orjson.loads(file.readline())
        yield StagedUnit(header["receipt"], header["sections"], file)
