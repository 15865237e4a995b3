"""Write a part's output files by concatenating what its work units staged.

Only one unit is in memory at a time. Lines are copied unchanged; tables are collected into row groups of
normal size. Where the corpus is split, each row goes to the file of its split.
"""

import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacenda.transforms.storage.json_lines import JsonLinesWriter, decompressed
from tacenda.transforms.storage.layouts import rows_in
from tacenda.transforms.storage.locating import known_format
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import ParquetWriter, from_stream
from tacenda.transforms.writing.splitting import NO_GROUPS, Keys, Split
from tacenda.transforms.writing.staging import SPLIT, TABLES, Section, open_staged


class HashingFile(io.BufferedIOBase, BinaryIO):
    """A binary sink that passes bytes on and hashes them (SHA-256); closing it leaves the inner file open."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._sha256 = hashlib.sha256()
        self._position = 0

    def write(self, data: Any) -> int:
        """Write bytes or a buffer; returns the number of bytes."""
        with memoryview(data) as view:
            self._sha256.update(view)
            self._sink.write(view)
            self._position += view.nbytes
            return view.nbytes

    def tell(self) -> int:
        """The number of bytes written; the only possible position."""
        return self._position

    def writable(self) -> bool:
        return True

    def hexdigest(self) -> str:
        """The SHA-256 of everything written."""
        return self._sha256.hexdigest()


@contextmanager
def hashed_file(url: str) -> Iterator[HashingFile]:
    """Open ``url`` for an atomic write; afterwards ``hexdigest()`` is that of the published bytes."""
    with publish(url) as sink:
        yield HashingFile(sink)


_CORPUS = "corpus"


class Assembled(NamedTuple):
    """A part: the receipts of its units, in order; by path relative to the output, each file's SHA-256, rows
    and size in bytes; and the number of conversations in each split.
    """

    receipts: list[dict[str, Any]]
    files: dict[str, dict[str, Any]]
    splits: dict[str, int]


def assemble(
    output: str,
    part: str,
    staged: Sequence[str],
    split: Split | None = None,
    groups: Keys = NO_GROUPS,
    delimiter: str = ",",
) -> Assembled:
    """Write ``<folder>/part-<part>.<suffix>`` files under ``output`` from the units staged at some URLs.

    Either all files appear, when all are complete, or none. With a ``split``, those of the corpus are in a
    folder for each of its names: the first always, the others if they have rows; ``groups`` are those of all
    near-duplicates. ``delimiter`` is that of a corpus of CSV.
    """
    receipts: list[dict[str, Any]] = []
    splits = Counter[str]()
    with ExitStack() as stack:
        files = PartFiles(output, stack)
        for url in staged:
            with open_staged(url) as unit:
                receipts.append(unit.receipt)
                of_rows: npt.NDArray[np.int64] | None = None
                for section in unit.sections:
                    data = unit.file.read(section.bytes)
                    if len(data) < section.bytes:
                        raise EOFError
                    rows: Any = from_stream(data) if section.is_table else None
                    name = f"part-{part}.{section.suffix}"
                    path = f"{section.folder}/{name}"
                    if section.name == SPLIT and split is not None:
                        chosen = np.asarray(split.sides(rows["key"].to_numpy(), groups), dtype=np.int64)
                        splits.update(split.names[side] for side in chosen.tolist())
                        of_rows = np.repeat(chosen, rows["rows"].to_numpy())
                    elif section.folder == _CORPUS and split is not None and of_rows is not None:
                        _divide(data, rows, of_rows, name, split.names, files, delimiter)
                    elif rows is not None:
                        files.write_table(path, rows)
                    else:
                        files.append(path, data, section)
    return Assembled(receipts, files.told(), dict(splits))


def lines_in(data: bytes, name: str, delimiter: str = ",") -> tuple[bytes, list[bytes]]:
    """The lines of a file with this name, or the rows of a text table, each with its end; and its header."""
    form = known_format(name)
    data = decompressed(data, form.compression)
    header, *lines = (
        rows_in(data, delimiter) if form.kind == "table" else (b"", *data.splitlines(keepends=True))
    )
    return header, lines


def _divide(
    data: bytes,
    table: pa.Table | None,
    of_rows: npt.NDArray[np.int64],
    name: str,
    names: Sequence[str],
    files: "PartFiles",
    delimiter: str,
) -> None:
    """Write the rows of a unit's corpus to the files of their splits."""
    header, lines = (b"", []) if table is not None else lines_in(data, name, delimiter)
    for side, split in enumerate(names):
        path, own = f"{_CORPUS}/{split}/{name}", np.flatnonzero(of_rows == side)
        if side and not len(own):
            continue
        if table is not None:
            files.write_table(path, table.take(pa.array(own)))
        else:
            files.write_lines(path, header, [lines[row] for row in own.tolist()])


@dataclass
class PartFiles:
    """The open files of a part, by path; all are published when ``stack`` is closed."""

    output: str
    stack: ExitStack
    rows: Counter[str] = field(default_factory=Counter)
    _open: dict[str, tuple[HashingFile, Any]] = field(default_factory=dict)

    def open(self, path: str, writer_of: Callable[[HashingFile], Any] | None = None) -> Any:
        """The writer of a file, or its sink without one."""
        if path not in self._open:
            sink = self.stack.enter_context(hashed_file(f"{self.output}/{path}"))
            self._open[path] = sink, sink if writer_of is None else self.stack.enter_context(writer_of(sink))
        return self._open[path][1]

    def write_table(self, path: str, table: pa.Table) -> None:
        """Append rows."""
        self.open(path, lambda sink: ParquetWriter(sink, table.schema)).write(table)
        self.rows[path] += table.num_rows

    def write_lines(self, path: str, header: bytes, lines: Sequence[bytes]) -> None:
        """Append lines, compressed as the file is; the header comes once."""
        form = known_format(path)
        begun = path in self._open
        writer = self.open(path, lambda sink: JsonLinesWriter(sink, form.compression))
        writer.write_lines(lines if begun else [header, *lines])
        self.rows[path] += len(lines)

    def append(self, path: str, data: bytes, section: Section) -> None:
        """Append staged lines as they are; a header comes once."""
        if section.suffix in TABLES and path in self.rows:
            data = data[data.index(b"\n") + 1 :]
        self.open(path).write(data)
        self.rows[path] += section.rows

    def told(self) -> dict[str, dict[str, Any]]:
        """SHA-256, rows and bytes of each file, once they are closed."""
        return {
            path: {"sha256": sink.hexdigest(), "rows": self.rows[path], "bytes": sink.tell()}
            for path, (sink, _) in self._open.items()
        }
