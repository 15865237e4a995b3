"""Folding of characters to characters, as words are compared: one for one, so that places stay what they are.

Two foldings are others and stand elsewhere. To dictionaries (``detecting/dictionaries/folding.py``) accents and
ligatures are no difference, so that a character becomes none or several. Spoken numbers
(``detecting/spoken/folded_column.py``) need signs and what tells digits from letters, and write the digits of
all scripts alike.
"""

import unicodedata

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.process_cache import built_once

CODES = 0x110000
"""How many code points there are."""

SPACE = 0x20
"""What everything is folded to that is in no word."""

_TABULATED = 0x20000
"""Code points from here on (rare ideographs) are letters that need no folding."""

UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Blocks of scripts that do not put spaces between words."""


@built_once
def fold_table() -> npt.NDArray[np.uint32]:
    """Code points to folded ones; a space for what is in no word."""
    fold = np.arange(CODES, dtype=np.uint32)
    fold[:_TABULATED] = [fold_code(code) for code in range(_TABULATED)]
    return fold


@built_once
def unspaced() -> npt.NDArray[np.bool_]:
    """Code point to whether it is of a script without spaces, where every letter stands alone."""
    unspaced = np.zeros(CODES, dtype=np.bool_)
    for first, last in UNSPACED:
        unspaced[first : last + 1] = True
    return unspaced


def fold_code(code: int) -> int:
    """What a code point is folded to."""
    character = chr(code)
    if not (character.isalnum() or unicodedata.category(character)[0] == "M"):
        return SPACE
    folded = character.casefold()
    if len(folded) == 1:
        return ord(folded)
    return ord(character.lower()[0])
