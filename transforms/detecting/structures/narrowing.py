"""Findings within text that has a grammar: cut to its values, so that what parses before parses after.

A detector that takes a whole URL for one thing hides all of it. Here such a finding becomes one for each value
that may be somebody's: all but words of a language, short codes and numbers that count.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files
from itertools import chain
from typing import NamedTuple
from urllib.parse import unquote_plus

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.detecting.personal_labels import look_personal
from tacenda.transforms.detecting.structures.headers import headers
from tacenda.transforms.detecting.structures.log_lines import log_lines
from tacenda.transforms.detecting.structures.markup import markup
from tacenda.transforms.detecting.structures.public_urls import is_public
from tacenda.transforms.detecting.structures.structure import Spelling, Structure, Value
from tacenda.transforms.detecting.structures.urls import HOST, urls
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_EMAIL = "EMAIL_ADDRESS"
_OF_DATES = frozenset({"DATE", "DATE_OF_BIRTH", "TIME"})
_OF_HOSTS = frozenset({"URL", "DOMAIN_NAME"})
_COUNT = 2
"""Most digits of a number that counts; JSON has the same limit."""

_CODE = 2
"""Most letters of a code such as a language's, whatever else it is."""

_ENDING = 3
"""Most letters of what countries have before their own ending, as in ``co.uk`` and ``com.br``."""

_DATE = 8
"""Maximum digits of a value whose key is impersonal: a version may be a date."""

_SURE, _LIKELY = 3, 2
"""Levels of names: common ones, and those that are rarely anything else."""

_LANGUAGE = 2
"""Level from which on a word is one of language."""

_COMMON = 4
"""Level of the commonest words."""

_CONSTANTS = frozenset({"true", "false", "null", "none"})

_WORD = re.compile(r"[^\W\d_]+")
_ESCAPE = re.compile(r"&[#\w]{1,10};|%[0-9A-Fa-f]{2}")
_ADDRESS = re.compile(r"\d+(?:\.\d+){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:]+")
"""Of a network."""


def structures(text: str) -> Iterator[list[Structure]]:
    """What of a text has a grammar, each layer disjoint and sorted: URLs, then what may stand around them."""
    yield list(urls(text))
    yield list(_outside(text))


def _outside(text: str) -> Iterator[Structure]:
    done = 0
    for one in sorted(chain(markup(text), headers(text), log_lines(text))):
        if one.start >= done:
            yield one
            done = one.end


def narrowed(text: str, findings: list[Finding], asked: Collection[str] | None = None) -> list[Finding]:
    """The findings of a cell cut to values; those outside of structures are as they were.

    ``asked`` are the infoTypes that a value may be given for its key; None for any.

    >>> url = "https://shop.example/orders?email=ann@x.org&id=55&lang=en"
    >>> found = [Finding(0, len(url), "URL", 4, "rules"), Finding(8, len(url), "EMAIL_ADDRESS", 4, "rules")]
    >>> {(one.info_type, url[one.start : one.end]) for one in narrowed(url, found)}
    {('EMAIL_ADDRESS', 'ann@x.org')}
    """
    for layer in structures(text) if findings else ():
        if layer:
            starts, ends = [one.start for one in layer], [one.end for one in layer]
            left: list[Finding] = []
            for finding in findings:
                touched = layer[bisect_right(ends, finding.start) : bisect_left(starts, finding.end)]
                left += _cut_by_all(text, finding, touched, asked) if touched else [finding]
            findings = left
    return findings


def _cut_by_all(
    text: str, finding: Finding, touched: Sequence[Structure], asked: Collection[str] | None
) -> Iterator[Finding]:
    waiting = [finding]
    for structure in touched:
        pieces = [piece for one in waiting for piece in _cut(text, one, structure, asked)]
        yield from (piece for piece in pieces if piece.start < structure.end)
        waiting = [piece for piece in pieces if piece.start >= structure.end]
    yield from waiting


def _cut(
    text: str, finding: Finding, structure: Structure, asked: Collection[str] | None
) -> Iterator[Finding]:
    start, end = finding.start, finding.end
    if end <= structure.start or structure.end <= start or finding.info_type in _data().whole:
        yield finding
        return
    if structure.divides and finding.info_type in _OF_HOSTS and start < _end_of_host(structure):
        # A detector that saw the scheme or the host alone saw a URL.
        start, end = min(start, structure.start), max(end, structure.end)
        finding = finding._replace(start=start, end=end)
    if finding.info_type in _OF_DATES and any(s < end and start < e for s, e in structure.stamps):
        yield finding
        return
    if start < structure.start and _speaks(text[start : structure.start]):
        yield finding._replace(end=structure.start)
    for value in structure.values:
        if value.start < end and start < value.end:
            yield from _of_value(text, finding, structure, value, asked)
    if structure.end < end and _speaks(text[structure.end : end]):
        yield finding._replace(start=structure.end)


def _end_of_host(structure: Structure) -> int:
    return next((value.end for value in structure.values if value.key == HOST), structure.start)


def _of_value(
    text: str, finding: Finding, structure: Structure, value: Value, asked: Collection[str] | None
) -> Iterator[Finding]:
    start, end = max(finding.start, value.start), min(finding.end, value.end)
    info_type = finding.info_type
    is_wide = finding.start < value.start or value.end < finding.end
    if value.key == HOST and not _is_host_of_somebody(text[value.start : value.end].lower()):
        return
    if structure.divides and (is_wide or (value.key == HOST and info_type in _OF_HOSTS)):
        start, end = value.start, value.end
        own = unquote_plus(text[start:end])
        told = _told(own, value)
        if not _may_be_somebodys(own, value) or (info_type == _EMAIL != told):
            return
        if told is not None and (asked is None or told in asked):
            info_type = told
    if structure.spelling is not Spelling.PLAIN:
        start, end = _whole_escapes(text, start, end, value)
    if _speaks(text[start:end]):
        yield finding._replace(start=start, end=end, info_type=info_type)


def _may_be_somebodys(own: str, value: Value) -> bool:
    """Whether a value of a URL may tell of somebody; what is nobody's is a word, a code or a count."""
    if TOKEN.fullmatch(own):
        return False
    if value.personal or value.key == HOST or "@" in own or value.key in word_list("query_keys"):
        return True
    if _plain_key(value) in _data().of_nobody:
        return sum(map(str.isdigit, own)) > _DATE or any(look_personal([own], sentences=False))
    if "://" in own and is_public(own):
        return False
    if _ADDRESS.fullmatch(own) or sum(map(str.isdigit, own)) > _COUNT:
        return True
    return not all(map(_is_nobodys, _levels(_WORD.findall(own.lower()))))


class _Levels(NamedTuple):
    word: str
    given: int
    family: int
    language: int


def _levels(words: Sequence[str]) -> list[_Levels]:
    known = lexicon()
    kinds = known.kinds_of(words)
    tables = known.given[kinds], known.family[kinds], known.word[kinds].max(axis=1)
    return list(map(_Levels, words, *(map(int, table) for table in tables)))


def _is_nobodys(known: _Levels) -> bool:
    word, given, family, language = known
    if (
        len(word) <= _CODE
        or word in _CONSTANTS
        or word in word_list("terms")
        or (language == _COMMON and given < _SURE)
    ):
        return True
    if given >= _LIKELY or family >= _SURE:
        return False
    return language >= _LANGUAGE or (language > 0 and not given and not family)


def _is_host_of_somebody(host: str) -> bool:
    """Whether it is an address of numbers, or has a name in its domain or beneath, or a long number."""
    if _ADDRESS.fullmatch(host) or sum(map(str.isdigit, host)) > _DATE:
        return True
    if is_public(host):
        return False
    below, domain = _divided(host.removeprefix("www.").split("."))
    named = any(
        (one.given >= _SURE or one.family >= _LIKELY) and one.language < _LANGUAGE
        for one in _levels(_WORD.findall(domain))
    )
    return named or not all(
        one.language > _LANGUAGE or (one.given < _LIKELY and one.family < _SURE)
        for one in _levels(_WORD.findall(" ".join(below)))
    )


def _divided(labels: Sequence[str]) -> tuple[Sequence[str], str]:
    """What is beneath the domain of a host, and the domain without its ending (``com``, ``co.uk``)."""
    if len(labels) == 1:
        return (), labels[0]
    last = 2 if len(labels) > 2 and len(labels[-2]) <= _ENDING and len(labels[-1]) == _CODE else 1
    return labels[: -last - 1], labels[-last - 1]


def _plain_key(value: Value) -> str:
    return value.key.replace("_", "").replace("-", "")


def _told(own: str, value: Value) -> str | None:
    """The infoType of a value by its form or its key."""
    if "@" in own:
        return _EMAIL
    return _data().types.get(_plain_key(value))


class _Data(NamedTuple):
    """The infoTypes of keys, keys of nobody, and the infoTypes that are never cut."""

    types: dict[str, str]
    of_nobody: frozenset[str]
    whole: frozenset[str]


@built_once
def _data() -> _Data:
    data = parse_yaml(files(__package__).joinpath("values.yaml").read_text("utf-8"))
    types = {key: info_type for info_type, keys in data["keys"].items() for key in keys.split()}
    return _Data(types, frozenset(data["of_nobody"].split()), frozenset(data["whole"].split()))


def _whole_escapes(text: str, start: int, end: int, value: Value) -> tuple[int, int]:
    """A range widened so that it cuts no escape such as ``%40`` or ``&amp;``."""
    spans = [one.span() for one in _ESCAPE.finditer(text, value.start, value.end)]
    starts = [first for first, _ in spans]
    for place in (start, end):
        at = bisect_right(starts, place) - 1
        if at >= 0 and spans[at][0] < place < spans[at][1]:
            start, end = min(start, spans[at][0]), max(end, spans[at][1])
    return start, end


def _speaks(piece: str) -> bool:
    return any(map(str.isalnum, piece))
