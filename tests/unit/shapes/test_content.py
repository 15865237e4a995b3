import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.content import EMBEDDED, identifiers_of, walk_content

BLOCKS = [
    {"type": "thinking", "thinking": "It is Anna.", "signature": "c2VjcmV0"},
    {"type": "text", "text": "I look up Anna.", "cache_control": {"type": "ephemeral"}},
    {"type": "tool_use", "id": "toolu_1", "name": "find", "input": {"who": "Anna", "flex": True, "seats": 1}},
    {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "is_error": False,
        "content": [{"type": "text", "text": "Anna"}],
    },
    {"type": "tool_result", "tool_use_id": "toolu_2", "content": "Anna"},
    {"type": "image", "source": {"type": "url", "url": "https://x.org/anna_berg.jpg"}},
    {"type": "image_url", "image_url": {"url": "https://x.org/7f3a.png", "detail": "low"}},
]


def masked(value):
    return walk_content(value, "", lambda path, text: text.replace("Anna", "[P]"))


def test_texts_are_replaced_and_all_else_stays():
    kept = [{key: value for key, value in block.items() if key != "signature"} for block in BLOCKS]
    assert str(masked(BLOCKS)) == str(kept).replace("Anna", "[P]")


def test_a_string_is_one_cell():
    assert masked("Anna") == "[P]"


def test_paths_tell_parts_apart():
    paths = []
    walk_content(BLOCKS, "", lambda path, text: paths.append(path) or text)
    assert paths == [
        "content.0",
        "content.1",
        "content.2.input.who",
        "content.3.content.0",
        "content.4.content",
    ]


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}},
        {"type": "input_audio", "input_audio": {"data": "aGVsbG8=", "format": "wav"}},
        {"type": "input_image", "image_url": "data:image/png;base64,aGVsbG8="},
    ],
)
def test_media_in_the_record_are_not_written(part):
    (written,) = masked([part])
    assert "aGVsbG8" not in str(written)
    assert EMBEDDED in str(written)
    assert written.keys() == part.keys()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (5, "WrongType"),
        ([5], "UnsupportedContent"),
        ([{"type": "hologram"}], "UnsupportedContent"),
        ([{"type": ["text"]}], "UnsupportedContent"),
        ([{"type": "tool_use", "id": ["Anna"]}], "WrongType"),
        ([{"type": "text", "text": "a", "cache_control": ["Anna"]}], "WrongType"),
        ([{"type": "image", "source": 5}], "WrongType"),
    ],
)
def test_what_cannot_be_searched_is_refused(content, error):
    with pytest.raises(RecordError, match=error):
        masked(content)


def test_a_part_without_its_text_is_shown_as_missing():
    seen = []
    walk_content([{"type": "text"}], "", lambda path, text: seen.append(text) or "")
    assert seen == [None]


def test_identifiers_and_names_of_files_are_reported():
    assert list(identifiers_of(BLOCKS)) == ["toolu_1", "find", "toolu_1", "toolu_2", "anna_berg", "7f3a"]
