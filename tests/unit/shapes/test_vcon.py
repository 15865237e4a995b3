import json

import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.vcon import VconShape
from tests.cases import cases, tabled

SHAPE = VconShape(ReadOptions())
RECORD = cases(__file__, "record")


def read(record):
    return SHAPE.read_records([(0, record)], "key")


CELLS = [tuple(row) for row in cases(__file__, "cells")]


def test_everything_is_a_cell_and_is_written_where_it_stood():
    batch, rejections = read(RECORD)
    assert (batch.ids, rejections) == (["018f"], [])
    assert list(zip(batch.turns, batch.speakers, batch.texts, strict=True)) == CELLS
    texts = [text.replace("Anna", "[P]").replace("+", "#").replace("a@x.se", "[E]") for _, _, text in CELLS]
    speakers = [who and who.replace("Anna", "[P]").replace("Silent", "[S]") for _, who, _ in CELLS]
    (written,) = SHAPE.write_records(batch, texts, speakers)
    kept = json.loads(json.dumps({key: value for key, value in RECORD.items() if key != "group"}))
    del kept["dialog"][1]["session"]
    del kept["analysis"][0]["extra"]
    told = json.dumps(kept).replace("Anna", "[P]").replace("Silent", "[S]").replace("+", "#")
    assert json.dumps(written) == told.replace("a@x.se", "[E]")
    # An address of a party that nobody found is dropped.
    (written,) = SHAPE.write_records(batch, batch.texts, batch.speakers)
    assert written["parties"] == [{"name": "Anna"}, {"role": "agent"}, {"name": "Silent"}]
    assert [label for _, label in batch.labels[0]] == [
        *("recording", "y", "y.wav", "text", "text", "text", "summary", "note")
    ]


@tabled("dialog", "error")
def test_a_bad_dialog_rejects_the_record(dialog, error):
    _, rejections = read({**RECORD, "dialog": [dialog]})
    assert [rejection.error for rejection in rejections] == [error]


def test_a_role_that_is_a_name_is_replaced():
    parties = [{"role": "Anna"}, {"role": "Berg"}, {"role": "agent"}]
    dialog = [{"type": "text", "parties": 0, "body": "x"}]
    batch, _ = read({**RECORD, "parties": parties, "dialog": dialog, "analysis": []})
    assert batch.speakers[1:3] == ["Anna", "Berg"]
    (written,) = SHAPE.write_records(batch, batch.texts, [None, "[1]", "[2]", *batch.speakers[3:]])
    assert written["parties"] == [{"role": "[1]"}, {"role": "[2]"}, {"role": "agent"}]


@tabled("change", "error")
def test_a_bad_field_rejects_the_record(change, error):
    _, rejections = read({**RECORD, **change})
    assert [rejection.error for rejection in rejections] == [error]


def test_a_table_survives_a_round_trip():
    dialog = {"type": "text", "start": "2025-01-01", "parties": [0], "body": "Hi", "session": "f"}
    row = {"vcon": "0.0.2", "uuid": "1", "parties": [{"name": "Anna", "tel": "+46"}], "dialog": [dialog]}
    table = pa.Table.from_pylist([row])
    batch, _ = SHAPE.read_table(table, 0, "key")
    schema = SHAPE.output_schema(table.schema)
    written = SHAPE.write_table(batch, ["", "[T]", "a"], ["[P]", None, "[P]"], schema)
    assert written.to_pylist() == [
        {
            "vcon": "0.0.2",
            "uuid": "1",
            "parties": [{"name": "[P]", "tel": "[T]"}],
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
    written = SHAPE.write_table(batch, ["+1", "#", "a"], [None] * 3, SHAPE.output_schema(table.schema))
    pq.write_table(written, pa.BufferOutputStream())
    assert written["parties"].to_pylist() == [[{"tel": None}, {"tel": "#"}]]
