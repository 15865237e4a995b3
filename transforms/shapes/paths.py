"""Paths into records, as ``author.name``, and what is done with the value there: the table that a shape is.

A list on the way stands for each of its entries, so ``comments.body`` is the body of every comment, and ``*``
stands for each field of an object. ``replies+`` is a field and those of the same name in it, at any depth. In
the tables of our own shapes, lists are only where ``[]`` says so. Reading and writing share one walk.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.arrow_fields import is_list, plain

Place = tuple[str | int, ...]  # where in a record a value stands: names of fields and numbers of entries
Leaf = Callable[[Any, Place, Any], Any]  # kind, place and value to what is written

EACH, NESTED, LIST = "*", "+", "[]"


class Kind(str, Enum):
    """What is done with the value of a path; ``content.WRITTEN`` has a function for each that is no matter of
    a single shape.
    """

    TEXT = "searched"
    CONTENT = "searched: a text, or parts"
    ARGUMENTS = "searched: arguments of a tool, as JSON or spelled out"
    VALUES = "searched: any JSON"
    AUDIO = "searched: what a model said aloud"
    KEPT = "searched: a field that the user keeps"
    SPEAKER = "the label of a speaker, replaced as its cells say"
    ADDRESS = "searched, and dropped if nothing is found"
    SETTING = "a switch of the format; a text that no format knows is searched"
    HIDDEN = "replaced by a placeholder, as it cannot be searched"
    REFERENCE = "the location of media"
    DOCUMENT = "a text, parts, or the location of a document"
    ID = "the id of the conversation"
    CONTEXT = "its context"
    TIME = "written if it is a time"
    NUMBER = "written if it is a number, yes or no"
    LABEL = "written, and checked for personal data: an id of a call, the name of a file"
    TOOL = "the same: the name of a tool"
    DEFINITION = "the same: definitions of tools"
    CHECKED = "written if it is what the format says"
    INDEX = "written if it is the number of an entry"
    OPAQUE = "written unchanged"


@dataclass(slots=True)
class Tree:
    """The paths of a record that are read.

    A path that others go on from applies where the value is neither list nor object.

    Attributes:
        kind: what is done with a value here, a ``Kind`` or another mark; None for nothing.
        within: the trees of its fields.
        form: ``list`` for a list of objects, ``dict`` for an object alone; None for either.
    """

    kind: Any = None
    within: "dict[str, Tree]" = field(default_factory=dict)
    form: type | None = None

    def at(self, steps: Sequence[str], form: type | None = None) -> "Tree":
        """The tree at the end of a path, which is made if it is not there."""
        node = self
        for step in steps:
            name = step.removesuffix(LIST).removesuffix(NESTED)
            node = node.within.setdefault(name, Tree(form=list if step.endswith(LIST) else form))
            if step.endswith(NESTED):
                node.within[name] = node
        return node

    def names(self, outer: str = "") -> Iterator[tuple[str, Any]]:
        """The fields that are written, as ``field.field``, and their kinds."""
        for name, inner in self.within.items():
            yield f"{outer}{name}", inner.kind
            yield from inner.names(f"{outer}{name}.")


def tree_of(kinds: Mapping[str, Any]) -> Tree:
    """The tree of some paths with their kinds.

    Raises:
        UserError: a path is empty, or has an empty step.
    """
    root = Tree()
    for path, kind in kinds.items():
        steps = path.split(".")
        if not all(steps):
            raise UserError(f"path '{path}': write it as names with dots between them, as author.name")
        root.at(steps).kind = kind
    return root


def walk(value: Any, tree: Tree, leaf: Leaf, place: Place = ()) -> Any:
    """The part of a value that the tree names, with what ``leaf`` returns in each place.

    Raises:
        RecordError: ``WrongType`` if a text or number stands where the tree goes on, or no list where one must.
    """
    if tree.kind is not None and not (tree.within and type(value) in (dict, list)):
        return leaf(tree.kind, place, value)
    if value is None:
        return None
    if tree.form is list:
        if type(value) is not list:
            raise RecordError("WrongType")
        return [walk_fields(item, tree, leaf, (*place, number)) for number, item in enumerate(value)]
    if type(value) is list and tree.form is None:
        return [walk(item, tree, leaf, (*place, number)) for number, item in enumerate(value)]
    return walk_fields(value, tree, leaf, place)


def walk_fields(value: Any, tree: Tree, leaf: Leaf, place: Place = ()) -> dict[str, Any]:
    """The same for a value that must be an object."""
    if type(value) is not dict:
        raise RecordError("WrongType")
    each = tree.within.get(EACH)
    return {
        key: walk(item, inner, leaf, (*place, key))
        for key, item in value.items()
        if (inner := tree.within.get(key, each)) is not None
    }


def nearest(value: Any, steps: Sequence[str], beside: Place, place: Place = ()) -> tuple[Place, Any] | None:
    """The place of a path that has its beginning in common with another place, and the value there."""
    common = len(place) < len(beside) and place == beside[: len(place)]
    if type(value) is list:
        number = beside[len(place)] if common else 0
        if type(number) is not int or number >= len(value):
            return None
        return nearest(value[number], steps, beside, (*place, number))
    if not steps:
        return place, value
    step, *rest = steps
    if step.endswith(NESTED):
        step = step.removesuffix(NESTED)
        rest = [*steps] if step in beside[len(place) + 1 :] else rest
    if step == EACH and common:
        step = str(beside[len(place)])
    if type(value) is not dict or step not in value:
        return None
    return nearest(value[step], rest, beside, (*place, step))


Of = Callable[[Any, pa.DataType], pa.DataType]
"""The type of what is written, of a kind and the type that is read."""


def written_fields(fields: Sequence[pa.Field], tree: Tree, of: Of) -> list[pa.Field]:
    """The columns of a table, or the fields of a struct, that hold what ``walk`` leaves of them."""
    each = tree.within.get(EACH)
    kinds = {f.name: inner for f in fields if (inner := tree.within.get(f.name, each)) is not None}
    types = {f.name: _written_type(plain(f.type), kinds[f.name], of) for f in fields if f.name in kinds}
    return [pa.field(name, kind) for name, kind in types.items() if kind is not None]


def _written_type(kind: pa.DataType, tree: Tree, of: Of) -> pa.DataType | None:
    of_list, of_struct = is_list(kind), pa.types.is_struct(kind)
    if tree.form is list:
        goes_on = of_list and pa.types.is_struct(kind.value_type)
    else:
        goes_on = of_struct or (of_list and tree.form is None)
    if tree.kind is not None and not (tree.within and goes_on):
        return of(tree.kind, kind)
    if not goes_on:
        return kind if tree.form is not None or pa.types.is_null(kind) else None
    if of_list and tree.form is None:
        inner = _written_type(plain(kind.value_type), tree, of)
        return None if inner is None else pa.list_(inner)
    fields = written_fields(list(kind.value_type if of_list else kind), tree, of)
    if not fields and tree.form is None:
        return None
    # Parquet has no structs without fields.
    own = pa.struct(fields or [pa.field(next(iter(tree.within)), pa.string())])
    return pa.list_(own) if of_list else own
