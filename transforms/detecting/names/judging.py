"""Judge which words of a reading are names: runs of capitalised words, and listed words in small letters."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names import ORGANIZATION, PERSON, PLACE
from tacenda.transforms.detecting.names.reading import Reading
from tacenda.transforms.detecting.word_lists import word_list

_MOST_NAMES = 4  # most words in a person's name in small letters
_WORD = 2  # the level from which on a word with a capital at the start of a sentence is an ordinary one
_COMMON = 3  # … and within a sentence


class Span(NamedTuple):
    """Words ``start:end`` of a reading."""

    start: int
    end: int
    info_type: str


def judged(read: Reading) -> Iterator[Span]:
    """The names of a reading: first those with capitals, then those in small letters; no overlaps in either."""
    words = _Words(read)
    yield from (
        span for run in zip(*_runs(read), strict=True) if (span := words.capitalised(*run)) is not None
    )
    reached = 0
    for i in _openings(read):
        if i >= reached and (span := words.uncapitalised(i)) is not None:
            reached = span.end
            yield span


def _runs(read: Reading) -> tuple[list[int], list[int]]:
    """Starts and ends of runs of capitalised words, and of single ones that may be names on their own."""
    capital = read.capital & read.cased
    linked = np.zeros(len(capital), dtype=np.bool_)
    linked[1:] = (read.space | read.hyphen)[:-1] & capital[1:] & capital[:-1]
    starts = np.flatnonzero(capital & ~linked)
    ends = np.flatnonzero(capital & ~np.append(linked[1:], False)) + 1
    may_be = _may_be_name(read) & (read.named | (read.place > 0) | ~read.opens_sentence)
    chosen = (ends - starts > 1) | (may_be | read.opens)[starts]
    return starts[chosen].tolist(), ends[chosen].tolist()


def _may_be_name(read: Reading) -> npt.NDArray[np.bool_]:
    """Whether each word is none of the language, or an unusual one that is a given name as well."""
    may_be: npt.NDArray[np.bool_] = (read.word == 0) | (read.word == 1) & (read.given > 1)
    return may_be


def _openings(read: Reading) -> list[int]:
    """Words in small letters at which a name may begin; all others are skipped."""
    opens = read.opens | (read.word == 0) & ((read.given > 0) | (read.place > 0)) & ~read.odd
    found: list[int] = np.flatnonzero(~(read.cased & read.capital) & read.latin & opens).tolist()
    return found


def _bytes(*columns: npt.NDArray[np.generic]) -> Iterator[bytes]:
    return (column.tobytes() for column in columns)


class _Words:
    """What is known of each word as ``bytes``, whose items are integers: the fastest way word by word."""

    def __init__(self, read: Reading) -> None:
        self._read = read
        self._count = len(read)
        self.given, self.family, self.place, self.word = _bytes(
            read.given, read.family, read.place, read.word
        )
        self.space, self.hyphen, self.capital = _bytes(read.space, read.hyphen, read.capital)
        self.odd, self.known, self.opens, self.breaks = _bytes(
            read.odd, read.kinds > 0, read.opens, read.opens_sentence
        )
        self.cased, self.camel, self.may_be_name = _bytes(read.cased, read.camel, _may_be_name(read))

    def capitalised(self, start: int, end: int) -> Span | None:
        """The name in a run of capitalised words, if it contains one."""
        phrase = next(
            filter(None, (self._phrase_at(i, end) for i in range(start, end) if self.opens[i])), None
        )
        titles = word_list("titles_introducing")
        while start < end and (
            self.word[start] >= (_WORD if self.breaks[start] else _COMMON)
            or self._read.word_at(start) in titles
        ):
            start += 1
        if phrase is not None:
            start, end = min(start, phrase.start), max(end, phrase.end)
        if start >= end:
            return None
        return (
            (self._around(phrase, start, end) if phrase is not None else None)
            or self._person(start, end)
            or self._place(start, end)
            or self._unknown(start, end)
        )

    def _phrase_at(self, i: int, end: int) -> Span | None:
        """The listed place or organisation of several words that begins at a word of a run."""
        count, level = self._read.phrase(i, min(end + 4, self._count))
        if not count or not self.capital[i + count - 1]:
            return None
        return Span(i, i + count, PLACE if level else ORGANIZATION)

    def _around(self, found: Span, start: int, end: int) -> Span:
        """Extend a span to the words of its run that are no common ones."""
        first, last = found.start, found.end
        while first > start and self.word[first - 1] < _WORD:
            first -= 1
        while last < end and self.word[last] < _WORD:
            last += 1
        return found._replace(start=first, end=last)

    def _person(self, start: int, end: int) -> Span | None:
        given, place = self.given[start], self.place[start]
        is_name = any(self.may_be_name[i] and self.given[i] for i in range(start, end))
        if not is_name and not (self.may_be_name[end - 1] and self.family[end - 1]):
            return None
        # A town, rather than a family that is called after it.
        is_town = end - start == 1 and place > (given if given < 3 else 2)
        return None if is_town else Span(start, end, PERSON)

    def _place(self, start: int, end: int) -> Span | None:
        for i in range(start, end):
            if self.place[i] and not self.word[i]:
                return self._around(Span(i, i + 1, PLACE), start, end)
        return None

    def _unknown(self, start: int, end: int) -> Span | None:
        """Capitalised words within a sentence, none of them a word of the language."""
        of_no_name = self.breaks[start] or self.camel.find(1, start, end) >= 0
        return None if of_no_name or any(self.word[start:end]) else Span(start, end, PERSON)

    def uncapitalised(self, i: int) -> Span | None:
        """The name in small letters that begins at a word, if any."""
        count, level = self._read.phrase(i, self._count) if self.opens[i] else (0, 0)
        if level:
            return Span(i, i + count, PLACE)
        if self.word[i]:
            return None
        given, is_town = self.given[i], self.place[i] >= 2
        if not given or (is_town and given < 3):
            return Span(i, i + 1, PLACE) if is_town else None
        end = i + 1
        while end < self._count and end - i < _MOST_NAMES and self._continues(end):
            end += 1
        # Who writes other names with a capital rarely forgets it.
        is_rare = given < (3 if end - i == 1 else 2)
        return None if self.cased[i] and is_rare else Span(i, end, PERSON)

    def _continues(self, i: int) -> bool:
        """Whether a word goes on with the name before it."""
        if not (self.space[i - 1] or self.hyphen[i - 1]) or self.odd[i]:
            return False
        if self.word[i]:  # Green, in a line of capitals
            return bool(self.capital[i] and self.family[i])
        return bool(self.family[i] or self.given[i] or not self.known[i])
