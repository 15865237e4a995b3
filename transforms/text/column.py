"""TextColumn: the texts of a batch, preprocessed once for all detectors."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.errors import HALF_CHARACTER, made_whole
from tacenda.transforms.schema.token import TOKEN, may_have_tokens
from tacenda.transforms.text.characters import Characters
from tacenda.transforms.text.readable import (
    Unbroken,
    breaks_a_value,
    in_plain_forms,
    unbroken,
    without_marks_in_values,
)
from tacenda.transforms.text.utf8 import Utf8Column
from tacenda.transforms.text.words import Words, WordShapes, word_shapes

_BLOCK = 1 << 18  # code points processed at once: the arrays fit into a core's cache


class TextColumn:
    """The cells of some conversations, as ``Detector.find`` takes them.

    Derived data is computed when a detector first needs it, then shared with the others. Pickled as its
    texts; not thread-safe.

    Args:
        texts: the cells; all offsets are code points of these.
        first_cell: conversation ``i`` has the cells ``first_cell[i]:first_cell[i + 1]``, and context windows
            end with it; None: each cell is a conversation of its own.
        leads: what a network reads before each cell, such as the key of a value of JSON; empty if nothing.
    """

    def __init__(
        self, texts: Sequence[str], first_cell: Sequence[int] | None = None, leads: Sequence[str] = ()
    ) -> None:
        self.texts = texts
        self.leads = leads
        self.rejected = Counter[str]()
        """Findings that exclusion rules rejected since the last detector, by ``excluded/infoType``."""
        self.first_cell = range(len(texts) + 1) if first_cell is None else first_cell
        self._unbroken: dict[int, Unbroken | None] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def __reduce__(self) -> tuple[type["TextColumn"], tuple[Sequence[str], Sequence[int], Sequence[str]]]:
        return TextColumn, (self.texts, self.first_cell, self.leads)

    @property
    def size(self) -> int:
        """Total code points."""
        return int(self.lengths.sum())

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Code points of each cell."""
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))

    @cached_property
    def utf8(self) -> Utf8Column:
        """The cells as bytes, for regular expressions."""
        return Utf8Column(self.texts, self.first_cell)

    def unbroken(self, cell: int) -> Unbroken | None:
        """A cell in plain forms, with broken values and names in one piece; None if it has none."""
        if cell not in self._unbroken:
            self._unbroken[cell] = unbroken(in_plain_forms(self.texts[cell]))
        return self._unbroken[cell]

    # All cells as one text.

    @cached_property
    def text(self) -> str:
        """The cells, joined with newlines."""
        return "\n".join(self.texts)

    @cached_property
    def origins(self) -> npt.NDArray[np.int64]:
        """The start of each cell in ``text``, and that of a hypothetical next cell."""
        origins = np.zeros(len(self.texts) + 1, dtype=np.int64)
        np.cumsum(self.lengths + 1, out=origins[1:])
        return origins

    def cells(self, places: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """The cells of some positions in ``text``."""
        return np.searchsorted(self.origins, places, side="right") - 1

    @cached_property
    def characters(self) -> Characters:
        return Characters(self.text)

    @cached_property
    def words(self) -> Words:
        return Words(self.characters)

    @cached_property
    def word_shapes(self) -> WordShapes:
        """Capitals, digits and adjacent punctuation of each word."""
        return word_shapes(self.words)

    # Columns derived from this one. None may be this object itself: the reference would keep it alive.

    @property
    def readable(self) -> "TextColumn":
        """The cells as lists of names and networks read them, with the same number of code points.

        A replacement token becomes one special character and spaces: no finding crosses it, and it is cheap.
        Lone surrogates are replaced, since no tokenizer accepts them, and so are marks of quoted lines within
        a number.
        """
        return self._readable or self

    @cached_property
    def _readable(self) -> "TextColumn | None":
        has_tokens = TOKEN.search(self.text) is not None
        is_broken = breaks_a_value(self.text)
        is_whole = self.text.isascii() or HALF_CHARACTER.search(self.text) is None
        if not has_tokens and not is_broken and is_whole:
            return None
        texts = self.texts
        if has_tokens:
            texts = [
                TOKEN.sub(lambda token: "|".ljust(len(token[0])), text) if may_have_tokens(text) else text
                for text in texts
            ]
        if is_broken:
            texts = list(map(without_marks_in_values, texts))
        return TextColumn(list(map(made_whole, texts)), self.first_cell)

    def conversations(self, begin: int, end: int) -> "TextColumn":
        first, last = self.first_cell[begin], self.first_cell[end]
        return self.part(first, last, [c - first for c in self.first_cell[begin : end + 1]])

    def part(self, first: int, last: int, first_cell: Sequence[int]) -> "TextColumn":
        """A range of the cells as a column with the conversations of ``first_cell``."""
        return TextColumn(self.texts[first:last], first_cell, self.leads[first:last])

    @property
    def led(self) -> "TextColumn":
        texts = [lead + text for lead, text in zip(self.leads, self.texts, strict=True)] if self.leads else ()
        return TextColumn(texts, self.first_cell) if texts else self

    def conversations_with(self, cells: Iterable[int]) -> tuple[list[int], list[int]]:
        """The cells of the conversations that have some of ``cells``, and where each begins among them.

        >>> TextColumn(["a", "b", "c"], [0, 2, 3]).conversations_with([1])
        ([0, 1], [0, 2])
        """
        numbers: list[int] = []
        first_cell = [0]
        for conversation in sorted({bisect_right(self.first_cell, cell) - 1 for cell in cells}):
            numbers += range(self.first_cell[conversation], self.first_cell[conversation + 1])
            first_cell.append(len(numbers))
        return numbers, first_cell

    @property
    def blocks(self) -> Sequence["TextColumn"]:
        """All conversations in columns of the text length that is fastest to process."""
        return self._blocks or (self,)

    @cached_property
    def _blocks(self) -> Sequence["TextColumn"]:
        before = np.append(0, np.cumsum(self.lengths))[np.asarray(self.first_cell, dtype=np.int64)]
        # A conversation is in the block of its last code point, except for a short block at the end.
        count = max(int(before[-1]) // _BLOCK, 1)
        of = np.minimum(np.maximum(before[1:] - 1, 0) // _BLOCK, count - 1)
        bounds = np.flatnonzero(np.append(True, of[1:] != of[:-1])[: len(of)]).tolist()
        if len(bounds) < 2:
            return ()
        return [self.conversations(*some) for some in pairwise([*bounds, len(of)])]


# Pieces: very long conversations are read in parts, to limit the memory of detectors.

PIECE_CHARS = 1 << 20  # of longer conversations, some hundred times the length of a call
CONTEXT_CHARS = 1 << 12  # around a piece: four times the widest hotword window
_TURN_CHARS = 32  # added to the length of each turn, so that very short turns are divided as well


class Piece(NamedTuple):
    """Cells for a detector to read.

    ``own`` are the cells whose findings count; the others are context. ``conversation`` is the number, in the
    whole column, of the piece's first conversation.
    """

    column: TextColumn
    own: slice
    conversation: int


def pieces(column: TextColumn) -> Iterator[Piece]:
    """Divide a column; together, the pieces' own cells are those of the column.

    The division of a conversation depends on that conversation alone. Short ones are whole, several to a
    piece.
    """
    if column.size + _TURN_CHARS * len(column) <= PIECE_CHARS:
        yield Piece(column, slice(0, len(column)), 0)
        return
    before = np.append(0, np.cumsum(column.lengths + _TURN_CHARS))
    first_cell = np.asarray(column.first_cell, np.int64)
    done = 0
    for i in np.flatnonzero(np.diff(before[first_cell]) > PIECE_CHARS).tolist():
        if done < i:
            yield _whole(column, done, i)
        begin, end = int(first_cell[i]), int(first_cell[i + 1])
        for start, stop in _cuts(before, begin, end):
            # At least this many characters on each side, or all there are.
            low = max(begin, int(np.searchsorted(before, before[start] - CONTEXT_CHARS, "right")) - 1)
            high = min(end, int(np.searchsorted(before, before[stop] + CONTEXT_CHARS, "left")))
            read = column.part(low, high, [0, high - low])
            yield Piece(read, slice(start - low, stop - low), i)
        done = i + 1
    if done < len(first_cell) - 1:
        yield _whole(column, done, len(first_cell) - 1)


def _whole(column: TextColumn, begin: int, end: int) -> Piece:
    some = column.conversations(begin, end)
    return Piece(some, slice(0, len(some)), begin)


def _cuts(before: npt.NDArray[np.int64], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges of the cells of a conversation, each of at most ``PIECE_CHARS`` or of one cell."""
    while begin < end:
        full = int(np.searchsorted(before, before[begin] + PIECE_CHARS, "right")) - 1
        stop = min(end, max(begin + 1, full))
        yield begin, stop
        begin = stop
