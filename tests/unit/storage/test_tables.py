import io
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.tables import plain_schema, plain_table, read_footer, read_row_groups

TABLE = pa.table({"text": [f"t{i}" for i in range(10)], "n": range(10)}).replace_schema_metadata({"a": "b"})


def write(path, opened=pa.ipc.new_stream):
    with opened(str(path), TABLE.schema) as writer:
        writer.write_table(TABLE, max_chunksize=4)
    return str(path)


@pytest.mark.parametrize("opened", [pa.ipc.new_stream, pa.ipc.new_file])
def test_streams_and_files_are_read_in_small_tables(tmp_path, opened):
    url = write(tmp_path / "a.arrow", opened)
    footer = read_footer(url)
    assert footer.schema.equals(TABLE.schema, check_metadata=True)
    assert [group.rows for group in footer.row_groups] == [10]
    batches = list(read_row_groups(url, 0, 1, ["text"], batch_rows=3, batch_bytes=1000))
    assert [batch.first_row for batch in batches] == [0, 3, 4, 7, 8]
    assert pa.concat_tables(batch.table for batch in batches) == TABLE.select(["text"])


def test_in_memory_file_systems_are_read(tmp_path):
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.pipe("/arrow/a.arrow", Path(write(tmp_path / "a.arrow")).read_bytes())
    assert read_footer("memory://arrow/a.arrow").row_groups[0].rows == 10
    batches = read_row_groups("memory://arrow/a.arrow", 0, 1, ["n"], batch_rows=99, batch_bytes=1000)
    assert pa.concat_tables(batch.table for batch in batches) == TABLE.select(["n"])


@pytest.mark.parametrize("cut", [0, 20, 300])
def test_a_file_that_is_cut_off_is_reported_in_one_line(tmp_path, cut):
    path = tmp_path / "a.arrow"
    data = Path(write(path)).read_bytes()
    path.write_bytes(data[: len(data) - 400 + cut] if cut else b"")
    with pytest.raises(UserError, match=r"a\.arrow: (is cut off|not an Arrow file)"):
        read_footer(str(path))
    with pytest.raises(UserError, match=r"b\.arrow: no such file"):
        read_footer(str(tmp_path / "b.arrow"))


TABLE_PARQUET = pa.table({"id": [f"c{i}" for i in range(100)], "other": list(range(100))})


@pytest.fixture
def path(tmp_path):
    pq.write_table(TABLE_PARQUET, tmp_path / "a.parquet", row_group_size=30, compression="none")
    return tmp_path / "a.parquet"


def read(path, start, stop, **options):
    settings = {"columns": ["id", "absent"], "batch_rows": 7, "batch_bytes": 1 << 20, **options}
    return list(read_row_groups(str(path), start, stop, **settings))


def test_row_groups_stream_in_batches_that_know_their_first_row(path):
    footer = read_footer(str(path))
    assert footer.schema.names == ["id", "other"]
    assert [group.rows for group in footer.row_groups] == [30, 30, 30, 10]
    assert all(group.text_bytes > 0 for group in footer.row_groups)
    batches = read(path, 1, 3)
    assert [batch.first_row for batch in batches] == [0, 7, 14, 21, 28, 30, 37, 44, 51, 58]
    tables = pa.concat_tables([batch.table for batch in batches])
    assert tables.equals(TABLE_PARQUET.select(["id"]).slice(30, 60))


def test_only_the_wanted_fields_of_a_list_are_read(tmp_path):
    entry = {
        "text": "x",
        "words": [{"text": "w"}],
        "speaker": {"text": "y"},
        "spans": [{"start": 1, "text": "z"}],
    }
    pq.write_table(pa.Table.from_pylist([{"turns": [entry], "text": "t", "a.b": 1}]), tmp_path / "a.parquet")
    (batch,) = read(
        tmp_path / "a.parquet", 0, 1, columns=["turns.text", "turns.spans", "turns.absent", "a.b"]
    )
    assert batch.table.to_pylist() == [
        {"turns": [{"text": "x", "spans": [{"start": 1, "text": "z"}]}], "a.b": 1}
    ]


def test_a_row_group_that_does_not_decode_counts_its_rows_and_the_next_follows(path):
    chunk = pq.ParquetFile(path).metadata.row_group(1).column(0)
    content = bytearray(path.read_bytes())
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    content[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(content)
    batches = read(path, 0, 4)
    assert sum(batch.rows for batch in batches) == 100
    (lost,) = [batch for batch in batches if batch.table is None]
    assert (lost.first_row, lost.rows) == (30, 30)
    assert batches[-1].table["id"].to_pylist()[-1] == "c99"


def test_a_footer_that_is_missing_or_changed_is_readable_or_the_users_to_mend(path):
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    told = set()
    broken = [whole[:place] + b"\xff\xff" + whole[place + 2 :] for place in range(footer, len(whole))]
    for content in (b"", b"PAR1", b"no parquet at all, but long enough to hold a footer", *broken):
        path.write_bytes(content)
        try:
            read_footer(str(path))
        except UserError as error:
            told.add(str(error).partition(": ")[2])
    assert told == {"not a complete Parquet file (no readable footer); copy it again or leave it out"}


UUID = uuid.UUID(int=7)


def _extension(kind, values):
    return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))


UUIDS = _extension(pa.uuid(), [UUID.bytes, None, UUID.bytes])
LEAVES = {
    "json": (_extension(pa.json_(), ['{"a":1}', None, "2"]), ['{"a":1}', None, "2"]),
    "bool8": (_extension(pa.bool8(), [1, None, 0]), [1, None, 0]),
    "text view": (pa.array(["a", None, "b"], pa.string_view()), ["a", None, "b"]),
}


def _in_struct(array):
    return pa.StructArray.from_arrays([array], ["u"], mask=pa.array([False, False, True]))


def _in_list(array):
    return pa.ListArray.from_arrays([0, 2, 2, 3], array, mask=pa.array([False, True, False]))


def _in_map(array):
    return pa.MapArray.from_arrays([0, 1, 1, 3], pa.array(["k", "l", "m"]), array)


WRAPPED: list[tuple[Callable[[pa.Array], pa.Array], Callable[[list[object]], list[object]]]] = [
    (lambda array: array, lambda x: x),
    (_in_struct, lambda x: [{"u": x[0]}, {"u": x[1]}, None]),
    (_in_list, lambda x: [[x[0], x[1]], None, [x[2]]]),
    (_in_map, lambda x: [[("k", x[0])], [], [("l", x[1]), ("m", x[2])]]),
    (lambda array: _in_list(_in_struct(array)), lambda x: [[{"u": x[0]}, {"u": x[1]}], None, [None]]),
]


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("nesting", range(len(WRAPPED)))
def test_a_column_of_any_type_becomes_one_that_can_be_written(leaf, nesting):
    (array, values), (wrap, wrapped) = LEAVES[leaf], WRAPPED[nesting]
    table = pa.table({"a": wrap(array), "b": [1, 2, 3]})
    plain = plain_table(table.append_column("id", UUIDS))
    plain.validate(full=True)
    assert plain["id"].to_pylist() == [str(UUID), None, str(UUID)]
    plain = plain.drop_columns("id")
    assert plain.schema == plain_schema(table.schema)
    assert plain_schema(plain.schema) == plain.schema
    assert plain["a"].to_pylist() == wrapped(values)
    again = pa.Table.from_pylist(plain.to_pylist(), schema=plain.schema)
    file = io.BytesIO()
    pq.write_table(again, file)
    assert pq.read_table(file)["a"].to_pylist() == wrapped(values)


def test_what_is_plain_is_unchanged():
    table = pa.table({"a": [[{"b": "c"}]], "d": pa.array(["e"]).dictionary_encode()})
    assert plain_table(table) is table


def test_arrow_does_not_import_pandas_and_still_converts_to_it():
    pytest.importorskip("pandas")
    code = """if True:
        import sys
        import pyarrow as pa
        from tacenda.transforms.storage.tables import spare_pandas
        spare_pandas()
        column = pa.array([1, None]), pa.array(["a"], pa.string()), pa.table({"a": [[1]]})
        assert "pandas" not in sys.modules
        print(pa.table({"a": [1, 2]}).to_pandas()["a"].sum())
    """
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"3\n"
