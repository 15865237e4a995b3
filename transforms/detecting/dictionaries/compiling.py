"""Compile a user's terms into a TermTable."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from tacenda.transforms.detecting.dictionaries.folding import APOSTROPHES, Folding
from tacenda.transforms.detecting.dictionaries.table import END, TermTable
from tacenda.transforms.detecting.dictionaries.words import FoldedWords, Offsets
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import Hashes, joined

_JOINED_AT_ONCE = 1 << 22

_INNER_APOSTROPHE = re.compile(rf"[{APOSTROPHES}](?<=[^\W\d_].)(?=[^\W\d_])")


def compile_terms(blocks: Iterable[Sequence[str]], folding: Folding) -> TermTable:
    """Compile the terms, given in blocks, into a table; terms without a letter or digit are skipped.

    Memory: 17 bytes per term plus the folded terms, and temporarily some 20 bytes more per term.
    """
    # Byte arrays grow in place; joining a list of arrays would need twice the memory.
    text, hashes, places = bytearray(), bytearray(), bytearray()
    openings: list[Hashes] = []
    for block in blocks:
        terms = with_variants(block) if folding is Folding.LOOSE else block
        words = FoldedWords(TextColumn(terms), folding)
        counts = np.diff(words.first_words)
        firsts = words.first_words[:-1][counts > 0]
        counts = counts[counts > 0]
        if not len(firsts):
            continue
        stored = np.append(words.data, np.uint8(END))
        stored[words.begins[firsts[1:]] - 1] = END
        of_terms, of_beginnings = _phrase_hashes(words, firsts, counts)
        hashes += of_terms.tobytes()
        places += (words.begins[firsts] + len(text)).astype(np.uint64).tobytes()
        text += stored.tobytes()
        openings.append(of_beginnings)
        if sum(map(len, openings[1:])) > _JOINED_AT_ONCE + len(openings[0]):
            openings = [_distinct(openings)]
    rising = np.frombuffer(hashes, dtype=np.uint64)
    order = np.argsort(rising, kind="stable")
    rising.sort()
    in_order = np.frombuffer(places, dtype=np.uint64)[order]
    return TermTable(rising, in_order, _distinct(openings), np.frombuffer(text, dtype=np.uint8))


def _phrase_hashes(words: FoldedWords, firsts: Offsets, counts: Offsets) -> tuple[Hashes, Hashes]:
    """The hashes of terms, given by first word and number of words, and of all their proper prefixes."""
    hashes = words.hashes[firsts]
    openings = []
    open_ = np.flatnonzero(counts > 1)
    length = 1
    while len(open_):
        openings.append(hashes[open_])
        hashes[open_] = joined(hashes[open_], words.following[firsts[open_] + length])
        length += 1
        open_ = open_[counts[open_] > length]
    return hashes, _distinct(openings)


def _distinct(several: Sequence[Hashes]) -> Hashes:
    rising: Hashes = np.sort(np.concatenate(several)) if several else np.zeros(0, dtype=np.uint64)
    distinct: Hashes = rising[np.append(True, rising[1:] != rising[:-1])[: len(rising)]]
    return distinct


def with_variants(terms: Sequence[str]) -> Sequence[str]:
    """The terms, plus a variant without apostrophes of those that have one between letters (OBrien)."""
    places = [match.start() for match in _INNER_APOSTROPHE.finditer("\n".join(terms))]
    if not places:
        return terms
    ends = list(accumulate(len(term) + 1 for term in terms))
    spelled = sorted({bisect_right(ends, place) for place in places})
    return [*terms, *(_INNER_APOSTROPHE.sub("", terms[i]) for i in spelled)]
