"""From the terms as a user wrote them to a TermTable."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from transforms.detecting.dictionaries.folding import APOSTROPHES, Folding
from transforms.detecting.dictionaries.table import END, TermTable
from transforms.detecting.dictionaries.words import FoldedWords, Offsets
from transforms.detecting.word_hash import Hashes, joined

_MERGED_AT_ONCE = 1 << 20

_INNER_APOSTROPHE = re.compile(rf"(?<=[^\W\d_])[{APOSTROPHES}](?=[^\W\d_])")


def compile_terms(blocks: Iterable[Sequence[str]], folding: Folding) -> TermTable:
    """The table of all terms, given some at a time; what has no letter or digit is no term.

    It takes 17 bytes a term more than the folded terms are long, and in between some 30 more.
    """
    # Arrays of bytes grow in place; lists of arrays would be there twice when they are joined.
    text, hashes, places = bytearray(), bytearray(), bytearray()
    openings = _Openings()
    for block in blocks:
        words = FoldedWords(_with_variants(block) if folding is Folding.LOOSE else block, folding)
        counts = np.diff(words.first_words)
        firsts = words.first_words[:-1][counts > 0]
        counts = counts[counts > 0]
        if not len(firsts):
            continue
        stored = np.append(words.data, np.uint8(END))
        stored[words.begins[firsts[1:]] - 1] = END
        hashes += _phrase_hashes(words, firsts, counts).tobytes()
        places += (words.begins[firsts] + len(text)).astype(np.uint64).tobytes()
        text += stored.tobytes()
        several = counts > 1
        openings.add(words.hashes[firsts[several]], counts[several])
    rising = np.frombuffer(hashes, dtype=np.uint64)
    order = np.argsort(rising, kind="stable")
    rising.sort()
    in_order = np.frombuffer(places, dtype=np.uint64)[order]
    opening, longest = openings.merged()
    return TermTable(
        rising, in_order, opening, longest.astype(np.uint32), np.frombuffer(text, dtype=np.uint8)
    )


def _phrase_hashes(words: FoldedWords, firsts: Offsets, counts: Offsets) -> Hashes:
    hashes = words.hashes[firsts]
    open_ = np.flatnonzero(counts > 1)
    length = 1
    while len(open_):
        hashes[open_] = joined(hashes[open_], words.following[firsts[open_] + length])
        length += 1
        open_ = open_[counts[open_] > length]
    return hashes


class _Openings:
    """Of how many words the longest term is that begins with a word, for each such word."""

    def __init__(self) -> None:
        self._several: list[tuple[Hashes, Offsets]] = []
        self._room = 0

    def add(self, hashes: Hashes, counts: Offsets) -> None:
        """The first words and the counts of some terms; each word may come again and again."""
        self._several.append((hashes, counts))
        self._room -= len(hashes)
        if self._room < 0:
            self._several = [self.merged()]
            self._room = _MERGED_AT_ONCE + len(self._several[0][0])

    def merged(self) -> tuple[Hashes, Offsets]:
        """Each word once, rising, with the highest of its counts."""
        hashes = np.concatenate([h for h, _ in self._several] or [np.zeros(0, dtype=np.uint64)])
        counts = np.concatenate([c for _, c in self._several] or [np.zeros(0, dtype=np.int64)])
        order = np.argsort(hashes, kind="stable")
        hashes, counts = hashes[order], counts[order]
        firsts = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)])
        return hashes[firsts], np.maximum.reduceat(counts, firsts) if len(firsts) else counts


def _with_variants(terms: Sequence[str]) -> list[str]:
    """The terms, and those with an apostrophe between letters without it, too: OBrien is O'Brien."""
    joined_terms = (_INNER_APOSTROPHE.sub("", term) for term in terms if _INNER_APOSTROPHE.search(term))
    return [*terms, *joined_terms]
