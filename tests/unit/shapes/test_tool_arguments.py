import json

import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.tool_arguments import walk_arguments
from tests.growth import grows_linearly


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
        "[EMAIL_ADDRESS_1]_2": 1,
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
    said = walk_arguments('{"a": "secret", "a": "seen"}', "a", lambda path, text: text[:2])
    assert said == '{"a": "se", "a": "se"}'


def nested(levels, value):
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


def test_too_deep_nesting_is_refused():
    with pytest.raises(RecordError, match="UnsupportedContent"):
        walk_arguments(nested(100_000, "x"), "a", lambda path, text: text)
    with pytest.raises(RecordError, match="UnsupportedContent"):
        walk_arguments({"a": b"bytes"}, "a", lambda path, text: text)


@pytest.mark.parametrize("spell", [lambda value: value, json.dumps])
def test_how_deeply_arguments_may_be_nested_does_not_depend_on_who_asks(spell):
    def refuses(levels):
        try:
            walk_arguments(spell(nested(levels, "x")), "a", lambda path, text: text)
        except RecordError as error:
            return error.error == "UnsupportedContent"
        return False

    def from_deep_below(frames):
        return from_deep_below(frames - 1) if frames else list(map(refuses, (100, 101, 320, 490)))

    assert from_deep_below(0) == from_deep_below(400) == [False, True, True, True]


def test_keys_that_mean_one_person_take_linear_time():
    def run(size):
        arguments = {f"{place}@x.se": 1 for place in range(size)}
        written = walk_arguments(arguments, "a", lambda path, text: "[EMAIL_ADDRESS_1]")
        assert list(written.values()) == [1] * size

    assert grows_linearly(run, 1000)


def test_a_name_that_was_made_unique_may_be_there_already():
    keys = ["1@x", "[P]_2", "2@x", "3@x", "[P]_3"]
    written = walk_arguments(
        dict.fromkeys(keys, True), "a", lambda path, text: "[P]" if "@" in text else text
    )
    assert len(written) == len(keys)


def test_a_long_name_of_a_parameter_is_not_repeated_at_each_leaf():
    _, seen = cells({"k" * 1_000_000: {"list": ["x"] * 1000}})
    assert len(seen) == 1000
    assert max(map(len, seen)) < 200
    assert "a.0.list.999" in seen


def test_a_number_that_replaces_a_number_is_one():
    def visit(path, text):
        return "4155550123" if text == "4155550199" else "0123" if text == "9876" else text

    assert walk_arguments({"a": 4155550199, "b": [9876, 12]}, "a", visit) == {
        "a": 4155550123,
        "b": ["0123", 12],
    }
    text = '{"a": 4155550199, "b": [9876, 12], "c": "4155550199"}'
    said = '{"a": 4155550123, "b": ["0123", 12], "c": "4155550123"}'
    assert walk_arguments(text, "a", visit) == said
