"""Paths into records, as ``author.name``: fields of fields.

A list on the way stands for each of its entries, so ``comments.body`` is the body of every comment, and ``*``
stands for each field of an object. ``replies+`` is a field and those of the same name in it, at any depth.
Reading and writing share one walk.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.arrow_fields import is_list, plain

Place = tuple[str | int, ...]
"""Where in a record a value stands: names of fields and numbers of entries."""

Visit = Callable[[Any, Place, Any], Any]
"""Called with the kind of a path, a place and its value; returns what is written there."""

EACH, NESTED = "*", "+"


@dataclass(slots=True)
class Tree:
    """The paths of a record that are read. ``kind`` says what is done with a value here, None with nothing; a
    path that others go on from applies where the value is neither list nor object.
    """

    kind: Any = None
    within: "dict[str, Tree]" = field(default_factory=dict)


def tree_of(kinds: Mapping[str, Any]) -> Tree:
    """The tree of some paths with their kinds.

    Raises:
        UserError: a path is empty, or has an empty step.
    """
    root = Tree()
    for path, kind in kinds.items():
        node = root
        for step in path.split("."):
            if not step:
                raise UserError(f"path '{path}': write it as names with dots between them, as author.name")
            name = step.removesuffix(NESTED)
            node = node.within.setdefault(name, Tree())
            if name != step:
                node.within[name] = node
        node.kind = kind
    return root


def walk(value: Any, tree: Tree, visit: Visit, place: Place = ()) -> Any:
    """The part of a value that the tree names, with what ``visit`` returns in each place.

    Raises:
        RecordError: ``WrongType`` if a text or number stands where the tree goes on.
    """
    if tree.kind is not None and not (tree.within and type(value) in (dict, list)):
        return visit(tree.kind, place, value)
    if value is None:
        return None
    if type(value) is list:
        return [walk(item, tree, visit, (*place, number)) for number, item in enumerate(value)]
    if type(value) is not dict:
        raise RecordError("WrongType")
    each = tree.within.get(EACH)
    return {
        key: walk(item, inner, visit, (*place, key))
        for key, item in value.items()
        if (inner := tree.within.get(key, each)) is not None
    }


def nearest(record: Any, path: str, beside: Place) -> tuple[Place, Any] | None:
    """The place of a path that has its beginning in common with another place, and the value there."""
    value, place = record, list[str | int]()
    steps: list[str | None] = [*path.split("."), None]
    while steps:
        step = steps.pop(0)
        while type(value) is list:
            common = tuple(place) == beside[: len(place)] and len(place) < len(beside)
            number = beside[len(place)] if common else 0
            if type(number) is not int or number >= len(value):
                return None
            place.append(number)
            value = value[number]
        if step is None:
            break
        if step.endswith(NESTED):
            name = step.removesuffix(NESTED)
            if name in beside[len(place) + 1 :]:
                steps.insert(0, step)
            step = name
        if step == EACH:
            step = str(beside[len(place)]) if len(place) < len(beside) else EACH
        if type(value) is not dict or step not in value:
            return None
        place.append(step)
        value = value[step]
    return tuple(place), value


def written_type(kind: pa.DataType, tree: Tree, of: Callable[[Any, pa.DataType], pa.DataType]) -> Any:
    """The type of a column that holds what ``walk`` leaves of it, None if nothing; ``of`` gives that of a
    path, from its kind and the type that is read.
    """
    kind = plain(kind)
    if tree.kind is not None and not (tree.within and (is_list(kind) or pa.types.is_struct(kind))):
        return of(tree.kind, kind)
    if is_list(kind):
        inner = written_type(kind.value_type, tree, of)
        return None if inner is None else pa.list_(inner)
    if not pa.types.is_struct(kind):
        return kind if pa.types.is_null(kind) else None
    fields = written_fields(list(kind), tree, of)
    return pa.struct(fields) if fields else None


def written_fields(
    fields: Sequence[pa.Field], tree: Tree, of: Callable[[Any, pa.DataType], pa.DataType]
) -> list[pa.Field]:
    """The same for the columns of a table, or the fields of a struct."""
    each = tree.within.get(EACH)
    kinds = {f.name: inner for f in fields if (inner := tree.within.get(f.name, each)) is not None}
    types = {f.name: written_type(f.type, kinds[f.name], of) for f in fields if f.name in kinds}
    return [pa.field(name, kind) for name, kind in types.items() if kind is not None]
