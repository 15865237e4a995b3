"""Judge which words of a reading are names: runs of capitalised words, and listed words in small letters."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names import ORGANIZATION, PERSON, PLACE
from tacenda.transforms.detecting.names.reading import Reading
from tacenda.transforms.schema.likelihood import Likelihood

_LONGEST = 8  # most words of a run; longer ones are headlines
_MOST_NAMES = 4  # most words in a person's name in small letters
_SHORT_ANSWER = 4  # most words of a turn that may consist only of a name and a number


class Span(NamedTuple):
    """Words ``start:end`` of a reading."""

    start: int
    end: int
    info_type: str
    likelihood: Likelihood


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
    join = (
        read.space
        | read.hyphen
        | read.apostrophe
        | (read.dot & (read.initial | read.is_in("titles_introducing")))
    )
    linked = np.zeros(len(capital), dtype=np.bool_)
    linked[1:] = join[:-1] & capital[1:] & capital[:-1]
    starts = np.flatnonzero(capital & ~linked)
    ends = np.flatnonzero(capital & ~np.append(linked[1:], False)) + 1
    listed = read.named | (read.place > 0) | read.is_in("organization")
    may_be = (read.word == 0) & (listed | ~read.opens_sentence)
    may_be |= (read.word < 4) & (read.place > 0) | (read.word < 3) & (read.given > 1)
    may_be |= read.opens | read.is_in("organization_heads")
    may_be[1:] |= (read.is_in("titles_introducing") & read.dot)[:-1]
    chosen = (ends - starts > 1) | may_be[starts]
    return starts[chosen].tolist(), ends[chosen].tolist()


def _openings(read: Reading) -> list[int]:
    """Words in small letters at which a name may begin; all others are skipped."""
    word, given, family = read.word, read.given, read.family
    opens = read.opens | (word == 0) & (read.named | (read.place > 0) | read.is_in("organization"))
    opens |= (word == 1) & (given == 3)
    opens[:-1] |= (word[:-1] < 3) & (given[:-1] > 1) & (family[1:] > 1)
    opens[:-1] |= read.hyphen[:-1] & (given[:-1] > 0)
    opens |= read.after_cue & (word < 4) & (read.named | (word == 0))
    opens[1:] |= read.is_in("titles_introducing")[:-1]
    found: list[int] = np.flatnonzero(~(read.cased & read.capital) & read.latin & opens).tolist()
    return found


def _bytes(*columns: npt.NDArray[np.generic]) -> Iterator[bytes]:
    return (column.tobytes() for column in columns)


class _Words:
    """What is known of each word as ``bytes``, whose items are integers: the fastest way word by word."""

    def __init__(self, read: Reading) -> None:
        self._read = read
        self._count = len(read)
        self.given, self.family, self.place = _bytes(read.given, read.family, read.place)
        self.word, self.cued, self.length = _bytes(read.word, read.cued, read.length)
        self.space, self.hyphen, self.dot = _bytes(read.space, read.hyphen, read.dot)
        self.capital, self.initial, self.shouted = _bytes(read.capital, read.initial, read.shouted)
        self.cased, self.careful, self.camel = _bytes(read.cased, read.careful, read.camel)
        self.apostrophe, self.odd, self.known = _bytes(read.apostrophe, read.odd, read.kinds > 0)
        self.opens, self.breaks, self.nouns = _bytes(read.opens, read.opens_sentence, read.nouns)
        self.company, self.firm_end, self.firm_head, self.place_part, self.label, self.determiner = _bytes(
            *map(read.is_in, ("organization", "organization_ends", "organization_heads")),
            *map(read.is_in, ("place_parts", "field_labels", "determiners")),
        )
        (self.joiner,) = _bytes(read.is_in("joiners") | read.is_in("particles"))
        self.title, self.before_place, self.before_person = _bytes(
            *map(read.leads, ("titles_introducing", "place_prepositions", "person_prepositions"))
        )

    def capitalised(self, start: int, end: int) -> Span | None:
        """The name in a run of capitalised words, if it contains one."""
        if end - start == 1 and self.title[start]:
            return None
        phrase = next(
            filter(None, (self._phrase_at(i, end) for i in range(start, end) if self.opens[i])), None
        )
        introduced = False
        while start < end and (self.title[start] or self._is_no_part(start, end)):
            introduced = introduced or bool(self.title[start])
            start += 1
        end = self._before_words(start, end)
        if phrase is not None:
            start, end = min(start, phrase.start), max(end, phrase.end)
        if start >= end or end - start > _LONGEST:
            return None
        return (
            self._organization(start, end)
            or (self._around(phrase, start, end) if phrase is not None else None)
            or self._person(start, end, introduced)
            or self._place(start, end)
            or self._unknown(start, end)
        )

    def _phrase_at(self, i: int, end: int) -> Span | None:
        """The listed place or organisation of several words that begins at a word of a run."""
        count, level = self._read.phrase(i, min(end + 4, self._count))
        new = level >= 2 and self.word.find(0, i, i + count) >= 0
        if not count or not (self.capital[i + count - 1] or new):
            return None
        return Span(i, i + count, PLACE if level else ORGANIZATION, Likelihood.LIKELY)

    def _around(self, found: Span, start: int, end: int) -> Span:
        """Extend a span to the words of its run that belong to it.

        Common words belong to it if only a name explains their capitals; headings and addresses explain them
        too.
        """
        first, last = found.start, found.end
        least = 2 if self.breaks[start] else 3
        while first > start and (self.word[first - 1] < least or self.place_part[first - 1]):
            first -= 1
        while last < end and (self.word[last] < least or self.place_part[last]):
            last += 1
        return found._replace(start=first, end=last)

    def _is_no_part(self, i: int, end: int) -> bool:
        """Whether a run's first word is an ordinary one with a capital."""
        word, given = self.word[i], self.given[i]
        if self.hyphen[i] and i + 1 < end:
            return False
        named = given >= 2 and i + 1 < end and bool(self.family[i + 1]) and self.word[i + 1] < 2
        if word == 4:
            return not (given == 3 and named)
        if self.breaks[i]:
            return (word >= 2 and not named) or (word == 1 and not given and not self.place[i])
        return word == 3 and not named and not self.firm_head[i] and not self.opens[i]

    def _before_words(self, start: int, end: int) -> int:
        """The end of a run without labels, and without ordinary words that a heading has capitalised."""
        while end > start and self.label[end - 1]:
            end -= 1
        while end > start and self.word[end - 1] >= 3 and not self.firm_end[end - 1]:
            behind = end - start > 1
            if behind and self.initial[end - 1] and self._read.word_at(end - 1) != "i":
                break
            if behind and self.family[end - 1] >= 2 and self.given[end - 2] and not self.word[end - 2]:
                break
            end -= 1
        return end

    def _organization(self, start: int, end: int) -> Span | None:
        if end - start >= 2 and (self.firm_head[start] or self.firm_end.find(1, start + 1, end) >= 0):
            return Span(start, end, ORGANIZATION, Likelihood.LIKELY)
        return self._company(start) if end - start == 1 else None

    def _company(self, i: int) -> Span | None:
        if self.company[i] and not self.word[i] and self.length[i] > 3:
            return Span(i, i + 1, ORGANIZATION, Likelihood.POSSIBLE)
        return None

    def _person(self, start: int, end: int, introduced: bool) -> Span | None:
        given, word = self.given[start], self.word[start]
        while (
            end - start > 1
            and self.word[end - 1] >= 2
            and self.family[end - 1] < 2
            and not self.hyphen[end - 2]
        ):
            end -= 1
        if introduced and (word < 2 or (given and word < 4)):
            return Span(start, end, PERSON, Likelihood.LIKELY)
        if end - start == 1:
            return self._single(start)
        last = end - 1
        if self.shouted.find(0, start, end) < 0 and (word or not (given and self.family[last])):
            return None
        second, word2 = self.family[start + 1], self.word[start + 1]
        likely = not word or (word2 < 2 and (word == 1 or (given >= 2 and second >= 2)))
        likely = likely or bool(self.hyphen[start] and self.given[start + 1])
        if given and likely and not self.place_part[last]:
            sure = Likelihood.LIKELY if self.family[last] and not word else Likelihood.POSSIBLE
            return Span(start, end, PERSON, sure)
        known = any(self.given[i] >= 2 and not self.word[i] for i in range(start, end))
        if known or self.initial[start] or (not word and self.family[last]):
            return Span(start, end, PERSON, Likelihood.POSSIBLE)
        return None

    def _single(self, i: int) -> Span | None:
        given, word, opens = self.given[i], self.word[i], self.breaks[i]
        if self.place[i] >= 2 + (given >= 2) or (self.shouted[i] and (self.length[i] < 4 or given < 2)):
            return None
        known = given or (self.family[i] >= 1 + opens and not self.place[i])
        ambiguous = given >= 2 and word and ((not opens and word == 1) or self.cued[i])
        return Span(i, i + 1, PERSON, Likelihood.POSSIBLE) if (known and not word) or ambiguous else None

    def _place(self, start: int, end: int) -> Span | None:
        if end - start == 1 and self.shouted[start] and self.length[start] < 4:
            return Span(start, end, PLACE, Likelihood.POSSIBLE) if self.place[start] == 3 else None
        pointed = start > 0 and self.before_place[start - 1]
        for i in range(start, end):
            level, word = self.place[i], self.word[i]
            trusted = word < 2 if self.breaks[i] else word < 4
            if level and (not word or (level >= 2 and trusted) or ((level == 3 or pointed) and word < 3)):
                sure = Likelihood.LIKELY if level == 3 or pointed else Likelihood.POSSIBLE
                return self._around(Span(i, i + 1, PLACE, sure), start, end)
        return None

    def _unknown(self, start: int, end: int) -> Span | None:
        """Capitalised words within a sentence, none of them a word of the language."""
        least = 3 if end - start > 1 else 4
        if (
            self.breaks[start]
            or self.nouns[start]
            or any(self.word[start:end])
            or min(self.length[start:end]) < least
            or self.camel.find(1, start, end) >= 0
            or self.determiner[start - 1]
        ):
            return None
        return Span(start, end, PERSON, Likelihood.POSSIBLE)

    def uncapitalised(self, i: int) -> Span | None:
        """The name in small letters that begins at a word, if any."""
        if self.apostrophe[i] and i + 1 < self._count and self._read.word_at(i + 1) == "t":
            return None
        return self._small_phrase(i) or self._small_person(i) or self._small_place(i) or self._company(i)

    def _small_phrase(self, i: int) -> Span | None:
        count, level = self._read.phrase(i, min(i + 7, self._count)) if self.opens[i] else (0, 0)
        if not count or not all(self.space[i : i + count - 1]):
            return None
        unknown = self.word.find(0, i, i + count) >= 0
        if level == 3 or (level and unknown and (level == 2 or (i > 0 and self.before_place[i - 1]))):
            return Span(i, i + count, PLACE, Likelihood.LIKELY)
        return Span(i, i + count, ORGANIZATION, Likelihood.POSSIBLE) if unknown and not level else None

    def _small_person(self, i: int) -> Span | None:
        given, word, cue = self.given[i], self.word[i], self.cued[i]
        if i > 0 and self.title[i - 1] and (self.dot[i - 1] or not self.breaks[i]):
            cue = 2
        if self.length[i] < 2 or word == 4 or self.odd[i] or (self.place[i] >= 2 and not cue and given < 3):
            return None
        end = i + 1
        while end < self._count and end - i < _MOST_NAMES and self._continues(end):
            end += 1
        if cue == 2 and (given or (self.family[i] >= 2 and word < 2) or not word):
            return Span(i, end, PERSON, Likelihood.LIKELY)
        if cue and ((given and word < 2) or (self.family[i] and not word)):
            return Span(i, end, PERSON, Likelihood.LIKELY)
        if given and not word and end - i < 3 and self._is_wordy_surname(end):
            end += 1
        followed = end - i > 1
        alone = self.breaks[i] and self._read.size[self._read.cell[i]] <= _SHORT_ANSWER
        family = self.family[i + 1] if followed else 0
        if not given:
            likely = not word and self.family[i] >= 2 and (followed or alone) and not self.cased[i]
            return Span(i, end, PERSON, Likelihood.POSSIBLE) if likely else None
        # Writers who capitalise other names sometimes forget it, but rarely for a single rare name.
        if self.careful[i] and (word or given < 2 or family < 2):
            return None
        if self.cased[i] and (word or given < (2 if followed else 3)):
            return None
        if not word:
            return Span(i, end, PERSON, Likelihood.LIKELY if followed and not alone else Likelihood.POSSIBLE)
        common = word == 1 and given == 3 and (self.breaks[i] or self._may_follow(i))
        if common or (word < 3 and given >= 2 and family >= 2):
            return Span(i, end, PERSON, Likelihood.POSSIBLE)
        return None

    def _may_follow(self, i: int) -> bool:
        """Whether the preceding word is one that people's names follow."""
        return (self.word[i - 1] < 4 and not self.determiner[i - 1]) or bool(self.before_person[i - 1])

    def _is_wordy_surname(self, i: int) -> bool:
        """Whether it is a common family name that is also a word: Green, King, West."""
        return i < self._count and self.space[i - 1] > 0 and self.family[i] == 3 and 0 < self.word[i] < 4

    def _continues(self, i: int) -> bool:
        """Whether a word goes on with the name before it."""
        if not (self.space[i - 1] or self.hyphen[i - 1]) or self.odd[i]:
            return False
        if self.length[i] == 1:  # a middle initial
            goes_on = i + 1 < self._count and self.space[i] and self.family[i + 1] and not self.word[i + 1]
            return bool(goes_on) and not self.joiner[i]
        return not self.word[i] and bool(self.family[i] or self.given[i] or not self.known[i])

    def _small_place(self, i: int) -> Span | None:
        pointed = i > 0 and self.before_place[i - 1]
        if not self.word[i] and self.place[i] >= 2 - bool(pointed):
            return Span(i, i + 1, PLACE, Likelihood.LIKELY if pointed else Likelihood.POSSIBLE)
        return None
