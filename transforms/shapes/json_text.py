"""JSON inside a text: its strings and long numbers are searched, everything else is copied unchanged.

Replacing names in the raw text could break the JSON: a token that replaces a number must be quoted, while a
surrogate of it is a number again. So text that parses as JSON is processed value by value. Spacing, key order,
escapes and repeated keys are preserved, since only changed values are rewritten.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.declared import MOST_LEVELS

Visit = Callable[[str, str], str]
"""Called with the path and the text of a cell; returns the new text.

A path consists of parameter names and indexes only; ``:key`` ends the path of a key.
"""

NUMBER_DIGITS = 3  # shorter numbers are counts; others may be part of a telephone number or an id
_PATH_CHARS = 128  # length limit of names in a path; beyond it keys are given by index, to keep paths short

_NUMBER = re.compile(r"-?[0-9]{1,19}(?:\.[0-9]{1,17})?")
_LARGEST = 1 << 63

_PARAMETER = re.compile(r"[A-Za-z_$][A-Za-z_$.-]*[0-9]{0,2}")
"""Typical parameter names of tools; any other key may be data, as in ``{"anna@x.se": "invited"}``."""


def is_parameter(key: str) -> bool:
    """Whether a key is a field name that somebody chose, not data."""
    return bool(_PARAMETER.fullmatch(key))


def is_searched(number: str) -> bool:
    """Whether a number, as spelled, is long enough to identify anybody."""
    return sum(map(str.isdigit, number)) >= NUMBER_DIGITS


def as_number(spelled: str) -> int | float | None:
    """A replacement as a JSON number, such as a surrogate of a number; None for tokens and other text.

    Only numbers of 64 bits, as JSON spells them, that are searched when they are read again.

    >>> as_number("4155550123"), as_number("-2.75"), as_number("0155"), as_number("[AGE_1]"), as_number("12")
    (4155550123, -2.75, None, None, None)
    """
    if not _NUMBER.fullmatch(spelled) or not is_searched(spelled):
        return None
    number = float(spelled) if "." in spelled else int(spelled)
    return number if repr(number) == spelled and abs(number) < _LARGEST else None


def key_path(path: str, key: str, place: int) -> str:
    """The path of a value of an object.

    Paths are written beside findings, so a key that may be data is represented by its position, which no
    parameter name is.
    """
    told = is_parameter(key) and len(path) + len(key) <= _PATH_CHARS
    return f"{path}.{key if told else place}"


_KEY_OF_VALUE = re.compile(r"\.([^.:\d][^.:]*)(?:\.\d+)*$")
_WORDS_OF_KEY = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]+")
_MOST_LED = 80  # code points; longer values have a context of their own


def lead_of(path: str | None, value: str) -> str:
    """What is read before a value of JSON: its key, as a person writes it; empty for other text.

    >>> lead_of("tool_calls.0.arguments.cluster_name", "EKS"), lead_of("json.team.1", "QA"), lead_of(None, "QA")
    ('cluster name: ', 'team: ', '')
    """
    key = _KEY_OF_VALUE.search(path) if path and 0 < len(value) <= _MOST_LED and "\n" not in value else None
    return f"{_WORDS_OF_KEY.sub(' ', key[1]).strip().lower()}: " if key else ""


class UniqueKeys:
    """The keys of one object as written; two that mean one person get different names."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._written: set[str] = set()
        self._times: dict[str, int] = {}

    def name(self, key: str, replaced: str) -> str:
        """The output name of a key with replacement ``replaced``.

        A number is appended if another key has the same replacement, so that neither value is lost. A key
        that the object repeats keeps its name.
        """
        if key not in self._names:
            unique = replaced
            while unique in self._written:
                self._times[replaced] = self._times.get(replaced, 1) + 1
                unique = f"{replaced}_{self._times[replaced]}"
            self._written.add(unique)
            self._names[key] = unique
        return self._names[key]


_LEXEME = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}\[\],]')
_ESCAPED_LETTER = re.compile(r'"(?:[^\\]|\\[^u]|\\u00[01])*\\u(?!00[01])')
"""A string with more escapes than necessary; only control characters need one."""

_SPELLED = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.", re.DOTALL)
"""One character in its JSON spelling; those beyond the first plane may be two escapes."""


def is_json(text: str) -> bool:
    """Whether a text is a JSON object or list.

    >>> is_json('{"a": 1}'), is_json("[PERSON_NAME_1] called"), is_json("12")
    (True, False, False)
    """
    return text.lstrip()[:1] in ("{", "[") and parses(text)


def parses(text: str) -> bool:
    """Whether a text is any JSON, strictly by RFC 8259 and without lone surrogates."""
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


@dataclass(slots=True)
class _Level:
    """An open object or list: its path, the position of its next entry, and its keys so far."""

    path: str
    is_object: bool
    place: int = 0
    keys: UniqueKeys = field(default_factory=UniqueKeys)
    key_comes: bool = False


class _Leaf(NamedTuple):
    """A string or number of a JSON text as it is spelled, its path, and what it means; the object of a key."""

    lexeme: re.Match[str]
    path: str
    text: str
    object: _Level | None

    @property
    def is_text(self) -> bool:
        """Whether it is a string, and no number."""
        return self.lexeme[0][0] == '"'


def _leaves(text: str, path: str) -> Iterator[_Leaf]:
    """The keys, strings and numbers of a JSON text, in order."""
    open_levels: list[_Level] = []
    here = path
    for lexeme in _LEXEME.finditer(text):
        mark = lexeme[0]
        level = open_levels[-1] if open_levels else None
        if mark in "{[":
            if len(open_levels) == MOST_LEVELS:
                raise RecordError("UnsupportedContent")
            open_levels.append(_Level(here, mark == "{", key_comes=mark == "{"))
            here = f"{here}.0"
        elif mark in "}]":
            open_levels.pop()
        elif mark == ",":
            assert level is not None, "only lists and objects have commas"
            level.place += 1
            level.key_comes = level.is_object
            here = f"{level.path}.{level.place}"
        else:
            value = json.loads(mark) if mark[0] == '"' else mark
            is_key = level is not None and level.key_comes
            if level is not None and is_key:
                level.key_comes = False
                here = key_path(level.path, value, level.place)
            yield _Leaf(lexeme, here, value, level if is_key else None)


_CALL_LABELS = re.compile(r"(?:\.\d+)?(?:\.function)?\.(?:name|id|type)")  # paths in JSON


def _is_label(leaf: _Leaf, path: str) -> bool:
    return leaf.object is None and _CALL_LABELS.fullmatch(leaf.path, len(path)) is not None


def call_labels(text: str) -> list[str]:
    """The texts that :func:`walk_json` leaves alone in the JSON of a call.

    >>> call_labels('{"name": "book", "arguments": {"name": "Grace"}}')
    ['book']
    """
    return [leaf.text for leaf in _leaves(text, "") if _is_label(leaf, "")] if is_json(text) else []


def _searched(text: str, path: str, is_call: bool) -> Iterator[_Leaf]:
    """The leaves that are searched: strings, keys that may be data, and long numbers."""
    for leaf in _leaves(text, path):
        if is_call and _is_label(leaf, path):
            continue
        is_name = leaf.object is not None and is_parameter(leaf.text)
        if not is_name and (leaf.is_text or is_searched(leaf.text)):
            yield leaf
        elif leaf.object is not None:
            leaf.object.keys.name(leaf.text, leaf.text)


def walk_json(text: str, path: str, visit: Visit, is_call: bool = False, number: Visit | None = None) -> str:
    """A JSON text with every string and long number replaced by what ``visit`` returns.

    A string that is itself JSON is processed recursively. A number stays one unless ``visit`` returns a text.

    Args:
        text: a text that :func:`parses`.
        path: prefix of the paths passed to ``visit``.
        visit: see ``Visit``.
        is_call: it is a function call, whose name is left unchanged.
        number: called instead of ``visit`` for the numbers of its lists and objects.
    """
    pieces: list[str] = []
    done = 0
    for leaf in _searched(text, path, is_call):
        lexeme, here, old, level = leaf
        if level is not None:
            new = level.keys.name(old, visit(f"{here}:key", old))
        else:
            of_number = visit if number is None or here == path else number
            new = walk_text(old, here, visit) if leaf.is_text else of_number(here, old)
        if new != old:
            is_number = not leaf.is_text and as_number(new) is not None
            pieces += (text[done : lexeme.start()], new if is_number else _spelled(new, lexeme[0]))
            done = lexeme.end()
    return "".join([*pieces, text[done:]]) if pieces else text


def places_of_values(text: str, is_call: bool = False) -> Iterator[Sequence[int]]:
    """For each value that :func:`walk_text` visits: the positions of its characters in the text, and its end.

    >>> list(map(list, places_of_values('{"a": "bc", "d": 123}')))
    [[7, 8, 9], [17, 18, 19, 20]]
    """
    for leaf in _searched(text, "", is_call):
        first, stop = leaf.lexeme.span()
        places: Sequence[int] = range(first + 1, stop) if leaf.is_text else range(first, stop + 1)
        if "\\" in leaf.lexeme[0]:
            places = [*(first + 1 + one.start() for one in _SPELLED.finditer(leaf.lexeme[0][1:-1])), stop - 1]
        if leaf.object is None and leaf.is_text and is_json(leaf.text):
            for inner in places_of_values(leaf.text):
                yield [places[i] for i in inner]
        else:
            yield places


def walk_text(text: str, path: str, visit: Visit, is_call: bool = False) -> str:
    """A text replaced by the result of ``visit`` or, if it is JSON, with its values replaced."""
    if is_json(text):
        return walk_json(text, path, visit, is_call)
    return visit(path, text)


def _spelled(value: str, like: str) -> str:
    """A JSON string, with the same optional escapes as another one."""
    spelled = json.dumps(value, ensure_ascii=_ESCAPED_LETTER.match(like) is not None)
    return spelled.replace("/", "\\/") if "\\/" in like else spelled


def texts_of(value: Any) -> Iterator[str]:
    """All texts in a JSON value of any depth, including keys of objects and texts of JSON within texts.

    >>> list(texts_of({"a": [1, "b"], "c": '{"d": "e"}'}))
    ['a', 'c', 'b', 'd', 'e']
    """
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if type(one) is list:
            waiting.extend(reversed(one))
        elif type(one) is dict:
            yield from one
            waiting.extend(reversed(one.values()))
        elif type(one) is str and is_json(one):
            # From its spelling: a parser would keep one value only of a repeated key.
            strings = [json.loads(mark) for mark in _LEXEME.findall(one) if mark[0] == '"']
            waiting.extend(reversed(strings))
        elif type(one) is str:
            yield one
