from pathlib import Path

import pyarrow as pa
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.tables import read_arrow_footer, read_batches, read_footer, read_row_groups

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


def test_large_rows_make_small_tables(tmp_path):
    url = write(tmp_path / "a.arrow")
    assert len(list(read_batches(url, ["text"], batch_rows=99, batch_bytes=1))) == 10


def test_in_memory_file_systems_are_read(tmp_path):
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.pipe("/arrow/a.arrow", Path(write(tmp_path / "a.arrow")).read_bytes())
    assert read_arrow_footer("memory://arrow/a.arrow").row_groups[0].rows == 10
    batches = read_batches("memory://arrow/a.arrow", ["n"], batch_rows=99, batch_bytes=1000)
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
