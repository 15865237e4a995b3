import base64
import doctest
import json

import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes import strange_text
from tacenda.transforms.shapes.chat import ChatShape
from tacenda.transforms.shapes.content import EMBEDDED, To, walk_arguments, walk_content
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.strange_text import ENCODED, FOREIGN_TOKEN, error_of
from tests.cases import cases, tabled
from tests.growth import grows_linearly

BLOCKS, SERVED = cases(__file__, "blocks"), cases(__file__, "served")


def labels_of(value):
    labels = []
    walk_content(value, "", To(lambda path, text: text, lambda kind, label: labels.append(label)))
    return labels


def searched(value, say):
    return walk_content(value, "", To(say, lambda *_: None))


def masked(value):
    return searched(value, lambda path, text: text.replace("Anna", "[P]"))


def test_texts_are_replaced_and_all_else_stays():
    kept = [{key: value for key, value in block.items() if key != "signature"} for block in BLOCKS]
    assert str(masked(BLOCKS)) == str(kept).replace("Anna", "[P]")


def test_served_tools_and_documents_are_searched_and_all_else_stays():
    told = json.dumps(SERVED).replace("Anna", "[P]").replace("aGVsbG8=", EMBEDDED)
    assert masked(SERVED) == json.loads(told)
    assert masked(masked(SERVED)) == masked(SERVED)


def test_kinds_and_settings_are_no_cells():
    seen = []
    searched(SERVED, lambda path, text: seen.append(text) or text)
    others = [text for text in seen if "Anna" not in text]
    assert others == ["too_many_requests", ""]


def test_labels_of_served_tools_and_files_are_reported():
    assert labels_of(masked(SERVED)) == [
        *("srv_1", "web_search", "srv_1", "srv_1", "srv_2", "srv_3", "m", "find", "crm", "m"),
        *("a", "file_1", "file_2", "a"),
    ]


def test_what_a_reference_says_is_reported():
    image = {"url": "https://anna@x.org/berg/p.png?who=Anna&n=1", "detail": "low"}
    told = [{"type": "image_url", "image_url": image}, {"type": "image", "image": "Anna.png"}]
    assert labels_of(told) == ["berg", "p", "Anna", "1", "anna", "Anna"]


@pytest.mark.parametrize("url", ["http://[a/berg.png?who=Anna", "http:/\t/a\u2100/berg.png?who=Anna"])
def test_an_invalid_host_is_reported_like_a_folder(url):
    told = labels_of([{"type": "image_url", "image_url": {"url": url}}])
    assert told[1:] == ["berg", "Anna"]


def test_paths_tell_parts_apart():
    paths = []
    searched(BLOCKS, lambda path, text: paths.append(path) or text)
    assert paths == [
        "content.0",
        "content.1",
        "content.2.input.who",
        "content.3.content.0",
        "content.4.content",
    ]


@tabled("part")
def test_media_in_the_record_are_not_written(part):
    (written,) = masked([part])
    assert "aGVsbG8" not in str(written)
    assert EMBEDDED in str(written)
    assert written.keys() == part.keys()


@tabled("content", "error")
def test_what_cannot_be_searched_is_refused(content, error):
    with pytest.raises(RecordError, match=error):
        masked(content)


def test_thoughts_in_parts_and_linked_documents_are_read():
    seen: list[str] = []
    told = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Anna asks."}], "closed": True},
        {"type": "document_url", "document_url": "https://a.org/form.pdf"},
    ]
    written = searched(told, lambda path, text: seen.append(text) or text)
    assert seen == ["Anna asks."]
    assert written == [{"type": "thinking", "thinking": told[0]["thinking"]}, told[1]]


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


def test_a_repeated_key_does_not_hide_its_first_value():
    said = walk_arguments('{"a": "secret", "a": "seen"}', "a", lambda path, text: text[:2])
    assert said == '{"a": "se", "a": "se"}'


def nested(levels, value):
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize("spell", [lambda value: value, json.dumps])
def test_how_deeply_a_record_may_be_nested_does_not_depend_on_who_asks(spell):
    def refuses(levels):
        part = {"type": "tool_use", "id": "t", "name": "n", "input": spell(nested(levels, "x"))}
        record = {"messages": [{"role": "assistant", "content": [part]}]}
        return ChatShape(ReadOptions()).error_of(record) == ("UnsupportedContent", None)

    def from_deep_below(frames):
        return from_deep_below(frames - 1) if frames else list(map(refuses, (95, 101, 320, 490)))

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


SAID = "Dear all, the garden is open on Monday and Ruth will be there with the keys.\n" * 4


def _names(words):
    return words in ("Ruth Hale", "Missed Ruth Hale")


def test_examples():
    assert not doctest.testmod(strange_text).failed


@pytest.mark.parametrize(
    "text",
    [
        "Ruth=20Hale=2C=20078=2D05=2D1120",
        "We met in the garden=2C and=\r\n then Ruth Hale=E9 came=20",
        base64.encodebytes(SAID.encode()).decode(),
        "Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(SAID.encode()).decode(),
        "see data:text/plain;base64," + base64.b64encode(SAID.encode()).decode(),
    ],
)
def test_mail_in_a_transfer_encoding_cannot_be_searched(text):
    assert error_of(text, _names) == ENCODED


@pytest.mark.parametrize(
    "text",
    [
        "a=20 and b=30, so c=0A2F",
        "level=info status=200 bytes=20\nlevel=info status=201 bytes=2048\n",
        "https://example.com/?a=20&b=3D4&c=2C",
        "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 4).decode(),
        base64.encodebytes(bytes(range(256)) * 4).decode(),
        "x = 1\ny = 2\nz == 3\n" * 20,
        "[PERSON_NAME_1] met [FIGURE_12] and [NAME_3]",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n" * 4,
    ],
)
def test_ordinary_text_stays(text):
    assert error_of(text, _names) is None


@pytest.mark.parametrize("token", ["[RUTH_HALE_1987]", "[MISSED-RUTH-HALE_415]", "[CASE_4155550123]"])
def test_what_only_looks_like_a_token_is_not_taken_for_one(token):
    assert error_of(f"ask {token} about it", _names) == FOREIGN_TOKEN
