"""Words: segment text into runs of letters, digits and combining marks, folded one to one.

Everything between words counts as a space. In scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese)
every letter is a word of its own.
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import LETTER, MICRO, Characters, Codes, Places
from tacenda.transforms.text.folding import SPACE, UNSPACED, fold_code, fold_table, unspaced
from tacenda.transforms.text.word_hash import Hashes, word_hashes


class Words:
    """Word ``i`` is ``starts[i]:ends[i]`` (code points) of a text.

    ``folded`` has one number per character: a byte in a byte text, where LETTER replaces greater ones.
    """

    def __init__(self, text: str, characters: Characters) -> None:
        self._text = text
        self.characters = characters
        self.folded: Codes = (
            np.frombuffer(characters.coded.tobytes().translate(_folding_of_bytes()), dtype=np.uint8)
            if characters.are_bytes
            else fold_table()[characters.coded]
        )
        letter = self.folded != SPACE
        bounds = np.zeros(len(letter) + 1, dtype=np.bool_)
        np.not_equal(letter[1:], letter[:-1], out=bounds[1:-1])
        if len(letter):
            bounds[0], bounds[-1] = letter[0], letter[-1]
        edges = np.flatnonzero(bounds)
        self.starts: Places = edges[::2].copy()
        self.ends: Places = edges[1::2].copy()
        if not characters.are_bytes:
            self._split(letter)

    def __len__(self) -> int:
        return len(self.starts)

    def _split(self, letter: npt.NDArray[np.bool_]) -> None:
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
        """The hash of each word."""
        hashes = word_hashes(self.folded, self.starts, self.ends)
        beyond = self.characters.beyond
        letters = beyond[self.folded[beyond] == LETTER]
        if len(letters):
            words = np.unique(np.searchsorted(self.starts, letters, side="right") - 1)
            # Hashed again on their own, not as a byte text.
            alone = " ".join([self._text[self.starts[i] : self.ends[i]] for i in words.tolist()])
            hashes[words] = Words(alone, Characters(alone, bytes=False)).hashes
        return hashes

    @cached_property
    def _folded_text(self) -> str:
        """The folded text, with spaces outside of words."""
        if not self.characters.are_bytes:
            return self.folded.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")
        text = self.folded.tobytes().decode("latin-1")
        parts: list[str] = []
        last = 0
        beyond, codes = self.characters.beyond, self.characters.codes_beyond
        for i, code in zip(beyond.tolist(), fold_table()[codes].tolist() if len(codes) else (), strict=True):
            parts += (text[last:i], chr(code))
            last = i + 1
        return "".join((*parts, text[last:]))

    def word(self, i: int) -> str:
        """One word, folded."""
        return self._folded_text[self.starts[i] : self.ends[i]]


@built_once
def _folding_of_bytes() -> bytes:
    """The fold table for byte texts, the usual case: they do not need the table of all Unicode."""
    folded = [fold_code(code) for code in range(256)]
    folded[LETTER] = folded[MICRO] = LETTER
    return bytes(folded)
