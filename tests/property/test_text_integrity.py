"""Whatever the shape, what is not replaced is written as it was read, to the last sign."""

import json
import re

import orjson
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.pipelines.chain import Chain
from tacenda.transforms.replacing.offsets import OffsetMap
from tacenda.transforms.replacing.replacement import replace_text
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape

SECRET = re.compile("Qz[0-9]{3}")


class Secrets:
    """Finds what is made of ``Qz`` and three digits."""

    name = "secrets"

    def find(self, column):
        return [
            [Finding(*match.span(), "URL", Likelihood.LIKELY, self.name) for match in SECRET.finditer(text)]
            for text in column.texts
        ]


CHAIN = Chain([Secrets()], [], {}, None)

plain = st.text(
    st.sampled_from("ab1 .,:\t\n\r\\\"'{}<>&é😀\u200b\u2028\u00a0\ufeffÅ中")
    | st.characters(exclude_categories=["Cs"]),
    max_size=8,
).filter(lambda text: "[" not in text and "Q" not in text)
secret = st.sampled_from(["Qz001", "Qz002", "Qz123"])
marked = st.lists(st.tuples(plain, secret), max_size=3).flatmap(
    lambda pairs: plain.map(lambda last: "".join(a + b for a, b in pairs) + last)
)
turns = st.lists(marked, min_size=1, max_size=4)


def conversation(texts):
    return [{"conversation_id": "c", "turns": [{"speaker": "agent", "text": text} for text in texts]}]


def turn_rows(texts):
    return [{"conversation_id": "c", "turn_index": i, "text": text} for i, text in enumerate(texts)]


def chat(texts):
    return [{"messages": [{"role": "user", "content": text} for text in texts]}]


def chat_of_parts(texts):
    return [{"messages": [{"role": "user", "content": [{"type": "text", "text": text} for text in texts]}]}]


def tool_call(texts):
    arguments = json.dumps({"to": texts, "n": 1.5}, separators=(",", ":"), ensure_ascii=False)
    call = {"id": "1", "type": "function", "function": {"name": "send", "arguments": arguments}}
    return [{"messages": [{"role": "user", "content": ""}, {"role": "assistant", "tool_calls": [call]}]}]


def sharegpt(texts):
    return [{"conversations": [{"from": "human", "value": text} for text in texts]}]


def document(texts):
    return [{"id": str(i), "text": text} for i, text in enumerate(texts)]


def vcon(texts):
    dialog = [
        {"type": "text", "start": "2025-01-01T00:00:00Z", "parties": [0], "body": text} for text in texts
    ]
    return [{"vcon": "0.0.2", "uuid": "u", "parties": [{"role": "agent"}], "dialog": dialog}]


SHAPES = {
    conversation: "conversation",
    turn_rows: "turns",
    chat: "chat",
    chat_of_parts: "chat",
    tool_call: "chat",
    sharegpt: "sharegpt",
    document: "document",
    vcon: "vcon",
}
TABLES = [conversation, turn_rows, chat, sharegpt, document]


def texts_within(value):
    """All texts that stand in JSON, those of JSON in a string as well, in order."""
    if isinstance(value, dict):
        return [text for key in value for text in texts_within(value[key])]
    if isinstance(value, list):
        return [text for item in value for text in texts_within(item)]
    return [value] if isinstance(value, str) else []


def is_unchanged_outside(before, after):
    """Whether the pieces between what was replaced are the same, and nothing to be replaced is left."""
    pieces = TOKEN.sub("\0", after).split("\0")
    return pieces == SECRET.split(before.replace("\0", "")) and not SECRET.search(after)


@pytest.mark.parametrize("make", SHAPES, ids=lambda make: make.__name__)
@settings(max_examples=25, deadline=None)
@given(turns.map(lambda texts: [text.replace("\0", "") for text in texts]))
def test_records_keep_what_is_not_replaced(make, texts):
    shape = make_shape(SHAPES[make], ReadOptions())
    records = make(texts)
    batch, rejections = shape.read_records(list(enumerate(records)), "k")
    assert not rejections
    outcome = CHAIN.run(batch)
    written = shape.write_records(outcome.batch, outcome.texts, outcome.speakers)
    told = [texts_within(orjson.loads(orjson.dumps(record))) for record in written]
    given_texts = [texts_within(record) for record in records]
    assert len(told) == len(given_texts)
    for before, after in zip(given_texts, told, strict=True):
        assert [is_unchanged_outside(*pair) for pair in zip(before, after, strict=True)] == [True] * len(
            before
        )


@pytest.mark.parametrize("make", TABLES, ids=lambda make: make.__name__)
@settings(max_examples=12, deadline=None)
@given(turns.map(lambda texts: [text.replace("\0", "") for text in texts]))
def test_tables_keep_what_is_not_replaced(make, texts):
    shape = make_shape(SHAPES[make], ReadOptions())
    table = pa.Table.from_pylist(make(texts))
    batch, rejections = shape.read_table(table, 0, "k")
    assert not rejections
    outcome = CHAIN.run(batch)
    written = shape.write_table(
        outcome.batch, outcome.texts, outcome.speakers, shape.output_schema(table.schema)
    )
    pairs = zip(texts_within(table.to_pylist()), texts_within(written.to_pylist()), strict=True)
    assert all(is_unchanged_outside(before, after) for before, after in pairs)


@st.composite
def replaced(draw):
    text = draw(st.text(max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    findings = [
        Finding(start, end, "URL", Likelihood.LIKELY, "rules")
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    values = draw(st.lists(st.text(max_size=5), min_size=len(findings), max_size=len(findings)))
    return text, findings, values


@given(replaced())
def test_offsets_map_both_ways(case):
    text, findings, values = case
    after = replace_text(text, findings, values)
    offsets = OffsetMap(findings, values)
    assert [text[slice(*place)] for place in offsets.original] == [text[f.start : f.end] for f in findings]
    assert [after[slice(*place)] for place in offsets.output] == values
    inside = {k for place in offsets.original for k in range(*place)}
    for k in range(len(text)):
        if k in inside:
            where = next(i for i, place in enumerate(offsets.original) if place.start <= k < place.end)
            assert offsets.to_output(k) == offsets.output[where].start
        else:
            assert after[offsets.to_output(k)] == text[k]
            assert offsets.to_original(offsets.to_output(k)) == k
    assert offsets.to_output(len(text)) == len(after)
    assert offsets.to_original(len(after)) == len(text)
    kept = {offsets.to_output(k) for k in range(len(text)) if k not in inside}
    written = {k for place in offsets.output for k in range(*place)}
    assert kept | written == set(range(len(after)))
    assert not kept & written
