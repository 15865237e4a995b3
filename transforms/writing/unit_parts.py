"""The output files of one work unit, written batch by batch and published together at its end."""

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import orjson
import pyarrow as pa

from transforms.schema.conversation import ConversationBatch
from transforms.schema.finding import Finding
from transforms.schema.rejection import Rejection
from transforms.shapes.shape import Shape
from transforms.storage.json_lines import JsonLinesWriter
from transforms.storage.parquet import ParquetWriter
from transforms.writing import findings as findings_part
from transforms.writing.part import HashingFile, hashed_part
from transforms.writing.quarantine import quarantine_lines
from transforms.writing.risk import RiskRecord, risk_table


class UnitParts:
    """Opens ``<folder>/part-<unit>.<suffix>`` files under ``output`` as they are asked for.

    A context manager: all files appear under their names when the block ends, none when it fails. Afterwards
    ``files`` maps each path, relative to ``output``, to its sha256, row count and size in bytes.
    """

    def __init__(self, output: str, unit: str) -> None:
        self._output = output
        self._unit = unit
        self._stack = ExitStack()
        self._open: dict[str, tuple[HashingFile, Any]] = {}
        self._rows: dict[str, int] = {}
        self.files: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> "UnitParts":
        self._stack.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Writers stand above their files on the stack, so each is complete before its file is published.
        self._stack.__exit__(kind, error, trace)
        if kind is None:
            self.files = {
                path: {"sha256": sink.hexdigest(), "rows": self._rows[path], "bytes": sink.tell()}
                for path, (sink, _) in self._open.items()
            }

    def write_corpus(
        self,
        shape: Shape,
        schema: pa.Schema | None,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
    ) -> None:
        """Append replaced records: as Parquet of ``schema``, or as JSON lines where it is None."""
        if schema is not None:
            self._table("corpus", shape.write_table(batch, texts, speakers, schema))
            return
        path, sink, writer = self._part("corpus", "jsonl.zst")
        if writer is None:
            writer = self._keep(path, sink, JsonLinesWriter(sink))
        records = shape.write_records(batch, texts, speakers)
        writer.write(records)
        self._rows[path] += len(records)

    def write_findings(
        self,
        batch: ConversationBatch,
        findings: Sequence[Sequence[Finding]],
        entities: Sequence[Sequence[int]],
    ) -> None:
        """Append findings, as Parquet and as JSON lines."""
        table = findings_part.findings_table(batch, findings, entities)
        self._table("findings", table)
        lines = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in table.to_pylist())
        self._bytes("findings", b"".join(lines), table.num_rows)

    def write_risk(self, records: Sequence[RiskRecord]) -> None:
        """Append risk records."""
        self._table("risk", risk_table(records))

    def write_quarantine(self, rejections: Sequence[Rejection]) -> None:
        """Append rejected records; the file exists also when there are none."""
        self._bytes("quarantine", quarantine_lines(self._unit, rejections), len(rejections))

    def _table(self, folder: str, table: pa.Table) -> None:
        path, sink, writer = self._part(folder, "parquet")
        if writer is None:
            writer = self._keep(path, sink, ParquetWriter(sink, table.schema))
        writer.write(table)
        self._rows[path] += table.num_rows

    def _bytes(self, folder: str, data: bytes, rows: int) -> None:
        path, sink, writer = self._part(folder, "jsonl")
        if writer is None:
            self._keep(path, sink, sink)
        sink.write(data)
        self._rows[path] += rows

    def _part(self, folder: str, suffix: str) -> tuple[str, HashingFile, Any]:
        path = f"{folder}/part-{self._unit}.{suffix}"
        if path in self._open:
            return (path, *self._open[path])
        return path, self._stack.enter_context(hashed_part(f"{self._output}/{path}")), None

    def _keep(self, path: str, sink: HashingFile, writer: Any) -> Any:
        self._open[path] = (sink, writer)
        self._stack.callback(writer.close)
        self._rows[path] = 0
        return writer
