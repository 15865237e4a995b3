"""The rows of a corpus: what is written of a batch, in which form, and the hashes of its texts."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.options import ReadOptions, unwritten_field
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.shape import Record, Shape
from tacenda.transforms.storage.json_values import json_value, plain_value
from tacenda.transforms.writing.converting import OTHERS, dialogues, record_of


def schema_of(columns: str, **others: pa.DataType) -> pa.Schema:
    """A schema from names and types: ``?`` after a type allows nulls, ``others`` are types that have no name.

    >>> [(field.name, field.nullable) for field in schema_of("turn int32, part string?")]
    [('turn', False), ('part', True)]
    """
    told = [column.split() for column in columns.split(",")]
    return pa.schema(
        [
            pa.field(name, others.get(kind) or pa.type_for_alias(kind.rstrip("?")), nullable=kind[-1] == "?")
            for name, kind in told
        ]
    )


SCHEMA = schema_of("conversation_id string, context string, text_hash string")
"""One row per conversation, in the order of the corpus."""

_BYTES = 16


def text_hash(speakers: Sequence[str | None], texts: Sequence[str]) -> str:
    """Hash the texts and speakers of one conversation: the first 128 bits of BLAKE2b, in hexadecimal digits.

    The shape of a record does not matter: a conversation has the same hash as a chat and as a list of turns.

    Args:
        speakers: of each cell, in order.
        texts: of each cell.
    """
    return hashlib.blake2b(orjson.dumps([speakers, texts]), digest_size=_BYTES).hexdigest()


def batch_hashes(batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]) -> list[str]:
    """The hash of each conversation of a batch, with the given texts and speakers of its cells."""
    return [text_hash(speakers[own], texts[own]) for own in map(batch.own, range(len(batch)))]


def hashes_table(
    batch: ConversationBatch, hashes: Sequence[str], splits: Sequence[str] | None = None
) -> pa.Table:
    """One row per conversation of a batch; with the split of each where the corpus is split."""
    table = pa.table([batch.ids, batch.contexts, hashes], schema=SCHEMA)
    return table if splits is None else table.append_column("split", pa.array(splits, pa.string()))


CorpusFormat = Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet"]
LinesFormat = Literal["jsonl", "jsonl.gz", "jsonl.zst"]

_MISFITS = (pa.ArrowException, TypeError, ValueError, OverflowError)

LONGEST_TURN = 1 << 40  # code points of the longest turn that is read of what was written: no limit


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
    tables to write, which were read from tables or are converted; None writes records. ``to`` names the shape
    to convert to, None for the same; ``roles`` are the run's own (``converting.roles``).
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
        rows, owners, failed = self._written(batch, texts, speakers)
        if not failed:
            if self._is_direct and not self._kept():
                return CorpusRows(rows, batch_hashes(batch, texts, speakers), {})
            # Hashes are of what a reader finds: a column of numbers has nothing in the place of one that was
            # replaced, and times are spelled anew.
            found = self._read_again(batch, rows, owners)
            failed = {i: "NotReadable" for i in owners if i not in found}
            if not failed:
                return CorpusRows(rows, [found[i] for i in sorted(found)], {})
        # Of a conversation, all rows are written or none.
        left = [i for i in range(len(batch)) if i not in failed]
        cells = [cell for i in left for cell in batch.cells(i)]
        others = self.rows(batch.take(left), [texts[c] for c in cells], [speakers[c] for c in cells])
        return others._replace(failed={**failed, **{left[i]: why for i, why in others.failed.items()}})

    @property
    def _is_direct(self) -> bool:
        return self.to is None and self.from_tables == (self.schema is not None)

    def _written(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> "tuple[pa.Table | list[Record], list[int], dict[int, str]]":
        """Rows; the conversation of each; and the conversations that cannot be written, with error classes."""
        options = self.shape.options
        records = self.shape.write_records(batch, texts, speakers)
        owners = [i for i, count in enumerate(batch.rows) for _ in range(count)]
        if self._is_direct and self.schema is not None:
            try:
                return self.shape.write_table(batch, texts, speakers, self.schema), owners, {}
            except _MISFITS:
                # A text, such as a token, has taken the place of something else in a column.
                alone = (
                    (i, batch.take([i]), batch.own(i)) for i in range(len(batch) if len(batch) > 1 else 0)
                )
                failed = [i for i, one, own in alone if self._written(one, texts[own], speakers[own])[2]]
                return records, owners, dict.fromkeys(failed or [0], "NotInColumns")
        lost: dict[int, str] = {}
        if self.to is None:
            if unwritten := unwritten_field(options):
                for record in records:
                    record.pop(unwritten, None)
        else:
            written, records = records, []
            # A list of turns has names, not roles.
            roles = {OTHERS: "", **self.roles} if self.to == "conversation" else self.roles
            for i, messages in enumerate(dialogues(self.shape, batch, texts, speakers, written, roles)):
                try:
                    if isinstance(messages, str):
                        lost[i] = messages
                    else:
                        own = batch.ids[i], batch.contexts[i]
                        records.append(record_of(self.to, *own, messages))
                except RecordError as error:
                    lost[i] = error.error
            owners = [i for i in range(len(batch)) if i not in lost]
        rows = records if self.schema is None else pa.Table.from_pylist(records, schema=self.schema)
        return rows, owners, lost

    def _read_again(
        self, batch: ConversationBatch, rows: "pa.Table | list[Record]", owners: list[int]
    ) -> dict[int, str]:
        """The hashes of the conversations that a reader of some rows finds."""
        if isinstance(rows, pa.Table):
            read, _ = self.reader().read_table(rows, 0, "")
        else:
            plain = [json_value(orjson.dumps(record, plain_value)) for record in rows]
            read, _ = self.reader().read_records(list(enumerate(plain)), "")
        numbers = [owners[row] for row in read.positions]
        if self.to is None and self.shape.grouped:
            of_ids = {conversation_id: i for i, conversation_id in enumerate(batch.ids)}
            numbers = [of_ids[name] for name in read.ids]
        return dict(zip(numbers, batch_hashes(read, read.texts, read.speakers), strict=True))

    def _kept(self) -> tuple[str, ...]:
        """The fields beside the declared ones that are written."""
        options = self.shape.options
        unwritten = unwritten_field(options)
        return tuple(name for name in options.keep if name != unwritten)

    def written_rows(self, batch: ConversationBatch) -> list[int]:
        return batch.rows if self.to is None else [1] * len(batch)

    def reader(self) -> Shape:
        """What reads the corpus again: the written shape, by its own names where it was converted."""
        if self.to is not None:
            return make_shape(self.to, ReadOptions(max_turn_chars=LONGEST_TURN))
        options = self.shape.options
        kept = self._kept()
        opaque = {name: why for name, why in options.opaque.items() if name in kept}
        own = ReadOptions(fields=options.fields, keep=kept, opaque=opaque, mapping=options.mapping)
        return make_shape(self.shape.name, replace(own, max_turn_chars=LONGEST_TURN))
