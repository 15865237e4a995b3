import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.json_text import is_json, texts_of, walk_json, walk_text
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


def cells(text: str) -> dict[str, str]:
    seen: dict[str, str] = {}

    def visit(path: str, value: str) -> str:
        seen[path] = value
        return value

    walk_json(text, "", visit)
    return seen


def masked(text: str) -> str:
    return walk_json(
        text, "", lambda path, value: value.replace("Anna", "[PERSON_NAME_1]").replace("882713", "[ID_1]")
    )


def test_values_are_cells_with_paths() -> None:
    text = '{"to": {"name": "Anna", "tags": ["a", 4711, 12, true, null]}, "n": 1.5}'
    assert cells(text) == {".to.name": "Anna", ".to.tags.0": "a", ".to.tags.1": "4711"}


def test_a_number_becomes_a_quoted_token_and_the_rest_stays_as_it_was_spelled() -> None:
    text = '{ "patient_id":882713 ,\n\t"who" : "Anna",  "path": "a\\/b", "e": 1E3, "b":[ ] , "c":{} }'
    assert masked(text) == text.replace("882713", '"[ID_1]"').replace("Anna", "[PERSON_NAME_1]")
    assert orjson.loads(masked(text))["patient_id"] == "[ID_1]"


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "Anna \\u00e9"}',
        '{"a": "Anna é"}',
        '{"a": "http:\\/\\/x\\/Anna"}',
        '{"a": "Anna \\"q\\" \\\\ \\n"}',
    ],
)
def test_escapes_stay_the_kind_that_they_were(text: str) -> None:
    assert masked(text) == text.replace("Anna", "[PERSON_NAME_1]")


def test_json_in_a_string_of_json_is_walked_too() -> None:
    inner = json.dumps({"patient_id": 882713, "name": "Anna"})
    written = json.loads(masked(json.dumps({"args": inner})))
    assert json.loads(written["args"]) == {"patient_id": "[ID_1]", "name": "[PERSON_NAME_1]"}


def test_keys_that_may_be_data_are_cells_and_stay_apart() -> None:
    written = walk_json('{"a@x.se": 1, "b@x.se": 2}', "", lambda path, value: "[E_1]")
    assert json.loads(written) == {"[E_1]": 1, "[E_1]_2": 2}


def test_what_is_no_json_is_one_cell() -> None:
    for text in ("[PERSON_NAME_1] called", "{broken", "12", "", " ", '{"a": NaN}', '["\\ud800"]'):
        assert not is_json(text)
        assert walk_text(text, "", lambda path, value: f"<{value}>") == f"<{text}>"


def test_too_many_levels_are_refused_wherever_they_are() -> None:
    with pytest.raises(RecordError, match="UnsupportedContent"):
        cells("[" * 101 + "]" * 101)
    with pytest.raises(RecordError, match="UnsupportedContent"):
        cells(json.dumps(["[" * 100 + "]" * 100]))


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_any_json_comes_back_byte_for_byte(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert walk_json(text, "", lambda path, cell: cell) == text


@given(VALUES)
def test_whatever_is_replaced_it_still_parses_and_keeps_its_form(value: object) -> None:
    def form(item: object) -> object:
        if isinstance(item, dict):
            return [form(below) for below in item.values()]
        return [form(below) for below in item] if isinstance(item, list) else None

    text = json.dumps(value)
    written = orjson.loads(walk_json(text, "", lambda path, cell: '"[X_1]\n'))
    assert form(written) == form(orjson.loads(text))


def test_long_strings_take_time_in_proportion() -> None:
    def run(size: int) -> None:
        text = json.dumps(["\\" * size, '"' * size, *range(size)])
        walk_json(text, "", lambda path, value: value)

    assert grows_linearly(run, 5_000)


def test_texts_of_a_value_of_any_depth():
    value = "innermost"
    for _ in range(5_000):
        value = [{"key": value}]
    assert list(texts_of(value)) == ["key"] * 5_000 + ["innermost"]
