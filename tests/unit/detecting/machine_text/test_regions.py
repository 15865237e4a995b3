"""Where cells are code, records and technical writing."""

import itertools

import pytest

from tacenda.transforms.detecting.machine_text.regions import Kind, regions, technical
from tests.growth import grows_linearly


def pieces(text: str, kind: Kind) -> list[str]:
    return [text[one.start : one.end] for one in regions(text) if one.kind is kind]


@pytest.mark.parametrize(
    "text",
    [
        "Hi, this is Anna Berg, I live in Uppsala.",
        "anna.berg@example.com or 070-123 45 67, born 12/05/1980",
        "Name: Anna Berg\nPhone: 4471\nCity: Uppsala",
        "c/o Berg, and/or me; w/o him",
        "my card = 4111 1111 1111 1111",
        "> Hi Anna,\n> my order is 48213, call 070-123\n> 45 67.\n> Best, Will",
    ],
)
def test_speech_has_no_regions(text: str) -> None:
    assert regions(text) == []


def test_regions_are_disjoint_and_in_order() -> None:
    text = "See `f(x)` in /etc/hosts.\n```py\na = 'Ann' # b\n```\nor:\n\nkey_a: 1\n  key_b: 2\n  c: d\n"
    found = regions(text)
    assert found
    assert all(one.start < one.end for one in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_a_fence_is_read_in_its_language() -> None:
    assert pieces("```python\nx = 'Ann'\n```", Kind.LITERAL) == ["Ann"]
    assert any("Ann" in value for value in pieces('```json\n{"name": "Ann"}\n```', Kind.RECORD))


def test_prose_in_a_fence_is_prose() -> None:
    inside = "Dear Anna,\nwe met in Uppsala.\n"
    assert not any(
        inside in text
        for kind in Kind
        if kind is not Kind.TECHNICAL
        for text in pieces(f"```\n{inside}```", kind)
    )


def test_an_unclosed_fence_goes_to_the_end() -> None:
    assert pieces("```python\nx = 'Ann'", Kind.LITERAL) == ["Ann"]


def test_keys_of_records_are_code_and_values_are_not() -> None:
    text = "server:\n  user: anna\n  tls_mode: on"
    assert "user:" in pieces(text, Kind.CODE)
    assert any("anna" in value for value in pieces(text, Kind.RECORD))


def test_inline_code_is_code_but_words_in_it_are_not() -> None:
    assert pieces("call `f(x)` now", Kind.CODE) == ["`f(x)`"]
    assert pieces("I am `Anna Berg` here", Kind.LITERAL) == ["`Anna Berg`"]


def test_the_folder_of_a_person_is_no_part_of_a_path() -> None:
    text = "it is in /home/anna/notes.txt now"
    assert "anna" not in "".join(pieces(text, Kind.CODE))
    assert "/home/" in pieces(text, Kind.CODE)


def test_tags_are_code_and_the_text_between_them_is_not() -> None:
    text = '<p class="x">Anna Berg</p>'
    assert pieces(text, Kind.CODE) == ["<p", " class=", "</p"]
    assert len(regions(text)) == 3


def test_sentences_among_code_are_technical() -> None:
    assert "Use" in pieces("Use `f(x)` in it.", Kind.TECHNICAL)[0]
    assert regions("# Notes\nI met Anna.") == []


def test_quoted_lines_are_one_mark_of_technical_writing() -> None:
    assert {one.kind for one in regions("# pacman\n\n> Arch Linux Tool.\n> See pacman.")} == {Kind.TECHNICAL}


@pytest.mark.parametrize("text", ["# Complaint\n\n", "See <https://a.example>, <https://b.example>\n"])
def test_a_letter_may_have_links_and_headings(text: str) -> None:
    assert regions(f"{text}> Hi Anna,\n> my order is 48213.\n> Best, Will") == []
    assert regions(f"{text}> Hi Anna,\n> call `f(x)` now") != []


def test_regions_cover_a_technical_cell() -> None:
    text = "I go. `f(x)` she goes."
    found = technical(text, [])
    assert [(one.start, one.end) for one in found] == [(0, len(text))]


@pytest.mark.parametrize(
    "hostile", ["`", "```\n", "~~~\n", "{{", "[a](", "/a", "a.", "<a", "\n", "`` ", "# a\n", "k: v\n"]
)
def test_time_grows_with_the_length_of_a_cell(hostile: str) -> None:
    assert grows_linearly(lambda size: regions(hostile * size), 500)
