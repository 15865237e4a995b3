"""Tool-call arguments: every leaf of their JSON that can name somebody is a cell of its own."""

import json
import re
from collections.abc import Callable
from typing import Any

import orjson
import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import is_list
from tacenda.transforms.shapes.json_spelling import respelled

Visit = Callable[[str, str], str]
"""Called with the path and the text of a cell; returns what shall stand in its place.

A path holds nothing but names of parameters and numbers of places; ``:key`` ends that of a key.
"""

NUMBER_DIGITS = 3
"""Numbers of fewer digits are counts; from three digits on they may be part of a telephone number or an id."""

MOST_LEVELS = 100
"""Lists and objects in each other; a fixed number, since what the interpreter allows depends on its caller."""

_PATH_CHARS = 128
"""Names may take so much of a path; further keys go by their places, lest each leaf repeat a long one."""

_PARAMETER = re.compile(r"[A-Za-z_$][A-Za-z_$.-]*[0-9]{0,2}")
"""Names that a tool gives its parameters; any other key may be data, as in ``{"anna@x.se": "invited"}``."""


def is_parameter(name: str) -> bool:
    """Say whether a name is one that somebody gave a field, and not itself data."""
    return bool(_PARAMETER.fullmatch(name))


def walk_arguments(value: Any, path: str, visit: Visit) -> Any:
    """Rebuild arguments with every text and long number replaced by what ``visit`` returns.

    Arguments that come as a string of JSON go back as one, spelled as they were where nothing changed; with a
    repeated key, which only a later reader might see, they are spelled anew without it. A string that is no
    JSON is one cell. A number stays a number unless
    ``visit`` changes it.

    Raises:
        RecordError: ``UnsupportedContent`` where they are no JSON values or have more than ``MOST_LEVELS``.
    """
    if type(value) is not str:
        return _walk(value, path, visit, 0)
    try:
        # orjson is strict about text; json keeps integers of which orjson makes rounded floats.
        orjson.loads(value)
        parsed = json.loads(value)
    except ValueError:
        return visit(path, value)
    except RecursionError as error:
        raise RecordError("UnsupportedContent") from error
    return respelled(value, parsed, _walk(parsed, path, visit, 0))


def _walk(value: Any, path: str, visit: Visit, level: int) -> Any:
    if type(value) is str:
        return visit(path, value)
    if value is None or type(value) is bool:
        return value
    if type(value) in (int, float):
        spelled = repr(value)
        if sum(map(str.isdigit, spelled)) < NUMBER_DIGITS:
            return value
        replaced = visit(path, spelled)
        return value if replaced == spelled else replaced
    if level == MOST_LEVELS:
        raise RecordError("UnsupportedContent")
    if type(value) is list:
        return [_walk(item, f"{path}.{index}", visit, level + 1) for index, item in enumerate(value)]
    if type(value) is dict:
        return object_walked(value, path, visit, lambda item, below: _walk(item, below, visit, level + 1))
    raise RecordError("UnsupportedContent")


def object_walked(
    value: dict[str, Any], path: str, visit: Visit, walk: Callable[[Any, str], Any]
) -> dict[str, Any]:
    """Rebuild an object: ``visit`` is shown the keys that may be data, ``walk`` replaces the values."""
    written: dict[str, Any] = {}
    times: dict[str, int] = {}
    for place, (key, item) in enumerate(value.items()):
        # Paths are written beside findings: a key that may be data is told by its place, which no parameter is.
        is_parameter = _PARAMETER.fullmatch(key)
        told = is_parameter and len(path) + len(key) <= _PATH_CHARS
        below = f"{path}.{key if told else place}"
        name = unique = key if is_parameter else visit(f"{below}:key", key)
        while unique in written:
            # Two keys that mean one person: neither value may be lost.
            times[name] = times.get(name, 1) + 1
            unique = f"{name}_{times[name]}"
        written[unique] = walk(item, below)
    return written


def spell_numbers(value: Any) -> Any:
    """Return arguments with numbers as text, as a column needs that may hold replaced ones."""
    if type(value) in (int, float):
        return repr(value)
    if type(value) is list:
        return [spell_numbers(item) for item in value]
    if type(value) is dict:
        return {key: spell_numbers(item) for key, item in value.items()}
    return value


def as_json(value: Any) -> str:
    """Return arguments of a column as text of JSON, without the fields that only other rows have."""
    return orjson.dumps(_present(value)).decode()


def _present(value: Any) -> Any:
    if type(value) is list:
        return [_present(item) for item in value]
    if type(value) is dict:
        return {key: _present(item) for key, item in value.items() if item is not None}
    return value


def arguments_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a written column of arguments.

    Where the name of a field may be data it is text, as :func:`as_json` makes it: a schema is one for all rows,
    so that its names cannot be replaced.
    """
    return spelled_type(kind) if _names_parameters(kind) else pa.string()


def _names_parameters(kind: pa.DataType) -> bool:
    if is_list(kind):
        return _names_parameters(kind.value_type)
    if pa.types.is_struct(kind):
        return all(_PARAMETER.fullmatch(field.name) and _names_parameters(field.type) for field in kind)
    return True


def spelled_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column of arguments whose numbers are spelled as text."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return pa.string()
    if is_list(kind):
        return pa.list_(spelled_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, spelled_type(field.type)) for field in kind])
    return kind
