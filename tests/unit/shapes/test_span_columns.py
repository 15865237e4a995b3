"""Columnar reading equals record-wise reading, and delegates invalid or uncommon data to it."""

from typing import Any

import pyarrow as pa
import pytest

from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes import turn_list
from tacenda.transforms.shapes.conversation import ConversationShape
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Reading, RecordShape

SPAN = pa.struct(
    [("start", pa.int32()), ("end", pa.int64()), ("label", pa.string()), ("entity", pa.string())]
)
SHAPE = ConversationShape(ReadOptions())


def span(start: int | None, end: int, label: str | None = "PERSON_NAME", **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label, **more}


def table(*conversations: Any, kind: pa.DataType = SPAN, **columns: list[Any]) -> pa.Table:
    """One turn of text ``Åsa called`` for each list of spans."""
    turn = pa.struct([("text", pa.string()), ("spans", pa.list_(kind))])
    turns = [[{"text": "Åsa called", "spans": spans} for spans in each] for each in conversations]
    ids = [str(number) for number in range(len(turns))]
    return pa.table(
        {
            "conversation_id": ids,
            "turns": pa.array(turns, pa.list_(turn)),
            **columns,
        }
    )


def both_ways(rows: pa.Table) -> tuple[Reading, Reading]:
    return SHAPE.read_table(rows, 3, "key"), RecordShape.read_table(SHAPE, rows, 3, "key")


def test_spans_are_read_as_record_by_record(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table(
        [[span(0, 3, entity="e1"), span(4, 10, "LOCATION")], [], None],
        [],
        [None, None],
        [[]],
        [[span(0, 1, "MISSED_FIRST_NAME")], [span(1, 2)]],
        [[span(9, 10)]],
        [[span(9, 10)]],
        [[]],
        gold=[None, None, None, None, None, "none", "partial", "complete"],
    )
    expected = RecordShape.read_table(SHAPE, rows.slice(1), 4, "key")
    # No way back: what is common must not be read record by record.
    monkeypatch.setattr(turn_list.TurnListShape, "parse", None)
    batch, rejections = SHAPE.read_table(rows, 3, "key")
    assert rejections == []
    assert batch.spans[:3] == [
        (AnnotatedSpan(0, 3, "PERSON_NAME", "e1"), AnnotatedSpan(4, 10, "LOCATION")),
        (),
        (),
    ]
    assert [type(item) for item in batch.spans[0]] == [AnnotatedSpan] * 2
    assert batch.annotations == [
        Annotation.GOLD,
        Annotation.NONE,
        Annotation.NONE,
        Annotation.EMPTY_GOLD,
        Annotation.HUMAN,
        Annotation.NONE,
        Annotation.PARTIAL_GOLD,
        Annotation.GOLD,
    ]
    assert SHAPE.read_table(rows.slice(1), 4, "key") == expected


@pytest.mark.parametrize("identity", [pa.int64(), pa.large_string(), pa.null()])
def test_entities_are_text_and_the_first_name_of_theirs_counts(identity: pa.DataType) -> None:
    kind = pa.struct([*SPAN, ("entity_id", identity)])
    other = {"entity_id": None if identity == pa.null() else 7 if identity == pa.int64() else "7"}
    fast, slow = both_ways(table([[span(0, 3, entity="e", **other), span(0, 3, **other)]], kind=kind))
    assert fast == slow
    expected = "e", None if identity == pa.null() else "7"
    assert tuple(item.entity for item in fast[0].spans[0]) == expected


@pytest.mark.parametrize(
    "wrong",
    [span(0, 11), span(-1, 3), span(3, 3), span(4, 3), span(None, 3), span(0, 3, None), None],
)
def test_a_wrong_span_costs_its_conversation(wrong: Any) -> None:
    fast, slow = both_ways(table([[span(0, 3)]], [[wrong]], [[span(0, 10)]]))
    assert fast == slow
    assert fast[0].ids == ["0", "2"]
    assert fast[1] == [Rejection(4, Stage.READ, "BadSpan")]


@pytest.mark.parametrize(
    "kind",
    [
        pa.struct([("start", pa.float64()), ("end", pa.int64()), ("label", pa.string())]),
        pa.struct([("start", pa.int64()), ("end", pa.int64())]),
        pa.struct(
            [("start", pa.int64()), ("end", pa.int64()), ("label", pa.string()), ("entity", pa.float64())]
        ),
    ],
)
def test_types_that_spans_do_not_have_are_wrong(kind: pa.DataType) -> None:
    value = {"start": 0, "end": 3, "label": "PERSON_NAME", "entity": 1.0}
    fast, slow = both_ways(table([[{field.name: value[field.name] for field in kind}]], [[]], kind=kind))
    assert fast == slow
    assert [lost.error for lost in fast[1]] == ["BadSpan"]
