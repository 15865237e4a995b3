"""How conversations are written: the records or the table of a batch, and the hash of what a reader finds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.options import ReadOptions, unwritten_field
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.shape import Record, Shape
from tacenda.transforms.storage.json_values import json_value, plain_value
from tacenda.transforms.writing.columns import as_table
from tacenda.transforms.writing.converting.sources import dialogues
from tacenda.transforms.writing.converting.targets import TARGETS
from tacenda.transforms.writing.text_hashes import batch_hashes

CorpusFormat = Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv", "tsv"]
LinesFormat = Literal["jsonl", "jsonl.gz", "jsonl.zst", "csv", "tsv"]
CorpusCompression = Literal["gzip", "zstd"]

COMPRESSED: dict[CorpusCompression, LinesFormat] = {"gzip": "jsonl.gz", "zstd": "jsonl.zst"}

LONGEST_TURN = 1 << 40
"""Code points of the longest turn that is read of what was written: no limit."""


class CorpusRows(NamedTuple):
    """What is written for a batch: a table, or records; a text hash for each conversation; and by its number in
    the batch the error class of each that cannot be written. Of those there is neither row nor hash.
    """

    rows: "pa.Table | list[Record]"
    hashes: list[str]
    failed: dict[int, str]


@dataclass(frozen=True, slots=True)
class CorpusLayout:
    """The form of a corpus.

    ``shape`` is the one that was read, from tables (``from_tables``) or from records. ``schema`` is that of the
    tables to write; None writes records. ``to`` names the shape to convert to, None for the same; ``roles`` are
    the run's own (``converting.roles``).
    """

    shape: Shape
    schema: pa.Schema | None
    from_tables: bool = False
    to: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)

    def rows(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> CorpusRows:
        """Write a batch with the texts and speakers that now stand in its cells."""
        if self.to is None and self.from_tables == (self.schema is not None):
            rows: Any
            if self.schema is not None:
                rows = self.shape.write_table(batch, texts, speakers, self.schema)
            else:
                rows = self._all_records(batch, texts, speakers)
            if not self._kept():
                return CorpusRows(rows, batch_hashes(batch, texts, speakers), {})
            # A column of numbers has nothing in the place of one that was replaced; times are spelled anew.
            owners = [i for i, count in enumerate(batch.rows) for _ in range(count)]
            found = self._by_conversation(batch, self._read_again(rows), owners)
            if len(found) == len(batch):
                return CorpusRows(rows, [found[i] for i in range(len(batch))], {})
            left = [i for i in range(len(batch)) if i in found]
            cells = [cell for i in left for cell in batch.cells(i)]
            again = self.rows(batch.take(left), [texts[c] for c in cells], [speakers[c] for c in cells])
            lost = {i: "NotReadable" for i in range(len(batch)) if i not in found}
            return CorpusRows(again.rows, again.hashes, lost)
        failed: dict[int, str] = {}
        of_each = [list[Record]() for _ in batch.ids]
        for i, records in enumerate(self._records(batch, texts, speakers)):
            if isinstance(records, str):
                failed[i] = records
            else:
                of_each[i] = records
        return self._as_read_again(batch, of_each, failed)

    def _all_records(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> list[Record]:
        """The records in the shape that was read."""
        records = self.shape.write_records(batch, texts, speakers)
        if unwritten := unwritten_field(self.shape.options):
            for record in records:
                record.pop(unwritten, None)
        return records

    def _records(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> "Iterator[list[Record] | str]":
        """The records of each conversation, or why there are none."""
        if self.to is None:
            records = iter(self._all_records(batch, texts, speakers))
            for rows in batch.rows:
                yield [next(records) for _ in range(rows)]
            return
        record = TARGETS[self.to].record
        for dialogue in dialogues(self.shape, batch, texts, speakers, self.roles):
            if isinstance(dialogue, str):
                yield dialogue
                continue
            try:
                yield [record(dialogue)]
            except RecordError as error:
                yield error.error

    def _as_read_again(
        self, batch: ConversationBatch, of_each: list[list[Record]], failed: dict[int, str]
    ) -> CorpusRows:
        """Rows of the records, and the hashes of what a reader of them finds."""
        flat = [record for records in of_each for record in records]
        owners = [i for i, records in enumerate(of_each) for _ in records]
        if self.schema is not None:
            table, misfits = as_table(flat, self.schema)
            if misfits:
                # All rows of a conversation or none.
                failed.update((owners[place], "NotInColumns") for place in misfits)
                return self._as_read_again(
                    batch, [[] if i in failed else one for i, one in enumerate(of_each)], failed
                )
            rows: Any = table
        else:
            rows = flat
        found = self._by_conversation(batch, self._read_again(rows), owners)
        if lost := {i for i in owners if i not in found}:
            failed.update((i, "NotReadable") for i in lost)
            return self._as_read_again(
                batch, [[] if i in failed else one for i, one in enumerate(of_each)], failed
            )
        return CorpusRows(rows, [found[i] for i in range(len(batch)) if i in found], failed)

    def _read_again(self, rows: "pa.Table | list[Record]") -> ConversationBatch:
        """What a reader of some rows finds."""
        if isinstance(rows, pa.Table):
            return self.reader().read_table(rows, 0, "")[0]
        plain = [json_value(orjson.dumps(record, plain_value)) for record in rows]
        return self.reader().read_records(list(enumerate(plain)), "")[0]

    def _kept(self) -> tuple[str, ...]:
        """The fields beside the declared ones that are written."""
        options = self.shape.options
        unwritten = unwritten_field(options)
        return tuple(name for name in options.keep if name != unwritten)

    def _by_conversation(
        self, batch: ConversationBatch, read: ConversationBatch, owners: list[int]
    ) -> dict[int, str]:
        hashes = batch_hashes(read, read.texts, read.speakers)
        if self.to is None and self.shape.grouped:
            numbers = {conversation_id: i for i, conversation_id in enumerate(batch.ids)}
            return {numbers[name]: one for name, one in zip(read.ids, hashes, strict=True)}
        return {owners[row]: one for row, one in zip(read.positions, hashes, strict=True)}

    def written_rows(self, batch: ConversationBatch) -> list[int]:
        """The number of rows of each conversation in the corpus."""
        return batch.rows if self.to is None else [1] * len(batch)

    def reader(self) -> Shape:
        """What reads the corpus again: the written shape, by its own names where it was converted."""
        if self.to is not None:
            return make_shape(self.to, ReadOptions(max_turn_chars=LONGEST_TURN))
        options = self.shape.options
        kept = self._kept()
        opaque = {name: why for name, why in options.opaque.items() if name in kept}
        return make_shape(
            self.shape.name,
            ReadOptions(fields=options.fields, keep=kept, opaque=opaque, max_turn_chars=LONGEST_TURN),
        )
