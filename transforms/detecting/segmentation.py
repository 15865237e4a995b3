"""Words of a text: runs of letters, digits and combining marks, folded one code point to one code point.

Whatever stands between words counts as a space. In scripts written without spaces (Han, kana, Thai, Lao, Khmer,
Burmese) every letter is a word of its own.
"""

import unicodedata
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from transforms.detecting.word_hash import Hashes, word_hashes

_SPACE = 0x20
_TABULATED = 0x20000
"""Code points from here on (rare ideographs) are letters that need no folding."""

UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Blocks of scripts that do not put spaces between words."""

Codes = npt.NDArray[np.uint32]


class Segmentation:
    """The words of one text: word ``i`` stands at ``starts[i]:ends[i]`` (code points)."""

    def __init__(self, text: str) -> None:
        fold, unspaced = _tables()
        self.codes: Codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self.folded: Codes = fold[self.codes]
        letter = self.folded != _SPACE
        bounds = np.zeros(len(letter) + 1, dtype=np.bool_)
        bounds[1:-1] = letter[1:] != letter[:-1]
        if len(letter):
            bounds[0], bounds[-1] = letter[0], letter[-1]
        edges = np.flatnonzero(bounds)
        self.starts: npt.NDArray[np.int64] = edges[::2]
        self.ends: npt.NDArray[np.int64] = edges[1::2]
        if len(letter) and int(self.codes.max()) >= UNSPACED[0][0]:
            alone = unspaced[self.codes] & letter
            split = letter[1:] & letter[:-1] & (alone[1:] | alone[:-1])
            between = np.flatnonzero(split) + 1
            self.starts = np.sort(np.concatenate((self.starts, between)))
            self.ends = np.sort(np.concatenate((self.ends, between)))

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def hashes(self) -> Hashes:
        """The hash of each word."""
        return word_hashes(self.folded, self.starts, self.ends)

    @cached_property
    def text(self) -> str:
        """The folded text, a space where no word is."""
        return self.folded.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")

    def word(self, i: int) -> str:
        """One word, folded."""
        return self.text[self.starts[i] : self.ends[i]]

    @cached_property
    def words(self) -> list[str]:
        """All words, folded."""
        text = self.text
        return [text[i:j] for i, j in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


@lru_cache(maxsize=1)
def _tables() -> tuple[Codes, npt.NDArray[np.bool_]]:
    """Code point to folded code point (a space for what is in no word), and to whether it stands alone."""
    fold = np.arange(0x110000, dtype=np.uint32)
    fold[:_TABULATED] = [_folded(code) for code in range(_TABULATED)]
    unspaced = np.zeros(0x110000, dtype=np.bool_)
    for first, last in UNSPACED:
        unspaced[first : last + 1] = True
    return fold, unspaced


def _folded(code: int) -> int:
    character = chr(code)
    if not (character.isalnum() or unicodedata.category(character)[0] == "M"):
        return _SPACE
    folded = character.casefold()
    if len(folded) == 1:
        return ord(folded)
    return ord(character.lower()[0])
