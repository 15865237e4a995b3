"""Words: runs of letters, digits and combining marks of a text, folded one to one; their hashes and shapes.

Everything between words counts as a space. In scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese)
every letter is a word of its own.

For dictionaries (``detecting/dictionaries/folding.py``), accents and ligatures are ignored as well, so that a
character becomes zero or more.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.machine_cache import contents, get_or_build
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import Bytes, Characters, Codes

Hashes = npt.NDArray[np.uint64]
Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

CODES = 0x110000  # the number of code points
SPACE = 0x20  # the folded form of everything outside of words
_TABULATED = 0x20000  # code points from here on (rare ideographs) are letters that need no folding

UNSPACED = (  # blocks of scripts without spaces between words
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip


@built_once
def fold_table() -> Codes:
    """Code points to folded ones; a space for characters outside of words. Built once a machine."""

    def made() -> Codes:
        fold = np.arange(CODES, dtype=np.uint32)
        fold[:_TABULATED] = [fold_code(code) for code in range(_TABULATED)]
        return fold

    return get_or_build(f"fold-{unicodedata.unidata_version}-{contents(__package__)}", made)


@built_once
def unspaced() -> Flags:
    """For each code point, whether its script has no spaces, so that every letter is a word."""
    unspaced = np.zeros(CODES, dtype=np.bool_)
    for first, last in UNSPACED:
        unspaced[first : last + 1] = True
    return unspaced


def fold_code(code: int) -> int:
    """The folded form of a code point."""
    character = chr(code)
    if not (character.isalnum() or unicodedata.category(character)[0] == "M"):
        return SPACE
    folded = character.casefold()
    return ord(folded if len(folded) == 1 else character.lower()[0])


_BASE = 0x9E6C63D0876A3F6B
"""B: odd, so that it has an inverse; 3 modulo 8, so that words with swapped letters still differ in 60
bits."""
_INVERSE = pow(_BASE, -1, 1 << 64)
_JOIN = np.uint64(0xD1342543DE82EF95)

_PIECE = 1 << 15  # code points hashed at once: a block that fits into a fast cache


def word_hashes(codes: Codes, starts: Offsets, ends: Offsets) -> Hashes:
    """The hash of each word ``codes[starts[i]:ends[i]]``.

    The words are in ascending order without overlaps; ``codes`` are folded, and none within a word is 0.
    """
    hashes = np.empty(len(starts), dtype=np.uint64)
    powers, inverses = _powers(_BASE, _PIECE), _powers(_INVERSE, _PIECE)
    first = 0
    while first < len(starts):
        origin = int(starts[first])
        # The words that end within a piece, or a single longer one.
        last = max(first + 1, int(np.searchsorted(ends, origin + _PIECE, side="right")))
        size = int(ends[last - 1]) - origin
        if size > _PIECE:
            powers, inverses = _powers(_BASE, size), _powers(_INVERSE, size)
        sums = np.zeros(size + 1, dtype=np.uint64)
        np.cumsum(codes[origin : origin + size] * powers[:size], out=sums[1:])
        begins = starts[first:last] - origin
        hashes[first:last] = (sums[ends[first:last] - origin] - sums[begins]) * inverses[begins]
        first = last
    return mixed(hashes)


def hashes_of(words: Sequence[str]) -> Hashes:
    """The hash of each of some folded words."""
    codes = np.frombuffer(" ".join(words).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)) + 1) - 1
    starts = np.zeros(len(words), dtype=np.int64)
    starts[1:] = ends[:-1] + 1
    return word_hashes(codes, starts, ends)


def joined(beginnings: Hashes, words: Hashes) -> Hashes:
    """The hash of each phrase, from its beginning (one or more words) and its next word."""
    return mixed(beginnings * _JOIN + words)


def mixed(values: Hashes) -> Hashes:
    """A bijection that maps close values far apart."""
    values = values ^ (values >> np.uint64(30))
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    values *= np.uint64(0x94D049BB133111EB)
    values ^= values >> np.uint64(31)
    return values


def _powers(base: int, count: int) -> Hashes:
    known = _POWERS.get(base)
    if known is not None and len(known) >= count:
        return known
    powers = np.full(count, base, dtype=np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, out=powers)


_POWERS: dict[int, Hashes] = {}
_POWERS.update({base: _powers(base, _PIECE) for base in (_BASE, _INVERSE)})


class Words:
    """Word ``i`` is ``starts[i]:ends[i]`` (code points) of a text; ``folded`` has a number per character."""

    def __init__(self, characters: Characters) -> None:
        self.characters = characters
        self.folded: Codes = fold_table()[characters.coded]
        letter = self.folded != SPACE
        bounds = np.zeros(len(letter) + 1, dtype=np.bool_)
        np.not_equal(letter[1:], letter[:-1], out=bounds[1:-1])
        if len(letter):
            bounds[0], bounds[-1] = letter[0], letter[-1]
        edges = np.flatnonzero(bounds)
        self.starts: Offsets = edges[::2].copy()
        self.ends: Offsets = edges[1::2].copy()
        self._split(letter)

    def __len__(self) -> int:
        return len(self.starts)

    def _split(self, letter: Flags) -> None:
        """Make a word of each letter of a script without spaces."""
        alone = np.flatnonzero(self.folded >= UNSPACED[0][0])
        alone = alone[unspaced()[self.characters.coded[alone]]]
        if not len(alone):
            return
        between = np.unique(np.concatenate((alone, alone + 1)))
        between = between[(between > 0) & (between < len(letter))]
        between = between[letter[between - 1] & letter[between]]
        self.starts = np.sort(np.concatenate((self.starts, between)))
        self.ends = np.sort(np.concatenate((self.ends, between)))

    @cached_property
    def hashes(self) -> Hashes:
        return word_hashes(self.folded, self.starts, self.ends)

    @cached_property
    def _folded_text(self) -> str:
        """The folded text, with spaces outside of words."""
        return self.folded.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")

    def word(self, i: int) -> str:
        return self._folded_text[self.starts[i] : self.ends[i]]


_MOST_BITS = 21


class HashIndex:
    """Offsets 1 … n of n distinct hashes in ascending order; 0 for every other hash.

    Hashes are evenly distributed, so their first bits lead close to them: about one comparison per word, a
    tenth of the time of a binary search. A hash takes 8 bytes, plus at most 8 for the index.
    """

    def __init__(self, hashes: Hashes) -> None:
        bits = min(max(len(hashes) - 1, 1).bit_length(), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        buckets = (hashes >> self._shift).astype(np.int64)
        counts = np.bincount(buckets, minlength=1 << bits)
        self._first = np.zeros((1 << bits) + 1, dtype=np.uint32)
        np.cumsum(counts, out=self._first[1:])
        # A sentinel greater than almost any hash, so that no search runs past the end.
        self._hashes = np.append(hashes, np.uint64(2**64 - 1))
        self._size = len(hashes)

    def __len__(self) -> int:
        return self._size

    def find(self, hashes: Hashes) -> Offsets:
        """The number of each hash, or 0."""
        place = self._first[(hashes >> self._shift).astype(np.int64)].astype(np.int64)
        near = self._hashes[place]
        numbers = np.where(near == hashes, place + 1, 0)
        left = np.flatnonzero(near < hashes)
        place, hashes = place[left], hashes[left]
        while len(left):
            place += 1
            near = self._hashes[place]
            met = near == hashes
            numbers[left[met]] = place[met] + 1
            further = near < hashes
            left, place, hashes = left[further], place[further], hashes[further]
        numbers[numbers > self._size] = 0
        return numbers


_INNER_CAPITAL = ("mc", "mac", "fitz", "de", "di", "van", "le", "la")
"""Prefixes of names with a second capital (McKenzie, DeLuca)."""

_SPACE, _HYPHEN = map(ord, " -")

_UPPER, _ODD, _STOP = 1, 2, 4


@dataclass(frozen=True, slots=True)
class WordShapes:
    """Arrays with one entry per word."""

    length: npt.NDArray[np.uint8]  # code points, 255 for more
    odd: Flags  # whether it has a digit
    capital: Flags
    camel: Flags  # whether it has a second capital, unlike McKenzie
    opens_sentence: Flags  # whether a full stop, a line break or nothing precedes it
    space: Flags
    """This and the following: whether this character alone separates the word from the next."""
    hyphen: Flags


def word_shapes(words: Words) -> WordShapes:
    """The shapes of the words of a text."""
    characters, starts, ends = words.characters, words.starts, words.ends
    codes = characters.coded
    marks = characters.through(_marks())
    places = np.flatnonzero(marks != 0)
    mark = marks[places]
    sizes = ends - starts

    opens_sentence = np.zeros(len(starts) + 1, dtype=np.bool_)
    opens_sentence[np.searchsorted(starts, places[mark == _STOP])] = True
    opens_sentence[0] = True

    odd = np.zeros(len(starts), dtype=np.bool_)
    digits = places[mark == _ODD]
    # Consecutive digits are in one word.
    digits = digits[np.append(True, np.diff(digits) > 1)[: len(digits)]]
    odd[np.searchsorted(starts, digits, side="right") - 1] = True

    begins_upper = marks[starts] == _UPPER
    camel = np.zeros(len(starts), dtype=np.bool_)
    several, uppers = _inner_capitals(words, places[mark == _UPPER])
    several = several[uppers + begins_upper[several] > 1]
    for beginning in _INNER_CAPITAL:
        several = several[~_begin_with(words, several, beginning)]
    camel[several] = True

    gap = np.zeros(len(starts), dtype=np.int64)
    np.subtract(starts[1:], ends[:-1], out=gap[:-1])
    gap[-1:] = len(codes) - ends[-1:]
    after = codes.take(ends, mode="clip")  # there is nothing after the last word of all
    return WordShapes(
        length=np.minimum(sizes, 255).astype(np.uint8),
        odd=odd,
        capital=begins_upper & ~odd,
        camel=camel,
        opens_sentence=opens_sentence[:-1],
        space=(gap == 1) & (after == _SPACE),
        hyphen=(gap == 1) & (after == _HYPHEN),
    )


def _inner_capitals(words: Words, uppers: Offsets) -> tuple[Offsets, Offsets]:
    """Words with capitals after their first letter, and the number of these."""
    inner = uppers[(words.folded[uppers - 1] != SPACE) & (uppers > 0)]
    of = np.searchsorted(words.starts, inner, side="right") - 1
    of = of[words.starts[of] != inner]
    first = np.flatnonzero(np.append(True, of[1:] != of[:-1])[: len(of)])
    return of[first], np.diff(np.append(first, len(of)))


def _begin_with(words: Words, several: Offsets, beginning: str) -> Flags:
    begin: Flags = (words.ends - words.starts)[several] >= len(beginning)
    for k, letter in enumerate(beginning):
        begin[begin] = words.folded[words.starts[several[begin]] + k] == ord(letter)
    return begin


@built_once
def _marks() -> Bytes:
    """Code point to its role: a capital, a digit, the end of a sentence; none beyond the basic plane."""
    table = np.zeros(0x10001, dtype=np.uint8)
    characters = np.arange(0x10000, dtype=np.uint32).view("U1")
    table[:-1][np.strings.isupper(characters) & np.strings.isalnum(characters)] = _UPPER
    table[[ord(c) for c in "0123456789ºª²³"]] = _ODD
    table[[ord(c) for c in '.!?:;\n"“”»«•|()[]{}…–—*>/\\=#~']] = _STOP
    return table
