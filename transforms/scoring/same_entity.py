"""When marks mean one entity: lone names, spelling variants, telephone numbers, marks that overlap.

The paper counts spelling variants as one "if the annotators determine it is most likely a reference to the
same entity" (Gardiner et al., CALD-pseudo 2024, section 4.2). Without annotators, words must sound alike in
consonants and vowels: John and Jane have the same consonants.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby

from tacenda.transforms.language.coverage import UNSPACED
from tacenda.transforms.linking.names import sound_key
from tacenda.transforms.linking.normalising import without_title
from tacenda.transforms.schema.residual import Place

_WORDS = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*")
"""O'Brien and Anne-Marie are one word each."""


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

Telephone = tuple[int, str]
"""The country code, 0 if the number has none, and the remaining digits."""


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


def standing(places: Sequence[Place | None], heaviest_first: Iterable[int]) -> list[int]:
    """The marks that count: those that overlap none that was selected before.

    Args:
        places: the position of each mark; None for one without a position, which overlaps nothing.
        heaviest_first: the indexes of the marks, in order of selection.

    Returns:
        The selected indexes, in that order.
    """
    taken: dict[int, tuple[list[int], list[int]]] = {}
    left: list[int] = []
    for mark in heaviest_first:
        place = places[mark]
        if place is not None:
            cell, start, end = place
            starts, ends = taken.setdefault(cell, ([], []))
            # Selected marks are disjoint, so starts and ends are in the same order.
            at = bisect_left(ends, start + 1)
            if at < len(starts) and starts[at] < end:
                continue
            starts.insert(at, start)
            ends.insert(at, end)
        left.append(mark)
    return left
