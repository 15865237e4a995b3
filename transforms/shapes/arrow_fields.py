"""Arrow types of the fields that a shape writes."""

from collections.abc import Collection
from typing import Any

import orjson
import pyarrow as pa

from tacenda.transforms.storage.json_values import NUMBERS, plain_value


def with_text(schema: pa.Schema | None, names: Collection[str]) -> pa.Schema | None:
    """Return a schema with the named fields turned into text."""
    if schema is None:
        return None
    return pa.schema(
        [pa.field(field.name, text_type(field.type)) if field.name in names else field for field in schema]
    )


def plain(kind: pa.DataType) -> pa.DataType:
    """Return the value type of a dictionary-encoded column; other types unchanged."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def example_of(schema: pa.Schema) -> dict[str, Any]:
    """A record like the rows of a table, with empty texts and lists of one entry.

    >>> example_of(pa.schema([("id", pa.int64()), ("turns", pa.list_(pa.struct([("text", pa.string())])))]))
    {'id': 0, 'turns': [{'text': ''}]}
    """
    return {field.name: _example(plain(field.type)) for field in schema}


def _example(kind: pa.DataType) -> Any:
    if pa.types.is_struct(kind):
        return example_of(kind)
    if is_list(kind):
        return [_example(kind.value_type)]
    return "" if is_text(kind) else None if pa.types.is_null(kind) else 0


def text_type(kind: pa.DataType) -> pa.DataType:
    """Return a type of text: the given one if that is text, otherwise a string."""
    return kind if is_text(kind) else pa.string()


def is_list(kind: pa.DataType) -> bool:
    """Whether a type is a list of any width."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def is_text(kind: pa.DataType) -> bool:
    """Whether a type is text of any width."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def in_column(value: Any, kind: pa.DataType) -> Any:
    """Return a value as a column holds it: numbers, lists and objects are JSON where the column is text.

    >>> in_column({"a": 7, "b": {"c": [None], "d": None}}, pa.struct([("a", pa.string()), ("b", pa.string())]))
    {'a': '7', 'b': '{"c":[null]}'}
    """
    if value is None or type(value) is str:
        return value
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
