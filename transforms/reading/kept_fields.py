"""Which fields the input has: one to keep that is misspelt would be dropped without a word."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import pyarrow as pa

from tacenda.transforms.shapes.json_keys import is_parameter
from tacenda.transforms.shapes.options import ReadOptions


def fields_of_schema(schema: pa.Schema) -> set[str]:
    """The columns of a table, and as ``column.field`` the fields of structs and of lists of structs."""
    return {name for field in schema for name in _names(field)}


def fields_of_records(records: Iterable[Any]) -> set[str]:
    """The same of JSON records, of those that are objects."""
    found: set[str] = set()
    for record in records:
        for name, value in record.items() if type(record) is dict else ():
            found.add(name)
            for entry in value if type(value) is list else [value]:
                if type(entry) is dict:
                    found.update(f"{name}.{inner}" for inner in entry)
    return found


def unseen(options: ReadOptions, seen: Collection[str]) -> tuple[str, ...]:
    """The fields to keep that are not among those seen, as the user wrote them."""

    def is_seen(kept: str) -> bool:
        outer, dot, inner = kept.partition(".")
        # The list may be called by our name for it or by the file's, as in `turns.start` for `utterances`.
        return kept in seen or (bool(dot) and f"{options.actual(outer)}.{inner}" in seen)

    return tuple(kept for kept in options.keep if not is_seen(kept))


def dropped(seen: Collection[str], written: Collection[str]) -> tuple[list[str], int]:
    """The fields seen that are not written, and how many more there are whose names may be data themselves.

    Of a field that is not written, and of one that is written whole, the fields inside are not told.
    """
    in_part = {_outer(name) for name in written}
    left = [
        name
        for name in sorted({*seen} - {*written})
        # A name may have dots of its own.
        if _outer(name) not in seen or _outer(name) in in_part
    ]
    told = [name for name in left if is_parameter(name)]
    return told, len(left) - len(told)


def _outer(name: str) -> str:
    return name.rpartition(".")[0]


def _names(field: pa.Field) -> Iterator[str]:
    yield field.name
    kind = field.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind = kind.value_type
    if pa.types.is_struct(kind):
        yield from (f"{field.name}.{inner.name}" for inner in kind)
