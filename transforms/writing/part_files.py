"""Write a part's output files by concatenating what its work units staged.

Only one unit is in memory at a time. Lines are copied unchanged; tables are collected into row groups of
normal size.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from tacenda.transforms.storage.arrow_stream import from_stream
from tacenda.transforms.storage.parquet import ParquetWriter
from tacenda.transforms.writing.hashed_file import HashingFile, hashed_file
from tacenda.transforms.writing.staging import Section, open_staged

_COPIED_BYTES = 8 << 20


def assemble(output: str, part: str, staged: Sequence[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Write ``<folder>/part-<part>.<suffix>`` files under ``output`` from the units staged at some URLs.

    Either all files appear, when all are complete, or none.

    Returns: The units' receipts, in order; and, by path relative to ``output``, each file's SHA-256, rows and
        size in bytes.
    """
    receipts: list[dict[str, Any]] = []
    files: dict[str, tuple[HashingFile, Any]] = {}
    rows: dict[str, int] = {}
    with ExitStack() as stack:
        for url in staged:
            with open_staged(url) as unit:
                receipts.append(unit.receipt)
                for section in unit.sections:
                    path = f"{section.folder}/part-{part}.{section.suffix}"
                    table = from_stream(unit.file.read(section.bytes)) if section.is_table else None
                    if path not in files:
                        sink = stack.enter_context(hashed_file(f"{output}/{path}"))
                        writer = None
                        if table is not None:
                            writer = stack.enter_context(ParquetWriter(sink, table.schema))
                        files[path] = (sink, writer)
                        rows[path] = 0
                    sink, writer = files[path]
                    if table is not None:
                        writer.write(table)
                    else:
                        _copy(unit.file, sink, section)
                    rows[path] += section.rows
    told = {
        path: {"sha256": sink.hexdigest(), "rows": rows[path], "bytes": sink.tell()}
        for path, (sink, _) in files.items()
    }
    return receipts, told


def _copy(source: Any, sink: HashingFile, section: Section) -> None:
    left = section.bytes
    while left:
        data = source.read(min(left, _COPIED_BYTES))
        if not data:
            raise EOFError
        sink.write(data)
        left -= len(data)
