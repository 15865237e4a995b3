"""Arrow types of the fields that a shape writes."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import orjson
import pyarrow as pa

from tacenda.transforms.storage.json_values import NUMBERS, plain_value

Keep = Callable[[pa.Field], "pa.Field | None"]


def select_fields(schema: pa.Schema, names: Collection[str]) -> list[pa.Field]:
    """Return the named fields of a schema in the schema's order, nullable, plain and without metadata."""
    return [pa.field(field.name, plain(field.type)) for field in schema if field.name in names]


def with_text(schema: pa.Schema | None, names: Collection[str]) -> pa.Schema | None:
    """Return a schema with the named fields turned into text."""
    if schema is None:
        return None
    return pa.schema([as_text(field) if field.name in names else field for field in schema])


def plain(kind: pa.DataType) -> pa.DataType:
    """Return the value type of a dictionary-encoded column; other types unchanged."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def as_text(field: pa.Field) -> pa.Field:
    """Return a text field: of its own type if that is text, otherwise a string."""
    return pa.field(field.name, field.type if is_text(field.type) else pa.string())


def inside_list(field: pa.Field, select: Keep, least: str) -> pa.Field:
    """Rewrite the fields of a list of structs: ``select`` returns each one's new field, or None to drop it.

    ``least`` is the field to add, as text, if none would be left.
    """
    if not is_list_of_structs(field.type):
        return pa.field(field.name, field.type)
    inner = [kept for item in field.type.value_type if (kept := select(item)) is not None]
    return pa.field(field.name, pa.list_(struct_of(inner, least)))


def struct_of(fields: Sequence[pa.Field], least: str) -> pa.DataType:
    """Return a struct of fields, or of ``least`` if there are none, since Parquet has no empty structs."""
    return pa.struct(fields or [pa.field(least, pa.string())])


def is_list(kind: pa.DataType) -> bool:
    """Whether a type is a list of any width."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def is_list_of_structs(kind: pa.DataType) -> bool:
    """Whether a type is a list of structs."""
    return is_list(kind) and bool(pa.types.is_struct(kind.value_type))


def is_text(kind: pa.DataType) -> bool:
    """Whether a type is text of any width."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def in_column(value: Any, kind: pa.DataType) -> Any:
    """Return a value as a column holds it: numbers, lists and objects are JSON where the column is text.

    >>> in_column({"a": 7, "b": {"c": [None], "d": None}}, pa.struct([("a", pa.string()), ("b", pa.string())]))
    {'a': '7', 'b': '{"c":[null]}'}
    """
    if is_text(kind):
        if type(value) in NUMBERS:
            return repr(value)
        is_json = type(value) in (bool, list, dict)
        return orjson.dumps(_present(value), plain_value).decode() if is_json else value
    if type(value) is list and is_list(kind):
        return [in_column(item, kind.value_type) for item in value]
    if type(value) is dict and pa.types.is_struct(kind):
        return {field.name: in_column(value[field.name], field.type) for field in kind if field.name in value}
    return value


def _present(value: Any) -> Any:
    """A value without the fields that only other rows have."""
    if type(value) is list:
        return [_present(item) for item in value]
    if type(value) is dict:
        return {key: _present(item) for key, item in value.items() if item is not None}
    return value
