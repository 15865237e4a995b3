import pyarrow as pa

from tacenda.transforms.reading.planning import dropped, fields_of_records, fields_of_schema, unseen
from tacenda.transforms.shapes.options import ReadOptions

RECORD = {"id": "a", "meta": {"x": 1}, "turns": [{"text": "x", "start": 1}, {"text": "y", "end": 2}]}
FIELDS = {"id", "meta", "meta.x", "turns", "turns.text", "turns.start", "turns.end"}


def test_fields_are_those_at_the_top_and_those_of_entries() -> None:
    assert fields_of_records([7, [], RECORD]) == FIELDS
    table = pa.Table.from_pylist([RECORD])
    assert fields_of_schema(table.schema) == FIELDS


def test_a_list_may_be_called_by_our_name_or_the_files() -> None:
    options = ReadOptions(fields={"turns": "said"}, keep=("turns.start", "said.start", "turns.strat", "nots"))
    assert unseen(options, {"said", "said.start"}) == ("turns.strat", "nots")


def test_the_fields_of_the_parts_of_messages_are_said_as_well() -> None:
    part = {"type": "text", "text": "x", "signature": "s", "source": {"kind": "y"}}
    record = {"messages": [{"role": "user", "content": [part]}], "meta": {"deep": {"er": 1}}}
    found = fields_of_records([record])
    assert found == fields_of_schema(pa.Table.from_pylist([record]).schema)
    written = {"messages", "messages.role", "messages.content", "messages.content.text"}
    left = ["messages.content.signature", "messages.content.source", "messages.content.type", "meta"]
    assert dropped(found, written) == (left, 0)
    # A field that nobody writes in part is said once.
    assert dropped(found, {"messages"}) == (["meta"], 0)
