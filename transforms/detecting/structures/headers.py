"""The header of a mail: names of fields, angle brackets and dates stay (RFC 5322)."""

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from tacenda.transforms.detecting.structures.structure import Structure, Value

_FIELD = re.compile(r"([ \t>]*)([A-Za-z][A-Za-z-]{1,40}):[ \t]*(\S[^\n]*(?:\n[ \t]+\S[^\n]*)*|(?=\n|$))")
_ADDRESSES = (
    "from", "to", "cc", "bcc", "sender", "reply-to", "return-path", "delivered-to", "message-id", "in-reply-to",
    "references",
)  # fmt: skip
_KNOWN = (
    *_ADDRESSES, "date", "sent", "subject", "received", "mime-version", "content-type",
    "content-transfer-encoding",
)  # fmt: skip
_OF_MAIL = {"from", "to", "cc", "date", "subject", "message-id", "received", "sender"}
_LEAST = 2
"""Fields of a mail that follow each other, from which on lines are a header."""

_ADDRESS = re.compile(r"\"(?P<quoted>[^\"\n]*)\"|<(?P<angle>[^<>\n]*)>|(?P<plain>[^\s,;<>\"][^,;<>\"\n]*)")


def headers(text: str) -> Iterator[Structure]:
    r"""The fields of the headers in a text, each a structure; time is linear in its length.

    >>> text = "From: Ann Lee <ann@x.org>\nDate: Mon, 5 Jan 2026 10:00:00 +0000"
    >>> [[text[value.start : value.end] for value in field.values] for field in headers(text)]
    [['Ann Lee', 'ann@x.org'], []]
    """
    if ":" not in text or "\n" not in text:
        return
    block: list[re.Match[str]] = []
    place = 0
    while place < len(text):
        field = _FIELD.match(text, place)
        if field is not None:
            block.append(field)
            place = field.end() + 1
        else:
            yield from _of_block(text, block)
            block = []
            line = text.find("\n", place)
            place = len(text) if line < 0 else line + 1
    yield from _of_block(text, block)


def _of_block(text: str, block: list[re.Match[str]]) -> Iterator[Structure]:
    names = {field[2].lower() for field in block}
    if len(names & _OF_MAIL) < _LEAST:
        return
    for field in block:
        name = field[2].lower()
        if name not in _KNOWN and not name.startswith("x-"):
            continue
        start, end = field.span(3)
        end -= len(text[start:end]) - len(text[start:end].rstrip())
        if name in ("date", "sent") and _is_date(field[3]):
            yield Structure(field.start(), field.end(), (), stamps=((start, end),))
        else:
            values = _addresses(text, start, end) if name in _ADDRESSES else [Value(start, end)]
            yield Structure(field.start(), field.end(), tuple(v for v in values if v.start < v.end))


def _addresses(text: str, start: int, end: int) -> Iterator[Value]:
    for one in _ADDRESS.finditer(text, start, end):
        first, last = one.span(one.lastgroup or 0)
        yield Value(first, last - (len(text[first:last]) - len(text[first:last].rstrip())))


def _is_date(value: str) -> bool:
    try:
        parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError):
        return False
    return True
