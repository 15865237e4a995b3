import pyarrow as pa

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS, AnnotatedSpan, Annotation
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_list import ConversationShape, ShareGptShape
from tests.cases import cases, tabled

RECORD = cases(__file__, "record")


def shape(**options):
    return ConversationShape(ReadOptions(**options))


def read(record, **options):
    return shape(**options).read_records([(7, record)], "key")


def error_of(record, **options):
    batch, rejections = read(record, **options)
    assert len(batch) == 0
    assert batch.texts == []
    (rejection,) = rejections
    assert (rejection.position, rejection.stage, rejection.rows) == (7, Stage.READ, 1)
    return rejection.error


def test_a_record_becomes_columns_with_kept_fields_behind_and_is_written_as_they_say():
    options = {"keep": ("channel", "turns.start")}
    batch, rejections = read(RECORD, **options)
    assert rejections == []
    assert (batch.ids, batch.contexts, batch.positions, batch.rows) == (["c1"], ["sales"], [7], [1])
    assert (batch.annotations, batch.first_cell) == ([Annotation.NONE], [0, 3])
    assert list(zip(batch.turns, batch.speakers, batch.parts, batch.texts, strict=True)) == [
        (0, "agent", None, "Hello"),
        (1, None, None, "Hi\x00"),
        (OUTSIDE_TURNS, None, "channel.name", "phone"),
    ]
    assert shape(**options).write_records(batch, ["A", "B", "-"], ["x", "y", None]) == [
        {
            "conversation_id": "c1",
            "context": "sales",
            "channel": {"name": "-"},
            "turns": [
                {"speaker": "x", "text": "A", "start": 0.5},
                {"speaker": "y", "text": "B", "start": 1.5},
            ],
        }
    ]


def test_mapped_names_and_numbers_are_read_and_written():
    fields = {"conversation_id": "call", "turns": "said", "turns.text": "t", "turns.speaker": "who"}
    record = {"call": 12, "id": "other", "said": [{"who": 1, "t": "x"}]}
    written = [{"call": 12, "said": [{"who": "2", "t": "y"}]}]
    made, table = shape(fields=fields), pa.Table.from_pylist([record])
    for batch, _ in (read(record, fields=fields), made.read_table(table, 0, "key")):
        assert (batch.ids, batch.texts, batch.speakers) == (["12"], ["x"], ["1"])
        assert made.write_records(batch, ["y"], ["2"]) == written
        assert made.write_table(batch, ["y"], ["2"], made.output_schema(table.schema)).to_pylist() == written


@tabled("change", "error")
def test_a_bad_record_is_rejected_with_its_error_class(change, error):
    good = {"conversation_id": "c", "turns": [{"speaker": "s", "text": "12345"}]}
    assert read(good, max_turn_chars=5)[1] == []
    assert error_of({**good, **change}, max_turn_chars=5) == error
    assert [error_of(value) for value in ([], "text", 5, None)] == ["WrongType"] * 4


def with_spans(*turns, **fields):
    return {"id": "g", **fields, "turns": [{"text": "Anna called", **turn} for turn in turns]}


SPAN = {"start": 0, "end": 4, "label": "PERSON_NAME", "raw_label": "name"}


@tabled("record", "annotation")
def test_who_annotated_a_record(record, annotation):
    assert read(record)[0].annotations == [Annotation(annotation)]


def test_spans_are_read_with_their_entity_and_never_written():
    record = with_spans(
        {"spans": [{**SPAN, "entity": 3}, {**SPAN, "entity_id": "e", "start": 1}]}, {"spans": []}
    )
    batch, _ = read(record)
    assert batch.spans == [
        (AnnotatedSpan(0, 4, "PERSON_NAME", "3"), AnnotatedSpan(1, 4, "PERSON_NAME", "e")),
        (),
    ]
    assert shape().write_records(batch, ["a", "b"], [None, None]) == [
        {"id": "g", "turns": [{"text": "a"}, {"text": "b"}]}
    ]


@tabled("spans")
def test_a_span_that_is_no_range_of_the_text_rejects_the_record(spans):
    assert error_of(with_spans({"spans": spans})) == "BadSpan"


ROWS = cases(__file__, "rows")
TYPES = pa.schema(
    [
        ("id", pa.string()),
        ("context", pa.string()),
        ("turns", pa.list_(pa.struct([("speaker", pa.string()), ("text", pa.string()), ("n", pa.int64())]))),
    ]
)


def test_bad_rows_of_a_table_are_rejected_and_the_others_stay():
    rows = [*ROWS, {"id": "d", "turns": None}, {"id": "f", "turns": [{"text": None}]}]
    batch, rejections = shape().read_table(pa.Table.from_pylist(rows, schema=TYPES), 10, "key")
    assert batch.ids == ["a", "b", "c"]
    assert rejections == [Rejection(13, Stage.READ, "MissingField"), Rejection(14, Stage.READ, "NullText")]


def test_invalid_utf8_in_a_table_rejects_its_row_alone():
    table = pa.Table.from_pylist(ROWS, schema=TYPES)
    texts = pa.array([b"one", b"\xff\xfe", b"two"]).view(pa.string())
    structs = pa.StructArray.from_arrays([texts], ["text"])
    table = table.set_column(
        2, "turns", pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), structs)
    )
    batch, rejections = shape().read_table(table, 0, "key")
    assert batch.texts == ["one", "two"]
    assert rejections == [Rejection(1, Stage.READ, "InvalidUtf8")]


def test_dictionary_columns_are_read_as_their_values():
    table = pa.Table.from_pylist(ROWS, schema=TYPES)
    table = table.set_column(1, "context", table["context"].dictionary_encode())
    made = shape()
    batch, _ = made.read_table(table, 0, "key")
    assert batch.contexts == ["x", "", ""]
    schema = made.output_schema(table.schema)
    assert schema.field("context").type == pa.string()
    written = made.write_table(batch, batch.texts, batch.speakers, schema)
    assert written["context"].to_pylist() == ["x", None, ""]


def test_who_read_a_conversation_is_reported_by_records_and_tables_alike():
    rows = [
        {"conversation_id": str(i), "turns": [{"text": "hi"}], "reviewed_by": name}
        for i, name in enumerate(["Pam Beesly ", "", None, "\u3164"])
    ]
    of_records, _ = shape().read_records(list(enumerate(rows)), "key")
    of_table, _ = shape().read_table(pa.Table.from_pylist(rows), 0, "key")
    assert of_records.readers == of_table.readers == ["Pam Beesly", "", "", ""]
    assert shape().read_records([(0, RECORD)], "key")[0].readers == [None]
    assert "reviewed_by" not in shape().write_records(of_records, of_records.texts, of_records.speakers)[0]


SHAPE = ShareGptShape(ReadOptions())
RECORD_sharegpt = {
    "system": "Be kind.",
    "lang": "en",
    "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yo"}],
}


def test_a_record_without_id_is_named_after_its_place():
    batch, rejections = SHAPE.read_records(
        [(120, RECORD_sharegpt), (300, {**RECORD_sharegpt, "id": 4})], "0a1b2c3d"
    )
    assert rejections == []
    assert batch.ids == ["0a1b2c3d-120", "4"]
    assert batch.texts == ["Hi", "Yo", "Be kind."] * 2
    assert batch.turns == [0, 1, OUTSIDE_TURNS] * 2
    assert batch.speakers == ["human", "gpt", None] * 2
    written = SHAPE.write_records(batch, ["a", "b", "x", "c", "d", "y"], batch.speakers)
    assert written == [
        {"system": "x", "conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]},
        {
            "system": "y",
            "id": 4,
            "conversations": [{"from": "human", "value": "c"}, {"from": "gpt", "value": "d"}],
        },
    ]
