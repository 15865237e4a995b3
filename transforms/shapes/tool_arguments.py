"""Arguments of tool calls: every leaf of their JSON that may be personal is a cell, with its JSON Schema.

Definitions of tools are those of OpenAI (``{"function": {"name", "parameters"}}``, or that object itself) and
Anthropic (``{"name", "input_schema"}``). Where none says otherwise, a number is a number.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson
import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import is_list
from tacenda.transforms.shapes.declared import NONE, sparing
from tacenda.transforms.shapes.json_text import (
    MOST_LEVELS,
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


def walk_arguments(
    value: Any, path: str, visit: Visit, constants: frozenset[str] = NONE, level: int = 0
) -> Any:
    """Rebuild arguments with every text and long number replaced by what ``visit`` returns.

    Arguments that come as a string of JSON go back as one, spelled as they were but for what changed. A string
    that is no JSON is one cell. A number stays one unless ``visit`` makes a text of it. ``constants`` stay.
    ``level`` is the number of levels above them.

    Raises:
        RecordError: ``UnsupportedContent`` if they are not JSON values or nested deeper than ``MOST_LEVELS``.
    """
    if type(value) is str:
        return walk_json(value, path, visit, constants=constants) if parses(value) else visit(path, value)
    return _walk(value, path, sparing(visit, constants), level)


def _walk(value: Any, path: str, visit: Visit, level: int) -> Any:
    if type(value) is str:
        return walk_text(value, path, visit, level)
    if value is None or type(value) is bool:
        return value
    if type(value) in NUMBERS:
        spelled = repr(value)
        replaced = visit(path, spelled) if is_searched(spelled) else spelled
        return value if replaced == spelled else in_its_type(replaced)
    if level == MOST_LEVELS:
        raise RecordError("UnsupportedContent")
    if type(value) is list:
        return [_walk(item, f"{path}.{index}", visit, level + 1) for index, item in enumerate(value)]
    if type(value) is dict:
        return object_walked(value, path, visit, lambda item, below: _walk(item, below, visit, level + 1))
    raise RecordError("UnsupportedContent")


def in_its_type(replaced: str) -> Any:
    """What replaces a number: a number, if it is one."""
    number = as_number(replaced)
    return replaced if number is None else number


def object_walked(
    value: dict[str, Any], path: str, visit: Visit, walk: Callable[[Any, str], Any]
) -> dict[str, Any]:
    """Rebuild an object: ``visit`` replaces the keys that may be data, ``walk`` the values."""
    written: dict[str, Any] = {}
    keys = UniqueKeys()
    for place, (key, item) in enumerate(value.items()):
        below = key_path(path, key, place)
        name = keys.name(key, key if is_parameter(key) else visit(f"{below}:key", key))
        written[name] = walk(item, below)
    return written


def arguments_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a written column of arguments.

    If a field name may be data, the column is JSON as text (``in_column``): all rows share the schema, so its
    names cannot be replaced.
    """
    return spelled_type(kind) if _names_parameters(kind) else pa.string()


def _names_parameters(kind: pa.DataType) -> bool:
    if is_list(kind):
        return _names_parameters(kind.value_type)
    if pa.types.is_struct(kind):
        return all(is_parameter(field.name) and _names_parameters(field.type) for field in kind)
    return True


def spelled_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column of arguments with numbers as text."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return pa.string()
    if is_list(kind):
        return pa.list_(spelled_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, spelled_type(field.type)) for field in kind])
    return kind


Schema = Mapping[str, Any]
Schemas = Mapping[tuple[int, str], Schema]
"""By turn and part of the cells of a conversation."""

_ANY: Schema = {}
_CHOICES = ("anyOf", "oneOf", "allOf")


def parameters_of(definitions: Any) -> dict[str, Any]:
    """The schemas of the parameters of tools by name.

    >>> parameters_of([{"type": "function", "function": {"name": "book", "parameters": {"type": "object"}}}])
    {'book': {'type': 'object'}}
    """
    if type(definitions) is str and is_json(definitions):
        definitions = orjson.loads(definitions)
    found = {}
    for one in definitions if type(definitions) is list else ():
        tool = one.get("function", one) if type(one) is dict else None
        if type(tool) is dict and type(tool.get("name")) is str:
            found[tool["name"]] = tool.get("parameters") or tool.get("input_schema") or _ANY
    return found


def schemas_of_values(arguments: Any, schema: Any, path: str) -> Iterator[tuple[str, Schema]]:
    """The path, as that of its cell, and the schema of each number and text in arguments.

    >>> dict(schemas_of_values('{"id": 7, "to": ["a"]}', {"properties": {"id": {"type": "integer"}}}, "input"))
    {'input.id': {'type': 'integer'}, 'input.to.0': {}}
    """
    if type(arguments) is str and is_json(arguments):
        arguments = orjson.loads(arguments)
    yield from _of_values(arguments, schema if type(schema) is dict else _ANY, path, 0)


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
    for one in (schema, *(c for name in _CHOICES for c in schema.get(name) or () if type(c) is dict)):
        if key is None:
            found = one.get("items")
        else:
            found = (one.get("properties") or _ANY).get(key) or one.get("additionalProperties")
        if type(found) is dict:
            return found
    return _ANY
