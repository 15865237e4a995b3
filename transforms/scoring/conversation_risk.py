"""The risk score of one conversation: its distinct residual entities, each counted once.

After Gardiner et al., CALD-pseudo 2024, section 4.2: the sum of the tags' scores, partial ones halved;
repeated mentions of an entity count once. The paper counts spelling variants as one "if the annotators
determine it is most likely a reference to the same entity". Without annotators, words must sound alike in
consonants and vowels: John and Jane have the same consonants.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from tacenda.transforms.language.coverage import UNSPACED
from tacenda.transforms.linking.names import sound_key
from tacenda.transforms.linking.normalising import normalised_value, without_title
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.identifiability import NOTHING, Remains, remains_of
from tacenda.transforms.scoring.score_table import MISSED, ScoreTable, Unscored, Weight

_WORDS = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*")  # O'Brien and Anne-Marie are one word each


def is_lone_name(value: str) -> bool:
    """Whether a person's name is only a first or a last name, with or without a title.

    A name in a script without spaces counts as a whole name.

    >>> is_lone_name("Green"), is_lone_name("Mrs. Green's"), is_lone_name("Rachel Green")
    (True, True, False)
    """
    if UNSPACED.search(value):
        return False
    # Combining marks do not count as letters: separate accents, and the vowels of many scripts.
    letters = "".join(c for c in value if c.isascii() or unicodedata.category(c)[0] != "M")
    return len(_WORDS.findall(without_title(letters.strip().casefold()))) == 1


_SPELLING_MARKS = re.compile(r"[\s.\-\u2010-\u2015]+")


def variant_key(value: str) -> str:
    """The key of a lower-case name; equal for names that differ only in spelling.

    Letters with punctuation between them are one word. A value with non-Latin letters or digits is its own
    key: Metaphone does not support them, and would give all numbers one key.

    >>> variant_key("mark") == variant_key("marc") == variant_key("m-a-r-k")
    True
    >>> variant_key("john smith") == variant_key("jane smith")
    False
    """
    pieces = [piece for piece in _SPELLING_MARKS.split(value) if piece]
    words: list[str] = []
    for is_letter, group in groupby(map(_plain, pieces), key=lambda piece: len(piece) == 1):
        several = list(group)
        words += ["".join(several)] if is_letter else several
    if not words or not all(word.isascii() and word.isalpha() for word in words):
        return value
    return "~" + " ".join(map(sound_key, words))


def _plain(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


_INTERNATIONAL = re.compile(r"\s*(?:\+|00|011(?=\s))")
_NOT_DIGITS = re.compile(r"\D+")
_TRUNK = re.compile(r"\(0\)")
_NORTH_AMERICAN = re.compile(r"1([2-9]\d{9})")

Telephone = tuple[int, str]  # the country code, 0 if the number has none, and the remaining digits


def telephone(value: str) -> Telephone | None:
    """Parse a written number; None if it has fewer than six digits, as spoken ones do.

    >>> telephone("+46 (0)70-123 45 67"), telephone("070-1234567"), telephone("1-212-555-0100")
    ((46, '701234567'), (0, '701234567'), (1, '2125550100'))
    """
    value = _TRUNK.sub("", value)
    international = _INTERNATIONAL.match(value)
    digits = _NOT_DIGITS.sub("", value[international.end() :] if international else value)
    if len(digits) < 6:
        return None
    if international:
        import phonenumbers  # takes a while

        try:
            number = phonenumbers.parse(f"+{digits}", None)
        except phonenumbers.NumberParseException:
            return 0, digits.lstrip("0")
        return number.country_code or 0, str(number.national_number)
    if american := _NORTH_AMERICAN.fullmatch(digits):
        return 1, american[1]
    return 0, digits.lstrip("0")


def same_lines(numbers: Iterable[Telephone]) -> dict[Telephone, Telephone]:
    """For each number without a country code, the only other number with one and the same digits."""
    countries: dict[str, set[int]] = {}
    for country, digits in numbers:
        countries.setdefault(digits, set()).add(country)
    return {(0, digits): (max(of), digits) for digits, of in countries.items() if len(of) == 2 and 0 in of}


PERSON_NAME, PHONE = "PERSON_NAME", "PHONE"  # tags with special rules for their values


class TagCount(NamedTuple):
    """The number of a conversation's entities with one tag, and the points that they add."""

    tag: str
    partial: bool
    speaker: bool
    entities: int
    score: int


class ConversationRisk(NamedTuple):
    """``score`` is the sum over ``tags``, which are sorted by tag, speaker, partial.

    ``direct_identifier``: some direct identifier is entirely readable. ``unscored``: the number of residual
    findings of each known label that adds nothing by policy. ``remains`` are digests of what is left.
    """

    score: int
    tags: tuple[TagCount, ...]
    direct_identifier: bool
    unscored: tuple[tuple[str, int], ...]
    remains: Remains = NOTHING

    @property
    def names_somebody(self) -> bool:
        """Whether a person's name is readable, in whole or in part."""
        return any(tag.tag == PERSON_NAME for tag in self.tags)


def score_conversation(
    residuals: Sequence[Residual], table: ScoreTable, variant_clustering: bool = False
) -> ConversationRisk:
    """Score the residual findings of one conversation, in any order.

    Of findings that overlap in a text, the one with the greatest weight counts. Two findings with the same
    base tag are one entity if the annotator gave both the same entity id, or gave neither an id and their
    values are equivalent (``linking.normalising``; telephone numbers also with or without country code); an
    empty id counts as none, as for blank cells of a table. ``variant_clustering`` also joins names that sound
    alike (Mark, Marc, M-A-R-K). Empty values are never joined.

    A lone first or last name is partial whatever its label, unless the label is a reviewer's tag.

    Raises ``RecordError("UnknownTag")``.
    """
    if not residuals:
        return ConversationRisk(0, (), False, ())
    weights = table.weights
    weighed: list[tuple[Residual, Weight]] = []
    unscored: dict[str, int] = {}
    for residual in residuals:
        weight = weights[residual.label, residual.partial, residual.speaker]
        if isinstance(weight, Unscored):
            unscored[weight.label] = unscored.get(weight.label, 0) + 1
            continue
        is_name = weight.whole and weight.tag.name == PERSON_NAME and not residual.label.startswith(MISSED)
        if is_name and is_lone_name(residual.value):
            weight = weights[PERSON_NAME, True, False]
            assert isinstance(weight, Weight), "a tag of the table has a score"
        weighed.append((residual, weight))
    standing_ones = _once(weighed)
    forms: dict[Hashable, Weight] = {}
    for entity, weight in _entities(standing_ones, variant_clustering):
        forms[entity] = max(weight, forms.get(entity, weight))
    tags = sorted(
        (weight.tag.name, weight.speaker, weight.tag.partial, weight.score, count)
        for weight, count in Counter(forms.values()).items()
    )
    counted = tuple(
        TagCount(name, partial, speaker, count, count * score)
        for name, speaker, partial, score, count in tags
    )
    risk, direct = sum(tag.score for tag in counted), any(weight.direct for _, weight in weighed)
    return ConversationRisk(risk, counted, direct, tuple(sorted(unscored.items())), remains_of(standing_ones))


def _once(weighed: list[tuple[Residual, Weight]]) -> list[tuple[Residual, Weight]]:
    """Of overlapping findings, the one with the greatest weight; of equal ones the longer, then the first."""
    if len(weighed) < 2 or not any(residual.place for residual, _ in weighed):
        return weighed

    def order(one: tuple[Residual, Weight]) -> tuple[Hashable, ...]:
        (label, place), weight = (one[0].label, one[0].place), one[1]
        _, start, end = place or (0, 0, 0)
        return -weight.score, not weight.whole, not weight.speaker, start - end, place or (), label

    taken: dict[int, list[tuple[int, int]]] = {}
    left = []
    for one in sorted(weighed, key=order):
        if place := one[0].place:
            cell, start, end = place
            here = taken.setdefault(cell, [])
            # What is taken is disjoint, so starts and ends are in the same order.
            at = bisect_right(here, start, key=itemgetter(1))
            if at < len(here) and here[at][0] < end:
                continue
            here.insert(at, (start, end))
        left.append(one)
    return left


def _entities(
    weighed: Sequence[tuple[Residual, Weight]], variant_clustering: bool
) -> Iterable[tuple[Hashable, Weight]]:
    numbers = {
        position: number
        for position, (residual, weight) in enumerate(weighed)
        if weight.tag.name == PHONE and not residual.entity and (number := telephone(residual.value))
    }
    same = same_lines(numbers.values())
    for position, (residual, weight) in enumerate(weighed):
        value: Hashable
        if residual.entity:
            value = None
        elif position in numbers:
            value = same.get(numbers[position], numbers[position])
        else:
            key = normalised_value(weight.infotype, residual.value)
            # Two unreadable values cannot be compared, so each counts.
            value = (variant_key(key) if variant_clustering else key) or position
        yield (weight.tag.name, residual.entity or None, value), weight
