import pytest

from tacenda.transforms.shapes.xml_text import parses_as_xml, xml_values


@pytest.mark.parametrize(
    "text",
    [
        "<br> Ann",
        "<a>Ann</b>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<a><?php echo 1 ?></a>",
        "<p>Hello <b>Ann Lee</p>",
        "<a>\ud800</a>",
        "<a>" * 101 + "</a>" * 101,
        "",
    ],
)
def test_what_is_no_element(text: str) -> None:
    assert not parses_as_xml(text)


def test_the_values_of_an_element() -> None:
    text = "<p id='a1'>Hello <b>Ann</b> <!-- Lee --><![CDATA[&]]></p>"
    assert parses_as_xml(text)
    assert [text[one.start : one.end] for one in xml_values(text)] == ["a1", "Hello ", "Ann", " Lee ", "&"]
