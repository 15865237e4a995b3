"""XML inside a text: values of elements and attributes are searched, everything else is copied unchanged.

XML without running text, a record in other words, is processed value by value, as JSON is
(:mod:`json_text`). XML in which text and elements stand side by side is writing, and no record.
"""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import NamedTuple
from xml.parsers import expat

from tacenda.transforms.shapes.json_keys import MOST_LEVELS, Visit

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


class _NoRecordError(Exception):
    """The XML has running text, is nested too deep, or declares or instructs anything."""


def is_xml(text: str) -> bool:
    """Whether a text is an XML record: well-formed, no element with both text and elements, no DTD.

    >>> is_xml("<name>Ann &amp; Bob</name>"), is_xml("<p>Hi <b>Ann</b></p>"), is_xml("<br> a"), is_xml("a < b")
    (True, False, False, False)
    """
    if text.lstrip()[:1] != "<" or text.rstrip()[-1:] != ">":
        return False
    try:
        _parse(text.strip(), mixed=False)
    except (expat.ExpatError, _NoRecordError, UnicodeEncodeError):
        return False
    return True


def parses_as_xml(text: str) -> bool:
    """Whether a text is one well-formed element, in which text and elements may stand side by side."""
    try:
        _parse(text, mixed=True)
    except (expat.ExpatError, _NoRecordError, UnicodeEncodeError):
        return False
    return True


def _parse(text: str, mixed: bool) -> None:
    levels: list[list[bool]] = []

    def refuse(*_told: object) -> None:
        raise _NoRecordError

    def note(what: int) -> None:
        if levels:
            levels[-1][what] = True
            if not mixed and all(levels[-1]):
                raise _NoRecordError

    def begin(_name: str, _attributes: object) -> None:
        note(0)
        if len(levels) == MOST_LEVELS:
            raise _NoRecordError
        levels.append([False, False])

    def characters(data: str) -> None:
        if data.strip():
            note(1)

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _name: levels.pop()
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    parser.ProcessingInstructionHandler = refuse
    parser.Parse(text, True)


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


def walk_xml(text: str, path: str, visit: Visit) -> str:
    """An XML record with every value replaced by what ``visit`` returns, which gets and gives plain text.

    >>> walk_xml('<a b="Ann &#38; co">R&amp;D</a>', "x", lambda _path, value: value.replace("Ann", "<1>"))
    '<a b="&lt;1&gt; &#38; co">R&amp;D</a>'
    """
    pieces: list[str] = []
    done = 0
    for value in xml_values(text, path):
        raw = text[value.start : value.end]
        old = raw_text(raw, value.quote)
        new = visit(value.path, old)
        if new != old:
            pieces += (text[done : value.start], spelled(new, raw, value.quote))
            done = value.end
    return "".join([*pieces, text[done:]]) if pieces else text


def raw_text(raw: str, quote: str = "") -> str:
    """What a value says: its characters without escapes."""
    return raw if quote.startswith("<") else "".join(map(unescape, _ESCAPED.findall(raw)))


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


def places_of_characters(raw: str, first: int, quote: str) -> Sequence[int]:
    """The positions of the characters of a value that begins at ``first``, and its end."""
    if "&" not in raw or quote.startswith("<"):
        return range(first, first + len(raw) + 1)
    return [*(first + one.start() for one in _ESCAPED.finditer(raw)), first + len(raw)]
