"""In every shape, text that is not replaced is written exactly as it was read."""

import json
import re

import orjson
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.pipelines.chain.chain import Chain
from tacenda.transforms.replacing.replacement import replace_text, value_ranges
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.writing.standoff import standoff_table
from tests.shaped import SHAPES, conversation, sharegpt, tool_call, turn_rows, vcon

SECRET = re.compile("Qz[0-9]{3}")


class Secrets:
    """Finds ``Qz`` followed by three digits."""

    name = "rules"

    def find(self, column):
        return [
            [
                Finding(*match.span(), "EMAIL_ADDRESS", Likelihood.LIKELY, self.name)
                for match in SECRET.finditer(text)
            ]
            for text in column.texts
        ]


CHAIN = Chain([Secrets()], {})

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
TABLES = [make for make in SHAPES if make not in (tool_call, vcon)]
"""Shapes of tables; tool calls and vCons are JSON."""


def texts_within(value):
    """All texts in JSON, including those of JSON within a string, in order."""
    if isinstance(value, dict):
        return [text for key in value for text in texts_within(value[key])]
    if isinstance(value, list):
        return [text for item in value for text in texts_within(item)]
    return [value] if isinstance(value, str) else []


def is_unchanged_outside(before, after):
    """Whether all text outside of replacements is unchanged, and nothing to be replaced is left."""
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


def with_labels(make, texts, label):
    """Records of a shape whose speakers have a name, as far as it has any."""
    written = json.dumps(make(texts))
    for plain_label in ('"speaker": "agent"', '"from": "human"'):
        written = written.replace(plain_label, f"{plain_label.partition(':')[0]}: {json.dumps(label)}")
    records = json.loads(written.replace('{"role": "agent"}', json.dumps({"name": label})))
    return [{**record, "speaker": label} for record in records] if make is turn_rows else records


@pytest.mark.parametrize("make", SHAPES, ids=lambda make: make.__name__)
@settings(max_examples=15, deadline=None)
@given(turns.map(lambda texts: [text.replace("\0", "") for text in texts]), secret)
def test_stand_off_places_lead_to_what_was_read_and_to_what_was_written(make, texts, label):
    """For every shape, read what was written again: each place has its token there, labels as well."""
    shape = make_shape(SHAPES[make], ReadOptions())
    batch, _ = shape.read_records(list(enumerate(with_labels(make, texts, label))), "k")
    outcome = CHAIN.run(batch)
    written = shape.write_records(outcome.batch, outcome.texts, outcome.speakers)
    records = [orjson.loads(orjson.dumps(record)) for record in written]
    again, _ = shape.read_records(list(enumerate(records)), "k")
    assert (again.ids, again.turns, again.parts) == (batch.ids, batch.turns, batch.parts)
    table = standoff_table(
        batch, outcome.findings, outcome.entities, outcome.values, outcome.speakers, outcome.labels
    )
    first_of = {}
    for i in range(len(batch)):
        for cell in batch.cells(i):
            first_of.setdefault((batch.ids[i], batch.turns[cell], None, "speaker"), cell)
            first_of[batch.ids[i], batch.turns[cell], batch.parts[cell], "text"] = cell
    in_texts = in_labels = 0
    for row in table.to_pylist():
        cell = first_of[row["conversation_id"], row["turn"], row["part"], row["field"]]
        column = "texts" if row["field"] == "text" else "speakers"
        before, after = (getattr(one, column)[cell] for one in (batch, again))
        assert SECRET.fullmatch(before[row["start"] : row["end"]])
        token = TOKEN.fullmatch(after[row["output_start"] : row["output_end"]])
        assert (token[1], int(token[2])) == (row["info_type"], row["entity"])
        in_texts += column == "texts"
        in_labels += column == "speakers"
    assert in_texts == sum(len(SECRET.findall(text)) for text in batch.texts)
    turns_of = {
        (i, batch.turns[c]) for i in range(len(batch)) for c in batch.cells(i) if batch.speakers[c] == label
    }
    assert in_labels == len(turns_of)
    assert not turns_of or make in (conversation, turn_rows, sharegpt, vcon)


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
def test_values_stand_where_their_ranges_say(case):
    text, findings, values = case
    after = replace_text(text, findings, values)
    assert [after[slice(*place)] for place in value_ranges(findings, values)] == values
