import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_list import ShareGptShape

SHAPE = ShareGptShape(ReadOptions())
RECORD = {
    "system": "Be kind.",
    "lang": "en",
    "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yo"}],
}


def test_a_record_without_id_is_named_after_its_place():
    batch, rejections = SHAPE.read_records([(120, RECORD), (300, {**RECORD, "id": 4})], "0a1b2c3d")
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


def test_a_table_without_ids_is_named_after_its_rows():
    table = pa.Table.from_pylist([RECORD, RECORD])
    batch, _ = SHAPE.read_table(table, 5, "0a1b2c3d")
    assert batch.ids == ["0a1b2c3d-5", "0a1b2c3d-6"]
    schema = SHAPE.output_schema(table.schema)
    assert schema.names == ["system", "conversations"]
    written = SHAPE.write_table(batch, batch.texts, batch.speakers, schema)
    told = {"system": RECORD["system"], "conversations": RECORD["conversations"]}
    assert written.to_pylist() == [told] * 2


def test_a_null_value_rejects_the_record():
    record = {"conversations": [{"from": "gpt", "value": None}]}
    assert SHAPE.read_records([(9, record)], "k")[1] == [Rejection(9, Stage.READ, "NullText")]


def test_a_table_with_turns_of_other_fields_is_rejected_and_can_be_stored():
    table = pa.Table.from_pylist([{"id": "a", "conversations": [{"role": "user", "content": "Hi"}]}])
    batch, rejections = SHAPE.read_table(table, 0, "k")
    assert rejections == [Rejection(0, Stage.READ, "MissingField")]
    schema = SHAPE.output_schema(table.schema)
    pq.write_table(SHAPE.write_table(batch, [], [], schema), pa.BufferOutputStream())
