"""Convert Arrow columns to plain types: extension types to their storage, views to text and lists.

Arrow supports few operations on these, and cannot write nested extension types. UUIDs become text, as in
JSON.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema whose types are plain at every depth, with its metadata."""
    return pa.schema([field.with_type(_plain_type(field.type)) for field in schema], schema.metadata)


def plain_table(table: pa.Table) -> pa.Table:
    """Return a table with the same values in columns of plain types."""
    for index, field in enumerate(table.schema):
        kind = _plain_type(field.type)
        if kind != field.type:
            chunks = [_plain_array(chunk) for chunk in table[index].chunks]
            table = table.set_column(index, field.with_type(kind), pa.chunked_array(chunks, kind))
    return table


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if isinstance(kind, pa.UuidType):
        return pa.string()
    if isinstance(kind, pa.BaseExtensionType):
        return _plain_type(kind.storage_type)
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_plain_type(field.type)) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_plain_type(kind.key_type), _plain_type(kind.item_type))
    if _is_list_view(kind) or pa.types.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(_plain_type(kind.value_type)))
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_plain_type(kind.value_type)))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(kind.value_field.with_type(_plain_type(kind.value_type)), kind.list_size)
    return kind


def _plain_array(array: pa.Array) -> pa.Array:
    kind = array.type
    plain = _plain_type(kind)
    if plain == kind:
        return array
    if isinstance(kind, pa.UuidType):
        return pa.array([None if value is None else str(value) for value in array.to_pylist()], plain)
    if isinstance(kind, pa.BaseExtensionType):
        return _plain_array(array.storage)
    if pa.types.is_map(kind):
        keys, items = _plain_array(array.keys), _plain_array(array.items)
        return pa.MapArray.from_arrays(array.offsets, keys, items, type=plain, mask=array.is_null())
    if pa.types.is_struct(kind):
        fields = [_plain_array(array.field(index)) for index in range(kind.num_fields)]
        return pa.StructArray.from_arrays(fields, fields=list(plain), mask=array.is_null())
    if _is_list_view(kind):
        # Arrow's own cast leaves the last offset out.
        lengths = pc.fill_null(pc.list_value_length(array), 0).to_numpy()
        offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int64())
        values = _plain_array(pc.list_flatten(array))
        return pa.LargeListArray.from_arrays(offsets, values, type=plain, mask=array.is_null())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        made = pa.ListArray if pa.types.is_list(kind) else pa.LargeListArray
        return made.from_arrays(array.offsets, _plain_array(array.values), type=plain, mask=array.is_null())
    return array.cast(plain)


def _is_list_view(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind))
