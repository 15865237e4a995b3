"""Segment text into words: runs of letters, digits and combining marks, folded one to one.

Whatever stands between words counts as a space. In scripts written without spaces (Han, kana, Thai, Lao, Khmer,
Burmese) every letter is a word of its own.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.word_hash import Hashes, word_hashes

_SPACE = 0x20
_TABULATED = 0x20000
"""Code points from here on (rare ideographs) are letters that need no folding."""

_BYTE = 0x100

_LETTER, _SIGN, QUOTE = 0x9F, 0x81, 0x92
"""Control codes that stand for the few letters and signs beyond a byte in a text of bytes; a right quote, which
is also an apostrophe, has one of its own."""

_MICRO = 0xB5
"""The one letter of a byte that is folded beyond."""

_CONTROLS = bytes(range(0x80, 0xA0))

_FEW = 1 / 32
"""Share of such code points up to which a text is one of bytes."""

UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Blocks of scripts that do not put spaces between words."""

_PIECE = 1 << 19
"""Code points that are read at once where a text is long: their arrays fit into a core's cache."""

_WORD_BEGINS = re.compile(r"[\s!-/:-@\[-`{-~，。、！？][^\W_]")
"""A letter or digit behind a sign that is within no word."""

Codes = npt.NDArray[np.unsignedinteger]

_NONE = np.zeros(0, dtype=np.int64)
_NO_CODES = np.zeros(0, dtype=np.uint32)


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

    ``coded`` and ``folded`` have one number a code point: of one byte where hardly any is greater. Those that
    are stand at ``beyond``, and are ``codes_beyond``.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.beyond: npt.NDArray[np.int64] = _NONE
        self.codes_beyond: npt.NDArray[np.uint32] = _NO_CODES
        data = self._bytes()
        self.coded: Codes = self.codes if data is None else data
        self.folded: Codes = (
            _folding()[self.coded]
            if data is None
            else np.frombuffer(data.tobytes().translate(_folding_of_bytes()), dtype=np.uint8)
        )
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

    def _bytes(self) -> Codes | None:
        """The text as bytes, unless it holds too much else."""
        text = self._text
        data = text.encode("latin-1", "replace")
        coded: Codes = np.frombuffer(data, dtype=np.uint8)
        if text.isascii():
            return coded
        if len(data.translate(None, _CONTROLS)) < len(data):
            return None
        beyond = np.flatnonzero((coded == ord("?")) | (coded == _MICRO))
        if len(beyond) > _FEW * len(data):
            return None
        codes = np.array([ord(text[i]) for i in beyond.tolist()], dtype=np.uint32)
        if _unspaced()[codes].any():
            return None
        self.beyond, self.codes_beyond = beyond[codes != ord("?")], codes[codes != ord("?")]
        codes = self.codes_beyond
        coded = coded.copy()
        coded[self.beyond] = np.where(_folding()[codes] == _SPACE, _SIGN, _LETTER)
        coded[self.beyond[codes == ord("’")]] = QUOTE
        return coded

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
        return np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), dtype="<u4")

    @cached_property
    def hashes(self) -> Hashes:
        """The hash of each word."""
        hashes = word_hashes(self.folded, self.starts, self.ends)
        letters = self.beyond[self.folded[self.beyond] == _LETTER]
        if len(letters):
            words = np.unique(np.searchsorted(self.starts, letters, side="right") - 1)
            # These words alone are no text of bytes.
            alone = [self._text[self.starts[i] : self.ends[i]] for i in words.tolist()]
            hashes[words] = _Wide(" ".join(alone)).hashes
        return hashes

    @cached_property
    def text(self) -> str:
        """The folded text, a space where no word is."""
        if self.folded.itemsize == 1:
            text = self.folded.tobytes().decode("latin-1")
            parts: list[str] = []
            last = 0
            for i, code in zip(self.beyond.tolist(), _folding()[self.codes_beyond].tolist(), strict=True):
                parts += (text[last:i], chr(code))
                last = i + 1
            return "".join((*parts, text[last:]))
        return self.folded.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")

    def word(self, i: int) -> str:
        """One word, folded."""
        return self.text[self.starts[i] : self.ends[i]]

    @cached_property
    def words(self) -> list[str]:
        """All words, folded."""
        text = self.text
        return [text[i:j] for i, j in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


class _Wide(Segmentation):
    """The same, never of bytes."""

    def _bytes(self) -> None:
        return None


@built_once
def _folding() -> npt.NDArray[np.uint32]:
    """Code points to folded ones; a space for what is in no word."""
    fold = np.arange(0x110000, dtype=np.uint32)
    fold[:_TABULATED] = [_folded(code) for code in range(_TABULATED)]
    return fold


@built_once
def _folding_of_bytes() -> bytes:
    """The same for texts of bytes, which most are: they need no table of all that Unicode has."""
    folded = [_folded(code) for code in range(_BYTE)]
    folded[_LETTER] = folded[_MICRO] = _LETTER
    return bytes(folded)


@built_once
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
