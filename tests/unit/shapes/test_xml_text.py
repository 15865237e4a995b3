from xml.etree import ElementTree

import pytest

from tacenda.transforms.shapes.json_text import places_of_values, walk_text
from tacenda.transforms.shapes.xml_text import is_xml, parses_as_xml, walk_xml

RECORD = """<?xml version="1.0" encoding="UTF-8"?>
<order xmlns="http://shop.example/ns" id='a1'>
  <!-- for Ann -->
  <name>Ann &amp; Bob&#8211;Lee</name><empty/>
  <note><![CDATA[call <Ann> & Bob]]></note>
</order>"""


@pytest.mark.parametrize(
    "text",
    [
        "<p>Hello <b>Ann</b> Lee</p>",
        "<br> Ann",
        "<a>Ann",
        "<a>Ann</b>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<a><?php echo 1 ?></a>",
        "a < b > c",
        "<a>\ud800</a>",
        "<a>" * 101 + "</a>" * 101,
        "",
    ],
)
def test_what_is_no_record(text: str) -> None:
    assert not is_xml(text)


def test_running_text_parses() -> None:
    assert parses_as_xml("<p>Hello <b>Ann</b> Lee</p>")
    assert not parses_as_xml("<p>Hello <b>Ann Lee</p>")


def test_an_unchanged_record_is_the_same_text() -> None:
    seen: list[str] = []

    def visit(_path: str, value: str) -> str:
        seen.append(value)
        return value

    assert walk_xml(RECORD, "x", visit) == RECORD
    assert seen == ["a1", " for Ann ", "Ann & Bob–Lee", "call <Ann> & Bob"]


def test_values_are_replaced_and_escaped_in_place() -> None:
    written = walk_xml(RECORD, "x", lambda _path, value: value.replace("Ann", "<A>"))
    assert written == RECORD.replace("Ann &amp;", "&lt;A&gt; &amp;").replace("for Ann", "for <A>").replace(
        "<Ann>", "<<A>>"
    )
    ElementTree.fromstring(written)


def test_repeated_elements_have_paths_of_their_own() -> None:
    paths: list[str] = []
    walk_xml("<a><b c='d'>e</b><b>f</b></a>", "x", lambda path, value: paths.append(path) or value)
    assert paths == ["x.a.b.@c", "x.a.b", "x.a.b.2"]


@pytest.mark.parametrize(
    "text", [RECORD, '{"xml": "<a b=\\"Ann\\">B &amp; C</a>"}', '<a>{"name": "Ann", "n": 1234}</a>']
)
def test_places_are_those_of_the_visited_values(text: str) -> None:
    """JSON in XML and XML in JSON, too."""
    seen: list[str] = []

    def visit(_path: str, value: str) -> str:
        seen.append(value)
        return value

    assert walk_text(text, "", visit) == text
    places = list(places_of_values(text))
    assert [len(own) - 1 for own in places] == [len(value) for value in seen]
    for own, value in zip(places, seen, strict=True):
        assert all(
            text[place] in (character, "&", "\\") for place, character in zip(own, value, strict=False)
        )
