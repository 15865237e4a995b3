"""Fold characters one to one for comparing words, so that offsets do not change.

There are two other foldings. For dictionaries (``detecting/dictionaries/folding.py``), accents and ligatures
are ignored, so a character becomes zero or more. Spoken numbers (``detecting/spoken/tokens.py``) need
punctuation and the difference between digits and letters, and map the digits of all scripts to one.
"""

import unicodedata

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.machine_cache import contents, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once

CODES = 0x110000
"""The number of code points."""

SPACE = 0x20
"""The folded form of everything outside of words."""

_TABULATED = 0x20000  # code points from here on (rare ideographs) are letters that need no folding

UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Blocks of scripts without spaces between words."""


@built_once
def fold_table() -> npt.NDArray[np.uint32]:
    """Code points to folded ones; a space for characters outside of words. Built once a machine."""
    return get_or_build_anyway(f"fold-{unicodedata.unidata_version}-{contents(__package__)}", _folded_codes)


def _folded_codes() -> npt.NDArray[np.uint32]:
    fold = np.arange(CODES, dtype=np.uint32)
    fold[:_TABULATED] = [fold_code(code) for code in range(_TABULATED)]
    return fold


@built_once
def unspaced() -> npt.NDArray[np.bool_]:
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
    if len(folded) == 1:
        return ord(folded)
    return ord(character.lower()[0])
