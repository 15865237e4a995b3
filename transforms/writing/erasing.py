"""Write a file of a corpus again without some of its conversations; all other rows stay as they are."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tacenda.transforms.reading.units import parse
from tacenda.transforms.schema.work_unit import Layout
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.files import read_bytes
from tacenda.transforms.storage.json_lines import JsonLinesWriter, decompressed
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.storage.layouts import rows_in, table_layout
from tacenda.transforms.storage.locating import format_of
from tacenda.transforms.storage.tables import ParquetWriter, read_columns, read_footer
from tacenda.transforms.writing.columns import batch_hashes
from tacenda.transforms.writing.part_files import HashingFile, hashed_file

RowsOf = Callable[[Any], dict[int, str]]

Told = dict[str, Any]
"""SHA-256, rows and bytes of a file."""


Place = tuple[str, int]


@dataclass
class Wanted:
    """The conversations of one part that are to be erased.

    A row may have no id, so conversations are found by their text: ``places`` has the id of each by its text
    hash, and its number among the part's conversations with this text, from 0 in the order of the corpus. Rows
    of turns are found by ``ids``, since their conversation is spread over them.
    """

    ids: Collection[str]
    places: Mapping[Place, str]
    _seen: Counter[str] = field(default_factory=Counter)

    def rows(self, reader: Shape, rows: "pa.Table | Sequence[Any]") -> dict[int, str]:
        """The numbers of their rows in a file, each with its conversation's id.

        The files of a part must be given in the order of their names.
        """
        if isinstance(reader, TurnRowsShape):
            (name,) = reader.id_fields
            values = rows[name].to_pylist() if isinstance(rows, pa.Table) else [row[name] for row in rows]
            return {row: str(value) for row, value in enumerate(values) if str(value) in self.ids}
        if isinstance(rows, pa.Table):
            batch, _ = reader.read_table(rows, 0, "")
        else:
            batch, _ = reader.read_records(list(enumerate(rows)), "")
        found = {}
        hashes = batch_hashes(batch, batch.texts, batch.speakers)
        for row, text_hash in sorted(zip(batch.positions, hashes, strict=True)):
            place = text_hash, self._seen[text_hash]
            if place in self.places:
                found[row] = self.places[place]
            self._seen[text_hash] += 1
        return found


def places_of(ids: Sequence[str], hashes: Sequence[str], erased: Collection[str]) -> dict[Place, str]:
    """``Wanted.places`` from the ids and text hashes of a part's conversations, in order.

    >>> places_of(["i", "j", "k"], ["a", "b", "a"], {"j", "k"})
    {('b', 0): 'j', ('a', 1): 'k'}
    """
    seen = Counter[str]()
    places: dict[Place, str] = {}
    for one, text_hash in zip(ids, hashes, strict=True):
        if one in erased:
            places[text_hash, seen[text_hash]] = one
        seen[text_hash] += 1
    return places


def erase_rows(source: str, target: str, rows_of: RowsOf) -> tuple[Told, dict[int, str]]:
    """Write a file again without some rows.

    Args:
        source: its URL.
        target: the URL of the new one.
        rows_of: from its table or its parsed records, the rows to leave out, and the conversation of each.

    Returns:
        what a manifest says of the new file, and the rows left out.
    """
    form = format_of(source)
    assert form is not None
    with hashed_file(target) as sink:
        if form.encoding == "parquet":
            rows, left_out = _without_rows(source, sink, rows_of)
        else:
            rows, left_out = _without_lines(source, sink, rows_of, form.kind == "table", form.compression)
    return {"sha256": sink.hexdigest(), "rows": rows, "bytes": sink.tell()}, left_out


def _without_rows(source: str, sink: HashingFile, rows_of: RowsOf) -> tuple[int, dict[int, str]]:
    table = read_columns(source, read_footer(source).schema.names)
    left_out = rows_of(table)
    stay = table.filter(pa.array([number not in left_out for number in range(table.num_rows)], pa.bool_()))
    with ParquetWriter(sink, table.schema) as writer:
        writer.write(stay)
    return stay.num_rows, left_out


def _without_lines(
    source: str,
    sink: HashingFile,
    rows_of: RowsOf,
    is_table: bool,
    compression: Any,
) -> tuple[int, dict[int, str]]:
    data = decompressed(read_bytes(source), compression)
    header, layout = b"", Layout()
    if is_table:
        layout = table_layout(data, source)
        header, *lines = rows_in(data, layout.delimiter)
        plain = [line.rstrip(b"\r\n") for line in lines]
        records: list[Any] = [record for _, record in parse(range(len(plain)), plain, layout)[0]]
    else:
        lines = data.splitlines(keepends=True)
        records = [json_value(line) for line in lines]
    left_out = rows_of(records)
    with JsonLinesWriter(sink, compression) as writer:
        writer.write_lines([header, *(line for i, line in enumerate(lines) if i not in left_out)])
    return len(lines) - len(left_out), left_out
