"""Words of a text: runs of letters, digits and combining marks, folded one code point to one code point.

Whatever stands between words counts as a space. In scripts written without spaces (Han, kana, Thai, Lao, Khmer,
Burmese) every letter is a word of its own.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from transforms.detecting.word_hash import Hashes, word_hashes

_SPACE = 0x20
_TABULATED = 0x20000
"""Code points from here on (rare ideographs) are letters that need no folding."""

_BYTE = 0x100

UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Blocks of scripts that do not put spaces between words."""

_PIECE = 1 << 17
"""Code points that are read at once where a text is long: their arrays fit into a core's cache."""

_WORD_BEGINS = re.compile(r"[\s!-/:-@\[-`{-~，。、！？][^\W_]")
"""A letter or digit behind a sign that is within no word."""

Codes = npt.NDArray[np.unsignedinteger]


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """A text in pieces of some size, each with its origin; all but the first begin with a word."""
    start = 0
    while start < len(text):
        cut = _WORD_BEGINS.search(text, start + _PIECE)
        stop = cut.start() + 1 if cut else len(text)
        yield start, text[start:stop]
        start = stop


class Segmentation:
    """The words of one text: word ``i`` stands at ``starts[i]:ends[i]`` (code points).

    ``coded`` and ``folded`` have one number a code point: of one byte where the text has no greater ones.
    """

    def __init__(self, text: str) -> None:
        self.coded, self.folded = _coded(text)
        letter = self.folded != _SPACE
        bounds = np.zeros(len(letter) + 1, dtype=np.bool_)
        np.not_equal(letter[1:], letter[:-1], out=bounds[1:-1])
        if len(letter):
            bounds[0], bounds[-1] = letter[0], letter[-1]
        edges = np.flatnonzero(bounds)
        self.starts: npt.NDArray[np.int64] = edges[::2].copy()
        self.ends: npt.NDArray[np.int64] = edges[1::2].copy()
        if self.folded.itemsize > 1:
            self._split(letter)

    def __len__(self) -> int:
        return len(self.starts)

    def _split(self, letter: npt.NDArray[np.bool_]) -> None:
        """Make a word of each letter of a script without spaces."""
        alone = np.flatnonzero(self.folded >= UNSPACED[0][0])
        alone = alone[_unspaced()[self.coded[alone]]]
        if not len(alone):
            return
        between = np.unique(np.concatenate((alone, alone + 1)))
        between = between[(between > 0) & (between < len(letter))]
        between = between[letter[between - 1] & letter[between]]
        self.starts = np.sort(np.concatenate((self.starts, between)))
        self.ends = np.sort(np.concatenate((self.ends, between)))

    @cached_property
    def codes(self) -> npt.NDArray[np.uint32]:
        """The code points of the text."""
        return self.coded.astype(np.uint32, copy=False)

    @cached_property
    def hashes(self) -> Hashes:
        """The hash of each word."""
        return word_hashes(self.folded, self.starts, self.ends)

    @cached_property
    def text(self) -> str:
        """The folded text, a space where no word is."""
        if self.folded.itemsize == 1:
            return self.folded.tobytes().decode("latin-1")
        return self.folded.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")

    def word(self, i: int) -> str:
        """One word, folded."""
        return self.text[self.starts[i] : self.ends[i]]

    @cached_property
    def words(self) -> list[str]:
        """All words, folded."""
        text = self.text
        return [text[i:j] for i, j in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def _coded(text: str) -> tuple[Codes, Codes]:
    """The code points of a text, and folded."""
    fold, to_byte, to_more = _tables()
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:
        data = None
    if data is not None and (text.isascii() or not any(code in data for code in to_more)):
        return np.frombuffer(data, dtype=np.uint8), np.frombuffer(data.translate(to_byte), dtype=np.uint8)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return codes, fold[codes]


@lru_cache(maxsize=1)
def _tables() -> tuple[npt.NDArray[np.uint32], bytes, bytes]:
    """Code points to folded ones (a space for what is in no word); the same for those of one byte.

    The third are those of one byte that are folded to greater ones.
    """
    fold = np.arange(0x110000, dtype=np.uint32)
    fold[:_TABULATED] = [_folded(code) for code in range(_TABULATED)]
    more = np.flatnonzero(fold[:_BYTE] >= _BYTE)
    to_byte = np.where(fold[:_BYTE] >= _BYTE, 0, fold[:_BYTE]).astype(np.uint8)
    return fold, to_byte.tobytes(), bytes(more.tolist())


@lru_cache(maxsize=1)
def _unspaced() -> npt.NDArray[np.bool_]:
    """Code point to whether it stands alone."""
    unspaced = np.zeros(0x110000, dtype=np.bool_)
    for first, last in UNSPACED:
        unspaced[first : last + 1] = True
    return unspaced


def _folded(code: int) -> int:
    character = chr(code)
    if not (character.isalnum() or unicodedata.category(character)[0] == "M"):
        return _SPACE
    folded = character.casefold()
    if len(folded) == 1:
        return ord(folded)
    return ord(character.lower()[0])
