import json

import pytest

from transforms.schema.errors import RecordError
from transforms.shapes.tool_arguments import spell_numbers, walk_arguments


def cells(value):
    seen = {}

    def visit(path, text):
        seen[path] = text
        return text

    return walk_arguments(value, "a", visit), seen


def test_every_text_and_long_number_is_a_cell():
    value = {"name": "Anna", "n": 12, "phone": 46701234567, "deep": [{"x": ["y", None, True]}, 3.14]}
    back, seen = cells(json.dumps(value))
    assert seen == {"a.name": "Anna", "a.phone": "46701234567", "a.deep.0.x.0": "y", "a.deep.1": "3.14"}
    assert json.loads(back) == value
    assert cells(value) == (value, seen)


def test_a_key_that_may_be_data_is_a_cell_too():
    def visit(path, text):
        return "[EMAIL_ADDRESS_1]" if "@" in text else text

    value = {"a@x.se": "yes", "A@x.se": 1, "first name": "Anna", "address_2": "b@x.se"}
    assert walk_arguments(value, "a", visit) == {
        "[EMAIL_ADDRESS_1]": "yes",
        "[EMAIL_ADDRESS_1]_": 1,
        "first name": "Anna",
        "address_2": "[EMAIL_ADDRESS_1]",
    }


def test_the_path_of_a_key_that_may_be_data_tells_its_place_alone():
    value = {"city": "Lund", "a@x.se": {"b@x.se": ["Anna"], "note": "x"}, "c d": "y"}
    _, seen = cells(value)
    assert seen == {
        "a.city": "Lund",
        "a.1:key": "a@x.se",
        "a.1.0:key": "b@x.se",
        "a.1.0.0": "Anna",
        "a.1.note": "x",
        "a.2:key": "c d",
        "a.2": "y",
    }


def test_integers_keep_all_their_digits():
    number = 123456789012345678901234567890
    back, seen = cells(f'{{"iban": {number}}}')
    assert seen == {"a.iban": str(number)}
    assert back == f'{{"iban": {number}}}'


def test_a_changed_number_becomes_text():
    def visit(path, text):
        return "[PHONE_NUMBER_1]"

    assert walk_arguments('{"phone": 5551234, "n": 7}', "a", visit) == '{"phone": "[PHONE_NUMBER_1]", "n": 7}'


def test_a_string_that_is_no_json_is_one_cell():
    for text in ("Anna, 070", "{broken", '"\\ud800"', "", "1" * 5000):
        assert cells(text) == (text, {"a": text})


def test_a_repeated_key_does_not_hide_its_first_value():
    assert cells('{"a": "secret", "a": "seen"}') == ('{"a": "seen"}', {"a.a": "seen"})


def test_nesting_without_end_is_refused():
    value = "x"
    for _ in range(100_000):
        value = [value]
    with pytest.raises(RecordError, match="UnsupportedContent"):
        walk_arguments(value, "a", lambda path, text: text)
    with pytest.raises(RecordError, match="UnsupportedContent"):
        walk_arguments({"a": b"bytes"}, "a", lambda path, text: text)


def test_numbers_are_spelled_for_columns():
    assert spell_numbers({"a": [1, 2.5, True, None, "x"]}) == {"a": ["1", "2.5", True, None, "x"]}
