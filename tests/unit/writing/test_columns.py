from typing import Any

import pyarrow as pa
import pytest

from tacenda.transforms.writing.columns import ColumnsError, as_table, columns_of, with_numbers_as_text


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
