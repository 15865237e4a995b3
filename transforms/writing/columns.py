"""Records as Parquet columns: types that fit the records, and records that fit the types."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import orjson
import pyarrow as pa

from tacenda.transforms.shapes.arrow_fields import is_list, is_text, with_text
from tacenda.transforms.shapes.shape import Record
from tacenda.transforms.storage.json_values import SpelledNumber, plain_value

JSON_TEXT = frozenset({"arguments", "functions", "parameters", "tools"})
"""Fields whose values have fields of their own in every record; in a column they are JSON as text."""


_NUMBERS = (
    (pa.types.is_boolean, (bool,)),
    (pa.types.is_integer, (int,)),
    (pa.types.is_floating, (int, float)),
)
"""What Python types the columns of numbers hold."""


class ColumnsError(ValueError):
    """Records that no common columns hold."""


class _MisfitError(ValueError):
    """A value that its column does not hold."""


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
    schema = with_text(pa.schema([_column(field) for field in kind]), texts)
    assert schema is not None
    return schema


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
        if place < 0:
            continue
        field = schema.field(place)
        kind = _in_text(field.type, within)
        if kind != field.type:
            schema = schema.set(place, pa.field(field.name, kind))
            changed.append(name)
    return schema, changed


def _in_text(kind: pa.DataType, within: str) -> pa.DataType:
    """A type with text for numbers, or for those of one field of a struct."""
    if is_list(kind):
        return pa.list_(_in_text(kind.value_type, within))
    if pa.types.is_struct(kind):
        return pa.struct(
            [
                pa.field(field.name, _in_text(field.type, "") if within in ("", field.name) else field.type)
                for field in kind
            ]
        )
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    return pa.string() if is_number and not within else kind


def as_table(records: Sequence[Record], schema: pa.Schema) -> tuple[pa.Table, list[int]]:
    """Records as a table of a schema, and the places of those that do not fit and are left out.

    Nothing is dropped from a record to make it fit: one with a field that the schema lacks is left out.
    """
    kind = pa.struct(list(schema))
    fitting: list[Any] = []
    misfits: list[int] = []
    for place, record in enumerate(records):
        try:
            fitting.append(_fitted(record, kind))
        except _MisfitError:
            misfits.append(place)
    try:
        return pa.Table.from_pylist(fitting, schema=schema), misfits
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return _one_by_one(records, schema)


def _one_by_one(records: Sequence[Record], schema: pa.Schema) -> tuple[pa.Table, list[int]]:
    """The same where a value is beyond the range of its column, or of another type."""
    kind = pa.struct(list(schema))
    tables, misfits = [schema.empty_table()], []
    for place, record in enumerate(records):
        try:
            tables.append(pa.Table.from_pylist([_fitted(record, kind)], schema=schema))
        except (_MisfitError, pa.ArrowException, TypeError, ValueError, OverflowError):
            misfits.append(place)
    return pa.concat_tables(tables), misfits


def _column(field: pa.Field) -> pa.Field:
    """A column that can be written: text where nothing is known of the values, or nothing can be in them."""
    return pa.field(field.name, _writable(field.type))


def _writable(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_null(kind):
        return pa.string()
    if pa.types.is_struct(kind):
        return pa.struct([_column(field) for field in kind]) if kind.num_fields else pa.string()
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
            raise _MisfitError
        return {key: _fitted(item, kind.field(key).type, key) for key, item in value.items()}
    if is_list(kind):
        if not isinstance(value, list):
            raise _MisfitError
        return [_fitted(item, kind.value_type) for item in value]
    if is_text(kind):
        return _text(value, name)
    value = value.plain if type(value) is SpelledNumber else value
    if any(is_kind(kind) and type(value) not in types for is_kind, types in _NUMBERS):
        raise _MisfitError  # Arrow would round it
    return value


def _text(value: Any, name: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _json(value)
    if isinstance(value, dict | list) and (name in JSON_TEXT or not value):
        return _json(value)
    raise _MisfitError


def _json(value: Any) -> str:
    return orjson.dumps(value, plain_value).decode()
