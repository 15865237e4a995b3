"""Vocabulary: the possible roles of words of several languages in a spoken run."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.spoken.folded_column import (
    LETTER,
    PADDING,
    Bytes,
    FoldedColumn,
    Offsets,
    folded,
)
from tacenda.transforms.detecting.spoken.lexicon import JOINERS, Lexicon, Part, lexicon
from tacenda.transforms.detecting.spoken.run_thresholds import MOST_REPEATED
from tacenda.transforms.storage.process_cache import built_once

Roles = npt.NDArray[np.uint32]
Words = npt.NDArray[np.uint64]

(
    STRONG, WEAK, MISHEARD, REPEAT, COMPOUND, DIGIT_WORD, UNIT, TEN, LARGE, JOINER, BEFORE_JOINER,
    ALPHABET, LETTER_ALONE, FILLER, CUE, MONTH, ORDINAL,
    DOT, UNDERSCORE, AT, OTHER_SIGN, FIRST_OF_SIGN, AFTER_SIGN, NATIVE,
) = (1 << bit for bit in range(24))  # fmt: skip
"""Roles, as bits. DIGIT_WORD is a single digit, and UNIT one that is not zero; LARGE is a hundred or more.

COMPOUND is a number of several parts in one word, which no vocabulary lists. FIRST_OF_SIGN and AFTER_SIGN
form the name of a sign with two words. NATIVE words identify their language.
"""

NUMBER = STRONG | WEAK | MISHEARD | REPEAT
ELEMENT = NUMBER | ALPHABET | LETTER_ALONE

_PARTS = {Part.MISHEARD: MISHEARD, Part.REPEAT: REPEAT} | dict.fromkeys(JOINERS, JOINER)
_BEFORE_JOINER = (Part.SCALE, Part.HUNDREDS, Part.TEN)
_SIGNS = {".": DOT, "_": UNDERSCORE, "@": AT}

_ANOTHER = "\u03c9"
"""Any letter that folds to OTHER_LETTER."""

_BEGINNING = 8
"""Bytes of a word used for its first look-up."""
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xC2B2AE3D27D4EB4F)
_SLOT_BITS = 16
_AT_ONCE = 1 << 14
"""Tokens looked up at once: a block that fits into a fast cache."""
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(_BEGINNING + 1)], dtype=np.uint64)


class Vocabulary:
    """The words of some languages, numbered from 1.

    ``roles[l, word]`` has the role bits of a word in ``languages[l]``, ``digits[l, word]`` its maximum number
    of digits; ``native[word]`` says that it identifies any of the languages. Two words may share a number, if
    they agree in length and their first sixteen letters, or by a rare chance: then both have the roles of
    either, so more text is read than necessary, never less.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        lexicons = [lexicon(language) for language in languages]
        first, *_ = lexicons
        entries = [dict(_entries(first, identify=()))]
        for words in lexicons[1:]:
            others = [first] if words.shared is None else [other for other in lexicons if other is not words]
            common = set(chain.from_iterable(map(_own, others))).union(words.shared or ())
            own = [word for word in _own(words) if word not in common and len(word) > 1]
            entries.append(dict(_entries(words, identify=own)))
        letters = {chr(byte) for byte in range(256) if chr(byte).isalpha()} | {_ANOTHER}
        spelled = sorted(letters.union(*entries))
        keys = _keys_of(spelled)
        self._keys, numbers = np.unique(keys, return_inverse=True)
        self.roles = np.zeros((len(languages), len(self._keys) + 1), dtype=np.uint32)
        self.digits = np.zeros(self.roles.shape, dtype=np.int32)
        self._letters = np.zeros(256, dtype=np.int16)
        for word, number in zip(spelled, (numbers + 1).tolist(), strict=True):
            if len(word) == 1:
                self._letters[ord(folded(word))] = number
            for k, known in enumerate(entries):
                roles, digits = known.get(word, (0, 0))
                self.roles[k, number] |= roles | (LETTER_ALONE if len(word) == 1 else 0)
                self.digits[k, number] = max(self.digits[k, number], digits)
        self.native = ((self.roles & NATIVE) != 0).any(axis=0)
        self._slots = np.zeros(1 << _SLOT_BITS, dtype=np.bool_)
        self._slots[_slot(_beginnings(*_laid_out(spelled)))] = True

    def numbers(self, column: FoldedColumn) -> npt.NDArray[np.int16]:
        """The number of each token's word, 0 if not in the vocabulary."""
        numbers = np.zeros(len(column.starts), dtype=np.int16)
        for first in range(0, len(numbers), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            self._look_up(
                column.data, column.starts[some], column.ends[some], column.kinds[some], numbers[some]
            )
        return numbers

    def _look_up(
        self, data: Bytes, starts: Offsets, ends: Offsets, kinds: Bytes, numbers: npt.NDArray[np.int16]
    ) -> None:
        lengths = ends - starts
        beginnings = _beginnings(data, starts, lengths)
        alone = lengths == 1
        likely = self._slots.take(_slot(beginnings))
        likely &= ~alone
        words = np.flatnonzero(likely)
        keys = _keys(data, starts[words], lengths[words])
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        known = self._keys[places] == keys
        numbers[words[known]] = places[known] + 1
        letters = np.flatnonzero(alone & (kinds == LETTER))
        numbers[letters] = self._letters[data[starts[letters]]]


@built_once
def vocabulary(languages: tuple[str, ...]) -> Vocabulary:
    """The vocabulary of some languages. Raises ``UserError`` for an unsupported language."""
    return Vocabulary(languages)


def _entries(words: Lexicon, identify: Iterable[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each word with its roles and digits; those that ``identify`` the language are native."""
    roles: dict[str, int] = {}

    def add(some: Iterable[str], role: int) -> None:
        for word in some:
            roles[word] = roles.get(word, 0) | role

    digits: dict[str, int] = {}
    for word, (part, value) in words.numbers.items():
        default = WEAK if word in words.weak else STRONG
        role = _PARTS.get(part, default)
        role |= BEFORE_JOINER if part in _BEFORE_JOINER else 0
        role |= {Part.SCALE: LARGE, Part.TEN: TEN, Part.UNIT: DIGIT_WORD}.get(part, 0)
        role |= UNIT if part is Part.UNIT and value != "0" else 0
        add([word], role)
        digits[word] = MOST_REPEATED if part is Part.REPEAT else len(value)
    add(words.alphabet, ALPHABET)
    add(words.fillers, FILLER)
    for word, sign in words.signs.items():
        add([word, *word.split("-")[:1]], _SIGNS.get(sign, OTHER_SIGN))
    add(words.long_signs, FIRST_OF_SIGN)
    add((phrase[1] for phrases in words.long_signs.values() for phrase, _ in phrases), AFTER_SIGN)
    add((phrase[0] for phrase in words.as_in), CUE)
    add(words.months, MONTH)
    add(words.ordinals, ORDINAL)
    add(identify, NATIVE)
    return ((word, (role, digits.get(word, 0))) for word, role in roles.items())


def _own(words: Lexicon) -> Iterator[str]:
    """Words that identify a language: its function words, numbers, months and signs."""
    yield from words.stops
    yield from words.introducers
    yield from words.numbers
    yield from words.ordinals
    yield from words.months
    yield from words.signs


# Words as 64-bit numbers.


def _laid_out(words: Sequence[str]) -> tuple[Bytes, Offsets, Offsets]:
    """Words one after another, in the layout of a column's text."""
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    data = folded("".join(words)) + bytes(PADDING)
    return np.frombuffer(data, dtype=np.uint8), np.cumsum(lengths) - lengths, lengths


def _keys_of(words: Sequence[str]) -> Words:
    return _keys(*_laid_out(words))


def _keys(data: Bytes, starts: Offsets, lengths: Offsets) -> Words:
    """Keys of words: sixteen of their letters, and the length."""
    ends = np.minimum(starts + _BEGINNING, len(data) - PADDING)
    rest = _beginnings(data, ends, np.maximum(lengths - _BEGINNING, 0))
    mixed = (_beginnings(data, starts, lengths) ^ (rest * _MIX)) * _SPREAD
    keys: Words = mixed ^ (mixed >> np.uint64(29)) ^ lengths.astype(np.uint64)
    return keys


def _beginnings(data: Bytes, starts: Offsets, lengths: Offsets) -> Words:
    """The first eight bytes of words."""
    from_here: Words = np.ndarray((len(data) - _BEGINNING + 1,), dtype="<u8", buffer=data, strides=(1,))
    words: Words = from_here[starts] & _MASKS[np.minimum(lengths, _BEGINNING)]
    return words


def _slot(words: Words) -> Words:
    slots: Words = (words * _SPREAD) >> np.uint64(64 - _SLOT_BITS)
    return slots
