"""Values of URLs and XML as they read, for linking and replacers, and as they are spelled, for the output.

``ann%40x.org`` is linked as ``ann@x.org``; what replaces it is written in escapes again.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from typing import NamedTuple
from urllib.parse import quote, unquote

from tacenda.transforms.detecting.structures.narrowing import structures
from tacenda.transforms.detecting.structures.structure import Spelling
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.shapes.xml_text import spelled as spelled_in_xml

_OF_URLS = re.compile(r"(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)
_OF_XML = re.compile(r"&(?:#\d+|#x[0-9A-Fa-f]+|[a-z]+);|.", re.DOTALL)


class Written(NamedTuple):
    """How a finding is spelled; ``quote`` is what stands around it in XML."""

    spelling: Spelling
    quote: str = ""


_PLAIN = Written(Spelling.PLAIN)


class AsRead:
    """The cells of a conversation with the escapes within findings resolved.

    Args:
        texts: the cells as they are spelled.
        findings: disjoint findings of each, sorted by start; no finding cuts an escape.

    Attributes:
        texts: the cells as they read.
        findings: the findings as ranges of these.
    """

    def __init__(self, texts: Sequence[str], findings: Sequence[Sequence[Finding]]) -> None:
        self._texts = texts
        self._places: dict[int, list[int]] = {}
        self.texts, self.findings = list(texts), list(findings)
        for i, found in enumerate(findings):
            if found and ("%" in texts[i] or "&" in texts[i]):
                self._resolve(i, found)

    def _resolve(self, i: int, found: Sequence[Finding]) -> None:
        text = self._texts[i]
        pieces: list[str] = []
        places: list[int] = []
        moved: list[Finding] = []
        done = 0
        for finding, written in zip(found, written_as(text, found), strict=True):
            pieces.append(text[done : finding.start])
            places += range(done, finding.start)
            start = len(places)
            for place, read in _read(text, finding, written):
                pieces.append(read)
                places += [place] * len(read)
            moved.append(finding._replace(start=start, end=len(places)))
            done = finding.end
        places += range(done, len(text) + 1)
        if len(places) != len(text) + 1:
            self.texts[i], self.findings[i] = "".join([*pieces, text[done:]]), moved
            self._places[i] = places

    def spelled(self, conversation: LinkedConversation) -> LinkedConversation:
        """What was linked as it reads, as ranges of the cells as they are spelled."""
        if not self._places:
            return conversation
        findings = list(conversation.findings)
        for i, places in self._places.items():
            findings[i] = [one._replace(start=places[one.start], end=places[one.end]) for one in findings[i]]
        return replace(conversation, texts=self._texts, findings=findings)


def as_read(conversation: LinkedConversation) -> LinkedConversation:
    """A conversation as it reads, for replacers."""
    read = AsRead(conversation.texts, conversation.findings)
    return replace(conversation, texts=read.texts, findings=read.findings)


def as_spelled(conversation: LinkedConversation, values: Values) -> Values:
    """Values with the escapes that their places need.

    >>> url, found = "https://x.org/?mail=ann%40x.org", [Finding(20, 31, "EMAIL_ADDRESS", 4, "rules")]
    >>> linked = LinkedConversation("", [url], [None], [found], [[1]], {}, ["EMAIL_ADDRESS"])
    >>> as_spelled(linked, Values([["[EMAIL_ADDRESS_1]"]], {})).findings
    [['%5BEMAIL_ADDRESS_1%5D']]
    """
    findings = list(values.findings)
    for i, found in enumerate(conversation.findings):
        if found:
            text = conversation.texts[i]
            written = written_as(text, found)
            if any(one is not _PLAIN for one in written):
                each = zip(found, findings[i], written, strict=True)
                findings[i] = [_spelled(value, text[f.start : f.end], how) for f, value, how in each]
    return Values(findings, values.labels)


def written_as(text: str, findings: Sequence[Finding]) -> list[Written]:
    """How each finding of a cell is spelled: by the innermost structure around it."""
    written = [_PLAIN] * len(findings)
    for layer in structures(text):
        values = [
            (value, Written(one.spelling, value.quote))
            for one in layer
            if one.spelling is not Spelling.PLAIN
            for value in one.values
        ]
        starts = [value.start for value, _ in values]
        for i, finding in enumerate(findings):
            place = bisect_right(starts, finding.start) - 1
            if place >= 0 and written[i] is _PLAIN and finding.end <= values[place][0].end:
                written[i] = values[place][1]
    return written


def _read(text: str, finding: Finding, written: Written) -> Iterator[tuple[int, str]]:
    """The characters of a finding, each with its place; several of one escape have one."""
    pattern = {Spelling.URL: _OF_URLS, Spelling.XML: _OF_XML}.get(written.spelling)
    if pattern is None or written.quote.startswith("<"):
        yield from zip(range(finding.start, finding.end), text[finding.start : finding.end], strict=True)
        return
    is_url = written.spelling is Spelling.URL
    spaced = is_url and "@" not in text[finding.start : finding.end]
    for one in pattern.finditer(text, finding.start, finding.end):
        if is_url:
            yield one.start(), " " if spaced and one[0] == "+" else unquote(one[0])
        else:
            yield one.start(), unescape(one[0])


def _spelled(value: str, like: str, written: Written) -> str:
    if written.spelling is Spelling.URL:
        return quote(value, safe="@" if "@" in like else "")
    if written.spelling is Spelling.XML:
        return spelled_in_xml(value, like, written.quote)
    return value
