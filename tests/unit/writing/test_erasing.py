"""A file without some conversations: the other rows keep their bytes."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.writing.columns import batch_hashes
from tacenda.transforms.writing.erasing import Wanted, erase_rows, places_of

DOCUMENTS = [{"text": text} for text in ("a", "b", "a", "c", "a")]


def _hashes(records: list[dict[str, Any]]) -> list[str]:
    shape = make_shape("document", ReadOptions("document"))
    batch: ConversationBatch = shape.read_records(list(enumerate(records)), "")[0]
    return batch_hashes(batch, batch.texts, batch.speakers)


def test_of_equal_texts_the_one_that_is_meant_goes() -> None:
    shape = make_shape("document", ReadOptions("document"))
    places = places_of(list("vwxyz"), _hashes(DOCUMENTS), {"x", "y"})
    wanted = Wanted({"x", "y"}, places)
    assert wanted.rows(shape, DOCUMENTS) == {2: "x", 3: "y"}
    # A second file of the part goes on counting.
    again = Wanted({"z"}, places_of(list("vwxyz"), _hashes(DOCUMENTS), {"z"}))
    assert again.rows(shape, DOCUMENTS[:3]) == {}
    assert again.rows(shape, DOCUMENTS[3:]) == {1: "z"}


def test_turns_go_by_their_id_wherever_they_stand() -> None:
    shape = make_shape("turns", ReadOptions("turns"))
    rows = [{"conversation_id": i % 2, "turn_index": i, "speaker": "a", "text": "t"} for i in range(4)]
    wanted = Wanted({"1"}, {})
    assert wanted.rows(shape, rows) == {1: "1", 3: "1"}
    assert wanted.rows(shape, pa.Table.from_pylist(rows)) == {1: "1", 3: "1"}


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "jsonl.zst", "csv", "parquet"])
def test_other_rows_keep_their_bytes(tmp_path: Path, suffix: str) -> None:
    source, target = tmp_path / f"part-00000.{suffix}", tmp_path / f"new.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(DOCUMENTS), source)
    elif suffix == "csv":
        source.write_bytes(b'text\n"a\nb"\nb\nc\n')
    else:
        lines = b"".join(json.dumps(one).encode() + b"\n" for one in DOCUMENTS)
        compression = {"jsonl.gz": "gzip", "jsonl.zst": "zstd"}.get(suffix)
        with (
            pa.CompressedOutputStream(str(source), compression) if compression else source.open("wb") as sink
        ):
            sink.write(lines)
    told, left_out = erase_rows(str(source), str(target), lambda rows: {1: "one"})
    assert left_out == {1: "one"}
    assert told["bytes"] == target.stat().st_size
    if suffix == "csv":
        assert target.read_bytes() == b'text\n"a\nb"\nc\n'
        return
    left = [*DOCUMENTS[:1], *DOCUMENTS[2:]]
    assert told["rows"] == 4
    if suffix == "parquet":
        assert pq.read_table(target).to_pylist() == left
    elif suffix == "jsonl.gz":
        assert gzip.decompress(target.read_bytes()).splitlines() == [json.dumps(one).encode() for one in left]
