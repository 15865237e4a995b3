import pyarrow as pa
import pytest

from tacenda.transforms.shapes.conversation import ConversationShape
from tacenda.transforms.shapes.declared import reader_name, reader_of
from tacenda.transforms.shapes.document import DocumentShape
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_rows import TurnRowsShape

TURNS = [{"speaker": "a", "text": "x"}]
LIKE_LABELS = ("sales", "Kundtjänst, natt", "2025 Q1", "", None)
LIKE_TEXT = (
    "anna@x.se",
    "call 46701234567",
    "She came in and then she said. " * 4,
    "a\nb",
    "+46 70 123 45 67",
)
SHAPES = (
    (ConversationShape, {"turns": TURNS}),
    (DocumentShape, {"text": "x"}),
    (TurnRowsShape, {"turn_index": 0, "speaker": "a", "text": "x"}),
)


@pytest.mark.parametrize(("shape", "fields"), SHAPES)
@pytest.mark.parametrize("stored", ["records", "table"])
def test_a_context_that_is_no_label_rejects_its_conversation_alone(shape, fields, stored):
    rows = [
        {"conversation_id": f"c{n}", "context": context, **fields}
        for n, context in enumerate([*LIKE_LABELS, *LIKE_TEXT])
    ]
    made = shape(ReadOptions())
    if stored == "records":
        batch, rejections = made.read_records(list(enumerate(rows)), "key")
    else:
        batch, rejections = made.read_table(pa.Table.from_pylist(rows), 0, "key")
    assert batch.contexts == [context or "" for context in LIKE_LABELS]
    assert [(r.position, r.error) for r in rejections] == [(n, "ContextIsText") for n in range(5, 10)]


@pytest.mark.parametrize("name", ["Pam Beesly", "47", "王小明", "P. B."])
def test_whoever_has_a_name_can_be_named(name: str) -> None:
    assert reader_name(f" {name}\n") == name


@pytest.mark.parametrize(
    "nobody", ["", " ", "\t\n", "\u00a0", "\u200b", "-", "?", "...", "\u3164", "\uffa0", "\u2800", "x" * 101]
)
def test_blanks_and_punctuation_are_no_names(nobody: str) -> None:
    assert reader_name(nobody) == ""


@pytest.mark.parametrize("value", [None, 7, True, ["Pam"], {"name": "Pam"}])
def test_what_is_no_text_names_nobody(value: object) -> None:
    assert reader_of({"reviewed_by": value}) == ""
    assert reader_of({}) is None
