"""Well-formed XML among other text: its tags stay, texts and attributes are values."""

import re
from collections.abc import Iterator

from tacenda.transforms.detecting.structures.structure import Spelling, Structure, Value
from tacenda.transforms.shapes.xml_text import parses_as_xml, xml_values

_TAG = re.compile(r"<(/?)([A-Za-z_][\w:.-]{0,60})(?=[\s/>])[^<>]{0,2000}?(/?)>")


def markup(text: str) -> Iterator[Structure]:
    """The elements of a text that parse, the outermost ones; time is linear in its length.

    >>> text = "I sent <id>17</id> & more"
    >>> [[text[value.start : value.end] for value in one.values] for one in markup(text)]
    [['17']]
    """
    if "</" not in text and "/>" not in text:
        return
    open_tags: list[tuple[str, int]] = []
    for tag in _TAG.finditer(text):
        start = tag.start()
        if tag[1]:
            if not open_tags or open_tags[-1][0] != tag[2]:
                open_tags.clear()
                continue
            _, start = open_tags.pop()
        elif not tag[3]:
            open_tags.append((tag[2], start))
            continue
        if not open_tags and parses_as_xml(text[start : tag.end()]):
            values = xml_values(text[start : tag.end()])
            places = tuple(Value(start + one.start, start + one.end, quote=one.quote) for one in values)
            yield Structure(start, tag.end(), places, Spelling.XML)
