"""What the independent detector sees of each word: its letters, its form, and the words beside it.

Features are hashed into buckets (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML
2009). They depend on the turn alone, so a word has the same ones in any batch.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import mixed

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

BUCKETS_LOG2 = 15
NUMBER = 22
"""Features of each word."""

_LONGEST_AFFIX = 4
_MOST_LETTERS, _MOST_DIGITS = 7, 7
_TABLE = 1 << 16


class WordFeatures(NamedTuple):
    """The words of a column: cell, place in it in code points, and buckets (words, ``NUMBER``)."""

    cells: Ints
    starts: Ints
    ends: Ints
    buckets: npt.NDArray[np.int32]


def word_features(column: TextColumn) -> WordFeatures:
    """The features of all words of a column."""
    words = column.words
    starts, ends = words.starts, words.ends
    cells = column.cells(starts)
    count = len(starts)
    codes = np.frombuffer(column.text.encode("utf-32-le", "surrogatepass"), "<u4")
    lowered = _lowered()[np.minimum(codes, _TABLE - 1)].astype(np.uint64)
    form = _forms(column, codes)
    heads, tails = _affixes(lowered, starts, ends)
    word = words.hashes
    whole = heads[3]

    def beside(values: Hashes, step: int) -> Hashes:
        """The value of a word before or behind, within the same cell; 0 if there is none."""
        moved = np.zeros(count, np.uint64)
        if 0 < abs(step) < count:
            here, there = (
                (slice(None, -step), slice(step, None))
                if step > 0
                else (
                    slice(-step, None),
                    slice(None, step),
                )
            )
            moved[here] = np.where(cells[here] == cells[there], values[there], 0)
        return moved

    before, after = beside(word, -1), beside(word, 1)
    second_before, second_after = beside(word, -2), beside(word, 2)
    form_before, form_after = beside(form, -1), beside(form, 1)
    parts = (
        (word,),
        (word, form),
        (before,),
        (after,),
        (second_before,),
        (second_after,),
        (before, form),
        (after, form),
        (second_before, before),
        (after, second_after),
        (heads[1],),
        (heads[2],),
        (whole,),
        (tails[1], form),
        (tails[2],),
        (tails[3],),
        (form,),
        (form, form_before),
        (form, form_after),
        (form_before, form, form_after),
        (beside(tails[2], -1), form),
        (beside(heads[2], 1), form),
    )
    buckets = np.empty((count, NUMBER), np.int32)
    for k, part in enumerate(parts):
        value = np.full(count, k + 1, np.uint64)
        for one in part:
            value = mixed(value * np.uint64(0x9E3779B97F4A7C15) + one)
        buckets[:, k] = value >> np.uint64(64 - BUCKETS_LOG2)
    origins = column.origins[cells]
    return WordFeatures(cells, starts - origins, ends - origins, buckets)


def _affixes(codes: Hashes, starts: Ints, ends: Ints) -> tuple[list[Hashes], list[Hashes]]:
    """Hashes of the first and the last one to four letters of each word."""
    heads, tails = [], []
    head, tail = np.zeros(len(starts), np.uint64), np.zeros(len(starts), np.uint64)
    base = np.uint64(0x100000001B3)
    for k in range(_LONGEST_AFFIX):
        there = starts + k < ends
        head = head * base + np.where(there, codes[np.minimum(starts + k, ends - 1)], 0)
        tail = tail * base + np.where(there, codes[np.maximum(ends - 1 - k, starts)], 0)
        heads.append(head)
        tails.append(tail)
    return heads, tails


def _forms(column: TextColumn, codes: npt.NDArray[np.uint32]) -> Hashes:
    """Capitals, digits, length and the characters beside each word, as one number."""
    words, shapes = column.words, column.word_shapes
    starts, ends = words.starts, words.ends
    kinds = _kinds()[np.minimum(codes, _TABLE - 1)]
    digits = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(kinds == _DIGIT, out=digits[1:])
    numbers = np.minimum(digits[ends] - digits[starts], _MOST_DIGITS)
    lengths = np.minimum(ends - starts, _MOST_LETTERS)
    padded = np.concatenate((np.array([_BREAK], np.uint8), kinds, np.array([_BREAK], np.uint8)))
    behind, ahead = padded[ends + 1], padded[starts]
    form = np.zeros(len(starts), np.int64)
    for flags, size in (
        (shapes.capital, 2),
        (shapes.shouted, 2),
        (shapes.camel, 2),
        (shapes.opens_sentence, 2),
        (numbers, _MOST_DIGITS + 1),
        (lengths, _MOST_LETTERS + 1),
        (behind, _KINDS),
        (ahead, _KINDS),
    ):
        form = form * size + flags
    return (form + 1).astype(np.uint64)


_BREAK, _SPACE, _DIGIT, _LETTER, _DOT, _COMMA, _APOSTROPHE, _HYPHEN, _AT, _OTHER = range(10)
_KINDS = 10


@built_once
def _lowered() -> npt.NDArray[np.uint32]:
    """Each code point of the basic plane in lower case, if that is one code point."""
    return np.array(
        [ord(low) if len(low := chr(code).lower()) == 1 else code for code in range(_TABLE)], np.uint32
    )


@built_once
def _kinds() -> npt.NDArray[np.uint8]:
    """What each code point of the basic plane is beside a word."""
    kinds = np.full(_TABLE, _OTHER, np.uint8)
    for code in range(_TABLE):
        if chr(code).isalpha():
            kinds[code] = _LETTER
    for characters, kind in (
        ("\n", _BREAK),
        (" \t\u00a0", _SPACE),
        ("0123456789", _DIGIT),
        (".!?", _DOT),
        (",;:", _COMMA),
        ("'’", _APOSTROPHE),
        ("-–", _HYPHEN),
        ("@_#/", _AT),
    ):
        for character in characters:
            kinds[ord(character)] = kind
    return kinds
