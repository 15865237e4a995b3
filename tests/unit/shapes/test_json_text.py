import json
import re

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.shapes.json_cells import gold_cells, in_whole_cells, without_json_cells
from tacenda.transforms.shapes.json_text import is_json, texts_of, walk_json, walk_text
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind
from tacenda.transforms.shapes.turn_list import ConversationShape, ShareGptShape
from tests.cases import tabled
from tests.growth import grows_linearly

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), below, max_size=4)
    ),
    max_leaves=12,
)


def masked(text):
    return walk_json(
        text, "", lambda path, value: value.replace("Anna", "[PERSON_NAME_1]").replace("882713", "[ID_1]")
    )


def test_a_number_becomes_a_quoted_token_and_the_rest_stays_as_it_was_spelled():
    text = '{ "patient_id":882713 ,\n\t"who" : "Anna",  "path": "a\\/b", "e": 1E3, "b":[ ] , "c":{} }'
    assert masked(text) == text.replace("882713", '"[ID_1]"').replace("Anna", "[PERSON_NAME_1]")
    assert orjson.loads(masked(text))["patient_id"] == "[ID_1]"


@tabled("text")
def test_escapes_stay_the_kind_that_they_were(text):
    assert masked(text) == text.replace("Anna", "[PERSON_NAME_1]")


def test_what_is_no_json_is_one_cell():
    for text in ("[PERSON_NAME_1] called", "{broken", "12", "", " ", '{"a": NaN}', '["\\ud800"]'):
        assert not is_json(text)
        assert walk_text(text, "", lambda path, value: f"<{value}>") == f"<{text}>"


def test_too_many_levels_are_refused_wherever_they_are():
    for text in ("[" * 101 + "]" * 101, json.dumps(["[" * 101 + "]" * 101])):
        with pytest.raises(RecordError, match="UnsupportedContent"):
            masked(text)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_any_json_comes_back_byte_for_byte(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert walk_json(text, "", lambda path, cell: cell) == text


@given(VALUES)
def test_whatever_is_replaced_it_still_parses_and_keeps_its_form(value):
    def form(item):
        if isinstance(item, dict):
            return [form(below) for below in item.values()]
        return [form(below) for below in item] if isinstance(item, list) else None

    text = json.dumps(value)
    written = orjson.loads(walk_json(text, "", lambda path, cell: '"[X_1]\n'))
    assert form(written) == form(orjson.loads(text))


def test_long_strings_take_time_in_proportion():
    def run(size):
        text = json.dumps(["\\" * size, '"' * size, *range(size)])
        walk_json(text, "", lambda path, value: value)

    assert grows_linearly(run, 5_000)


def test_texts_of_a_value_of_any_depth():
    value = "innermost"
    for _ in range(5_000):
        value = [{"key": value}]
    assert list(texts_of(value)) == ["key"] * 5_000 + ["innermost"]


RESULT = '{"patient_id": 882713, "name": "Anna", "ok": true}'


def test_values_are_cells_behind_the_place_of_the_json():
    shape = ShareGptShape(ReadOptions())
    turns = [
        {"from": "human", "value": "Hi"},
        {"from": "observation", "value": RESULT},
        {"from": "gpt", "value": "Ok"},
    ]
    batch, _ = shape.read_records([(0, {"conversations": turns})], "key")
    assert batch.texts == ["Hi", "", "882713", "Anna", "Ok"]
    assert batch.turns == [0, 1, 1, 1, 2]
    assert batch.parts == [None, None, "json.patient_id", "json.name", None]
    assert batch.speakers == ["human", "observation", "observation", "observation", "gpt"]
    new = ["Hi", "", "[MEDICAL_RECORD_NUMBER_1]", "[PERSON_NAME_1]", "Ok"]
    (written,) = shape.write_records(batch, new, ["[A]", "[B]", "[B]", "[B]", "[A]"])
    assert [turn["from"] for turn in written["conversations"]] == ["[A]", "[B]", "[A]"]
    assert json.loads(written["conversations"][1]["value"]) == {
        "patient_id": "[MEDICAL_RECORD_NUMBER_1]",
        "name": "[PERSON_NAME_1]",
        "ok": True,
    }


def test_several_conversations_go_and_come_back():
    shape = ConversationShape(ReadOptions())
    texts = [["a", RESULT], ["b"], [RESULT, "[1, 2]", "c"], ["{no json"], []]
    records = [
        (i, {"conversation_id": str(i), "turns": [{"speaker": None, "text": text} for text in conversation]})
        for i, conversation in enumerate(texts)
    ]
    batch, rejections = shape.read_records(records, "key")
    assert not rejections
    assert [len(batch.cells(i)) for i in range(5)] == [4, 1, 5, 1, 0]
    assert shape.write_records(batch, batch.texts, batch.speakers) == [record for _, record in records]


def test_json_without_values_keeps_its_cell():
    shape = ConversationShape(ReadOptions())
    record = {"conversation_id": "a", "turns": [{"speaker": "Pam", "text": "{}"}]}
    batch, _ = shape.read_records([(0, record)], "key")
    assert batch.texts == [""]
    (written,) = shape.write_records(batch, [""], ["[PERSON_NAME_1]"])
    assert written["turns"] == [{"speaker": "[PERSON_NAME_1]", "text": "{}"}]


def test_annotated_json_is_split_and_its_spans_are_ranges_of_the_whole():
    shape = ConversationShape(ReadOptions())
    at = RESULT.index("Anna")
    spans = [{"start": at, "end": at + 4, "label": "PERSON_NAME"}, {"start": 2, "end": 12, "label": "X"}]
    turns = [
        {"speaker": None, "text": RESULT, "spans": spans},
        {"speaker": None, "text": RESULT, "spans": []},
        {"speaker": None, "text": "Anna", "spans": [{"start": 0, "end": 4, "label": "PERSON_NAME"}]},
    ]
    batch, _ = shape.read_records([(0, {"conversation_id": "a", "turns": turns})], "key")
    bare = [{"speaker": None, "text": turn["text"]} for turn in turns]
    assert batch.texts == shape.read_records([(0, {"conversation_id": "a", "turns": bare})], "key")[0].texts
    name = Finding(0, 4, "PERSON_NAME", Likelihood.LIKELY, "t")
    gold = gold_cells(batch, 0, [[name] if text == "Anna" else [] for text in batch.texts])
    assert gold.texts == [RESULT, "", "", "", "882713", "Anna", "Anna"]
    annotated = (AnnotatedSpan(at, at + 4, "PERSON_NAME"), AnnotatedSpan(2, 12, "X"))
    assert list(map(tuple, gold.spans)) == [annotated, *[()] * 5, (AnnotatedSpan(0, 4, "PERSON_NAME"),)]
    assert gold.findings == [[name._replace(start=at, end=at + 4)], [], [], [], [], [name], [name]]
    whole, _, _ = in_whole_cells(batch, gold.findings)
    assert [len(own) for own in whole.spans] == [2, 0, 1]


def test_findings_in_values_are_ranges_of_the_json_as_it_was_read():
    shape = ConversationShape(ReadOptions())
    inner = json.dumps({"who": "\U0001f642 Zoë é", "say \\ it": "Zoë"})
    text = json.dumps({"zoe@x.se": ["Zoë\n", 4711, inner], "n": 12}, indent=1)
    record = {
        "conversation_id": "a",
        "turns": [{"text": "Hi Zoë"}, {"text": text}, {"text": "{}"}, {"text": "Zoë"}],
    }
    batch, _ = shape.read_records([(0, record)], "key")
    findings = [
        [
            Finding(m.start(), m.end(), "X", Likelihood.LIKELY, "t")
            for m in re.finditer("Zoë|4711|zoe@x.se", cell)
        ]
        for cell in batch.texts
    ]
    whole, found, (numbers,) = in_whole_cells(
        batch, findings, [[n] * len(own) for n, own in enumerate(findings)]
    )
    assert whole.texts == [turn["text"] for turn in record["turns"]]
    spelled = [[cell[f.start : f.end] for f in own] for cell, own in zip(whole.texts, found, strict=True)]
    assert spelled == [["Zoë"], ["zoe@x.se", "Zo\\u00eb", "4711", "Zo\\\\u00eb", "Zo\\\\u00eb"], [], ["Zoë"]]
    assert [len(own) for own in numbers] == [1, 5, 0, 1]


def test_the_name_of_a_function_that_is_called_is_no_cell():
    call = '[{"id": "c1", "name": "book", "arguments": {"name": "Grace", "room": 1234}}]'
    turns = [{"from": "function_call", "value": call}, {"from": "human", "value": call}]
    opened, _ = ShareGptShape(ReadOptions()).read_records([(0, {"conversations": turns})], "k")
    assert opened.texts == ["", "Grace", "1234", "", "c1", "book", "Grace", "1234"]
    assert opened.labels == [[(Kind.TOOL, "c1"), (Kind.TOOL, "book")]]
    new = [text.replace("Grace", "[P]") for text in opened.texts]
    _, texts, _ = without_json_cells(opened, new, opened.speakers)
    assert texts == [call.replace("Grace", "[P]")] * 2
    found = [[Finding(0, 5, "P", Likelihood.LIKELY, "d")] if text == "Grace" else [] for text in opened.texts]
    whole, findings, _ = in_whole_cells(opened, found)
    told = [[text[f.start : f.end] for f in own] for text, own in zip(whole.texts, findings, strict=True)]
    assert told == [["Grace"], ["Grace"]]
