"""Pack what the lists know about a word into 64 bits, so that lists merge by bitwise or."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lists import Levels, Listed
from tacenda.transforms.text.words import Hashes

Packed = npt.NDArray[np.uint64]
Entries = tuple[Hashes, Packed]

_FIELDS = {
    "listed": (0, 1), "given": (1, 2), "family": (3, 2), "place": (5, 2), "organization": (7, 1),
    "opens": (8, 1), "opens_country": (9, 1), "goes_on": (10, 1), "composed": (11, 1),
    "classes": (12, 10), "word": (22, 42),
}  # fmt: skip
"""First bit and number of bits of each field."""

_BITS_OF_A_WORD = 3
"""Bits of a word's level in one language."""


def field(packed: Packed, name: str) -> Levels:
    """The values of one field."""
    first, bits = _FIELDS[name]
    values: Levels = ((packed >> np.uint64(first)) & np.uint64((1 << bits) - 1)).astype(np.uint8)
    return values


def classes(packed: Packed) -> npt.NDArray[np.intp]:
    """The number of each word's combination of closed classes."""
    first, bits = _FIELDS["classes"]
    values: npt.NDArray[np.intp] = ((packed >> np.uint64(first)) & np.uint64((1 << bits) - 1)).astype(np.intp)
    return values


def word_levels(packed: Packed, languages: int) -> Levels:
    """How common each word is: one column per language."""
    first = _FIELDS["word"][0]
    shifts = first + _BITS_OF_A_WORD * np.arange(languages, dtype=np.uint64)
    values: Levels = ((packed[:, None] >> shifts) & np.uint64(7)).astype(np.uint8)
    return values


def names(terms: Listed) -> Entries:
    """Words with their levels as given and as family names."""
    return terms.words, _put("given", terms.levels[:, 0]) | _put("family", terms.levels[:, 1]) | _LISTED


def words(terms: Listed) -> Entries:
    """Words with their level in each language."""
    packed = np.full(len(terms.words), _LISTED)
    assert terms.levels.shape[1] * _BITS_OF_A_WORD <= _FIELDS["word"][1], "a language more needs more bits"
    for language in range(terms.levels.shape[1]):
        packed |= _put("word", terms.levels[:, language], _BITS_OF_A_WORD * language)
    return terms.words, packed


def places(terms: Listed) -> Entries:
    """The words of places."""
    return _words_of(terms, _put("place", terms.levels[:, 0]), terms.levels[:, 0] == 3)


def organizations(terms: Listed) -> Entries:
    """The words of organisations."""
    several = len(terms.first)
    return _words_of(terms, _put("organization", np.ones(several)), np.zeros(several, dtype=np.bool_))


def members(hashes: Hashes, numbers: Sequence[int]) -> Entries:
    """Words of closed classes, with the number of their combination of classes."""
    assert max(numbers) < 1 << _FIELDS["classes"][1], "combinations of classes need more bits"
    return hashes, _put("classes", np.fromiter(numbers, np.uint64, len(hashes))) | _LISTED


def composed(hashes: Hashes) -> Entries:
    """Words composed of the syllables of given names."""
    return hashes, _put("composed", np.ones(len(hashes))) | _LISTED


def united(entries: Iterable[Entries]) -> Entries:
    """Each hash once, ascending, with all information combined."""
    several = list(entries)
    hashes = np.concatenate([h for h, _ in several])
    packed = np.concatenate([p for _, p in several])
    order = np.argsort(hashes)
    hashes = hashes[order]
    first = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1]))
    return hashes[first], np.bitwise_or.reduceat(packed[order], first)


def _words_of(terms: Listed, alone: Packed, countries: npt.NDArray[np.bool_]) -> Entries:
    """Fields of a one-word term; for longer terms, marks of their first two words as possible openings."""
    packed = np.full(len(terms.words), _LISTED)
    one = terms.counts == 1
    packed[terms.first[one]] |= alone[one]
    opening = terms.first[~one]
    packed[opening] |= _put("opens", np.ones(len(opening))) | _put("opens_country", countries[~one])
    packed[opening + 1] |= _put("goes_on", np.ones(len(opening)))
    return terms.words, packed


def _put(name: str, values: npt.NDArray[np.generic], shift: int = 0) -> Packed:
    packed: Packed = values.astype(np.uint64) << np.uint64(_FIELDS[name][0] + shift)
    return packed


_LISTED = np.uint64(1 << _FIELDS["listed"][0])
