"""Trim names: remove greetings, verbs, titles, labels and punctuation around them."""

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.storage.yaml_text import parse_yaml

PERSON = "PERSON_NAME"
NAMES = frozenset((PERSON, "LOCATION", "ORGANIZATION_NAME"))
_CAREFUL = frozenset(("rules", "speaker_label"))
"""Detectors with edges defined by rules or the user's lists: only remove what cannot be part of a name."""

_MODEL = "model"
_WORD = re.compile(r"\S+")
_AROUND = " \t\r\n\f\v,;:!?\"()[]{}«»“”„*_-–—/.'’‘`"
_PARTICLES = frozenset(("de", "del"))
"""Lower-case "de" or "del" before a given name or a place, as in "Maria del Mar"."""
_PLACE = "LOCATION"
_COMMON_NAME = 2
"""Level of a given name that many have."""

_POSSESSIVE = ("'s", "’s")
_APOSTROPHES = frozenset("'’")
_SHORTEST_COMMON = 4
"""Fewest letters of a common word; shorter ones may be abbreviations, or particles of unlisted languages."""

_LONGEST_HALF = 2
"""Most letters after an apostrophe that are not a word of their own: it's, you'll."""


@built_once
def _word_lists() -> dict[str, frozenset[str]]:
    lists = parse_yaml((files(__package__) / "words.yaml").read_text(encoding="utf-8"))
    return {name: frozenset(several.split()) for name, several in lists.items()}


def words(name: str) -> frozenset[str]:
    """The words of one list of ``words.yaml``, in lower case."""
    return _word_lists()[name]


class _Lists(NamedTuple):
    before_persons: frozenset[str]
    before_names: frozenset[str]
    behind_persons: frozenset[str]
    labels: frozenset[str]
    behind_firms: frozenset[str]
    behind_places: frozenset[str]
    served: frozenset[str]
    in_names: frozenset[str]
    departments: frozenset[str]
    verbs: frozenset[str]
    behind_verbs: frozenset[str]


@built_once
def _lists() -> _Lists:
    before_names = words("leading")
    return _Lists(
        before_names | words("greetings") | words("articles") | words("titles") | words("labels"),
        before_names,
        words("labels") | words("trailing"),
        words("labels"),
        words("behind_firms"),
        words("behind_firms") | words("behind_places"),
        words("served"),
        words("in_names"),
        words("departments"),
        words("verbs_and_names"),
        words("after_verbs"),
    )


def trim_name(text: str, finding: Finding) -> Finding | None:
    """A name without what surrounds it; None if no part of it is a name."""
    start, end, info_type, _, detector = finding
    said = text[start:end]
    if said.strip(".").isalpha():
        alone = info_type == PERSON and said.strip(".").lower() in words("forms_of_address")
        return None if alone else finding
    lists = _lists()
    if detector in _CAREFUL:
        return _without_label(text, finding, lists) if " " in said and info_type == PERSON else finding
    found = list(_WORD.finditer(said))
    if not found:
        return None
    first, last = 0, len(found) - 1
    if last and _is_half_a_word(text, start, found[0][0]):
        first = 1
    if first < last:
        first, last = _inner(text, finding, [_plain(word[0]) for word in found], first, found, lists)
    if first > last:
        return None
    start, end = start + found[first].start(), start + found[last].end()
    if info_type == PERSON and text.endswith(_POSSESSIVE, start, end) and end - start > len("'s"):
        end -= len("'s")
    start, end = _without_signs(text, start, end)
    return finding._replace(start=start, end=end) if start < end else None


def _is_of_a_place(words: Sequence[str]) -> bool:
    """Whether a place begins behind "de"; where only a later word has a capital, it is an article of Danish."""
    begins = words[1][:1].isupper() or not any(word[:1].isupper() for word in words)
    return words[0] in _PARTICLES and begins


def _is_half_a_word(text: str, start: int, word: str) -> bool:
    return (
        start > 1
        and text[start - 1] in _APOSTROPHES
        and text[start - 2].isalnum()
        and len(word) <= _LONGEST_HALF
    )


def _inner(
    text: str,
    finding: Finding,
    plain_words: list[str],
    first: int,
    found: list[re.Match[str]],
    lists: _Lists,
) -> tuple[int, int]:
    """The first and last word of the actual name; first > last if there is none."""
    last = len(plain_words) - 1
    is_person = finding.info_type == PERSON
    before = lists.before_persons if is_person else lists.before_names
    addressed = lists.in_names if is_person and finding.detector == _MODEL else frozenset[str]()
    while first < last and plain_words[first] in before and plain_words[first] not in addressed:
        first += 1
    if is_person:
        while first < last and plain_words[last] in lists.behind_persons:
            last -= 1
        if first < last and plain_words[first] in lists.verbs:
            behind = _WORD.match(text, finding.end + 1)
            if behind and _plain(behind[0]) in lists.behind_verbs:
                first += 1
        if first < last and any(word[0][:1].isupper() for word in found[first : last + 1]):
            while first < last and _is_no_name(found[first][0]):
                first += 1
            while first < last and _is_no_name(found[last][0]):
                last -= 1
        if first < last and found[first][0] in _PARTICLES and _is_given(plain_words[first + 1]):
            first += 1
    else:
        if (
            first < last
            and finding.info_type == _PLACE
            and _is_of_a_place([word[0] for word in found[first:]])
        ):
            first += 1
        last = _end_of_firm_or_place(finding.info_type, found, first, last, lists)
    if 0 < first == last and plain_words[first] in before:
        first += 1
    return first, last


def _end_of_firm_or_place(
    info_type: str, found: list[re.Match[str]], first: int, last: int, lists: _Lists
) -> int:
    behind = lists.behind_places if info_type == "LOCATION" else lists.behind_firms
    while first < last:
        word = found[last][0]
        if word in behind:
            last -= 1
        elif (
            last - first > 1
            and word.lower() in lists.departments
            and found[last - 1][0].lower() in lists.served
        ):
            last -= 2
        else:
            break
    return last


def _is_given(word: str) -> bool:
    return bool(lexicon().given[kind_of(word)] >= _COMMON_NAME)


def _is_no_name(word: str) -> bool:
    return (
        len(word) >= _SHORTEST_COMMON and word[0].islower() and word.isalpha() and _belongs_to_no_name(word)
    )


@remembered
def _belongs_to_no_name(word: str) -> bool:
    """Whether a lower-case word next to capitalised names is a common word and in no list of names."""
    lists = lexicon()
    kind = kind_of(word)
    return bool(lists.word[kind].any()) and not (
        lists.given[kind] or lists.family[kind] or lists.is_in["particles"][kind]
    )


def _without_label(text: str, finding: Finding, lists: _Lists) -> Finding:
    end = finding.end
    while True:
        cut = text.rfind(" ", finding.start, end)
        if cut < 0 or _plain(text[cut + 1 : end]) not in lists.labels:
            break
        end = cut
    if end < finding.end:
        end = _without_signs(text, finding.start, end)[1]
    return finding._replace(end=end) if finding.start < end else finding


def _plain(word: str) -> str:
    return word.strip(_AROUND).lower()


def _without_signs(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without surrounding punctuation, except the full stop of an initial or abbreviation."""
    while start < end and text[start] in _AROUND:
        start += 1
    while start < end and text[end - 1] in _AROUND:
        if text[end - 1] == "." and _is_short(text, start, end - 1):
            break
        end -= 1
    return start, end


def _is_short(text: str, start: int, end: int) -> bool:
    begins = max(text.rfind(" ", start, end) + 1, start)
    return end - begins <= 3
