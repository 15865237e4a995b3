"""Find the windows of a column that may contain spoken values in a language.

Every run has a seed: a promising stretch of numbers or letters, a month next to a day, or the spoken name of
an address sign. Only the windows around seeds are read word by word.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.spoken.addresses import GLUED_TOPS, glued_hosts
from tacenda.transforms.detecting.spoken.candidate_runs import Stretches
from tacenda.transforms.detecting.spoken.folded_column import (
    DIGIT,
    LETTER,
    NEWLINE,
    FoldedColumn,
    Offsets,
    folded,
)
from tacenda.transforms.detecting.spoken.lexicon import Lexicon, address_words
from tacenda.transforms.detecting.spoken.numbers import number_word
from tacenda.transforms.detecting.spoken.token_table import Flags, TokenTable, among, byte_table
from tacenda.transforms.detecting.spoken.tokens import Token, folded_word, tokens_at
from tacenda.transforms.detecting.spoken.vocabulary import (
    AFTER_SIGN,
    AT,
    CUE,
    DOT,
    ELEMENT,
    FIRST_OF_SIGN,
    LETTER_ALONE,
    MONTH,
    NUMBER,
    ORDINAL,
    OTHER_SIGN,
    STRONG,
    UNDERSCORE,
    WEAK,
)
from tacenda.transforms.storage.process_cache import built_once

_AROUND_STRETCH = (3, 3)
"""Units of context read before and after a seed."""
_AROUND_SPELLING = (3, 7)
_AROUND_DATE = (6, 10)
_AROUND_ADDRESS = (20, 14)

_DATE, _ADDRESS = 2, 3

_DAY_REACH = 2
_YEAR_REACH = 5
_SIGN_REACH = 14
_AT_REACH = 8
_LEAST_COMPOUND = 5
_LEAST_AS_IN = 3
_LEAST_GLUED, _LONGEST_GLUED = 6, 20
_EDGE = 2
"""Letters at both ends of a compound that are tested before the compound itself."""


_SIGNS = byte_table(".@")
_CUE_MARKS = byte_table(",-.")
_LAST_OF_TOP = byte_table("".join(top[-1] for top in GLUED_TOPS))
_TOP_BEGINNINGS = np.zeros((256, 256), dtype=np.bool_)
for _top in GLUED_TOPS:
    _TOP_BEGINNINGS[ord(_top[0]), ord(_top[1])] = True


_folded_of = attrgetter("folded")


class Window(NamedTuple):
    """A part of cell ``cell``, as tokens with their positions in the cell.

    Numbers and letters can only begin at the tokens in ``elements``; a line ends before those in ``lines``.
    ``dates`` and ``addresses`` say what else may occur in the window.
    """

    cell: int
    tokens: Sequence[Token]
    elements: Sequence[int]
    lines: frozenset[int]
    dates: bool
    addresses: bool


class LanguageSeeds:
    """The seeds of one language in some conversations of a column.

    Args:
        column: the texts.
        tokens: those of the conversations, as this language sees them.
        words: the language.
    """

    def __init__(self, column: FoldedColumn, tokens: TokenTable, words: Lexicon) -> None:
        self._column = column.column
        self._data = column.data
        self._tokens = tokens
        self._words = words
        if words.compound is not None:
            tokens.mark(self._compounds())
        self._stretches = Stretches(tokens, words)

    def windows(self) -> Iterator[Window]:
        """The parts to be read, in order and without overlap."""
        places = (
            (self._stretches.promising, _AROUND_STRETCH),
            (self._spellings(), _AROUND_SPELLING),
            (self._dates(), _AROUND_DATE),
            (self._addresses(), _AROUND_ADDRESS),
        )
        seeds = np.concatenate([some for some, _ in places])
        if not len(seeds):
            return
        order = np.argsort(seeds, kind="stable")
        seeds = seeds[order]
        kinds = np.repeat(np.arange(len(places)), [len(some) for some, _ in places])[order]
        reach = np.array([around for _, around in places])[kinds]
        yield from self._around(seeds, reach, kinds == _DATE, kinds == _ADDRESS)

    def _around(self, seeds: Offsets, reach: Offsets, dates: Flags, addresses: Flags) -> Iterator[Window]:
        """The units around each seed, ``reach`` of them, within its cell; overlapping windows are merged."""
        tokens, first = self._tokens, self._column.origins
        cells = self._column.cells(tokens.starts[seeds])
        units = self._stretches.units(seeds)
        begin = self._stretches.first_tokens(np.maximum(units - reach[:, 0], 0))
        last = np.minimum(self._stretches.last_tokens(units + reach[:, 1]), len(tokens.starts) - 1)
        starts = np.maximum(tokens.starts[begin], first[cells])
        stops = np.minimum(tokens.ends[last], first[cells + 1] - 1)
        starts = np.minimum.accumulate(starts[::-1])[::-1]
        begins = np.flatnonzero(np.append(True, starts[1:] > np.maximum.accumulate(stops)[:-1]))
        cells = cells[begins]
        firsts = np.searchsorted(tokens.starts, starts[begins])
        lasts = np.searchsorted(tokens.starts, np.maximum.reduceat(stops, begins))
        for cell, parts, date, address in zip(
            cells.tolist(),
            self._read(firsts, lasts, first[cells]),
            np.logical_or.reduceat(dates, begins).tolist(),
            np.logical_or.reduceat(addresses, begins).tolist(),
            strict=True,
        ):
            yield Window(cell, *parts, date, address)

    def _read(
        self, firsts: Offsets, lasts: Offsets, origins: Offsets
    ) -> Iterator[tuple[list[Token], list[int], frozenset[int]]]:
        """For ranges of tokens: these, relative to an origin; which may be elements; which begin a line."""
        table = self._tokens
        lengths = lasts - firsts
        every = np.arange(lengths.sum()) + np.repeat(lasts - np.cumsum(lengths), lengths)
        line_end = table.bytes[every] == NEWLINE
        chosen, line_ends = every[~line_end], every[line_end]
        firsts, lasts = np.searchsorted(chosen, firsts), np.searchsorted(chosen, lasts)
        found = tokens_at(
            self._column.text,
            table.starts[chosen],
            table.ends[chosen],
            table.kinds[chosen],
            np.repeat(origins, lasts - firsts),
        )
        element = (table.kinds[chosen] == DIGIT) | ((table.roles[chosen] & ELEMENT) != 0)
        if not self._column.text.isascii():  # the table does not have letters of two characters
            element |= ~np.fromiter(map(str.isascii, map(_folded_of, found)), np.bool_, len(found))
        elements = _within(np.flatnonzero(element), firsts, lasts)
        lines = _within(np.searchsorted(chosen, line_ends), firsts, lasts)
        for first, last, some, begun in zip(firsts.tolist(), lasts.tolist(), elements, lines, strict=True):
            yield found[first:last], some, frozenset(begun)

    # Seeds, as tokens in ascending order.

    def _spellings(self) -> Offsets:
        """Letters with a spelling word: "M as in Mary"."""
        tokens = self._tokens
        letters = tokens.where(LETTER_ALONE)
        found = []
        for mark in (0, 1):
            cues = letters + 1 + mark
            some = cues < len(tokens.roles) - 1
            if mark:
                some &= _CUE_MARKS[tokens.bytes[np.minimum(letters + 1, len(tokens.roles) - 1)]]
            some[some] = (tokens.roles[cues[some]] & CUE) != 0
            found.append(letters[some][self._explained(letters[some], cues[some])])
        return np.sort(np.concatenate(found))

    def _explained(self, letters: Offsets, cues: Offsets) -> Flags:
        """Whether a word with the letter follows the cue, directly or as the second word."""
        tokens = self._tokens
        explained = np.zeros(len(letters), dtype=np.bool_)
        for step in (1, 2):
            words = np.minimum(cues + step, len(tokens.roles) - 1)
            long = tokens.ends[words] - tokens.starts[words] >= _LEAST_AS_IN
            explained |= long & (tokens.bytes[words] == tokens.bytes[letters])
        return explained

    def _dates(self) -> Offsets:
        """Months next to a day, if the day or a following year is spoken."""
        months = self._tokens.where(MONTH)
        if self._words.numbered_months:
            ordinals = self._tokens.where(ORDINAL)
            months = np.union1d(months, np.intersect1d(ordinals, ordinals + 1))
        if not len(months):
            return months
        said = self._tokens.where(STRONG | WEAK | ORDINAL)
        written = np.flatnonzero(self._tokens.kinds == DIGIT)
        day = _any_within(said, months - _DAY_REACH, months + _DAY_REACH)
        written_day = _any_within(written, months - _DAY_REACH - 1, months + _DAY_REACH)
        year = _any_within(said, months + 1, months + _YEAR_REACH)
        return _some(months, day | (written_day & year))

    def _addresses(self) -> Offsets:
        """Dots before a top-level domain or between numbers, spoken or near a spoken sign, and similar."""
        underscores = np.append(self._tokens.where(UNDERSCORE), self._long_signs())
        return np.sort(
            np.concatenate([underscores, self._said_dots(), self._written_dots(), self._glued_hosts()])
        )

    def _long_signs(self) -> Offsets:
        """Names of signs with two words, by the second."""
        seconds = self._tokens.where(AFTER_SIGN)
        return _some(seconds, (self._tokens.roles[np.maximum(seconds - 1, 0)] & FIRST_OF_SIGN) != 0)

    def _said_dots(self) -> Offsets:
        dots = self._tokens.where(DOT)
        dots = _some(dots, dots < len(self._tokens.roles) - 1)
        between = self._are_numbers(dots + 1) & self._are_numbers(np.maximum(dots - 1, 0))
        return _some(dots, between | self._are_tops(dots + 1))

    def _are_numbers(self, places: Offsets) -> Flags:
        numbers: Flags = ((self._tokens.roles[places] & NUMBER) != 0) | (self._tokens.kinds[places] == DIGIT)
        return numbers

    def _written_dots(self) -> Offsets:
        """Written dots of addresses near a sign that is spoken or set apart."""
        tokens = self._tokens
        marks = np.flatnonzero(among(tokens.bytes[1:-1], _SIGNS)) + 1
        tight = tokens.starts[marks] == tokens.ends[marks - 1]
        tight &= tokens.starts[marks + 1] == tokens.ends[marks]
        is_dot = tokens.bytes[marks] == ord(".")
        dots, apart = _some(marks, tight & is_dot), _some(marks, ~tight & ~is_dot)
        if not len(dots):
            return dots
        dots = _some(dots, self._are_tops(dots + 1))
        signs = np.sort(np.append(tokens.where(DOT | OTHER_SIGN), self._long_signs()))
        near = _any_within(signs, dots - _SIGN_REACH, dots + _SIGN_REACH)
        near |= _any_within(apart, dots - _SIGN_REACH, dots)
        near |= _any_within(tokens.where(AT), dots - _AT_REACH, dots + 1)  # also ".at", which is a domain
        return _some(dots, near)

    def _glued_hosts(self) -> Offsets:
        tokens, data = self._tokens, self._data
        words = np.flatnonzero(among(data[tokens.ends - 1], _LAST_OF_TOP))
        words = words[tokens.ends[words] - tokens.starts[words] >= _LEAST_GLUED]
        ends = tokens.ends[words]
        words = words[_TOP_BEGINNINGS[data[ends - 3], data[ends - 2]]]
        search = glued_hosts().search
        found = (search(word[-_LONGEST_GLUED:]) is not None for word in self._texts(words))
        return _some(words, np.fromiter(found, np.bool_, len(words)))

    def _are_tops(self, places: Offsets) -> Flags:
        tops = address_words().top_level
        are_tops: Flags = self._tokens.kinds[places] == LETTER
        words = self._texts(places[are_tops])
        are_tops[are_tops] = np.fromiter(map(tops.__contains__, words), np.bool_, len(words))
        return are_tops

    def _texts(self, places: Offsets) -> list[str]:
        """The folded words of tokens."""
        starts, ends = self._tokens.starts[places].tolist(), self._tokens.ends[places].tolist()
        text = self._column.text
        return [folded_word(text[start:end]) for start, end in zip(starts, ends, strict=True)]

    def _compounds(self) -> Offsets:
        """Numbers written as one word of several parts."""
        tokens, data = self._tokens, self._data
        begins, closes = _compound_edges(self._words)
        words = np.flatnonzero((tokens.kinds == LETTER) & (tokens.ends - tokens.starts >= _LEAST_COMPOUND))
        words = words[(tokens.roles[words] & NUMBER) == 0]
        starts, ends = tokens.starts[words], tokens.ends[words]
        words = words[begins[data[starts], data[starts + 1]] & closes[data[ends - 2], data[ends - 1]]]
        compounds = (number_word(word, self._words) is not None for word in self._texts(words))
        return _some(words, np.fromiter(compounds, np.bool_, len(words)))


@built_once
def _compound_edges(words: Lexicon) -> tuple[Flags, Flags]:
    """Of two letters: whether a part of a compound begins with them, and whether one ends with them."""
    edges = np.zeros((2, 256, 256), dtype=np.bool_)
    for word in words.numbers:
        if len(word) >= _EDGE:
            letters = folded(word)
            edges[0, letters[0], letters[1]] = True
            edges[1, letters[-2], letters[-1]] = True
    return edges[0], edges[1]


def _some(tokens: Offsets, chosen: Flags) -> Offsets:
    some: Offsets = tokens[chosen]
    return some


def _any_within(places: Offsets, first: Offsets, last: Offsets) -> Flags:
    """For each range, both ends inclusive, whether it contains one of the places (ascending)."""
    within: Flags = np.searchsorted(places, last, side="right") > np.searchsorted(places, first, side="left")
    return within


def _within(places: Offsets, firsts: Offsets, lasts: Offsets) -> Iterator[list[int]]:
    """For each of some consecutive ranges, the places (ascending) in it, relative to its start."""
    bounds = np.searchsorted(places, np.append(firsts, lasts[-1:]))
    from_first = (places[: bounds[-1]] - np.repeat(firsts, np.diff(bounds))).tolist()
    for begin, end in pairwise(bounds.tolist()):
        yield from_first[begin:end]
