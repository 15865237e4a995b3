"""Arguments of tool calls: every leaf of their JSON that may be personal is a cell, with its JSON Schema.

Definitions of tools are those of OpenAI (``{"function": {"name", "parameters"}}``, or that object itself) and
Anthropic (``{"name", "input_schema"}``). Where none says otherwise, a number is a number.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any

import orjson
import pyarrow as pa

from tacenda.transforms.shapes.arrow_fields import is_list
from tacenda.transforms.shapes.declared import refuse
from tacenda.transforms.shapes.json_text import (
    MOST_LEVELS,
    NONE,
    UniqueKeys,
    Visit,
    as_number,
    is_json,
    is_parameter,
    is_searched,
    key_path,
    parses,
    walk_json,
    walk_text,
)
from tacenda.transforms.storage.json_values import NUMBERS

_KEPT = (Decimal, date, time)  # a datetime is a date


def walk_arguments(
    value: Any, path: str, visit: Visit, constants: frozenset[str] = NONE, level: int = 0
) -> Any:
    """Rebuild arguments with every text and long number replaced by what ``visit`` returns.

    Arguments that come as a string of JSON go back as one, spelled as they were but for what changed. A string
    that is no JSON is one cell. A number stays one unless ``visit`` makes a text of it. ``constants`` stay.
    ``level`` is the number of levels above them.
    """
    if type(value) is str:
        return walk_json(value, path, visit, constants=constants) if parses(value) else visit(path, value)
    return walk_value(value, path, lambda at, text: text if text in constants else visit(at, text), level)


def walk_value(
    value: Any, path: str, visit: Visit, level: int = 0, kept: bool = False, typed: bool = False
) -> Any:
    """Rebuild a value with every text and long number replaced by what ``visit`` returns.

    Args:
        value: of JSON; or of any column, if it is ``kept``.
        path: of the value.
        visit: see ``Visit``.
        level: the number of levels above it.
        kept: it is of a field that the user keeps: times are searched, too, and JSON in texts is left alone.
        typed: as for columns of numbers or times, those that a text replaces become null.
    """
    if type(value) is str:
        return (visit(path, value) if value else value) if kept else walk_text(value, path, visit, level)
    if value is None or type(value) is bool:
        return value
    if type(value) in NUMBERS or (kept and isinstance(value, _KEPT)):
        spelled = value.isoformat() if isinstance(value, (date, time)) else str(value)
        replaced = visit(path, spelled) if is_searched(spelled) else spelled
        if replaced == spelled:
            return value
        number = as_number(replaced) if type(value) in NUMBERS else None
        written = replaced if number is None else number
        return None if typed and type(written) is not type(value) else written
    refuse(level == MOST_LEVELS, "UnsupportedContent")
    if type(value) is list or (kept and type(value) is tuple):
        places = ((f"{path}.{index}", item) for index, item in enumerate(value))
        return type(value)(walk_value(item, at, visit, level + 1, kept, typed) for at, item in places)
    refuse(type(value) is not dict, "UnsupportedContent")
    new: dict[str, Any] = {}
    keys = UniqueKeys()
    for place, (key, item) in enumerate(value.items()):
        below = key_path(path, key, place)
        name = keys.name(key, key if is_parameter(key) else visit(f"{below}:key", key))
        new[name] = walk_value(item, below, visit, level + 1, kept, typed)
    return new


def arguments_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a written column of arguments: with numbers as text.

    If a field name may be data, the column is JSON as text (``in_column``): all rows share the schema, so its
    names cannot be replaced.
    """
    spelled = _spelled_type(kind)
    return pa.string() if spelled is None else spelled


def _spelled_type(kind: pa.DataType) -> pa.DataType | None:
    """The type of arguments with numbers as text; None if a name of a field may be data."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return pa.string()
    if is_list(kind):
        inner = _spelled_type(kind.value_type)
        return None if inner is None else pa.list_(inner)
    if pa.types.is_struct(kind):
        types = {field.name: _spelled_type(field.type) for field in kind}
        named = all(is_parameter(name) and own is not None for name, own in types.items())
        return pa.struct(list(types.items())) if named else None
    return kind


Schema = Mapping[str, Any]
Schemas = Mapping[tuple[int, str], Schema]  # by turn and part of the cells of a conversation

_ANY: Schema = {}
_CHOICES = ("anyOf", "oneOf", "allOf")


def parameters_of(definitions: Any) -> dict[str, Any]:
    """The schemas of the parameters of tools by name.

    >>> parameters_of([{"type": "function", "function": {"name": "book", "parameters": {"type": "object"}}}])
    {'book': {'type': 'object'}}
    """
    definitions = _opened(definitions)
    found = {}
    for one in definitions if type(definitions) is list else ():
        tool = one.get("function", one) if type(one) is dict else None
        if type(tool) is dict and type(tool.get("name")) is str:
            found[tool["name"]] = tool.get("parameters") or tool.get("input_schema") or _ANY
    return found


def _opened(value: Any) -> Any:
    """A value, or that of the JSON which it is as a text."""
    return orjson.loads(value) if type(value) is str and is_json(value) else value


def schemas_of_values(arguments: Any, schema: Any, path: str) -> Iterator[tuple[str, Schema]]:
    """The path, as that of its cell, and the schema of each number and text in arguments.

    >>> dict(schemas_of_values('{"id": 7, "to": ["a"]}', {"properties": {"id": {"type": "integer"}}}, "input"))
    {'input.id': {'type': 'integer'}, 'input.to.0': {}}
    """
    yield from _of_values(_opened(arguments), schema if type(schema) is dict else _ANY, path, 0)


def _of_values(value: Any, schema: Schema, path: str, level: int) -> Iterator[tuple[str, Schema]]:
    if level == MOST_LEVELS:
        return
    if type(value) is dict:
        for place, (key, item) in enumerate(value.items()):
            yield from _of_values(item, _below(schema, key), key_path(path, key, place), level + 1)
    elif type(value) is list:
        for index, item in enumerate(value):
            yield from _of_values(item, _below(schema, None), f"{path}.{index}", level + 1)
    elif type(value) in NUMBERS:
        yield path, {"type": "number", **schema}
    elif type(value) is str:
        yield path, schema


def _below(schema: Schema, key: str | None) -> Schema:
    """The schema of a field, or with None that of the items of a list; that of anything if none says."""
    choices = (c for name in _CHOICES if type(of := schema.get(name)) is list for c in of if type(c) is dict)
    for one in (schema, *choices):
        if key is None:
            found = one.get("items")
        else:
            fields = one.get("properties")
            found = (type(fields) is dict and fields.get(key)) or one.get("additionalProperties")
        if type(found) is dict:
            return found
    return _ANY


def enumerated(definitions: Iterable[Any]) -> frozenset[str]:
    """The values that JSON Schemas in definitions of tools enumerate, as they are spelled; and those names of
    their parameters that would else be taken for data.

    >>> sorted(enumerated([{"properties": {"unit": {"enum": ["mile", 7]}, "db2View": {"const": "a"}}}]))
    ['7', 'a', 'db2View', 'mile']
    """
    return frozenset(value for one in definitions for value in _values(one, 0))


def _values(value: Any, level: int) -> Iterator[str]:
    if level == MOST_LEVELS:
        return
    if type(value) is str and is_json(value):
        yield from _values(orjson.loads(value), level + 1)
    elif type(value) is list:
        for item in value:
            yield from _values(item, level + 1)
    elif type(value) is dict:
        for key, item in value.items():
            listed = item if key == "enum" and type(item) is list else [item] if key == "const" else ()
            yield from (
                one if type(one) is str else repr(one) for one in listed if type(one) in (str, *NUMBERS)
            )
            if key == "properties" and type(item) is dict:
                yield from (name for name in item if not is_parameter(name))
            yield from _values(item, level + 1)
