"""XML among other text: the values of its elements and attributes, and how they are escaped."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from xml.parsers import expat

from tacenda.transforms.shapes.json_text import MOST_LEVELS

_MARK = re.compile(
    r"<!--(?P<comment>.*?)-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?.*?\?>"
    r"|<(?P<close>/?)(?P<name>[^\s/<>=\"'!?]+)(?=[\s/>])(?P<attributes>(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(?P<name>[^\s=/]+)\s*=\s*(?P<quote>[\"'])(?P<value>.*?)(?P=quote)", re.DOTALL)
_ESCAPED = re.compile(r"&(?:#\d+|#x[0-9A-Fa-f]+|[a-z]+);|.", re.DOTALL)
"""One character in its spelling."""

_SPELLED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_IN_ATTRIBUTES = {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
_NAMESPACE = re.compile(r"(?:https?://|urn:)[\w./:#-]*")


class XmlValue(NamedTuple):
    """A text, attribute, comment or CDATA section: its range in the XML, and its path.

    ``quote`` is what stands around it: a quotation mark, ``<!--``, ``<![CDATA[``, or nothing.
    """

    start: int
    end: int
    path: str
    quote: str


class _NoElementError(Exception):
    """The XML is nested too deep, or declares or instructs anything."""


def parses_as_xml(text: str) -> bool:
    """Whether a text is one well-formed element that declares and instructs nothing, and is not too deep."""
    levels = 0

    def refuse(*_told: object) -> None:
        raise _NoElementError

    def begin(_name: str, _attributes: object) -> None:
        nonlocal levels
        levels += 1
        if levels > MOST_LEVELS:
            raise _NoElementError

    def end(_name: str) -> None:
        nonlocal levels
        levels -= 1

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    parser.ProcessingInstructionHandler = refuse
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, _NoElementError, UnicodeEncodeError):
        return False
    return True


def xml_values(text: str, path: str = "") -> Iterator[XmlValue]:
    """The values of well-formed XML, in order; white space between elements is none.

    >>> [(value.path, value.start) for value in xml_values('<a b="c"><d>e</d><d>f</d></a>')]
    [('.a.@b', 6), ('.a.d', 12), ('.a.d.2', 20)]
    """
    open_levels: list[tuple[str, dict[str, int]]] = [(path, {})]
    done = 0
    for mark in _MARK.finditer(text):
        here, counts = open_levels[-1]
        if text[done : mark.start()].strip():
            yield XmlValue(done, mark.start(), here, "")
        done = mark.end()
        for group, quote in (("comment", "<!--"), ("data", "<![CDATA[")):
            if mark[group] is not None and mark[group].strip():
                yield XmlValue(*mark.span(group), here, quote)
        name = mark["name"]
        if name is None:
            continue
        if mark["close"]:
            open_levels.pop()
            continue
        counts[name] = counts.get(name, 0) + 1
        here = f"{here}.{name}" if counts[name] == 1 else f"{here}.{name}.{counts[name]}"
        first = mark.start("attributes")
        for one in _ATTRIBUTE.finditer(mark["attributes"]):
            is_namespace = one["name"].partition(":")[0] == "xmlns" and _NAMESPACE.fullmatch(one["value"])
            if one["value"].strip() and not is_namespace:
                start, end = one.span("value")
                yield XmlValue(first + start, first + end, f"{here}.@{one['name']}", one["quote"])
        if not mark["attributes"].endswith("/"):
            open_levels.append((here, {}))


def spelled(value: str, like: str, quote: str) -> str:
    """A value within ``quote``, each character escaped as ``like`` has it, else where XML requires it.

    >>> spelled("A&B's", "x &#38; y", ""), spelled("a]]>b", "", "<![CDATA["), spelled("a--b", "", "<!--")
    ("A&#38;B's", 'a]]]]><![CDATA[>b', 'a- -b')
    """
    if quote == "<![CDATA[":
        return value.replace("]]>", "]]]]><![CDATA[>")
    if quote == "<!--":
        while "--" in value:
            value = value.replace("--", "- -")
        return f"{value} " if value.endswith("-") else value
    needed = {
        **_SPELLED,
        **(_IN_ATTRIBUTES | {quote: "&quot;" if quote == '"' else "&apos;"} if quote else {}),
    }
    found = {unescape(one): one for one in _ESCAPED.findall(like)}
    text = "".join(found.get(character) or needed.get(character, character) for character in value)
    return text if quote else text.replace("]]>", "]]&gt;")
