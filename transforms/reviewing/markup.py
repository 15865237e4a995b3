"""The inline markup of reviewed transcripts: ``(text)[MISSED_TAG]``.

After Gardiner et al., CALD-pseudo 2024, table 2. Its table 3 and section 4.2 also print ``(text)(MISSED_TAG)``,
with and without a space between, and ``(text)([MISSED_TAG])``. ``#`` and an entity may follow the tag, to say
that several places mean the same person or thing: ``(Marc)[MISSED_PERSON_NAME_PARTIAL#2]``.
"""

import re
from collections.abc import Iterable

import jellyfish

from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.token import TOKEN

_TAG = r"(?i:missed)_[^\s()\[\]]+|MISSED(?:[ _-][A-Z0-9]+)+"
_IN_WORDS = r"(?i:missed(?:[ -][A-Z0-9]+)+)"
_MARK = re.compile(
    rf"\)\s?(?:\[({_TAG})\]|\(({_TAG})\)|\(\[({_TAG})\]\))|\)\[({_IN_WORDS})\]"
    r"|([(\[]\s*(?i:missed)_|\bMISSED_[A-Z])"
    r"|[(\[{<]\s*([A-Z]{4,9})[\s_:-]+[A-Z]"
    r"|\)(\[[A-Z][A-Z0-9]*\]|\s?[(\[{<][A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[)\]}>])"
    r"|\)\[\s*([A-Za-z]{4,9})[\s_:-]+[A-Za-z]"
    r"|([()])"
)
"""Groups: a tag behind a closing parenthesis, in its three forms, and in words right behind it; a tag anywhere
else; a word in brackets that may be a misspelt MISSED; behind a closing parenthesis, an infoType without it;
right behind one, such a word in any letters; a parenthesis."""

_HINT = re.compile(r"[(\[]\s*(?i:missed)_|[(\[{<]\s*M[A-Z]{3}|MISSED_|\)\s?[(\[{<][A-Z]|\)\[\s*m[a-z]{3}")


def parse(text: str) -> tuple[str, list[AnnotatedSpan]]:
    """Take the markup out of one cell: the plain text, and spans in its code points.

    The missed text goes back to the parenthesis that balances the one before the tag, so it may hold
    parentheses and further markup; all other parentheses and brackets stay. Tags are not looked up; one with
    spaces, as the paper's table 6 prints them, is spelled with underscores. Spans are in the order of their
    starts, longer ones first. Linear in the length of the text.

    Raises:
        RecordError: ``MalformedMarkup`` for a tag without missed text, without an end, with space at the edge
            of its brackets, or with an empty entity; for what can only be a tag gone wrong: MISSED misspelt, in
            other brackets or in none, an infoType without it behind a closing parenthesis. To take these for
            plain text would lose what the reviewer found.
    """
    if not _HINT.search(text):
        return text, []
    opened: list[int] = []
    found: list[tuple[int, int, str]] = []
    cuts: list[tuple[int, int]] = []
    place = 0
    while mark := _MARK.search(text, place):
        place = mark.end()
        tag = mark[1] or mark[2] or mark[3] or (mark[4] or "").upper()
        if tag:
            if not opened:
                raise RecordError("MalformedMarkup")
            start = opened.pop()
            found.append((start + 1, mark.start(), _spelled(tag)))
            cuts += [(start, start + 1), mark.span()]
            continue
        if (
            mark[5]
            or (mark[6] and _is_misspelt(mark[6]))
            or (mark[7] and not TOKEN.fullmatch(mark[7].strip()))
            or (mark[8] and _is_misspelt(mark[8].upper()))
        ):
            raise RecordError("MalformedMarkup")
        # What is no tag after all: its first sign is a sign as any other, and what follows is looked at again.
        place = mark.start() + 1
        if text[mark.start()] == "(":
            opened.append(mark.start())
        elif text[mark.start()] == ")" and opened:
            opened.pop()
    plain, moved = _without(text, cuts)
    spans = [_span(moved[start], moved[end], tag) for start, end, tag in found]
    return plain, sorted(spans, key=lambda span: (span.start, -span.end))


def write(plain: str, spans: Iterable[AnnotatedSpan]) -> str:
    """Put spans into one cell's text as markup, such that ``parse`` gives both back.

    Raises ``RecordError("UnwritableMarkup")`` where no markup does: an empty span, spans that overlap without
    one holding the other, a label without ``MISSED_``, a span with an unbalanced parenthesis, a text that
    already looks like markup.
    """
    spans = sorted(spans, key=lambda span: (span.start, -span.end))
    # At one place, closings come before openings, and the inner of two closings (the later start) first.
    closings = sorted(spans, key=lambda span: (span.end, -span.start))
    marks = [(span.end, f")[{_tag(span)}]") for span in closings] + [(span.start, "(") for span in spans]
    pieces: list[str] = []
    position = 0
    for place, mark in sorted(marks, key=lambda mark: mark[0]):
        pieces += [plain[position:place], mark]
        position = place
    text = "".join([*pieces, plain[position:]])
    try:
        lossless = parse(text) == (plain, spans)
    except RecordError:
        lossless = False
    if not lossless:
        raise RecordError("UnwritableMarkup")
    return text


def _spelled(tag: str) -> str:
    """A tag with underscores, whatever its words are joined by; an entity stays as it is."""
    return tag if tag[6:7] == "_" and " " not in tag else re.sub("[ -]", "_", tag)


def _is_misspelt(word: str) -> bool:
    """Whether a word was meant to be MISSED."""
    return word[0] == "M" and jellyfish.damerau_levenshtein_distance(word, "MISSED") <= 2


def _without(text: str, cuts: list[tuple[int, int]]) -> tuple[str, dict[int, int]]:
    """The text less the cuts, and where the ends of the cuts and their starts have moved."""
    pieces: list[str] = []
    moved: dict[int, int] = {}
    position = length = 0
    for start, end in sorted(cuts):
        pieces.append(text[position:start])
        length += start - position
        moved[start] = moved[end] = length
        position = end
    return "".join([*pieces, text[position:]]), moved


def _span(start: int, end: int, tag: str) -> AnnotatedSpan:
    label, mark, entity = tag.partition("#")
    if start == end or (mark and not entity):
        raise RecordError("MalformedMarkup")
    return AnnotatedSpan(start, end, label, entity or None)


def _tag(span: AnnotatedSpan) -> str:
    return span.label if span.entity is None else f"{span.label}#{span.entity}"
