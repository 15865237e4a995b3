"""Names end where the name does: one finding a person, without greetings, titles and verbs, in whole words."""

import re
from collections.abc import Iterator, Sequence

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.readable import line_ends_within

PERSON = "PERSON_NAME"
_PLACE, _FIRM = "LOCATION", "ORGANIZATION_NAME"
NAMES = frozenset((PERSON, _PLACE, _FIRM))

_CAREFUL = frozenset(("rules", "speaker_label"))
"""Detectors with edges defined by rules or the user's lists: only the label of a next field is removed."""

_WORD = re.compile(r"[^\s,]+")
_TOKEN = re.compile(r"\S+")
_AROUND = " \t\r\n\f\v,;:!?\"()[]{}«»“”„*_-–—/.'’‘`"
_SHORTEST_COMMON = 4
"""Fewest letters of a common word; shorter ones may be abbreviations, or particles of unlisted languages."""
_COMMON = 2  # lowest level of common names
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
    if again := _AGAIN.fullmatch(said):
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
        pair
        for part in _between(cuts, start, end)
        for name in _between(_listing_cuts(text, *part), *part)
        for pair in _pairs(text, *name)
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


def _pairs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a list without commas, "Ann Lee Bob Stone", where each word is clearly a given or a family name."""
    found = list(_WORD.finditer(text, start, end))
    if len(found) < 4 or len(found) % 2:
        yield start, end
        return
    lists, kinds = lexicon(), [kind_of(word[0].lower()) for word in found]
    given, family = lists.given[kinds], lists.family[kinds]
    if (given[::2] < _COMMON).any() or (family[::2] >= given[::2]).any() or (family[1::2] < _COMMON).any():
        yield start, end
        return
    for first, last in zip(found[::2], found[1::2], strict=True):
        yield first.start(), last.end()


def trim_name(text: str, finding: Finding) -> Finding | None:
    """A name without what surrounds it; None if no part of it is a name."""
    start, end, info_type, _, detector = finding
    is_person = info_type == PERSON
    if text[start:end].strip(".").isalpha():
        is_title = is_person and text[start:end].strip(".").lower() in word_list("forms_of_address")
        return None if is_title else finding
    found = list(_TOKEN.finditer(text, start, end))
    if detector in _CAREFUL:
        last = len(found) - 1
        while is_person and last > 0 and _plain(found[last][0]) in word_list("labels"):
            last -= 1
        return (
            finding
            if last == len(found) - 1
            else _without_signs(text, finding._replace(end=found[last].end()))
        )
    first, last = _of_person(found) if is_person else (0, len(found) - 1)
    if is_person and first < last and _plain(found[first][0]) in word_list("verbs_and_names"):
        behind = _TOKEN.match(text, end + 1)
        first += behind is not None and _plain(behind[0]) in word_list("after_verbs")  # "Ask Mark for it"
    if first > last:
        return None
    start, end = found[first].start(), found[last].end()
    if is_person and text.endswith(("'s", "’s"), start, end):
        end -= len("'s")
    return _without_signs(text, finding._replace(start=start, end=end))


def _of_person(found: Sequence[re.Match[str]]) -> tuple[int, int]:
    """The first and last word of a person's name; first > last if there is none."""
    before, behind = _before_people(), word_list("labels", "trailing")
    first, last = 0, len(found) - 1
    while first <= last and _plain(found[first][0]) in before and (first < last or last):
        first += 1
    while first < last and _plain(found[last][0]) in behind:
        last -= 1
    if any(word[0][:1].isupper() for word in found[first : last + 1]):
        while first < last and _is_no_name(found[first][0]):
            first += 1
        while first < last and _is_no_name(found[last][0]):
            last -= 1
    return first, last


@built_once
def _before_people() -> frozenset[str]:
    names = "leading", "greetings", "articles", "titles_trimmed", "labels"
    return word_list(*names) - word_list("in_names")


@remembered
def _is_no_name(word: str) -> bool:
    """Whether a lower-case word next to capitalised names is a common word and in no list of names."""
    if len(word) < _SHORTEST_COMMON or not word[0].islower() or not word.isalpha():
        return False
    lists, kind = lexicon(), kind_of(word)
    is_name = lists.given[kind] or lists.family[kind] or lists.is_in["particles"][kind]
    return bool(lists.word[kind].any()) and not is_name


def _plain(word: str) -> str:
    return word.strip(_AROUND).lower()


def _without_signs(text: str, finding: Finding) -> Finding | None:
    """A finding without surrounding punctuation, except the full stop of an initial or abbreviation."""
    said = text[finding.start : finding.end]
    inner = said.lstrip(_AROUND)
    kept = inner.rstrip(_AROUND)
    if inner.startswith(".", len(kept)) and len(kept.rsplit(" ", 1)[-1]) < 3:
        kept += "."
    start = finding.start + len(said) - len(inner)
    return finding._replace(start=start, end=start + len(kept)) if kept else None
