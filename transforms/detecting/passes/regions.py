"""Regions: where a cell is code or a record, such as a line of a log, rather than prose.

A region is inline code, a fence that names a programming language, or a whole line that a program wrote or
reads. What stands beside a region is prose, whatever the region holds.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file


class Kind(IntEnum):
    """What a region holds: values (of a record, or strings and comments of code), or code itself."""

    VALUE = 1
    CODE = 2


class Region(NamedTuple):
    """A range of a cell: code points, half-open."""

    start: int
    end: int
    kind: Kind


_MAY_BE = re.compile(
    r"(?![a-z,'])(?:`|~~~|[{}<>=;$\\]|\]\(|/\w|\.[a-z]\w|--\w|^\s*[A-Z]{3,8}[\]: ]|\d:\d\d:\d"
    r"|[A-Z]v?[ /-]?\d|[#!]\d|\d{9}\.\d{3}|^ +(?:- )?[a-z]\w*:)",
    re.MULTILINE,
)
"""A cell without any of these is prose; most are. None begins with a small letter, which is told first."""

_FENCE = re.compile(r"^[ \t]*(```|~~~)[ \t]*(\w[\w+#.-]*)[^\n]*\n", re.MULTILINE)
"""The opening of a fence that names a language."""
_OF_DATA = frozenset(
    ("console", "csv", "diff", "email", "html", "ini", "json", "jsonl", "log", "markdown", "md", "text", "toml",
     "tsv", "txt", "xml", "yaml", "yml")
)  # fmt: skip
_INLINE = re.compile(
    r"(?<!`)(`{1,2})(?!`)([^\n]{1,300}?)(?<!`)\1(?!`)|\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}"
    r"|(?<=\]\()[^()\s]{1,500}(?=\))"
)
_KEY = re.compile(
    r"(?:^|(?<=[\s,{;&?|(\[<\\]))(?:- )?[\"']?[@$#]?[A-Za-z_][\w./@$-]{0,80}\\?[\"']?"
    r"(?::(?=[\s\"'\[{\d]|$)|\s?=(?!=))",
    re.MULTILINE,
)
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)?(?: [^\W\d_]+(?:['’-][^\W\d_]+)?){0,3}")
"""Words between marks of inline code are prose that somebody set off."""

_LONGEST_LINE = 4000  # code points of a line that are looked at
_LEAST_SETTINGS = 3  # lines of settings in a row that are no accident
_QUOTED = re.compile(
    r"(?://|#)[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*(?:\"|$)|'(?:[^'\\\n]|\\.)*(?:'|$)|`(?:[^`\\]|\\.)*(?:`|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""Comments and strings, up to the end of the line or text where nothing closes them, so that time is linear."""


def regions(text: str) -> list[Region]:
    r"""The regions of a cell, disjoint and in order; time is linear in its length.

    >>> text = "Try this:\nimport x;\nx.greet('Anna');\nI am Eva."
    >>> [region.kind.name for region in regions(text)]
    ['CODE', 'VALUE', 'CODE']
    """
    return sorted(_regions(text)) if _MAY_BE.search(text) else []


def _code(text: str, start: int, end: int) -> Iterator[Region]:
    """Code, and its strings and comments as values."""
    done = start
    for match in _QUOTED.finditer(text, start, end):
        first, last = _inside(text, *match.span())
        if first < last:
            if done < first:
                yield Region(done, first, Kind.CODE)
            yield Region(first, last, Kind.VALUE)
            done = last
    if done < end:
        yield Region(done, end, Kind.CODE)


def _inside(code: str, start: int, end: int) -> tuple[int, int]:
    """What is within the quotes of a string; the whole of a comment."""
    mark = code[start]
    if mark not in "\"'`":
        return start, end
    closed = end - start >= 2 and code.endswith(mark, start, end)
    return start + 1, end - 1 if closed else end


def _records(text: str, start: int, end: int) -> Iterator[Region]:
    """Settings and logs: keys are code, the rest are values."""
    done = start
    for key in _KEY.finditer(text, start, end):
        if done < key.start():
            yield Region(done, key.start(), Kind.VALUE)
        yield Region(key.start(), key.end(), Kind.CODE)
        done = key.end()
    if done < end:
        yield Region(done, end, Kind.VALUE)


def _regions(text: str) -> Iterator[Region]:
    """The regions of a text: programs within fences, and lines outside of them."""
    done = 0
    while opening := _FENCE.search(text, done):
        closing = re.compile(rf"^[ \t]*{opening[1]}+[ \t]*$", re.MULTILINE).search(text, opening.end())
        if closing is None:
            break
        yield from _lines(text, done, opening.end())
        inside = _code if opening[2].lower() not in _OF_DATA else _lines
        yield from inside(text, opening.end(), closing.start())
        done = closing.end()
    yield from _lines(text, done, len(text))


def _lines(text: str, start: int, end: int) -> Iterator[Region]:
    """The regions of some lines, by blocks of one kind."""
    place = start
    lines = text[start:end].split("\n")
    for kind, block in groupby(_kinds_of_lines(lines)):
        stop = place + sum(len(lines.pop(0)) + 1 for _ in block)
        last = min(stop, end)
        if kind is _Line.CODE:
            yield from _code(text, place, last)
        elif kind is _Line.RECORD:
            yield from _records(text, place, last)
        else:
            yield from _inline(text, place, last)
        place = stop


class _Line(IntEnum):
    """What a line looks like; the names are those of ``code_lines.yaml``."""

    PROSE = 0
    BLANK = 1
    RECORD = 2
    CODE = 3
    STRONG_SETTING = 4
    SETTING = 5
    STATEMENT = 6


def _kinds_of_lines(lines: Sequence[str]) -> list[_Line]:
    """What each line is among its neighbours: PROSE, RECORD or CODE.

    Statements are code beside a line that is nothing else; settings are records where several stand together,
    one of them such that no person fills in a form like that. Blank lines go with what is before them.
    """
    looks = [_look(line[:_LONGEST_LINE]) for line in lines]
    kinds: list[_Line] = []
    for family, several in groupby(range(len(lines)), lambda i: _family(looks, i)):
        run = list(several)
        own = [looks[i] for i in run if looks[i] is not _Line.BLANK]
        kind = family
        if family is _Line.CODE and _Line.CODE not in own:
            kind = _Line.PROSE
        elif family is _Line.SETTING:
            settings = len(own) >= _LEAST_SETTINGS and _Line.STRONG_SETTING in own
            kind = _Line.RECORD if settings else _Line.PROSE
        kinds += [kind] * len(run)
    return kinds


def _family(looks: Sequence[_Line], i: int) -> _Line:
    while i and looks[i] is _Line.BLANK:
        i -= 1
    return _FAMILIES.get(looks[i], looks[i])


_FAMILIES = {_Line.BLANK: _Line.PROSE, _Line.STATEMENT: _Line.CODE, _Line.STRONG_SETTING: _Line.SETTING}


def _look(line: str) -> _Line:
    if not line.strip():
        return _Line.BLANK
    return next((kind for kind, one in _line_patterns().items() if one.match(line)), _Line.PROSE)


def _inline(text: str, start: int, end: int) -> Iterator[Region]:
    """Code within prose: what has marks of it."""
    for match in _INLINE.finditer(text, start, end):
        if match[2] is None or not _WORDS.fullmatch(match[2].strip()):
            yield Region(*match.span(), Kind.CODE)


@built_once
def _line_patterns() -> "Mapping[_Line, re.Pattern[str]]":
    """The patterns of ``code_lines.yaml`` by what they show, in the order of :class:`_Line`."""
    data = data_file(__package__, "code_lines.yaml")
    fragments = data.pop("fragments")

    def whole(pattern: str) -> str:
        return re.sub(r"\{([a-z]+)\}", lambda name: whole(fragments[name[1]]), pattern)

    shown = (kind for kind in _Line if kind.name.lower() in data)
    return {kind: re.compile("|".join(map(whole, data[kind.name.lower()]))) for kind in shown}
