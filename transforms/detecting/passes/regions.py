"""Regions: where a cell is code or a record, such as a line of a log, rather than prose.

A region is a fence, inline code, a whole line that a program wrote or reads, a path, or a tag of markup. What
stands beside a region is prose, whatever the region holds.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

from tacenda.transforms.detecting.word_lists import data_file
from tacenda.transforms.storage.process_cache import built_once


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
    r"`|~~~|[{}<>=;$\\]|\]\(|/\w|\.[a-z]\w|--\w|^\s*[A-Z]{3,8}[\]: ]|\d:\d\d:\d|[A-Z]v?[ /-]?\d|[#!]\d"
    r"|\d{9}\.\d{3}|^ +(?:- )?[a-z]\w*:",
    re.MULTILINE,
)
"""A cell without any of these is prose; most are."""

_FENCE = re.compile(r"^([ \t]{0,8})(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n", re.MULTILINE)
_INLINE = re.compile(
    r"(?<!`)(`{1,2})(?!`)([^\n]{1,300}?)(?<!`)\1(?!`)|\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}"
    r"|(?<=\]\()[^()\s]{1,500}(?=\))"
)
_TAG = re.compile(
    r"</?[A-Za-z][\w:.-]*|\s[A-Za-z_:@][\w:.-]*=(?=[\"'])|<!--|-->|<[?!][A-Za-z][^<>\n]{0,200}>"
)
_MARKUP = re.compile(r"</[A-Za-z][\w:.-]*\s*>|<[A-Za-z][\w:.-]*(?:\s[^<>\n]{0,300})?/>")
_HOMES = re.compile(r"(?i)/(?:home|users|usr)/([^/\s]{2,})")
_KEY = re.compile(
    r"(?:^|(?<=[\s,{;&?|(\[<\\]))(?:- )?[\"']?[@$#]?[A-Za-z_][\w./@$-]{0,80}\\?[\"']?"
    r"(?::(?=[\s\"'\[{\d]|$)|\s?=(?!=))",
    re.MULTILINE,
)
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)?(?: [^\W\d_]+(?:['’-][^\W\d_]+)?){0,3}")
"""Words between marks of inline code are prose that somebody set off."""

_PYTHON = re.compile(r"^\s*(?:def|class|import|from|elif|except)\b[^{;]*$", re.MULTILINE)

_LONGEST_LINE = 4000  # code points of a line that are looked at
_LEAST_SETTINGS = 3  # lines of settings in a row that are no accident
_DEFAULT_LANGUAGE = "js"  # whose strings and comments are taken where nothing names the language


def regions(text: str, *, is_value: bool = False) -> list[Region]:
    r"""The regions of a cell, disjoint and in order; time is linear in its length.

    ``is_value``: it is a value of JSON, and if most of its lines are code, all of it is.

    >>> text = "Try this:\n```python\ngreet('Anna')\n```\nI am Eva."
    >>> [region.kind.name for region in regions(text)]
    ['CODE', 'CODE', 'VALUE', 'CODE']
    """
    if not _MAY_BE.search(text):
        return []
    if is_value and _is_program(text):
        return list(_code(text, 0, len(text), "python" if _PYTHON.search(text) else _DEFAULT_LANGUAGE))
    return sorted(_regions(text))


def _is_program(text: str) -> bool:
    """Whether a text begins with a line of code, or most of its lines are code."""
    looks = [look for line in text.split("\n") if (look := _look(line[:_LONGEST_LINE])) is not _Line.BLANK]
    of_code = sum(look in (_Line.CODE, _Line.STATEMENT) for look in looks)
    return (looks[:1] == [_Line.CODE] and len(looks) > 1) or 2 * of_code > len(looks) > 1


def _regions(text: str) -> Iterator[Region]:
    done = 0
    for mark, start, end, language in _fences(text):
        yield from _unfenced(text, done, mark)
        yield Region(mark, start, Kind.CODE)
        yield from _fenced(text, start, end, language)
        done = end
    yield from _unfenced(text, done, len(text))


def _fences(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Where fences begin, where their insides are, and the language that each names; an open one is none."""
    position = 0
    while "```" in text or "~~~" in text:
        opening = _FENCE.search(text, position)
        if opening is None:
            return
        closing = re.compile(rf"^[ \t]{{0,8}}{opening[2][0]}{{{len(opening[2])},}}[ \t]*$", re.MULTILINE)
        closed = closing.search(text, opening.end())
        if closed is None:
            return
        yield opening.start(2), opening.end(), closed.start(), opening[3].lower()
        position = closed.end()


def _fenced(text: str, start: int, end: int, language: str) -> Iterator[Region]:
    patterns = _languages()
    if language in patterns:
        yield from _code(text, start, end, language)
    elif language in _data_languages():
        yield from _records(text, start, end)
    else:
        yield from _unfenced(text, start, end)


def _code(text: str, start: int, end: int, language: str = _DEFAULT_LANGUAGE) -> Iterator[Region]:
    """Code, and its strings and comments as values."""
    done = start
    for match in _languages()[language].finditer(text, start, end):
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
    width = 3 if code.startswith(mark * 3, start) and end - start >= 3 else 1
    closed = end - start >= 2 * width and code.endswith(mark * width, start, end)
    return start + width, end - width if closed else end


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


def _unfenced(text: str, start: int, end: int) -> Iterator[Region]:
    """The regions of text outside of fences, by blocks of lines of one kind."""
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
    """Code within prose: what has marks of it, paths and options, tags of markup."""
    done = start
    for match in _INLINE.finditer(text, start, end):
        yield from _named(text, done, match.start())
        if match[2] is None or not _WORDS.fullmatch(match[2].strip()):
            yield Region(*match.span(), Kind.CODE)
        done = match.end()
    yield from _named(text, done, end)


def _named(text: str, start: int, end: int) -> Iterator[Region]:
    pattern = _TAG if _MARKUP.search(text, start, end) else _file_names()
    for match in pattern.finditer(text, start, end):
        home = _HOMES.search(match[0])
        if home is None:
            yield Region(*match.span(), Kind.CODE)
        else:
            yield Region(match.start(), match.start() + home.start(1), Kind.CODE)
            if match.start() + home.end(1) < match.end():
                yield Region(match.start() + home.end(1), match.end(), Kind.CODE)


@built_once
def _line_patterns() -> "Mapping[_Line, re.Pattern[str]]":
    """The patterns of ``code_lines.yaml`` by what they show, in the order of :class:`_Line`."""
    data = data_file(__package__, "code_lines.yaml")
    fragments = data.pop("fragments")

    def whole(pattern: str) -> str:
        return re.sub(r"\{([a-z]+)\}", lambda name: whole(fragments[name[1]]), pattern)

    shown = (kind for kind in _Line if kind.name.lower() in data)
    return {kind: re.compile("|".join(map(whole, data[kind.name.lower()]))) for kind in shown}


@built_once
def _languages() -> "Mapping[str, re.Pattern[str]]":
    """The strings and comments of each programming language, by the names that fences give it."""
    data = data_file(__package__, "code_languages.yaml")
    return {
        name: re.compile("|".join(data["forms"][form] for form in group["forms"]), re.DOTALL | re.MULTILINE)
        for group in data["languages"]
        for name in group["names"].split()
    }


@built_once
def _data_languages() -> frozenset[str]:
    data = data_file(__package__, "code_languages.yaml")
    return frozenset(data["data"].split())


@built_once
def _file_names() -> "re.Pattern[str]":
    """Paths, names of a program's files, options, variables and public references, within sentences."""
    data = data_file(__package__, "file_names.yaml")
    roots, endings = ("|".join(data[name].split()) for name in ("roots", "endings"))
    part = r"[\w.*{}$@-]+"
    first = rf"(?:(?:~|\.{{1,2}})/{part}|/(?:{roots})(?![\w.-])|/[A-Za-z_.*{{$][\w.*{{}}$@-]*/{part})"
    path = rf"{first}(?:/{part})*/?(?<![.])"
    file = rf"(?:[\w-]+/)*[\w*-]*\.(?:{endings})(?![\w@-]|\.\w)(?:\.gz)?"
    option = r"(?<!\S)--[a-z][\w-]*(?:=\S{0,80})?|\$\{?[A-Z_]\w*\}?"
    reference = rf"(?<![\w#-])(?:{'|'.join(data['references'])})(?![\w-])"
    return re.compile(rf"(?<![\w/:.@+-]){path}|(?<![\w:.@-]){file}|{option}|{reference}")
