"""Write a file of a corpus again without some of its conversations; all other rows stay as they are."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.files import read_bytes
from tacenda.transforms.storage.json_lines import JsonLinesWriter, decompressed
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.storage.locating import known_format
from tacenda.transforms.storage.tables import ParquetWriter, read_columns, read_footer
from tacenda.transforms.writing.columns import batch_hashes
from tacenda.transforms.writing.part_files import hashed_file

RowsOf = Callable[[Any], dict[int, str]]

Told = dict[str, Any]  # SHA-256, rows and bytes of a file


@dataclass
class Wanted:
    """The conversations of one part that are to be erased.

    A row may have no id, so conversations are found by their text: ``of_texts`` has those of each text hash,
    behind its split, in the order of the corpus, and None for those that stay. Rows of turns are found by
    ``ids``, since their conversation is spread over them.
    """

    ids: Collection[str]
    of_texts: Mapping[str, deque[str | None]]

    def rows(self, reader: Shape, split: str, rows: "pa.Table | Sequence[Any]") -> dict[int, str]:
        """The numbers of their rows in a file, each with its conversation's id.

        The files of a part must be given once, in the order of their names.
        """
        if isinstance(reader, TurnRowsShape):
            (name,) = reader.id_fields
            values = rows[name].to_pylist() if isinstance(rows, pa.Table) else [row[name] for row in rows]
            return {row: str(value) for row, value in enumerate(values) if str(value) in self.ids}
        is_table = isinstance(rows, pa.Table)
        batch, _ = reader.read_table(rows, 0, "") if is_table else reader.read_records([*enumerate(rows)], "")
        found = {}
        hashes = batch_hashes(batch, batch.texts, batch.speakers)
        for row, text_hash in sorted(zip(batch.positions, hashes, strict=True)):
            left = self.of_texts.get(split + text_hash)
            if left and (one := left.popleft()) is not None:
                found[row] = one
        return found


def by_text(
    ids: Sequence[str], hashes: Sequence[str], erased: Collection[str]
) -> dict[str, deque[str | None]]:
    """``Wanted.of_texts`` from the ids and text hashes of a part's conversations, in order."""
    found: defaultdict[str, deque[str | None]] = defaultdict(deque)
    for one, text_hash in zip(ids, hashes, strict=True):
        found[text_hash].append(one if one in erased else None)
    return found


def erase_rows(source: str, target: str, rows_of: RowsOf) -> tuple[Told, dict[int, str]]:
    """Write a file again without some rows, given by its table or its parsed records.

    Returns:
        what a manifest says of the new file, and the rows left out, each with its conversation.
    """
    with hashed_file(target) as sink:
        if source.endswith(".parquet"):
            table = read_columns(source, read_footer(source).schema.names)
            left_out = rows_of(table)
            stay = [row for row in range(table.num_rows) if row not in left_out]
            with ParquetWriter(sink, table.schema) as columns:
                columns.write(table.take(pa.array(stay, pa.int64())))
        else:
            form = known_format(source)
            lines = decompressed(read_bytes(source), form.compression).splitlines(keepends=True)
            left_out = rows_of(list(map(json_value, lines)))
            stay = [row for row in range(len(lines)) if row not in left_out]
            with JsonLinesWriter(sink, form.compression) as writer:
                writer.write_lines(lines[row] for row in stay)
    return sink.told(len(stay)), left_out
