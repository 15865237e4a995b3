"""Records as Parquet columns: types that fit the records, and records that fit the types."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import is_list, is_text
from tacenda.transforms.shapes.options import ReadOptions, unwritten_field
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.shape import Record, Shape
from tacenda.transforms.storage.json_values import SpelledNumber, json_value, plain_value
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


JSON_TEXT = frozenset({"arguments", "functions", "parameters", "tools"})
"""Fields whose values have fields of their own in every record; in a column they are JSON as text."""


_OF = pa.types
_NUMBERS = ((_OF.is_boolean, (bool,)), (_OF.is_integer, (int,)), (_OF.is_floating, (int, float)))


class ColumnsError(ValueError):
    """Records that no common columns hold, or a value that its column does not hold."""


def columns_of(records: Sequence[Record], texts: Collection[str]) -> pa.Schema:
    """Columns for records like these; those named in ``texts`` are text whatever they hold.

    Raises:
        ColumnsError: the records have none in common: a field is a text in one and a list in another.
    """
    try:
        values = [
            {name: str(value) if name in texts else _spelt(value, name) for name, value in record.items()}
            for record in records
        ]
        kind = pa.array(values).type
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise ColumnsError from error
    if not pa.types.is_struct(kind):
        raise ColumnsError
    return pa.schema([(field.name, _writable(field.type)) for field in kind])


def with_numbers_as_text(schema: pa.Schema, names: Iterable[str]) -> tuple[pa.Schema, list[str]]:
    """A schema in which the numbers of some fields are text, and the fields that had any.

    A token may stand in the place of a number that is searched. ``list.field`` is a field of a list's entries.

    >>> schema = pa.schema([("phone", pa.int64()), ("turns", pa.list_(pa.struct([("said", pa.float64())])))])
    >>> with_numbers_as_text(schema, ["phone", "turns.said", "other"])[1]
    ['phone', 'turns.said']
    """
    changed: list[str] = []
    for name in names:
        first, _, within = name.partition(".")
        place = schema.get_field_index(first)
        if place >= 0 and (kind := _in_text(schema.field(place).type, within)) != schema.field(place).type:
            schema = schema.set(place, pa.field(first, kind))
            changed.append(name)
    return schema, changed


def _in_text(kind: pa.DataType, within: str) -> pa.DataType:
    """A type with text for numbers, or for those of one field of a struct."""
    if is_list(kind):
        return pa.list_(_in_text(kind.value_type, within))
    if pa.types.is_struct(kind):
        fields = ((f.name, _in_text(f.type, "") if within in ("", f.name) else f.type) for f in kind)
        return pa.struct(list(fields))
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    return pa.string() if is_number and not within else kind


_MISFITS = (ColumnsError, pa.ArrowException, TypeError, ValueError, OverflowError)


def as_table(records: Sequence[Record], schema: pa.Schema) -> tuple[pa.Table, list[int]]:
    """Records as a table of a schema, and the places of those that do not fit and are left out.

    Nothing is dropped from a record to make it fit: one with a field that the schema lacks is left out.
    """
    kind = pa.struct(list(schema))
    try:
        return pa.Table.from_pylist([_fitted(record, kind) for record in records], schema=schema), []
    except _MISFITS:
        if len(records) == 1:
            return schema.empty_table(), [0]
    tables, misfits = zip(*(as_table([record], schema) for record in records), strict=True)
    return pa.concat_tables(tables), [place for place, misfit in enumerate(misfits) if misfit]


def _writable(kind: pa.DataType) -> pa.DataType:
    """A type that can be written: text where nothing is known of the values, or nothing can be in them."""
    if pa.types.is_null(kind) or (pa.types.is_struct(kind) and not kind.num_fields):
        return pa.string()
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _writable(field.type)) for field in kind])
    return pa.list_(_writable(kind.value_type)) if is_list(kind) else kind


def _spelt(value: Any, name: str = "") -> Any:
    """A value with all that has fields of its own as JSON."""
    if isinstance(value, dict | list) and name in JSON_TEXT:
        return _json(value)
    if isinstance(value, dict):
        return {key: _spelt(item, key) for key, item in value.items()}
    return [_spelt(item) for item in value] if isinstance(value, list) else value


def _fitted(value: Any, kind: pa.DataType, name: str = "") -> Any:
    if value is None:
        return None
    if pa.types.is_struct(kind):
        if not isinstance(value, dict) or any(kind.get_field_index(key) < 0 for key in value):
            raise ColumnsError
        return {key: _fitted(item, kind.field(key).type, key) for key, item in value.items()}
    if is_list(kind):
        if not isinstance(value, list):
            raise ColumnsError
        return [_fitted(item, kind.value_type) for item in value]
    if is_text(kind):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_json = isinstance(value, dict | list) and (name in JSON_TEXT or not value)
        if not (is_number or is_json or isinstance(value, str)):
            raise ColumnsError
        return value if isinstance(value, str) else _json(value)
    value = value.plain if type(value) is SpelledNumber else value
    if any(is_kind(kind) and type(value) not in types for is_kind, types in _NUMBERS):
        raise ColumnsError  # Arrow would round it
    return value


def _json(value: Any) -> str:
    return orjson.dumps(value, plain_value).decode()


CorpusFormat = Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet"]
LinesFormat = Literal["jsonl", "jsonl.gz", "jsonl.zst"]

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
                    (i, batch.select(i), batch.own(i)) for i in range(len(batch) if len(batch) > 1 else 0)
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
        if self.schema is None:
            return records, owners, lost
        table, misfits = as_table(records, self.schema)
        return table, owners, {**lost, **{owners[place]: "NotInColumns" for place in misfits}}

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
