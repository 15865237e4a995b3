"""List the fields of the input, to report fields to keep that it does not have."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import pyarrow as pa

from tacenda.transforms.shapes.json_keys import is_parameter
from tacenda.transforms.shapes.options import ReadOptions, actual_name

_LEVELS = 3
"""Levels of fields that are listed: of a record, of its messages, and of the parts or the calls of these."""


def fields_of_schema(schema: pa.Schema) -> set[str]:
    """The columns of a table, and the fields of structs and lists of structs as ``column.field``."""
    return {name for field in schema for name in _names(field, field.name, 1)}


def fields_of_records(records: Iterable[Any]) -> set[str]:
    """:func:`fields_of_schema` for JSON records; those that are not objects are skipped."""
    found: set[str] = set()
    for record in records:
        if type(record) is dict:
            _note(record, "", 1, found)
    return found


def _note(record: dict[str, Any], outer: str, level: int, found: set[str]) -> None:
    for key, value in record.items():
        name = f"{outer}{key}"
        found.add(name)
        for entry in (value if type(value) is list else [value]) if level < _LEVELS else ():
            if type(entry) is dict:
                _note(entry, f"{name}.", level + 1, found)


def unseen(options: ReadOptions, seen: Collection[str]) -> tuple[str, ...]:
    """The fields to keep that are not among ``seen``, as the user wrote them."""

    def is_seen(kept: str) -> bool:
        outer, dot, inner = kept.partition(".")
        # The list may be given by our name or by the file's, as in `turns.start` for `utterances`.
        return kept in seen or (bool(dot) and f"{actual_name(options, outer)}.{inner}" in seen)

    return tuple(kept for kept in options.keep if not is_seen(kept))


def dropped(seen: Collection[str], written: Collection[str]) -> tuple[list[str], int]:
    """The fields that are not written, and the number of further ones whose names may be data themselves.

    Nested fields are listed only if the outer field is written in part.
    """
    in_part = {_outer(name) for name in written}
    left = [
        name
        for name in sorted({*seen} - {*written})
        # A name may have dots of its own.
        if _outer(name) not in seen or _outer(name) in in_part
    ]
    named = [name for name in left if is_parameter(name)]
    return named, len(left) - len(named)


def _outer(name: str) -> str:
    return name.rpartition(".")[0]


def _names(field: pa.Field, name: str, level: int) -> Iterator[str]:
    yield name
    kind = field.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind = kind.value_type
    if pa.types.is_struct(kind) and level < _LEVELS:
        for inner in kind:
            yield from _names(inner, f"{name}.{inner.name}", level + 1)
