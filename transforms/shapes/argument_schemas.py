"""The JSON Schema of each value in the arguments of a call, by the definition of its tool.

Definitions are those of OpenAI (``{"function": {"name", "parameters"}}``, or that object itself) and Anthropic
(``{"name", "input_schema"}``). Where none says otherwise, a number is a number.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from tacenda.transforms.shapes.json_text import MOST_LEVELS, is_json, key_path
from tacenda.transforms.storage.json_values import NUMBERS

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
