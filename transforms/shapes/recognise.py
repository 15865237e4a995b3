"""Recognise which of the shapes an input has, from its fields."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import NoneType
from typing import Any

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.chat import (
    AlpacaShape,
    ChatShape,
    DocumentShape,
    PreferenceShape,
    PromptCompletionShape,
)
from tacenda.transforms.shapes.mapped import MappedShape
from tacenda.transforms.shapes.mapping import FieldMapping, recognised
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.shapes.turn_list import ConversationShape, ShareGptShape
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.shapes.vcon import VconShape

SHAPES: dict[str, type[Shape]] = {
    shape.name: shape
    for shape in (
        *(ConversationShape, TurnRowsShape, ChatShape, ShareGptShape, DocumentShape, VconShape),
        *(PreferenceShape, PromptCompletionShape, AlpacaShape),
    )
}


def recognise(record: Mapping[str, Any], options: ReadOptions, where: str) -> Shape:
    """Return the shape that a record has, or the one given by the options, ready for reading.

    Of its fields, the types of the values count alone; of a table, see ``arrow_fields.example_of``.
    ``where`` names the file in messages.

    Raises:
        UserError: no shape or more than one fits, or an option names a field that the shape does not have.
    """
    if options.mapping is not None or options.shape is not None:
        return make_shape(options.shape or "", options)
    fitting = fitting_shapes(record, options)
    if len(fitting) == 1:
        return make_shape(fitting[0], options)
    seen = ", ".join(sorted(record)) or "none"
    what, mend = f"fits {' and '.join(fitting)}", f"choose one with --shape {'|'.join(fitting)}"
    if not fitting:
        what = "fits no shape"
        mend = (
            "name its fields, as in --field turns=YOURS or text=YOURS, choose --shape, or map it with --from"
        )
    raise UserError(f"{where}: {what} (fields: {seen}); {mend}")


def with_mapping(options: ReadOptions, mapping: FieldMapping | None) -> ReadOptions:
    """Options with what a mapping says; what the user said himself comes first."""
    if mapping is None:
        return options
    kept = (*options.keep, *mapping.keep, *(mapping.opaque if mapping.shape else ()))
    options = replace(options, keep=tuple(dict.fromkeys(kept)), mapping=mapping)
    if mapping.shape is None:
        return options
    names, opaque = {**mapping.fields, **options.fields}, {**mapping.opaque, **options.opaque}
    return replace(options, shape=mapping.shape, fields=names, opaque=opaque, mapping=None)


def mapping_for(fields: Collection[str], options: ReadOptions) -> FieldMapping | None:
    """The shipped mapping that records with these fields have, if the user does not say how to read them."""
    return recognised(fields) if options.shape is None and not options.fields else None


def make_shape(name: str, options: ReadOptions) -> Shape:
    """Return the shape with a name, ready for reading.

    Raises:
        UserError: there is no such shape, or an option names a field that it does not have.
    """
    if options.mapping is not None:
        return MappedShape(options)
    if name not in SHAPES:
        raise UserError(f"--shape {name}: no such shape; use one of {', '.join(SHAPES)}")
    shape = SHAPES[name]
    for canonical in options.fields:
        if canonical not in shape.declared:
            known = ", ".join(sorted(shape.declared))
            raise UserError(f"field {canonical}: the shape {name} has no such field; it has {known}")
    taken: dict[tuple[str, str], str] = {}
    for canonical in sorted(shape.declared):
        other = taken.setdefault((canonical.rpartition(".")[0], actual_name(options, canonical)), canonical)
        if other != canonical:
            raise UserError(
                f"fields {other} and {canonical}: both would be read from '{actual_name(options, canonical)}'; "
                "map each to a field of its own with --field"
            )
    for kept in options.keep:
        if kept.rpartition(".")[2] in {"spans", actual_name(options, "turns.spans")}:
            raise UserError(f"kept field {kept}: spans do not fit the replaced text; leave it out")
        outer, dot, _ = kept.partition(".")
        within = shape.entries_field
        if dot and outer not in (within, actual_name(options, within)):
            of_entries = f", but for those of {within}" if within else ""
            raise UserError(
                f"kept field {kept}: the shape {name} keeps whole fields{of_entries}; "
                f"keep {outer}, or leave it out"
            )
    return shape(options)


def fitting_shapes(record: Mapping[str, Any], options: ReadOptions) -> list[str]:
    """Return the names of the shapes that fit a record; only the one given by the options, if any."""
    if options.shape is not None:
        return [options.shape]

    def has(canonical: str, kind: type | None = None) -> bool:
        name = actual_name(options, canonical)
        return name in record and (kind is None or type(record[name]) in (kind, NoneType))

    fits = {name: all(has(*needed) for needed in shape.needed.items()) for name, shape in SHAPES.items()}
    fits["turns"] &= any(map(has, ("turn_index", "time", "timestamp", "start")))
    # Alpaca often comes with all of it in one more text.
    others = any(fits[name] for name in ("turns", "preference", "prompt_completion", "alpaca"))
    fits["document"] &= not (others or has("speaker") or has("turn_index"))
    return [name for name, fit in fits.items() if fit]
