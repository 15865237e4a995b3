from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.writing.columns import (
    ColumnsError,
    CorpusLayout,
    as_table,
    batch_hashes,
    columns_of,
    text_hash,
    with_numbers_as_text,
)
from tacenda.transforms.writing.converting import TARGETS


def _columns(*records: dict[str, Any]) -> pa.Schema:
    return columns_of(records, ("id",))


def test_columns_are_those_of_all_records() -> None:
    schema = _columns({"id": 1, "a": None}, {"id": "x", "turns": [{"text": "a"}, {"speaker": "b", "n": 1.5}]})
    assert schema.names == ["id", "a", "turns"]
    assert schema.field("id").type == pa.string()
    assert schema.field("a").type == pa.string()
    assert {f.name: f.type for f in schema.field("turns").type.value_type} == {
        "text": pa.string(),
        "speaker": pa.string(),
        "n": pa.float64(),
    }


def test_what_differs_from_record_to_record_is_json() -> None:
    calls = [{"function": {"name": "f", "arguments": {"x": 1}}}, {"function": {"arguments": {"y": "b"}}}]
    record = {"id": "c", "calls": calls, "tools": [{"type": "function"}]}
    table, misfits = as_table([record], _columns(record))
    assert misfits == []
    (row,) = table.to_pylist()
    assert row["tools"] == '[{"type":"function"}]'
    assert [call["function"]["arguments"] for call in row["calls"]] == ['{"x":1}', '{"y":"b"}']


@pytest.mark.parametrize(
    "records",
    [({"content": "a"}, {"content": ["a"]}), ({"content": {"a": 1}}, {"content": 1}), ({"n": 1 << 70},)],
)
def test_records_without_common_columns(records: tuple[dict[str, Any], ...]) -> None:
    with pytest.raises(ColumnsError):
        _columns(*records)


@pytest.mark.parametrize(
    "misfit",
    [
        {"id": "b", "more": "x"},
        {"id": "b", "text": ["a"]},
        {"id": "b", "text": True},
        {"id": "b", "number": 1.5},
        {"id": "b", "number": 1 << 70},
        {"id": "b", "turns": [{"text": "a", "more": 1}]},
        {"id": "b", "turns": "a"},
    ],
)
def test_nothing_is_dropped_to_make_a_record_fit(misfit: dict[str, Any]) -> None:
    good = {"id": 1, "text": "a", "number": 2, "turns": [{"text": "b"}]}
    table, misfits = as_table([good, misfit, good], _columns(good))
    assert misfits == [1]
    assert table.to_pylist() == [{**good, "id": "1"}] * 2


def test_numbers_that_a_token_may_replace_are_text() -> None:
    record = {"id": "a", "phone": 415, "turns": [{"text": "b", "said": [{"n": 1.5, "ok": True}], "w": 2}]}
    schema, changed = with_numbers_as_text(
        _columns(record), ["phone", "turns.said", "turns.text", "id", "none"]
    )
    assert changed == ["phone", "turns.said"]
    other = {"id": "a", "phone": "[PHONE_NUMBER_1]", "turns": [{"text": "b", "said": [], "w": 3}]}
    table, misfits = as_table([record, other], schema)
    assert misfits == []
    assert table.to_pylist() == [
        {"id": "a", "phone": "415", "turns": [{"text": "b", "said": [{"n": "1.5", "ok": True}], "w": 2}]},
        other,
    ]


def test_no_records_give_an_empty_table() -> None:
    schema = _columns({"id": "a"})
    table, misfits = as_table([], schema)
    assert (table.num_rows, table.schema, misfits) == (0, schema, [])


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


def test_the_same_words_by_the_same_speakers_hash_alike() -> None:
    assert text_hash(["a", None], ["x", "y"]) == text_hash(["a", None], ["x", "y"])
    assert len(text_hash([], [])) == 32


@pytest.mark.parametrize(
    ("speakers", "texts"),
    [
        (["b", None], ["x", "y"]),
        (["a", None], ["xy", ""]),
        (["a", None], ["y", "x"]),
        (["a", ""], ["x", "y"]),
        (["a"], ["x"]),
        (["a", None], ["x", "y "]),
    ],
)
def test_any_change_changes_the_hash(speakers: Sequence[str | None], texts: Sequence[str]) -> None:
    assert text_hash(speakers, texts) != text_hash(["a", None], ["x", "y"])
