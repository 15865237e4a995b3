import io
import uuid
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.storage.tables import plain_schema, plain_table

UUID = uuid.UUID(int=7)


def _extension(kind: pa.DataType, values: list[object]) -> pa.Array:
    return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))


LEAVES = {
    "uuid": (_extension(pa.uuid(), [UUID.bytes, None, UUID.bytes]), [str(UUID), None, str(UUID)]),
    "json": (_extension(pa.json_(), ['{"a":1}', None, "2"]), ['{"a":1}', None, "2"]),
    "bool8": (_extension(pa.bool8(), [1, None, 0]), [1, None, 0]),
    "text view": (pa.array(["a", None, "b"], pa.string_view()), ["a", None, "b"]),
    "list view": (pa.array([[1], None, [2, 3]], pa.list_view(pa.int64())), [[1], None, [2, 3]]),
    "large list view": (pa.array([[], [4, 5], None], pa.large_list_view(pa.int64())), [[], [4, 5], None]),
    "view of views": (pa.array([["a"], None, []], pa.list_view(pa.string_view())), [["a"], None, []]),
}


def _in_struct(array: pa.Array) -> pa.Array:
    return pa.StructArray.from_arrays([array], ["u"], mask=pa.array([False, False, True]))


def _in_list(array: pa.Array) -> pa.Array:
    return pa.ListArray.from_arrays([0, 2, 2, 3], array, mask=pa.array([False, True, False]))


def _in_view(array: pa.Array) -> pa.Array:
    return pa.ListViewArray.from_arrays([1, 0, 0], [2, 1, 0], array)


def _in_map(array: pa.Array) -> pa.Array:
    return pa.MapArray.from_arrays([0, 1, 1, 3], pa.array(["k", "l", "m"]), array)


WRAPPED: list[tuple[Callable[[pa.Array], pa.Array], Callable[[list[object]], list[object]]]] = [
    (lambda array: array, lambda x: x),
    (_in_struct, lambda x: [{"u": x[0]}, {"u": x[1]}, None]),
    (_in_list, lambda x: [[x[0], x[1]], None, [x[2]]]),
    (_in_view, lambda x: [[x[1], x[2]], [x[0]], []]),
    (_in_map, lambda x: [[("k", x[0])], [], [("l", x[1]), ("m", x[2])]]),
    (lambda array: _in_list(_in_struct(array)), lambda x: [[{"u": x[0]}, {"u": x[1]}], None, [None]]),
    (lambda array: _in_view(_in_struct(array)), lambda x: [[{"u": x[1]}, None], [{"u": x[0]}], []]),
]


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("nesting", range(len(WRAPPED)))
def test_a_column_of_any_type_becomes_one_that_can_be_written(leaf: str, nesting: int) -> None:
    (array, values), (wrap, wrapped) = LEAVES[leaf], WRAPPED[nesting]
    table = pa.table({"a": wrap(array), "b": [1, 2, 3]})
    plain = plain_table(table)
    plain.validate(full=True)
    assert plain.schema == plain_schema(table.schema)
    assert plain_schema(plain.schema) == plain.schema
    assert plain["a"].to_pylist() == wrapped(values)
    again = pa.Table.from_pylist(plain.to_pylist(), schema=plain.schema)
    file = io.BytesIO()
    pq.write_table(again, file)
    assert pq.read_table(file)["a"].to_pylist() == wrapped(values)


def test_what_is_plain_is_unchanged() -> None:
    table = pa.table({"a": [[{"b": "c"}]], "d": pa.array(["e"]).dictionary_encode()})
    assert plain_table(table) is table
