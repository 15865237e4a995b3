import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.transforms.storage.tables import is_arrow, read_footer, read_row_groups

TABLE = pa.table({"text": [f"t{i}" for i in range(10)], "n": range(10)})


def test_the_name_tells_how_rows_are_read(tmp_path):
    parquet, arrow = str(tmp_path / "a.parquet"), str(tmp_path / "a.ARROW")
    pq.write_table(TABLE, parquet, row_group_size=4)
    with pa.ipc.new_stream(arrow, TABLE.schema) as writer:
        writer.write_table(TABLE)
    assert (is_arrow(parquet), is_arrow(arrow)) == (False, True)
    for url, groups in ((parquet, 3), (arrow, 1)):
        assert len(read_footer(url).row_groups) == groups
        batches = read_row_groups(url, 0, groups, ["text"], batch_rows=99, batch_bytes=1 << 20)
        assert pa.concat_tables(batch.table for batch in batches) == TABLE.select(["text"])
