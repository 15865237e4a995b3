"""Arrow types of the fields that a shape writes."""

from collections.abc import Callable, Collection, Sequence

import pyarrow as pa

Keep = Callable[[pa.Field], "pa.Field | None"]


def select_fields(schema: pa.Schema, names: Collection[str]) -> list[pa.Field]:
    """Return the named fields of a schema in the schema's order, nullable, plain and without metadata."""
    return [pa.field(field.name, plain(field.type)) for field in schema if field.name in names]


def with_text(schema: pa.Schema | None, names: Collection[str]) -> pa.Schema | None:
    """Return a schema with the named fields turned into text."""
    if schema is None:
        return None
    return pa.schema([as_text(field) if field.name in names else field for field in schema])


def plain(kind: pa.DataType) -> pa.DataType:
    """Return the value type of a dictionary-encoded column; other types unchanged."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def as_text(field: pa.Field) -> pa.Field:
    """Return a text field: of its own type if that is text, otherwise a string."""
    return pa.field(field.name, field.type if is_text(field.type) else pa.string())


def inside_list(field: pa.Field, select: Keep, least: str) -> pa.Field:
    """Rewrite the fields of a list of structs: ``select`` returns each one's new field, or None to drop it.

    ``least`` is the field to add, as text, if none would be left.
    """
    if not is_list_of_structs(field.type):
        return pa.field(field.name, field.type)
    inner = [kept for item in field.type.value_type if (kept := select(item)) is not None]
    return pa.field(field.name, pa.list_(struct_of(inner, least)))


def struct_of(fields: Sequence[pa.Field], least: str) -> pa.DataType:
    """Return a struct of fields, or of ``least`` if there are none, since Parquet has no empty structs."""
    return pa.struct(fields or [pa.field(least, pa.string())])


def is_list(kind: pa.DataType) -> bool:
    """Whether a type is a list of any width."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def is_list_of_structs(kind: pa.DataType) -> bool:
    """Whether a type is a list of structs."""
    return is_list(kind) and bool(pa.types.is_struct(kind.value_type))


def is_text(kind: pa.DataType) -> bool:
    """Whether a type is text of any width."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
