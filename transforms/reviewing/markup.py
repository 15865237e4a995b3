"""The inline markup of reviewed transcripts: ``(text)[MISSED_TAG]``.

After Gardiner et al., CALD-pseudo 2024, table 2. Its table 3 and section 4.2 also print
``(text)(MISSED_TAG)``, with and without a space between, and ``(text)([MISSED_TAG])``. ``#`` and an entity
may follow the tag, to mark several places as the same person or thing:
``(Marc)[MISSED_PERSON_NAME_PARTIAL#2]``.
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
"""Groups: a tag after a closing parenthesis, in its three forms, or in words directly after it; a tag
anywhere else; a word in brackets that may be a misspelt MISSED; after a closing parenthesis, an infoType
without MISSED; directly after one, such a word in any case; a parenthesis."""

_HINT = re.compile(r"[(\[]\s*(?i:missed)_|[(\[{<]\s*M[A-Z]{3}|MISSED_|\)\s?[(\[{<][A-Z]|\)\[\s*m[a-z]{3}")


def parse(text: str) -> tuple[str, list[AnnotatedSpan]]:
    """Remove the markup from one cell: the plain text, and spans in its code points.

    The missed text starts at the parenthesis that balances the one before the tag, so it may contain
    parentheses and further markup; all other parentheses and brackets are kept. Tags are not looked up;
    spaces in them, as in the paper's table 6, become underscores. Spans are in the order of their starts,
    longer ones first. Linear in the length of the text.

    Raises: RecordError: ``MalformedMarkup`` for a tag without missed text, without an end, with space inside
        its brackets, or
            with an empty entity; and for anything that can only be a broken tag: MISSED misspelt, in other
            brackets or in none, an infoType without it after a closing parenthesis. As plain text, the
            reviewer's finding would be lost.
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
            spelled = tag[6:7] == "_" and " " not in tag
            found.append((start + 1, mark.start(), tag if spelled else re.sub("[ -]", "_", tag)))
            cuts += [(start, start + 1), mark.span()]
            continue
        if (
            mark[5]
            or (mark[6] and _is_misspelt(mark[6]))
            or (mark[7] and not TOKEN.fullmatch(mark[7].strip()))
            or (mark[8] and _is_misspelt(mark[8].upper()))
        ):
            raise RecordError("MalformedMarkup")
        # Not a tag after all: treat its first character as plain text, and examine the rest again.
        place = mark.start() + 1
        if text[mark.start()] == "(":
            opened.append(mark.start())
        elif text[mark.start()] == ")" and opened:
            opened.pop()
    plain, moved = _without(text, cuts)
    spans = [_span(moved[start], moved[end], tag) for start, end, tag in found]
    return plain, sorted(spans, key=lambda span: (span.start, -span.end))


def write(plain: str, spans: Iterable[AnnotatedSpan]) -> str:
    """Write spans into one cell's text as markup that ``parse`` reads back.

    Raises ``RecordError("UnwritableMarkup")`` if that is impossible: an empty span, spans that overlap
    without one containing the other, a label without ``MISSED_``, a span with an unbalanced parenthesis, a
    text that already looks like markup.
    """
    spans = sorted(spans, key=lambda span: (span.start, -span.end))
    # At one position, closings precede openings, and the inner of two closings (the later start) comes first.
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


def _is_misspelt(word: str) -> bool:
    """Whether a word is a misspelling of MISSED."""
    return word[0] == "M" and jellyfish.damerau_levenshtein_distance(word, "MISSED") <= 2


def _without(text: str, cuts: list[tuple[int, int]]) -> tuple[str, dict[int, int]]:
    """The text without the cuts, and the new positions of the cuts' starts and ends."""
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
