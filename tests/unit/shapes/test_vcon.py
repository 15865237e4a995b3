import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.vcon import VconShape

SHAPE = VconShape(ReadOptions())
RECORD = {
    "vcon": "0.0.2",
    "uuid": "018f",
    "subject": "dropped",
    "parties": [
        {"tel": "+46", "name": "Anna", "mailto": "a@x.se"},
        {"role": "agent", "tel": "+47"},
        {"name": "Silent", "tel": "+1"},
    ],
    "dialog": [
        {"type": "recording", "url": "https://x/y.wav", "parties": [0, 1]},
        {
            "type": "text",
            "start": "2025-01-01T00:00:00Z",
            "parties": [0, 1],
            "body": "Hi",
            "filename": "dropped",
        },
        {
            "type": "text",
            "start": "2025-01-01T00:00:05Z",
            "parties": 1,
            "mediatype": "text/plain",
            "body": "Yo",
        },
        {"type": "text", "parties": [0, 1], "originator": 1, "encoding": "none", "body": "Bye"},
    ],
    "analysis": [{"dropped": True}],
    "attachments": [{"dropped": True}],
}


def read(record):
    return SHAPE.read_records([(0, record)], "key")


def test_text_dialogs_are_turns():
    batch, rejections = read(RECORD)
    assert rejections == []
    assert batch.ids == ["018f"]
    assert batch.texts == ["Hi", "Yo", "Bye"]
    assert batch.speakers == ["Anna", "agent", "agent"]
    assert batch.turns == [1, 2, 3]


def test_parties_are_written_by_their_new_names_alone():
    batch, _ = read(RECORD)
    (written,) = SHAPE.write_records(batch, ["a", "b", "c"], ["[PERSON_NAME_1]", "agent", "agent"])
    assert written == {
        "vcon": "0.0.2",
        "uuid": "018f",
        "parties": [{"name": "[PERSON_NAME_1]"}, {"role": "agent"}, {}],
        "dialog": [
            {"type": "text", "start": "2025-01-01T00:00:00Z", "parties": [0, 1], "body": "a"},
            {
                "type": "text",
                "start": "2025-01-01T00:00:05Z",
                "parties": 1,
                "mediatype": "text/plain",
                "body": "b",
            },
            {"type": "text", "parties": [0, 1], "originator": 1, "encoding": "none", "body": "c"},
        ],
    }


@pytest.mark.parametrize(
    ("dialog", "error"),
    [
        (
            {"type": "recording", "mediatype": "audio/x-wav", "encoding": "base64url", "body": "UklGR"},
            "UnsupportedContent",
        ),
        ({"type": "text", "encoding": "base64url", "body": "SGVq"}, "UnsupportedContent"),
        ({"type": "text", "mediatype": "image/png", "body": "x"}, "UnsupportedContent"),
        ({"type": "text", "mediatype": "text/plain; of=Anna", "body": "x"}, "WrongType"),
        ({"type": "text", "mediatype": "text/plain", "mimetype": {"a": 1}, "body": "x"}, "WrongType"),
        ({"type": "text", "start": "when Anna called", "body": "x"}, "WrongType"),
        ({"type": "text", "start": {"by": "Anna"}, "body": "x"}, "WrongType"),
        ({"type": "text", "parties": [0, {"name": "Anna"}], "body": "x"}, "WrongType"),
        ({"type": "text", "parties": 0, "originator": "Anna", "body": "x"}, "WrongType"),
        ({"type": "text", "parties": 0}, "NullText"),
        ({"type": "text", "parties": 0, "body": {"a": 1}}, "WrongType"),
        ({"type": "text", "parties": 3, "body": "x"}, "UnknownParty"),
        ({"type": "text", "parties": [-1], "body": "x"}, "UnknownParty"),
        ({"type": "text", "parties": [0, 46701234567, 4111111111111111], "body": "x"}, "UnknownParty"),
        ({"type": "text", "parties": [0, [1, 46701234567]], "body": "x"}, "UnknownParty"),
        ({"type": "text", "parties": 0, "originator": 46701234567, "body": "x"}, "UnknownParty"),
        ({"type": "text", "parties": [[[0]]], "body": "x"}, "WrongType"),
        ({"type": "text", "start": 46701234567, "body": "x"}, "WrongType"),
        ({"type": "text", "start": "+46 70 123 45 67", "body": "x"}, "WrongType"),
        ({"type": "text", "mediatype": "text/plain; charset=anna-berg", "body": "x"}, "WrongType"),
        ({"type": "text", "mediatype": "text/46701234567", "body": "x"}, "WrongType"),
        ("x", "WrongType"),
    ],
)
def test_a_bad_dialog_rejects_the_record(dialog, error):
    _, rejections = read({**RECORD, "dialog": [dialog]})
    assert [rejection.error for rejection in rejections] == [error]


def test_a_role_that_is_a_name_goes_as_names_do():
    parties = [{"role": "Anna"}, {"role": "Berg"}, {"role": "agent"}]
    batch, _ = read({**RECORD, "parties": parties, "dialog": [{"type": "text", "parties": 0, "body": "x"}]})
    assert batch.speakers == ["Anna"]
    (written,) = SHAPE.write_records(batch, ["a"], ["[PERSON_NAME_1]"])
    assert written["parties"] == [{"role": "[PERSON_NAME_1]"}, {}, {"role": "agent"}]


@pytest.mark.parametrize("version", ["of Anna", "0701234567", 1])
def test_a_version_that_is_none_rejects_the_record(version):
    _, rejections = read({**RECORD, "vcon": version})
    assert [rejection.error for rejection in rejections] == ["WrongType"]


def test_what_is_replaced_cannot_be_kept():
    made = VconShape(ReadOptions(keep=("parties", "dialog", "dialog.body", "parties.tel")))
    batch, _ = made.read_records([(0, RECORD)], "key")
    (written,) = made.write_records(batch, ["-"] * 3, ["-"] * 3)
    for secret in ("Anna", "Hi", "+46"):
        assert secret not in str(written)


def test_a_vcon_without_dialog_is_rejected():
    _, rejections = read({"vcon": "0.0.2", "uuid": "1", "parties": []})
    assert [rejection.error for rejection in rejections] == ["MissingField"]


def test_a_table_goes_and_comes_back():
    dialog = {"type": "text", "start": "2025-01-01", "parties": [0], "body": "Hi", "filename": "f"}
    row = {"vcon": "0.0.2", "uuid": "1", "parties": [{"name": "Anna", "tel": "+46"}], "dialog": [dialog]}
    table = pa.Table.from_pylist([row])
    batch, _ = SHAPE.read_table(table, 0, "key")
    written = SHAPE.write_table(batch, ["a"], ["[P]"], SHAPE.output_schema(table.schema))
    assert written.to_pylist() == [
        {
            "vcon": "0.0.2",
            "uuid": "1",
            "parties": [{"name": "[P]"}],
            "dialog": [{"type": "text", "start": "2025-01-01", "parties": [0], "body": "a"}],
        }
    ]


def test_a_table_of_parties_without_names_can_be_stored():
    vcon = {
        "uuid": "u",
        "vcon": "0.0.1",
        "parties": [{"tel": "+1"}, {"tel": "+2"}],
        "dialog": [{"type": "text", "parties": [1], "body": "Hi"}],
    }
    table = pa.Table.from_pylist([vcon])
    batch, _ = SHAPE.read_table(table, 0, "key")
    written = SHAPE.write_table(batch, ["a"], [None], SHAPE.output_schema(table.schema))
    pq.write_table(written, pa.BufferOutputStream())
    assert written["parties"].to_pylist() == [[{"name": None}, {"name": None}]]
