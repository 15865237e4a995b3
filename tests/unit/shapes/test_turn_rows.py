from datetime import date, datetime, time, timedelta, timezone

import pyarrow as pa
import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_order import index_order, is_time, time_order
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tests.cases import tabled


def shape(**options):
    return TurnRowsShape(ReadOptions(**options))


def row(name, index, text, **fields):
    return {"conversation_id": name, "turn_index": index, "speaker": "s", "text": text, **fields}


def read(rows, **options):
    return shape(**options).read_records([(i * 10, value) for i, value in enumerate(rows)], "key")


def test_rows_become_conversations_in_turn_order():
    rows = [row("b", 2, "b2"), row("a", 0, "a0"), row("b", 1, "b1", context="sales"), row("b", 10, "b10")]
    batch, rejections = read(rows)
    assert rejections == []
    assert batch.ids == ["b", "a"]
    assert batch.texts == ["b1", "b2", "b10", "a0"]
    assert batch.turns == [0, 1, 2, 0]
    assert batch.rows == [3, 1]
    assert batch.contexts == ["sales", ""]
    assert batch.first_cell == [0, 3, 4]


def test_rows_are_written_with_declared_and_kept_fields_only():
    rows = [
        row("a", 1, "x", secret=1, n=[1]),
        {"conversation_id": "a", "turn_index": 0, "text": "y", "n": None},
    ]
    batch, _ = read(rows, keep=("n",))
    assert shape(keep=("n",)).write_records(batch, ["Y", "X"], [None, "[P]"]) == [
        {"conversation_id": "a", "turn_index": 0, "text": "Y", "n": None},
        {"conversation_id": "a", "turn_index": 1, "speaker": "[P]", "text": "X", "n": [1]},
    ]


def test_a_time_that_nobody_read_is_written_only_if_it_is_one():
    times = ["2025-01-01T10:00:00.5Z", "+46 70 123 45 67", None, {"by": "Anna"}, 12.5, 46701234567]
    rows = [row("a", i, "x", timestamp=time) for i, time in enumerate(times)]
    batch, _ = read(rows)
    written = shape().write_records(batch, ["-"] * 6, ["-"] * 6)
    assert [record["timestamp"] for record in written] == [times[0], None, None, None, 12.5, None]
    (frames,) = read(rows, keep=("timestamp",))[0].frames
    assert frames[1]["timestamp"] == "+46 70 123 45 67"


@pytest.mark.parametrize("field", ["turn_index", "time"])
def test_an_order_that_may_be_a_telephone_number_rejects_the_conversation(field):
    error = {"turn_index": "NoTurnIndex", "time": "NoTime"}[field]
    rows = [
        {"conversation_id": name, field: order, "text": "x"}
        for name, order in (("a", 1), ("a", 46701234567), ("b", 1700000000))
    ]
    for batch, rejections in (read(rows), shape().read_table(pa.Table.from_pylist(rows), 0, "key")):
        assert batch.ids == ["b"]
        assert [rejection.error for rejection in rejections] == [error]


def test_a_time_serves_where_there_is_no_index():
    rows = [
        {"conversation_id": "a", "start": 2.5, "text": "2"},
        {"conversation_id": "a", "start": 1, "text": "1"},
        {"conversation_id": "a", "start": 2.5, "text": "3"},
    ]
    assert read(rows)[0].texts == ["1", "2", "3"]
    mapped = [
        {"conversation_id": "a", "at": "00:02", "text": "2"},
        {"conversation_id": "a", "at": "00:01", "text": "1"},
    ]
    assert read(mapped, fields={"time": "at"})[0].texts == ["1", "2"]


@tabled("bad", "error")
def test_a_bad_row_rejects_its_conversation_and_no_other(bad, error):
    batch, rejections = read([row("b", 0, "b"), row("a", 0, "a"), row("b", 1, "c"), bad], max_turn_chars=5)
    assert batch.ids == ["b"]
    assert rejections == [Rejection(10, Stage.READ, error, 2, 0)]


def test_a_row_of_an_unknown_conversation_is_rejected_alone():
    batch, rejections = read([row("a", 0, "a"), row(None, 0, "x"), "x"])
    assert batch.ids == ["a"]
    assert rejections == [
        Rejection(10, Stage.READ, "MissingField", file=0),
        Rejection(20, Stage.READ, "WrongType", file=0),
    ]


def columns(batch):
    return {name: getattr(batch, name) for name in type(batch).__slots__}


TABLE = pa.table(
    {
        "conversation_id": ["a", "b", "a"],
        "turn_index": [1, 0, 0],
        "speaker": ["x", None, "y"],
        "text": ["a1", "b0", "å\x00"],
        "when": pa.array([datetime(2025, 1, 1, i) for i in range(3)], pa.timestamp("us")),
    }
)


@pytest.mark.parametrize("keep", [(), ("when",)])
def test_tables_are_read_as_their_records_are(keep):
    made = shape(keep=keep)
    batch, rejections = made.read_table(TABLE, 5, "key")
    assert rejections == []
    records = [(5 + i, value) for i, value in enumerate(TABLE.to_pylist())]
    expected, _ = made.read_records(records, "key")
    assert {**columns(batch), "frames": None} == {**columns(expected), "frames": None}
    turns = iter("123")
    texts = [
        next(turns) if part is None else text for part, text in zip(batch.parts, batch.texts, strict=True)
    ]
    written = made.write_table(batch, texts, batch.speakers, made.output_schema(TABLE.schema))
    assert written.column_names == ["conversation_id", "turn_index", "speaker", "text", *keep]
    assert written["text"].to_pylist() == ["1", "2", "3"]
    assert written["turn_index"].to_pylist() == [0, 1, 0]
    if keep:
        assert written["when"].to_pylist() == [datetime(2025, 1, 1, i) for i in (2, 0, 1)]


def test_a_turn_without_text_stays_one():
    table = TABLE.set_column(3, "text", pa.array(["a1", "", None]))
    batch, rejections = shape().read_table(table, 0, "key")
    assert (batch.texts, rejections) == (["", "a1", ""], [])
    written = shape().write_table(batch, batch.texts, batch.speakers, shape().output_schema(table.schema))
    assert written["text"].to_pylist() == [None, "a1", ""]
    for rows in ([row("a", 0, None), row("a", 1, "")], [row("a", "0", None), row("a", "1", "")]):
        batch, rejections = read(rows)
        assert rejections == []
        assert shape().write_records(batch, batch.texts, batch.speakers) == rows


def test_timestamps_with_nanoseconds_order_turns():
    moments = pa.array([1_700_000_000_000_000_999, 1_600_000_000_000_000_001], pa.timestamp("ns"))
    table = pa.table({"conversation_id": ["a", "a"], "timestamp": moments, "text": ["later", "sooner"]})
    made = shape()
    batch, rejections = made.read_table(table, 0, "key")
    assert (batch.texts, rejections) == (["sooner", "later"], [])
    written = made.write_table(batch, batch.texts, batch.speakers, made.output_schema(table.schema))
    assert written["text"].to_pylist() == ["sooner", "later"]


def test_invalid_utf8_in_a_turn_rejects_its_conversation():
    texts = pa.array([b"a0", b"a1 \xff", b"b0"], pa.binary()).view(pa.string())
    columns = {"conversation_id": ["a", "a", "b"], "turn_index": [0, 1, 0], "text": texts}
    batch, rejections = shape().read_table(pa.table(columns), 0, "key")
    assert batch.ids == ["b"]
    assert rejections == [Rejection(0, Stage.READ, "InvalidUtf8", 2, 0)]


def test_a_row_whose_id_is_no_utf8_is_rejected_by_itself():
    ids = pa.array([b"a", b"\xff"], pa.binary()).view(pa.string())
    columns = {"conversation_id": ids, "turn_index": [0, 1], "text": ["a0", "x"]}
    batch, rejections = shape().read_table(pa.table(columns), 0, "key")
    assert batch.ids == ["a"]
    assert rejections == [Rejection(1, Stage.READ, "InvalidUtf8", file=0)]


@pytest.mark.parametrize(
    ("value", "order"), [(3, 3), (0, 0), (-1, -1), (2.0, 2), ("12", 12), (1700000000000000001,) * 2]
)
def test_an_index_is_a_whole_number(value, order):
    assert index_order(value) == (float(order), order)


@pytest.mark.parametrize(
    ("read", "value"),
    [
        *((index_order, value) for value in (1.5, "1.5", "a", "²", True, None, [], float("nan"))),
        *((time_order, value) for value in ("noon", "", True, None, {}, float("inf"), "nan", 1e300)),
    ],
)
def test_other_values_are_neither_index_nor_time(read, value):
    with pytest.raises(RecordError, match="WrongType"):
        read(value)


@pytest.mark.parametrize(
    "rising",
    [
        [0, 0.5, 1, "1.5", 2],
        [1700000000000000001, 1700000000000000002],
        ["2025-01-01T00:00:00Z", "2025-01-01T01:00:00+00:00", "2025-01-01T01:30:00", "2025-01-01T02:00:00.5"],
        ["2025-01-01T05:00:00+04:00", "2025-01-01T02:00:00+00:00"],
        ["00:00:01", "00:00:01.250", "00:01:00", "01:00:00"],
        [date(2025, 1, 1), datetime(2025, 1, 1, 1), datetime(2025, 1, 1, 2, tzinfo=timezone.utc)],
        [time(1), time(1, 0, 1)],
        [timedelta(0), timedelta(microseconds=1)],
    ],
)
def test_times_sort_as_they_run(rising):
    keys = [time_order(value) for value in rising]
    assert keys == sorted(set(keys))


NUMBERS_OF_PEOPLE = [46701234567, 22334455, 2125551234, 919812345678, 4111111111111111, 5500000000000004]


@pytest.mark.parametrize("number", [*NUMBERS_OF_PEOPLE, 2**63, -46701234567])
def test_a_number_that_may_be_of_a_telephone_or_a_card_is_neither_time_nor_index(number):
    with pytest.raises(RecordError, match="NoTurnIndex"):
        index_order(number)
    with pytest.raises(RecordError, match="NoTurnIndex"):
        index_order(float(number))
    for value in (number, float(number), str(number)):
        assert not is_time(value)
        with pytest.raises(RecordError, match=r"NoTime|WrongType"):
            time_order(value)


@pytest.mark.parametrize(
    "text",
    [
        "", "2025-01-01", "2025-01-01T10:00:00.123456Z", "2025-01-01 10:00:00 +0200", "20250101T100000Z",
        "00:01:02.250", "1:02", "10:00+02", "12.5", "0", "1700000000", "1700000000.123", "1700000000000",
    ],
)  # fmt: skip
def test_times_as_they_are_written(text):
    assert is_time(text)
    others = ("+46 70 123 45 67", "070-123 45 67", "811218-9876", "4111 1111 1111 1111", "1Z9")
    assert not any(map(is_time, others))
