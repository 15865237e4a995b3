"""URLs with a query: their scheme, host, path and keys stay, values are searched one by one (RFC 3986)."""

import re
from collections.abc import Iterator

from tacenda.transforms.detecting.structures.structure import Spelling, Structure, Value
from tacenda.transforms.detecting.word_lists import words_of

HOST = "//"
"""The key of a host."""

_RUN = re.compile(r"[^\s<>\"'`{}|\\^\[\]“”]+")
"""What of a text may be a URL: characters that none has end it."""

_SCHEME = re.compile(r"(?i)\b(?:https?|wss?|ftp)://|\bmailto:")
_HOST = re.compile(r"(?i)(?<![\w@.-])(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?=[/?])")
_PATH = re.compile(r"(?<![^\s=(,;])/(?!/)")
_PARAMETER = re.compile(r"(?P<key>[A-Za-z_$][\w.$-]{0,60})=(?P<value>[^&;#]*)|[^&;#]+")
_SEGMENT = re.compile(r"[^/]+")
_NAME = re.compile(r"~|@.")
"""How a segment of a path begins that is itself somebody's name."""
_AFTER = ".,;:!?)"
"""Marks that end a sentence rather than a URL."""


def urls(text: str) -> Iterator[Structure]:
    """The URLs of a text that have a query; time is linear in its length.

    >>> text = "see https://shop.example/orders?email=ann@x.org&lang=en."
    >>> [[(value.key, text[value.start : value.end]) for value in url.values] for url in urls(text)]
    [[('//', 'shop.example'), ('', 'orders'), ('email', 'ann@x.org'), ('lang', 'en')]]
    """
    if "?" not in text or "=" not in text:
        return
    for run in _RUN.finditer(text):
        question = text.find("?", run.start(), run.end())
        if question < 0 or text.find("=", question, run.end()) < 0:
            continue
        start = _start(text, run.start(), question)
        if start is not None:
            yield from _divided(text, start, question, _end(text, start, run.end()))


def _start(text: str, first: int, question: int) -> int | None:
    """Where the URL begins whose query ``question`` opens."""
    for pattern in (_SCHEME, _HOST, _PATH):
        found = pattern.search(text, first, question + 1)
        if found is not None:
            return found.start()
    return None


def _end(text: str, start: int, end: int) -> int:
    """The end of a URL without what ends the sentence."""
    while end > start and text[end - 1] in _AFTER:
        if text[end - 1] == ")" and text.count("(", start, end) >= text.count(")", start, end):
            break
        end -= 1
    return end


def _divided(text: str, start: int, question: int, end: int) -> Iterator[Structure]:
    fragment = text.find("#", question, end)
    values = [*_before_query(text, start, question), *_parameters(text, question + 1, end)]
    if any(value.key not in ("", HOST) for value in values) or fragment >= 0:
        yield Structure(start, end, tuple(values), Spelling.URL, divides=True)


def _before_query(text: str, start: int, question: int) -> Iterator[Value]:
    scheme = _SCHEME.match(text, start)
    place = start if scheme is None else scheme.end()
    if scheme is not None and scheme[0].lower() == "mailto:":
        if place < question:
            yield Value(place, question, "mailto", personal=True)
        return
    if scheme is not None or text[start] != "/":
        slash = text.find("/", place, question)
        ends = question if slash < 0 else slash
        at = text.rfind("@", place, ends)
        if at > place:
            yield Value(place, at, personal=True)
        place = max(place, at + 1)
        port = text.rfind(":", place, ends)
        host = port if port >= 0 and text[port + 1 : ends].isdigit() else ends
        if place < host:
            yield Value(place, host, HOST)
        place = ends
    before = False
    for segment in _SEGMENT.finditer(text, place, question):
        named = _NAME.match(segment[0]) is not None
        yield Value(*segment.span(), personal=before or named)
        before = named or segment[0].lower() in words_of("url_folders/accounts", "url_folders/clients")


def _parameters(text: str, start: int, end: int) -> Iterator[Value]:
    for one in _PARAMETER.finditer(text, start, end):
        if one["key"] is None:
            yield Value(*one.span())
        elif one["value"]:
            yield Value(*one.span("value"), one["key"].lower())
