"""Where a cell is code, a record or technical writing, and where it is what somebody says."""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.detecting.machine_text.letters import is_letter
from tacenda.transforms.detecting.machine_text.lines import Line, kinds_of_lines
from tacenda.transforms.detecting.machine_text.literals import is_code, is_data, literals
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


class Kind(IntEnum):
    """How a place is written; what is in no region is plain text.

    ``TECHNICAL`` are sentences among code and links; ``RECORD`` values of settings and logs; ``LITERAL``
    strings and comments of code; ``CODE`` all else that machines read, keys and formulas among it.
    """

    TECHNICAL = 1
    RECORD = 2
    LITERAL = 3
    CODE = 4


class Region(NamedTuple):
    """A place in a cell: code points, half-open."""

    start: int
    end: int
    kind: Kind


_MAY_BE = re.compile(r"`|\n[^\n]*\n|[{}<>=;|$\\\t]|\]\(|/\w|\.[a-z]\w|--\w|^\s*[A-Z]{3,7} \S|\d:\d\d:\d")
"""A cell without any of these is ordinary speech; most are."""

_FENCE = re.compile(r"^([ \t]{0,8})(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n", re.MULTILINE)
_INLINE = re.compile(
    r"(?<!`)(`{1,2})(?!`)([^\n]{1,300}?)(?<!`)\1(?!`)|\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}"
)
_TAG = re.compile(
    r"</?[A-Za-z][\w:.-]*|\s[A-Za-z_:@][\w:.-]*=(?=[\"'])|<!--|-->|<[?!][A-Za-z][^<>\n]{0,200}>"
)
_MARKUP = re.compile(r"</[A-Za-z][\w:.-]*\s*>|<[A-Za-z][\w:.-]*(?:\s[^<>\n]{0,300})?/>")
_HOMES = re.compile(r"(?i)/(?:home|users|usr)/([^/\s]{2,})")
_LINK = re.compile(r"\]\([^()\s]{1,500}\)|^#{1,6} \S|<https?://", re.MULTILINE)
_QUOTE = re.compile(r"^> \S", re.MULTILINE)
"""A quoted line, of which a text has one mark however many there are: a mail is quoted line by line."""
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)?(?: [^\W\d_]+(?:['’-][^\W\d_]+)?){0,3}")
_KEY = re.compile(
    r"(?:^|(?<=[\s,{;&?|(\[<\\]))(?:- )?[\"']?[@$#]?[A-Za-z_][\w./@$-]{0,80}\\?[\"']?"
    r"(?::(?=[\s\"'\[{\d]|$)|\s?=(?!=))",
    re.MULTILINE,
)
_MARKS = 2
"""Links and headings in a cell from which on its sentences are technical; a piece of code is as good as two."""


def technical(text: str, found: Sequence[Region]) -> list[Region]:
    """The regions of a cell of a technical conversation, and all between them."""
    return sorted([*found, *_between(found, (), len(text))])


def regions(text: str) -> list[Region]:
    r"""The regions of a cell, disjoint and in order; time is linear in its length.

    >>> text = "Try this:\n```python\ngreet('Anna')\n```\nI am Eva."
    >>> [region.kind.name for region in regions(text)]
    ['CODE', 'CODE', 'LITERAL', 'CODE']
    """
    if not _MAY_BE.search(text):
        return []
    found: list[Region] = []
    fences: list[tuple[int, int]] = []
    done = 0
    for mark, start, end, language in _fences(text):
        found += [*_unfenced(text, done, mark), Region(mark, start, Kind.CODE)]
        found += _fenced(text, start, end, language)
        fences.append((start, end))
        done = end
    found += _unfenced(text, done, len(text))
    if _is_technical(text, found):
        found += _between(found, fences, len(text))
    return sorted(found)


def _is_technical(text: str, found: Sequence[Region]) -> bool:
    """Whether the sentences of a text stand among code, links and headings, which a letter may have as well."""
    if any(_is_mark(text, region) for region in found):
        return True
    marks = sum(1 for _ in _LINK.finditer(text)) + (_QUOTE.search(text) is not None)
    return marks >= _MARKS and not is_letter(text)


def _is_mark(text: str, region: Region) -> bool:
    """Whether a region is more than a tag of markup."""
    return text[region.start] != "<" and not (text[region.start].isspace() and text[region.end - 1] == "=")


def _fences(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Where fences begin, where their insides are, and the language that each names."""
    position = 0
    while "```" in text or "~~~" in text:
        opening = _FENCE.search(text, position)
        if opening is None:
            return
        closing = re.compile(rf"^[ \t]{{0,8}}{opening[2][0]}{{{len(opening[2])},}}[ \t]*$", re.MULTILINE)
        closed = closing.search(text, opening.end())
        end = closed.start() if closed else len(text)
        yield opening.start(2), opening.end(), end, opening[3].lower()
        if closed is None:
            return
        position = closed.end()


def _fenced(text: str, start: int, end: int, language: str) -> Iterator[Region]:
    inside = text[start:end]
    if is_code(language):
        yield from _code(text, start, end, language)
    elif is_data(language):
        yield from _records(text, start, end)
    else:
        kinds = [kind for kind in kinds_of_lines(inside.splitlines()) if kind is not Line.BLANK]
        code, record = (sum(kind is one for kind in kinds) for one in (Line.CODE, Line.RECORD))
        if 2 * code >= len(kinds) and code:
            yield from _code(text, start, end, language)
        elif 2 * record >= len(kinds) and record:
            yield from _records(text, start, end)
        else:
            yield from _unfenced(text, start, end)


def _code(text: str, start: int, end: int, language: str) -> Iterator[Region]:
    done = start
    for first, last in literals(text[start:end], language):
        if done < start + first:
            yield Region(done, start + first, Kind.CODE)
        yield from _literal(text, start + first, start + last)
        done = start + last
    if done < end:
        yield Region(done, end, Kind.CODE)


def _literal(text: str, start: int, end: int) -> Iterator[Region]:
    """A string or comment; lines of code in it, as examples in documentation are, are code."""
    if "\n" not in text[start:end]:
        yield Region(start, end, Kind.LITERAL)
        return
    for first, last, kind in _lines(text, start, end):
        yield Region(first, last, Kind.CODE if kind in (Line.CODE, Line.FORMULA) else Kind.LITERAL)


def _records(text: str, start: int, end: int) -> Iterator[Region]:
    """Settings and logs: keys are code, the rest are values."""
    done = start
    for key in _KEY.finditer(text, start, end):
        if done < key.start():
            yield Region(done, key.start(), Kind.RECORD)
        yield Region(key.start(), key.end(), Kind.CODE)
        done = key.end()
    if done < end:
        yield Region(done, end, Kind.RECORD)


def _unfenced(text: str, start: int, end: int) -> Iterator[Region]:
    for first, last, kind in _lines(text, start, end):
        if kind is Line.CODE:
            yield from _code(text, first, last, "")
        elif kind is Line.FORMULA:
            yield Region(first, last, Kind.CODE)
        elif kind is Line.RECORD:
            yield from _records(text, first, last)
        else:
            yield from _inline(text, first, last)


def _inline(text: str, start: int, end: int) -> Iterator[Region]:
    """What of sentences is code: what has marks of it, paths and options, the tags of markup."""
    done = start
    for match in _INLINE.finditer(text, start, end):
        yield from _named(text, done, match.start())
        words = match[2] is not None and _WORDS.fullmatch(match[2].strip())
        yield Region(*match.span(), Kind.LITERAL if words else Kind.CODE)
        done = match.end()
    yield from _named(text, done, end)


def _named(text: str, start: int, end: int) -> Iterator[Region]:
    pattern = _TAG if _MARKUP.search(text, start, end) else _names()
    for match in pattern.finditer(text, start, end):
        home = _HOMES.search(match[0])
        if home is None:
            yield Region(*match.span(), Kind.CODE)
        else:
            yield Region(match.start(), match.start() + home.start(1), Kind.CODE)
            yield Region(match.start() + home.end(1), match.end(), Kind.CODE)


@built_once
def _names() -> "re.Pattern[str]":
    """Paths, names of a program's files, options and variables, as they stand within sentences."""
    data = parse_yaml(files(__package__).joinpath("named_files.yaml").read_text("utf-8"))
    roots, endings = ("|".join(data[name].split()) for name in ("roots", "endings"))
    part = r"[\w.*{}$@-]+"
    first = rf"(?:(?:~|\.{{1,2}})/{part}|/(?:{roots})(?![\w.-])|/[A-Za-z_.*{{$][\w.*{{}}$@-]*/{part})"
    path = rf"{first}(?:/{part})*/?(?<![.])"
    file = rf"(?:[\w-]+/)*[\w*-]*\.(?:{endings})(?![\w@-]|\.\w)(?:\.gz)?"
    option = r"(?<!\S)--[a-z][\w-]*(?:=\S{0,80})?|\$\{?[A-Z_]\w*\}?"
    return re.compile(rf"(?<![\w/:.@+-]){path}|(?<![\w:.@-]){file}|{option}")


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int, Line]]:
    """Blocks of lines of one kind, with the blank lines that follow them."""
    kind, first, position = Line.BLANK, start, start
    lines = text[start:end].split("\n")
    for line, own in zip(lines, kinds_of_lines(lines), strict=True):
        if own is not Line.BLANK and own is not kind:
            if first < position:
                yield first, position, kind
            kind, first = own, position
        position += len(line) + 1
    if first < end:
        yield first, end, kind


def _between(found: Sequence[Region], fences: Sequence[tuple[int, int]], end: int) -> Iterator[Region]:
    """What of a text outside of fences is in no region."""
    done = 0
    for start, stop in sorted([*((region.start, region.end) for region in found), *fences, (end, end)]):
        if done < start:
            yield Region(done, start, Kind.TECHNICAL)
        done = max(done, stop)
