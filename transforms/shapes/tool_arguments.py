"""Tool-call arguments: every leaf of their JSON that may be personal is a cell."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import is_list
from tacenda.transforms.shapes.declared import NONE, sparing
from tacenda.transforms.shapes.json_text import (
    MOST_LEVELS,
    UniqueKeys,
    Visit,
    as_number,
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
