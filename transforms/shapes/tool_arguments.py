"""Arguments of tool calls: every leaf of their JSON that may be personal is a cell."""

from collections.abc import Iterable, Iterator
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
