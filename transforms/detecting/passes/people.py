"""One finding a person: lists of people, and names that are said again or spelled, are split."""

import re
from collections.abc import Iterator, Sequence

from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.readable import line_ends_within

PERSON = "PERSON_NAME"

_WORD = re.compile(r"[^\s,]+")
_SEPARATOR = re.compile(r"\s*[\n\r;:|]\s*|\s+/\s+")
_AGAIN = re.compile(
    r"([^\W\d_]{2,}(?: [^\W\d_]{2,})*)[ ,.:]+"
    r"([^\W\d_](?:(?: as in [^\W\d_]+)?[-. ]+[^\W\d_](?![^\W\d_]))+(?: as in [^\W\d_]+)?\.?|\1)",
    re.IGNORECASE,
)
"""A name followed by its spelling, or said again: one person, but two mentions."""
_ONE = re.compile(r"[^ \n:]+|[^\s,;:|]+ [^\s,;:|]+")
"""One word, or two without a separator: one person."""
_IN_SURNAMES = frozenset(("y", "e", "i"))
"""Words for "and" that also occur within one person's name: Ramón y Cajal."""


def split_people(text: str, finding: Finding) -> list[Finding]:
    """One finding for each person of a PERSON_NAME: "Ann Lee and Bob Ray" are two."""
    start, end = finding.start, finding.end
    said = text[start:end]
    if not said.isalpha() and (again := _AGAIN.fullmatch(said)):
        return [finding._replace(end=start + again.end(1)), finding._replace(start=start + again.start(2))]
    if _ONE.fullmatch(said):
        return [finding]
    broken = line_ends_within(text, start, end)
    cuts = [
        cut.span()
        for cut in _SEPARATOR.finditer(text, start, end)
        if not any(cut.start() <= place < cut.end() for place in broken)
    ]
    parts = [
        name for part in _between(cuts, start, end) for name in _between(_listing_cuts(text, *part), *part)
    ]
    stripped = [(a + len(text[a:b]) - len(text[a:b].lstrip()), a + len(text[a:b].rstrip())) for a, b in parts]
    return [finding._replace(start=a, end=b) for a, b in stripped if a < b] if len(parts) > 1 else [finding]


def _between(cuts: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a range between cuts."""
    for first, last in sorted(cuts):
        if start < first:
            yield start, first
        start = last
    if start < end:
        yield start, end


def _listing_cuts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where a list of names is cut: at words for "and", and at commas with a name on both sides."""
    found = list(_WORD.finditer(text, start, end))
    cuts = [
        found[k].span()
        for k in range(1, len(found) - 1)
        if (word := found[k][0].lower()) in word_list("between")
        and len(found[k - 1][0]) > 1 < len(found[k + 1][0])
        and (k > 1 or found[0][0].rstrip(".").lower() not in word_list("honorifics_of_two"))
        and (word not in _IN_SURNAMES or 2 <= k < len(found) - 2)
    ]
    commas = [start + m.start() for m in re.finditer(",", text[start:end])]
    before = sum(word.start() < commas[0] for word in found) if commas else 0
    if cuts or len(commas) > 1 or 2 <= before <= len(found) - 2:
        for comma in commas:
            behind = next((word[0] for word in found if word.start() > comma), "")
            if behind.strip(".").lower() not in word_list("suffixes"):
                cuts.append((comma, comma + 1))
    return cuts
