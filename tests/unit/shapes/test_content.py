import json

import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.content import EMBEDDED, labels_of_content, walk_content

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


SERVED = [
    {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "Anna"}},
    {
        "type": "web_search_tool_result",
        "tool_use_id": "srv_1",
        "content": [
            {
                "type": "web_search_result",
                "url": "https://x.org/Anna",
                "title": "Anna",
                "encrypted_content": "aGVsbG8=",
                "page_age": None,
            }
        ],
    },
    {
        "type": "web_search_tool_result",
        "tool_use_id": "srv_1",
        "content": {"type": "web_search_tool_result_error", "error_code": "too_many_requests"},
    },
    {
        "type": "web_fetch_tool_result",
        "tool_use_id": "srv_2",
        "content": {
            "type": "web_fetch_result",
            "content": {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "aGVsbG8="},
            },
        },
    },
    {
        "type": "code_execution_tool_result",
        "tool_use_id": "srv_3",
        "content": {"type": "code_execution_result", "stdout": "Anna", "stderr": "", "return_code": 0},
    },
    {"type": "mcp_tool_use", "id": "m", "name": "find", "server_name": "crm", "input": {"who": "Anna"}},
    {"type": "mcp_tool_result", "tool_use_id": "m", "content": [{"type": "text", "text": "Anna"}]},
    {
        "type": "text",
        "text": "Anna.",
        "citations": [{"type": "char_location", "cited_text": "Anna", "start_char_index": 0}],
    },
    {"type": "redacted_thinking", "data": "aGVsbG8="},
    {
        "type": "document",
        "title": "On Anna",
        "context": None,
        "citations": {"enabled": True},
        "source": {"type": "text", "media_type": "text/plain", "data": "Anna is here."},
    },
    {
        "type": "document",
        "source": {"type": "content", "content": [{"type": "text", "text": "Anna"}]},
    },
    {"type": "document", "source": {"type": "url", "url": "https://x.org/a.pdf"}},
    {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
    {
        "type": "search_result",
        "source": "https://x.org/Anna",
        "title": "Anna",
        "content": [{"type": "text", "text": "Anna"}],
        "citations": {"enabled": True},
    },
    {"type": "file", "file": {"filename": "Anna.pdf", "file_data": "aGVsbG8="}},
    {"type": "input_file", "filename": "Anna.pdf", "file_id": "file_2"},
    {"type": "image", "source": {"type": "url", "url": "https://x.org/a.png", "alt": "Anna"}},
]


def test_served_tools_and_documents_are_searched_and_all_else_stays():
    told = json.dumps(SERVED).replace("Anna", "[P]").replace("aGVsbG8=", EMBEDDED)
    assert masked(SERVED) == json.loads(told)
    assert masked(masked(SERVED)) == masked(SERVED)


def test_kinds_and_settings_are_no_cells():
    seen = []
    walk_content(SERVED, "", lambda path, text: seen.append(text) or text)
    others = [text for text in seen if "Anna" not in text]
    assert others == ["too_many_requests", ""]


def test_labels_of_served_tools_and_files_are_reported():
    assert [value for _, value in labels_of_content(masked(SERVED))] == [
        *("srv_1", "web_search", "srv_1", "srv_1", "srv_2", "srv_3", "m", "find", "crm", "m"),
        *("a", "file_1", "file_2", "a"),
    ]


def test_what_a_reference_says_is_reported():
    image = {"url": "https://anna@x.org/berg/p.png?who=Anna&n=1", "detail": "low"}
    told = [{"type": "image_url", "image_url": image}, {"type": "image", "image": "Anna.png"}]
    assert [value for _, value in labels_of_content(told)] == ["berg", "p", "Anna", "1", "anna", "Anna"]


@pytest.mark.parametrize("url", ["http://[a/berg.png?who=Anna", "http:/\t/a\u2100/berg.png?who=Anna"])
def test_an_invalid_host_is_reported_like_a_folder(url):
    told = [value for _, value in labels_of_content([{"type": "image_url", "image_url": {"url": url}}])]
    assert told[1:] == ["berg", "Anna"]


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
        {"type": "input_image", "image_url": " DATA:image/png;base64,aGVsbG8="},
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
        ([{"type": "image", "source": {"type": "url", "anna@x.org": 1}}], "UnsupportedContent"),
        ([{"type": "text", "text": "a", "cache_control": {"anna@x.org": 1}}], "UnsupportedContent"),
    ],
)
def test_what_cannot_be_searched_is_refused(content, error):
    with pytest.raises(RecordError, match=error):
        masked(content)


@pytest.mark.parametrize(
    "inside",
    [
        lambda inner: {"type": "tool_result", "tool_use_id": "t", "content": [inner]},
        lambda inner: {"type": "document", "source": {"type": "content", "content": [inner]}},
        lambda inner: {"type": "text", "text": "a", "citations": [inner]},
        lambda inner: {"type": "text", "text": "a", "cache_control": {"a": inner}},
        lambda inner: {"type": "image_url", "image_url": {"url": inner}},
        lambda inner: {"type": "tool_use", "id": "t", "name": "n", "input": {"a": inner}},
    ],
)
def test_what_is_nested_too_deep_is_refused(inside):
    part = {"type": "text", "text": "a"}
    for _ in range(1500):
        part = inside(part)
    with pytest.raises(RecordError, match="UnsupportedContent"):
        masked([part])


def test_a_part_without_its_text_is_shown_as_missing():
    seen = []
    walk_content([{"type": "text"}], "", lambda path, text: seen.append(text) or "")
    assert seen == [None]


def test_identifiers_and_names_of_files_are_reported():
    assert [value for _, value in labels_of_content(BLOCKS)] == [
        "toolu_1",
        "find",
        "toolu_1",
        "toolu_2",
        "anna_berg",
        "7f3a",
    ]


def test_thoughts_in_parts_and_linked_documents_are_read() -> None:
    seen: list[str] = []
    told = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Anna asks."}], "closed": True},
        {"type": "document_url", "document_url": "https://a.org/form.pdf"},
    ]
    written = walk_content(told, "", lambda path, text: seen.append(text) or text)
    assert seen == ["Anna asks."]
    assert written == [{"type": "thinking", "thinking": told[0]["thinking"]}, told[1]]
