"""Rows of a batch in each form, and the hashes by which a review finds them again."""

from typing import Any

import pyarrow as pa
import pytest

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.writing.columns import CorpusLayout, batch_hashes, columns_of
from tacenda.transforms.writing.converting import TARGETS

CONVERSATIONS = [
    {"id": i, "turns": [{"speaker": "user", "text": f"a{i}"}, {"speaker": "agent", "text": "b"}]}
    for i in range(3)
]
ROWS = [
    {"conversation_id": f"c{i % 2}", "turn_index": i, "speaker": "user", "text": f"t{i}"} for i in range(4)
]
CALLS = [
    {
        "id": "x",
        "messages": [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"city": "Oslo"}}}],
            }
        ],
    }
]


def _read(shape: str, records: list[dict[str, Any]]) -> tuple[Shape, ConversationBatch]:
    form = make_shape(shape, ReadOptions())
    batch, lost = form.read_records(list(enumerate(records)), "key")
    assert lost == []
    return form, batch


@pytest.mark.parametrize(
    ("shape", "records"), [("conversation", CONVERSATIONS), ("turns", ROWS), ("chat", CALLS)]
)
@pytest.mark.parametrize("table", [False, True])
def test_the_hashes_are_those_that_a_reader_finds(
    shape: str, records: list[dict[str, Any]], table: bool
) -> None:
    form, batch = _read(shape, records)
    schema = columns_of(form.write_records(batch, batch.texts, batch.speakers), form.id_fields)
    layout = CorpusLayout(form, schema if table else None)
    rows = layout.rows(batch, batch.texts, batch.speakers)
    assert rows.failed == {}
    if table:
        assert isinstance(rows.rows, pa.Table)
        assert rows.rows.schema == schema
        again, _ = layout.reader().read_table(rows.rows, 0, "")
    else:
        assert isinstance(rows.rows, list)
        again, _ = layout.reader().read_records(list(enumerate(rows.rows)), "")
    assert rows.hashes == batch_hashes(again, again.texts, again.speakers)


def test_tables_as_records() -> None:
    form, batch = _read("conversation", CONVERSATIONS)
    rows = CorpusLayout(form, None, from_tables=True).rows(batch, batch.texts, batch.speakers)
    assert rows.rows == CONVERSATIONS
    assert rows.hashes == batch_hashes(batch, batch.texts, batch.speakers)


def test_what_cannot_be_converted_is_said_and_left_out() -> None:
    bad = {"id": 9, "turns": [{"speaker": "Pam", "text": "x"}]}
    form, batch = _read("conversation", [CONVERSATIONS[0], bad, CONVERSATIONS[2]])
    for schema in (None, TARGETS["chat"].schema):
        rows = CorpusLayout(form, schema, to="chat").rows(batch, batch.texts, batch.speakers)
        assert rows.failed == {1: "NoRole"}
        written = rows.rows.to_pylist() if isinstance(rows.rows, pa.Table) else rows.rows
        assert [record["conversation_id"] for record in written] == ["0", "2"]
        assert len(rows.hashes) == 2


def test_a_conversation_that_fits_in_part_is_left_out_whole() -> None:
    form, batch = _read("turns", [*ROWS, {**ROWS[0], "turn_index": 9, "context": "sales"}])
    schema = columns_of(ROWS, form.id_fields)
    rows = CorpusLayout(form, schema).rows(batch, batch.texts, batch.speakers)
    assert rows.failed == {batch.ids.index("c0"): "NotInColumns"}
    assert isinstance(rows.rows, pa.Table)
    assert rows.rows["conversation_id"].to_pylist() == ["c1", "c1"]
    assert len(rows.hashes) == 1


def test_an_empty_batch_has_the_columns_all_the_same() -> None:
    form = make_shape("conversation", ReadOptions())
    rows = CorpusLayout(form, TARGETS["chat"].schema, to="chat").rows(ConversationBatch(), [], [])
    assert rows.rows.schema == TARGETS["chat"].schema
    assert (rows.hashes, rows.failed) == ([], {})
