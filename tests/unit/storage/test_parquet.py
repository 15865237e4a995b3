import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.tables import ParquetWriter, read_footer, read_row_groups

TABLE = pa.table({"id": [f"c{i}" for i in range(100)], "other": list(range(100))})


@pytest.fixture
def path(tmp_path):
    pq.write_table(TABLE, tmp_path / "a.parquet", row_group_size=30, compression="none")
    return tmp_path / "a.parquet"


def read(path, start, stop, **options):
    settings = {"columns": ["id", "absent"], "batch_rows": 7, "batch_bytes": 1 << 20, **options}
    return list(read_row_groups(str(path), start, stop, **settings))


def test_the_footer_tells_schema_and_row_groups(path):
    footer = read_footer(str(path))
    assert footer.schema.names == ["id", "other"]
    assert [group.rows for group in footer.row_groups] == [30, 30, 30, 10]
    assert all(group.text_bytes > 0 for group in footer.row_groups)


def test_row_groups_stream_in_batches_that_know_their_first_row(path):
    batches = read(path, 1, 3)
    assert [batch.first_row for batch in batches] == [0, 7, 14, 21, 28, 30, 37, 44, 51, 58]
    tables = pa.concat_tables([batch.table for batch in batches])
    assert tables.equals(TABLE.select(["id"]).slice(30, 60))


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
        {"turns": [{"text": "x", "spans": [{"start": 1, "text": "z"}]}], "a.b": 1},
    ]


def test_a_list_without_fields_is_read_as_it_is(tmp_path):
    pq.write_table(pa.Table.from_pylist([{"turns": []}, {"turns": None}]), tmp_path / "a.parquet")
    (batch,) = read(tmp_path / "a.parquet", 0, 1, columns=["turns.text"])
    assert batch.table.to_pylist() == [{"turns": []}, {"turns": None}]


def test_large_rows_come_in_smaller_batches(path):
    assert {batch.rows for batch in read(path, 0, 1, batch_bytes=1)} == {1}


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


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all, but long enough to hold a footer"])
def test_a_file_without_footer_is_a_user_error(tmp_path, content):
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a complete Parquet file"):
        read_footer(str(path))


def test_a_truncated_file_is_a_user_error(path):
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UserError, match=r"a\.parquet: not a complete Parquet file"):
        read_footer(str(path))


def test_the_writer_gives_the_same_bytes():
    def written():
        file = io.BytesIO()
        with ParquetWriter(file, TABLE.schema) as writer:
            writer.write(TABLE)
            writer.write(TABLE.slice(0, 0))
        return file.getvalue()

    assert written() == written()
    assert pq.read_table(io.BytesIO(written())).equals(TABLE)


def test_a_writer_without_rows_gives_an_empty_file_of_the_schema():
    file = io.BytesIO()
    with ParquetWriter(file, TABLE.schema):
        pass
    assert pq.read_table(io.BytesIO(file.getvalue())).schema.equals(TABLE.schema)


def test_views_are_read_as_plain_text_and_lists(tmp_path):
    turn = pa.struct([("text", pa.string())])
    turns = pa.array([[{"text": "x"}], [], None], pa.list_view(turn))
    ids = pa.array(["a", "b", None]).cast(pa.string_view())
    pq.write_table(pa.table({"id": ids, "turns": turns}), tmp_path / "a.parquet")
    plain = pa.schema([("id", pa.large_string()), ("turns", pa.large_list(turn))])
    assert read_footer(str(tmp_path / "a.parquet")).schema.types == plain.types
    (batch,) = read(tmp_path / "a.parquet", 0, 1, columns=["id", "turns.text"])
    assert batch.table.schema.types == plain.types
    assert batch.table["turns"].to_pylist() == [[{"text": "x"}], [], None]


def test_a_footer_with_two_bytes_changed_is_readable_or_the_users_to_mend(path):
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    told = set()
    for place in range(footer, len(whole)):
        path.write_bytes(whole[:place] + b"\xff\xff" + whole[place + 2 :])
        try:
            read_footer(str(path))
        except UserError as error:
            told.add(str(error).partition(": ")[2])
    assert told == {"not a complete Parquet file (no readable footer); copy it again or leave it out"}
