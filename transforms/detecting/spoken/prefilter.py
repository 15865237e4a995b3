"""Prefilter: conditions on counts that a stretch must meet to contain a spoken value.

They are necessary conditions of ``digit_runs`` and ``sequences``, which read a stretch word by word.
"""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.spoken.folded_column import DIGIT, Offsets
from tacenda.transforms.detecting.spoken.lexicon import Lexicon
from tacenda.transforms.detecting.spoken.run_thresholds import (
    LEAST_AROUND_MISHEARD,
    LEAST_CODE,
    LEAST_DIGITS,
    LEAST_FIGURES_APART,
    LEAST_LETTERS_APART,
    LEAST_LETTERS_TIED,
    LEAST_SINGLE_FIGURES_WITHOUT_PAUSE,
    LEAST_SPELLING_WORDS,
    LEAST_STRONG,
    LEAST_WRITTEN_PARTS,
    MOST_REPEATED,
)
from tacenda.transforms.detecting.spoken.token_table import Counts, TokenTable, byte_table
from tacenda.transforms.detecting.spoken.vocabulary import (
    ALPHABET,
    DIGIT_WORD,
    LARGE,
    LETTER_ALONE,
    MISHEARD,
    REPEAT,
    STRONG,
    TEN,
    UNIT,
    WEAK,
)

_REPEATED_AT_LEAST = 2
_LEAST_FIGURES_OF_CODE = 4
"""Groups of figures around one letter that may be a word ("a")."""

_TWO_LETTERS = byte_table("ai")
"""Letters often repeated in stutters; a spelled word has three different letters."""
_MAYBE_WORDS = byte_table("aeiouyåö")
"""Letters that are words in some language, or digits, and are dropped at the edges of a run."""
_HYPHENS = byte_table("-–")
_EVERY_SECOND = 2


def promising(tokens: TokenTable, elements: Offsets, begins: Offsets, words: Lexicon) -> Offsets:
    """The first elements of parts of stretches that may be a run: necessary conditions of ``digit_runs``."""
    if not len(begins):
        return elements
    begins = _parts(tokens, elements, begins)
    roles = tokens.roles[elements]
    bytes_ = tokens.bytes[elements]

    def count(amounts: npt.NDArray[np.generic]) -> Counts:
        sums: Counts = np.add.reduceat(amounts.astype(np.int64), begins)
        return sums

    def where(mask: int) -> Counts:
        return count((roles & mask) != 0)

    figures = tokens.kinds[elements] == DIGIT
    letter = (roles & LETTER_ALONE) != 0
    repeats, alphabet, spoken = where(REPEAT), where(ALPHABET), where(STRONG | WEAK | REPEAT)
    written, letters = count(figures), count(letter)
    figure_digits = np.where(figures, tokens.ends[elements] - tokens.starts[elements], 0)
    tens_with_ones, hyphens = _close_pairs(tokens, elements, begins)
    digits = count(tokens.digits(elements) + figure_digits) - tens_with_ones
    # An "o" among digits is a zero; letters that are not words make the run a code or a spelled word.
    zeros = count(letter & (bytes_ == ord("o")))
    plain = (count(letter & ~_MAYBE_WORDS[bytes_]) == 0) | (alphabet > 0)
    sure = where(STRONG) + _REPEATED_AT_LEAST * repeats + written
    said = (spoken > 0) & (digits + zeros >= LEAST_DIGITS)
    said &= (sure >= LEAST_STRONG) | ((written > 0) & (digits + zeros > LEAST_FIGURES_APART))
    many = written >= LEAST_WRITTEN_PARTS
    many &= (digits + zeros >= LEAST_FIGURES_APART) | (written + zeros >= LEAST_SINGLE_FIGURES_WITHOUT_PAUSE)
    many |= (written >= LEAST_WRITTEN_PARTS) & (where(MISHEARD) > 0)
    clear = count(letter & ~byte_table("".join(words.word_letters))[bytes_])
    code = (clear > 0) | (letters > 1) | (alphabet > 0) | (written >= _LEAST_FIGURES_OF_CODE)
    code |= (letters > 0) & (spoken > 0) & (written + spoken > 1)
    code &= (written + spoken > 0) & (digits + letters + alphabet >= LEAST_CODE) & (where(LARGE) == 0)
    apart = letters + (MOST_REPEATED - 1) * repeats
    varied = count(letter & ~_TWO_LETTERS[bytes_])
    spelled = (apart >= LEAST_LETTERS_TIED) & (letters > 1) & (varied > 0)
    spelled &= (apart >= LEAST_LETTERS_APART) | (hyphens >= LEAST_LETTERS_TIED - 1)
    spelled |= (alphabet > 0) & (letters + alphabet + repeats >= LEAST_SPELLING_WORDS)
    first: Offsets = elements[begins[((said | many) & plain) | code | spelled]]
    return first


def _parts(tokens: TokenTable, elements: Offsets, begins: Offsets) -> Offsets:
    """The starts of parts of stretches, split at words that merely sound like digits.

    Such words do not split among single digits or letters, with enough certain numbers around them.
    """
    roles = tokens.roles[elements]
    misheard = (roles & MISHEARD) != 0
    if not misheard.any():
        return begins
    starting = np.zeros(len(elements), dtype=np.bool_)
    starting[begins] = True
    single = ((roles & (LETTER_ALONE | ALPHABET | REPEAT | MISHEARD | DIGIT_WORD)) != 0) | (
        tokens.kinds[elements] == DIGIT
    )
    before = np.append(True, single[:-1]) | starting
    after = np.append(single[1:] | starting[1:], True)
    outside = misheard & ~(before & after)
    sure = ((roles & (STRONG | WEAK | REPEAT)) != 0) | (tokens.kinds[elements] == DIGIT)
    begins = np.flatnonzero(starting | outside | np.append(False, outside[:-1]))
    enough = np.add.reduceat(sure.astype(np.int64), begins) >= LEAST_AROUND_MISHEARD
    outside |= misheard & ~np.repeat(enough, np.diff(np.append(begins, len(elements))))
    return np.flatnonzero(starting | outside | np.append(False, outside[:-1]))


def _close_pairs(tokens: TokenTable, elements: Offsets, begins: Offsets) -> tuple[Counts, Counts]:
    """For each part, the numbers of pairs such as "twenty-three", and of those with a hyphen."""
    left, right = elements[:-1], elements[1:]
    hyphen = right - left == _EVERY_SECOND
    hyphen &= _HYPHENS[tokens.bytes[left + 1]]
    spaced = hyphen & (tokens.bytes[left + 1] == ord("-"))
    tens = ((tokens.roles[left] & TEN) != 0) & ((tokens.roles[right] & UNIT) != 0)
    tens &= (right - left == 1) | spaced
    counts = []
    for pairs in (tens, hyphen):
        inner = np.append(pairs, False)
        inner[begins[1:] - 1] = False
        counts.append(np.add.reduceat(inner.astype(np.int64), begins))
    return counts[0], counts[1]
