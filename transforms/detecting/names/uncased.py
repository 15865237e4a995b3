"""Names in text without useful capitals: typed in haste, or written by a speech recogniser."""

from collections.abc import Iterator

import numpy as np

from tacenda.transforms.detecting.names.evidence import Evidence
from tacenda.transforms.detecting.names.facts import Flags
from tacenda.transforms.detecting.names.span import ORGANIZATION, PERSON, PLACE, Span
from tacenda.transforms.schema.likelihood import Likelihood

_MOST_NAMES = 4
"""Most words in a person's name."""

_SHORT_ANSWER = 4
"""Most words of a turn that may consist only of a name and a number."""


def uncapitalised(evidence: Evidence) -> Iterator[Span]:
    """The spans of one reading, ascending and without overlaps."""
    words = _Words(evidence)
    reached = 0
    for i in words.candidates():
        if i < reached:
            continue
        span = words.judge(i)
        if span is not None:
            reached = span.end
            yield span


class _Words:
    def __init__(self, evidence: Evidence) -> None:
        read = evidence.reading
        self._evidence = evidence
        self._free = ~(read.cased & read.capital) & read.latin
        self._read = read
        self._count = len(read)
        self.given = evidence.given_at
        self.family = evidence.family_at
        self.place = evidence.place_at
        self.word = evidence.word_at
        self.opens = evidence.opens_at
        self.company = evidence.organization_at
        self.cued = evidence.cued_at
        self.space = read.space.tobytes()
        self.linked = (read.space | read.hyphen).tobytes()
        self.careful = read.careful.tobytes()
        self.cased = read.cased.tobytes()
        self.hyphen = read.hyphen.tobytes()
        self.pair = read.pairs.tobytes()
        self.dot = read.dot.tobytes()
        self.size = read.size
        self.cell = read.cell
        self.length = read.length.tobytes()
        self.before_place = evidence.leads("place_prepositions").tobytes()
        self.title = evidence.leads("titles").tobytes()
        self.particle = evidence.at("particles")
        self.joiner = (evidence.is_in("joiners") | evidence.is_in("particles")).tobytes()
        self.state = evidence.at("state_codes")
        self.before_person = evidence.at("person_prepositions")
        self.determiner = evidence.at("determiners")
        self.odd = read.odd.tobytes()
        self.known = evidence.known_at
        self.breaks = read.opens_sentence.tobytes()
        self._may_open = self._openings(evidence)
        self.apostrophe = read.apostrophe.tobytes()

    def _openings(self, evidence: Evidence) -> Flags:
        """Words at which a rule below may start a name; all others are skipped."""
        read, word = evidence.reading, evidence.word
        given, family = evidence.given, evidence.family
        named = evidence.named
        opens: Flags = evidence.opens | (word == 0) & (named | (evidence.place > 0) | evidence.organization)
        opens |= (word == 1) & (given == 3)
        opens[:-1] |= (word[:-1] < 3) & (given[:-1] > 1) & (family[1:] > 1)
        opens[:-1] |= read.hyphen[:-1] & (given[:-1] > 0)
        opens |= evidence.after_cue & (word < 4) & (named | (word == 0))
        opens[1:] |= evidence.is_in("titles")[:-1]
        opens |= read.pairs
        return opens

    def candidates(self) -> list[int]:
        """Words at which a name may begin."""
        found: list[int] = np.flatnonzero(self._free & self._may_open).tolist()
        return found

    def judge(self, i: int) -> Span | None:
        """The name that begins at word ``i``, if any."""
        if self.apostrophe[i] and i + 1 < self._count and self._read.word_at(i + 1) == "t":
            return None
        return self._phrase(i) or self._person(i) or self._place(i) or self._company(i)

    def _phrase(self, i: int) -> Span | None:
        if not self.opens[i]:
            return None
        count, level = self._evidence.phrase(i, min(i + 7, self._count))
        if not count or not all(self.space[i : i + count - 1]):
            return None
        unknown = sum(not self.word[k] for k in range(i, i + count))
        pointed = i > 0 and self.before_place[i - 1]
        if level and ((level >= 2 and unknown) or level == 3 or (pointed and unknown)):
            return Span(i, i + count, PLACE, Likelihood.LIKELY)
        if not level and unknown:
            return Span(i, i + count, ORGANIZATION, Likelihood.POSSIBLE)
        return None

    def _person(self, i: int) -> Span | None:
        given, word = self.given[i], self.word[i]
        cue = self.cued[i]
        if i > 0 and self.title[i - 1] and (self.dot[i - 1] or not self.breaks[i]):
            cue = 2
        if self.pair[i]:
            end = i + 2
            while (
                end < self._count and end - i < _MOST_NAMES and self.space[end - 1] and self._continues(end)
            ):
                end += 1
            if end == i + 2 and self._is_wordy_surname(end, 2):
                end += 1
            return Span(i, end, PERSON, Likelihood.POSSIBLE)
        if self.length[i] < 2 or word == 4 or self.odd[i] or (self.place[i] >= 2 and not cue and given < 3):
            return None
        end = i + 1
        while end < self._count and end - i < _MOST_NAMES and self.linked[end - 1] and self._continues(end):
            end += 1
        followed = end - i > 1
        if cue == 2 and (given or (self.family[i] >= 2 and word < 2) or not word):
            return Span(i, end, PERSON, Likelihood.LIKELY)
        if cue and ((given and word < 2) or (self.family[i] and not word)):
            return Span(i, end, PERSON, Likelihood.LIKELY)
        if given and not word and end - i < 3 and self._is_wordy_surname(end):
            end, followed = end + 1, True
        alone = self.breaks[i] and self.size[self.cell[i]] <= _SHORT_ANSWER
        if not word and not given and self.family[i] >= 2 and (followed or alone) and not self.cased[i]:
            return Span(i, end, PERSON, Likelihood.POSSIBLE)
        if not given:
            return None
        if self.careful[i] and (word or given < 2 or not (followed and self.family[i + 1] > 1)):
            # Writers who capitalise other names sometimes forget it, but rarely for a single rare name.
            return None
        if self.cased[i] and (word or given < (2 if followed else 3)):
            return None
        if not word and alone:
            return Span(i, end, PERSON, Likelihood.POSSIBLE)
        if not word and (followed or given >= 1):
            return Span(i, end, PERSON, Likelihood.LIKELY if followed else Likelihood.POSSIBLE)
        if word == 1 and given == 3 and (self.breaks[i] or self._may_follow(i)):
            return Span(i, end, PERSON, Likelihood.POSSIBLE)
        if word < 3 and given >= 2 and followed and self.family[i + 1] >= 2:
            return Span(i, end, PERSON, Likelihood.POSSIBLE)
        return None

    def _may_follow(self, i: int) -> bool:
        """Whether the preceding word is one that people's names follow."""
        return (self.word[i - 1] < 4 and not self.determiner[i - 1]) or bool(self.before_person[i - 1])

    def _is_wordy_surname(self, i: int, least: int = 3) -> bool:
        """Whether it is a common family name that is also a word: Green, King, West."""
        return i < self._count and self.space[i - 1] > 0 and self.family[i] >= least and 0 < self.word[i] < 4

    def _continues(self, i: int) -> bool:
        if self.length[i] == 1:
            # A middle initial.
            goes_on = i + 1 < self._count and self.space[i] and self.family[i + 1] and not self.word[i + 1]
            return bool(goes_on) and not self.odd[i] and not self.joiner[i]
        return (
            not self.word[i]
            and not self.odd[i]
            and bool(self.family[i] or self.given[i] or not self.known[i])
        )

    def _place(self, i: int) -> Span | None:
        level, word = self.place[i], self.word[i]
        pointed = i > 0 and self.before_place[i - 1]
        if (level == 3 and not word) or (pointed and level and not word) or (level >= 2 and not word):
            end = i + 1
            if end < self._count and self.state[end] and self.space[i] and self.word[end] < 3:
                end += 1
            return Span(i, end, PLACE, Likelihood.LIKELY if pointed else Likelihood.POSSIBLE)
        return None

    def _company(self, i: int) -> Span | None:
        if self.company[i] and not self.word[i] and self.length[i] > 3:
            return Span(i, i + 1, ORGANIZATION, Likelihood.POSSIBLE)
        return None
