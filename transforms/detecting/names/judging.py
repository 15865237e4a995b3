"""Judge which words of a reading are names: runs of capitalised words, and listed words in small letters."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

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
    capital = read.capital & read.cased
    linked = np.zeros(len(capital), dtype=np.bool_)
    linked[1:] = read.linked[:-1] & capital[1:] & capital[:-1]
    starts = np.flatnonzero(capital & ~linked)
    ends = np.flatnonzero(capital & ~np.append(linked[1:], False)) + 1
    for run in zip(starts.tolist(), ends.tolist(), strict=True):
        if (span := words.capitalised(*run)) is not None:
            yield span
    reached = 0
    listed = (read.word == 0) & ((read.given > 0) | (read.place > 0)) & ~read.odd
    for i in np.flatnonzero((listed | read.opens) & ~capital).tolist():
        if i >= reached and (span := words.uncapitalised(i)) is not None:
            reached = span.end
            yield span


class _Words:
    """What is known of each word as ``bytes``, whose items are integers: the fastest way word by word."""

    def __init__(self, read: Reading) -> None:
        self._read = read
        may_be_name = (read.word == 0) | (read.word == 1) & (read.given > 1)
        self.given, self.family, self.place, self.word = (
            column.tobytes()
            for column in (read.given * may_be_name, read.family * may_be_name, read.place, read.word)
        )
        self.linked = (read.linked & ~np.append(read.odd[1:], True)).tobytes()
        # Green, in a line of capitals, is a name as well.
        self.goes_on = ((read.word == 0) | read.capital & (read.family > 0)).tobytes()
        self.breaks, self.capital, self.cased, self.camel = (
            column.tobytes() for column in (read.opens_sentence, read.capital, read.cased, read.camel)
        )

    def capitalised(self, start: int, end: int) -> Span | None:
        """The name in a run of capitalised words, if it contains one."""
        for i in range(start, end):
            if (phrase := self._phrase(i)) is not None and self.capital[phrase.end - 1]:
                return phrase
        titles = word_list("titles_introducing")
        while start < end and (
            self.word[start] >= (_WORD if self.breaks[start] else _COMMON)
            or self._read.word_at(start) in titles
        ):
            start += 1
        info_type = self._type(start, end) if start < end else None
        return None if info_type is None else Span(start, end, info_type)

    def _phrase(self, i: int) -> Span | None:
        """The listed place or organisation of several words that begins at a word."""
        count, level = self._read.phrases.get(i, (0, 0))
        return Span(i, i + count, PLACE if level else ORGANIZATION) if count else None

    def _type(self, start: int, end: int) -> str | None:
        place, given = self.place[start], self.given[start]
        # A town, rather than a family that is called after it.
        is_town = end - start == 1 and place > (given if given < 3 else 2)
        if not is_town and (any(self.given[start:end]) or self.family[end - 1]):
            return PERSON
        if any(self.place[i] and not self.word[i] for i in range(start, end)):
            return PLACE
        # Within a sentence, and none of them a word of the language.
        is_known = self.breaks[start] or any(self.camel[start:end]) or any(self.word[start:end])
        return None if is_known else PERSON

    def uncapitalised(self, i: int) -> Span | None:
        """The name in small letters that begins at a word, if any."""
        phrase = self._phrase(i)
        if phrase is not None and phrase.info_type == PLACE:
            return phrase
        given = 0 if self.word[i] else self.given[i]
        if self.place[i] >= 2 and given < 3 and not self.word[i]:
            return Span(i, i + 1, PLACE)
        end = i + 1
        while self.linked[end - 1] and end - i < _MOST_NAMES and self.goes_on[end]:
            end += 1
        # Who writes other names with a capital rarely forgets it.
        least = (3 if end - i == 1 else 2) if self.cased[i] else 1
        return Span(i, end, PERSON) if given >= least else None
