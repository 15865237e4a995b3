"""Names in text that uses capitals: runs of capitalised words with something that the lists know."""

from collections.abc import Iterator

import numpy as np

from transforms.detecting.gazetteers.evidence import Evidence
from transforms.detecting.gazetteers.span import ORGANIZATION, PERSON, PLACE, Span
from transforms.schema.likelihood import Likelihood

_LONGEST = 8
"""Words in a run from which on it is a headline rather than a name."""


def capitalised(evidence: Evidence) -> Iterator[Span]:
    """Spans of one reading, by rising start; they do not overlap."""
    runs = _Runs(evidence)
    for start, end in runs.ranges():
        yield from runs.judge(start, end)


class _Runs:
    def __init__(self, evidence: Evidence) -> None:
        read = evidence.reading
        self._evidence = evidence
        capital = read.capital & read.cased
        titles = evidence.is_in("titles")
        abbreviation = read.initial | titles | evidence.is_in("suffixes")
        join = read.space | read.hyphen | read.apostrophe | (read.dot & abbreviation)
        # "Smith, Jr." and "O'Brien", but not the 's of "Brien's", which has no capital.
        linked = np.zeros(len(capital), dtype=np.bool_)
        linked[1:] = join[:-1] & capital[1:] & capital[:-1]
        self._begins = capital & ~linked
        self._capital = capital
        self.words = read.words
        self.given = evidence.given.tolist()
        self.family = evidence.family.tolist()
        self.place = evidence.place.tolist()
        self.word = evidence.word.tolist()
        self.opens = evidence.opens.tolist()
        self.company = evidence.organization.tolist()
        self.opens_sentence = read.opens_sentence.tolist()
        self.shouted = read.shouted.tolist()
        self.initial = read.initial.tolist()
        self.length = read.length.tolist()
        self.space = read.space.tolist()
        self.title = titles.tolist()
        self.particle = evidence.is_in("particles").tolist()
        self.joiner = evidence.is_in("joiners").tolist()
        self.organization_end = evidence.is_in("organization_ends").tolist()
        self.organization_head = evidence.is_in("organization_heads").tolist()
        self.place_part = evidence.is_in("place_parts").tolist()
        self.before_place = evidence.is_in("place_prepositions").tolist()
        self.is_capital = capital.tolist()
        self.german = (read.language == evidence.lexicon.languages.index("de")).tolist()

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Runs that hold at least one word that may be a name."""
        starts = np.flatnonzero(self._begins)
        ceases = self._capital.copy()
        ceases[:-1] &= ~(self._capital[1:] & ~self._begins[1:])
        ends = np.flatnonzero(ceases) + 1
        yield from zip(starts.tolist(), ends.tolist(), strict=True)

    def judge(self, start: int, end: int) -> Iterator[Span]:
        introduced = False
        while start < end and self.title[start] and not (end - start == 1):
            introduced = True
            start += 1
        if start < end and self.title[start] and self.word[start]:
            return
        start, end = self._stripped(start, end)
        if start >= end or end - start > _LONGEST:
            return
        span = (
            self._organization(start, end)
            or self._phrase(start, end)
            or self._person(start, end, introduced)
            or self._place(start, end)
            or self._unknown(start, end)
        )
        if span is not None:
            yield span

    def _stripped(self, start: int, end: int) -> tuple[int, int]:
        """Without the words at either end that only a sentence or a pronoun put a capital on."""
        while start < end:
            word, given = self.word[start], self.given[start]
            followed = start + 1 < end and not self.word[start + 1] and self.family[start + 1]
            if self.opens_sentence[start]:
                drop = word >= 2 and not (given >= 2 and followed) or (word == 1 and not given and not self.place[start])
            else:
                drop = word == 3 and not (given >= 2 and followed) and not self.organization_head[start]
                drop = drop and not self.opens[start]
            if not drop:
                break
            start += 1
        while end > start and self.word[end - 1] == 3 and not self.family[end - 1] and not self.organization_end[end - 1]:
            end -= 1
        return start, end

    def _organization(self, start: int, end: int) -> Span | None:
        if end - start >= 2 and any(self.organization_end[start + 1 : end]):
            return Span(start, end, ORGANIZATION, Likelihood.LIKELY)
        if self.organization_head[start]:
            stop = self._across(end)
            if stop - start >= 2:
                return Span(start, stop, ORGANIZATION, Likelihood.LIKELY)
        if end - start == 1 and self.company[start] and not self.word[start]:
            return Span(start, end, ORGANIZATION, Likelihood.POSSIBLE)
        return None

    def _across(self, end: int) -> int:
        """Where a name goes on behind "of", "for" or "and"."""
        n = len(self.words)
        stop = end
        while stop < n and self.joiner[stop] and not self.is_capital[stop] and self.space[stop - 1]:
            stop += 1
        if stop == end or stop >= n or stop - end > 2 or not self.is_capital[stop] or not self.space[stop - 1]:
            return end
        while stop < n and self.is_capital[stop] and (self.space[stop - 1] or stop == end):
            stop += 1
        return stop

    def _phrase(self, start: int, end: int) -> Span | None:
        stop = min(end + 4, len(self.words))
        for i in range(start, end):
            if self.opens[i]:
                count, level = self._evidence.lexicon.phrase(self.words, i, stop)
                if count and i + count <= len(self.words) and self.is_capital[i + count - 1]:
                    kind = PLACE if level else ORGANIZATION
                    return Span(start, max(end, i + count), kind, Likelihood.LIKELY)
        return None

    def _person(self, start: int, end: int, introduced: bool) -> Span | None:
        count = end - start
        if self.place[start] == 3 and count == 1 and not introduced:
            return None
        if introduced and (count > 1 or self.word[start] < 3):
            return Span(start, self._through_particles(end), PERSON, Likelihood.LIKELY)
        given, family, word = self.given[start], self.family[start], self.word[start]
        last = end - 1
        if count == 1:
            if self.shouted[start] and self.length[start] < 4:
                return None
            opens = self.opens_sentence[start]
            cued = self._evidence.cued(start)
            if not word and (given or family >= (2 if opens else 1)):
                if given or not self.place[start]:
                    return Span(start, self._through_particles(end), PERSON, Likelihood.POSSIBLE)
            if word and given >= 2 and (cued or (not opens and word == 1)):
                return Span(start, self._through_particles(end), PERSON, Likelihood.POSSIBLE)
            return None
        if given and not (word >= 2 and self.opens_sentence[start]) and not self.place_part[last]:
            sure = Likelihood.LIKELY if self.family[last] and not word else Likelihood.POSSIBLE
            return Span(start, self._through_particles(end), PERSON, sure)
        if self.initial[start] or (not word and self.family[last] and not self.word[last]):
            return Span(start, end, PERSON, Likelihood.POSSIBLE)
        if any(self.given[i] >= 2 and not self.word[i] for i in range(start, end)):
            return Span(start, end, PERSON, Likelihood.POSSIBLE)
        return None

    def _through_particles(self, end: int) -> int:
        """Past "van der", "de la" or "bin" to the capitalised word behind, if there is one."""
        n = len(self.words)
        stop = end
        while stop < n and stop - end < 3 and self.particle[stop] and not self.is_capital[stop] and self.space[stop - 1]:
            stop += 1
        if stop == end or stop >= n or not self.is_capital[stop] or not self.space[stop - 1]:
            return end
        if self.word[stop] > 1:
            return end
        stop += 1
        while stop < n and self.is_capital[stop] and self.space[stop - 1] and not self.word[stop]:
            stop += 1
        return stop

    def _place(self, start: int, end: int) -> Span | None:
        if end - start == 1 and self.shouted[start] and self.length[start] < 4:
            return None
        for i in range(start, end):
            level, word = self.place[i], self.word[i]
            pointed = start > 0 and self.before_place[start - 1]
            if level and (not word or (level >= 2 and word < 2) or (pointed and word < 3)):
                sure = Likelihood.LIKELY if level == 3 or pointed else Likelihood.POSSIBLE
                return Span(start, end, PLACE, sure)
        return None

    def _unknown(self, start: int, end: int) -> Span | None:
        """Two and more capitalised words in the middle of a sentence, none of them a word of the language."""
        if self.german[start] or end - start < 2 or self.opens_sentence[start]:
            return None
        if any(self.word[i] or self.shouted[i] for i in range(start, end)):
            return None
        return Span(start, end, PERSON, Likelihood.POSSIBLE)
