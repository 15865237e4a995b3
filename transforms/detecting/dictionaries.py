"""Dictionaries of a million terms and more: whole words, in any script, whatever the case.

A term and a text are both read as sequences of words (see ``segmentation``). A text is then looked up word by
word in hash tables, so the cost does not grow with the number of terms.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, islice
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from transforms.detecting.candidate import Places
from transforms.detecting.segmentation import Segmentation
from transforms.detecting.settings import WordDictionary
from transforms.schema.errors import UserError
from transforms.storage.opening import open_read

_TERMS_AT_ONCE = 1 << 16

_NEGATED = ("'t", "’t", "'T", "’T")

_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


class Terms:
    """The terms of one dictionary, ready to be looked up."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms: set[str] = set()
        self._longest: dict[str, int] = {}
        rest = iter(terms)
        while chunk := list(islice(rest, _TERMS_AT_ONCE)):
            self._add(chunk)

    def _add(self, terms: Sequence[str]) -> None:
        read = Segmentation("\n".join(terms))
        stops = np.cumsum([len(term) + 1 for term in terms])
        first = 0
        for last in np.searchsorted(read.starts, stops).tolist():
            words = read.words[first:last]
            first = last
            if words:
                self._terms.add(" ".join(words))
                if self._longest.get(words[0], 0) < len(words):
                    self._longest[words[0]] = len(words)

    def __len__(self) -> int:
        return len(self._terms)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Ranges of the longest term at each word, by rising start; they may overlap."""
        read = Segmentation(text)
        starts, ends = read.starts.tolist(), read.ends.tolist()
        for first, last in self.match(read.words, [len(read.words)]):
            # "don't" holds the English word "do", not the name Don.
            if not text.startswith(_NEGATED, ends[last]):
                yield starts[first], ends[last]

    def match(self, words: Sequence[str], stops: Sequence[int]) -> Iterator[tuple[int, int]]:
        """First and last word of the longest term at each word.

        ``stops`` are the ends of the texts that the words come from, by rising place: no term goes over one.
        """
        longest = self._longest
        hits = list(compress(range(len(words)), map(longest.__contains__, words)))
        ends = iter(stops)
        stop = 0
        for i in hits:
            while stop <= i:
                stop = next(ends)
            for count in range(min(longest[words[i]], stop - i), 0, -1):
                if (words[i] if count == 1 else " ".join(words[i : i + count])) in self._terms:
                    yield i, i + count - 1
                    break


class JoinedCells:
    """The cells of a column as one text, read into words once for all dictionaries."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._text = "\n".join(texts)
        self._words = Segmentation(self._text)
        self._origins = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=self._origins[1:])
        self._first_words = np.searchsorted(self._words.starts, self._origins)

    def find(self, terms: Terms) -> tuple[Places, Places, Places]:
        """Cell, start and end of every term, by rising place."""
        first, last = self._match(terms)
        cells = np.searchsorted(self._first_words, first, side="right") - 1
        origins = self._origins[cells]
        return cells, self._words.starts[first] - origins, self._words.ends[last] - origins

    def covered(self, terms: Terms) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """For each cell: is every word of it part of a term (and one is there), and is any?"""
        first, last = self._match(terms)
        steps = np.zeros(len(self._words.words) + 1, dtype=np.int64)
        np.add.at(steps, first, 1)
        np.add.at(steps, last + 1, -1)
        within = np.append(0, np.cumsum(np.cumsum(steps[:-1]) > 0))
        count = within[self._first_words[1:]] - within[self._first_words[:-1]]
        return (count > 0) & (count == np.diff(self._first_words)), count > 0

    def _match(self, terms: Terms) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        matches = list(terms.match(self._words.words, self._first_words[1:].tolist()))
        first, last = np.asarray(matches, dtype=np.int64).reshape(-1, 2).T
        ends = self._words.ends[last].tolist()
        kept = [not self._text.startswith(_NEGATED, end) for end in ends]
        return first[kept], last[kept]


@lru_cache(maxsize=64)
def load(dictionary: WordDictionary) -> Terms:
    """The terms of a dictionary, read once in a process.

    Raises:
        UserError: the file cannot be read as text, or holds no term.
    """
    if dictionary.url is None:
        return Terms(dictionary.words)
    try:
        with _open(dictionary.url) as file:
            terms = Terms(line.decode().strip() for line in file)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise UserError(
            f"dictionary {dictionary.url}: cannot be read as UTF-8 text, one term a line "
            f"({type(error).__name__}); check the file"
        ) from None
    if not len(terms):
        raise UserError(f"dictionary {dictionary.url}: holds no term; add one term a line or drop it")
    return terms


def _open(url: str) -> BinaryIO:
    for suffix, codec in _COMPRESSIONS.items():
        if url.endswith(suffix):
            with open_read(url) as file:
                return io.BytesIO(pa.CompressedInputStream(pa.PythonFile(file, mode="r"), codec).read())
    return open_read(url)
