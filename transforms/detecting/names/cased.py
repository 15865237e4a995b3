"""Names in text with capitals: runs of capitalised words that contain a listed word."""

import numpy as np

from tacenda.transforms.detecting.names.evidence import Evidence
from tacenda.transforms.detecting.names.span import (
    ORGANIZATION,
    PERSON,
    PLACE,
    Span,
    Spans,
    in_columns,
)
from tacenda.transforms.schema.likelihood import Likelihood

_LONGEST = 8
"""Fewest words in a run that count as a headline, not a name."""


def capitalised(evidence: Evidence) -> Spans:
    """The spans of one reading; they do not overlap."""
    runs = _Runs(evidence)
    judged = map(runs.judge, *runs.ranges())
    return in_columns(span for span in judged if span is not None)


class _Runs:
    def __init__(self, evidence: Evidence) -> None:
        read = evidence.reading
        self._evidence = evidence
        self._read = read
        capital = read.capital & read.cased
        titles = evidence.is_in("titles")
        abbreviation = read.initial | titles | evidence.is_in("suffixes")
        join = read.space | read.hyphen | read.apostrophe | (read.dot & abbreviation)
        # "Smith, Jr." and "O'Brien", but not the 's of "Brien's", which is not capitalised.
        linked = np.zeros(len(capital), dtype=np.bool_)
        linked[1:] = join[:-1] & capital[1:] & capital[:-1]
        self._begins = capital & ~linked
        self._capital = capital
        self._count = len(read)
        self.given = evidence.given_at
        self.family = evidence.family_at
        self.place = evidence.place_at
        self.word = evidence.word_at
        self.opens = evidence.opens_at
        self.phrase_opens = evidence.phrase_opens.tobytes()
        self.company = evidence.organization_at
        self.opens_sentence = read.opens_sentence.tobytes()
        self.shouted = read.shouted.tobytes()
        self.initial = read.initial.tobytes()
        self.length = read.length.tobytes()
        self.space = read.space.tobytes()
        self.title = titles.tobytes()
        self.organization_end = evidence.at("organization_ends")
        self.organization_head = evidence.at("organization_heads")
        self.place_part = evidence.at("place_parts")
        self.before_place = evidence.leads("place_prepositions").tobytes()
        self.is_capital = capital.tobytes()
        self.hyphen = read.hyphen.tobytes()
        self.pair = read.pairs.tobytes()
        self.suffix = evidence.at("suffixes")
        self.determiner = evidence.at("determiners")
        self.camel = read.camel.tobytes()
        self.abbreviation = evidence.at("place_abbreviations")
        self.label = evidence.at("field_labels")
        self.state = evidence.at("state_codes")
        self.comma = read.comma.tobytes()

    def ranges(self) -> tuple[list[int], list[int]]:
        """Starts and ends of runs of several words, and of single words that may be names on their own."""
        starts = np.flatnonzero(self._begins)
        ceases = self._capital.copy()
        ceases[:-1] &= ~(self._capital[1:] & ~self._begins[1:])
        ends = np.flatnonzero(ceases) + 1
        evidence, opens = self._evidence, self._read.opens_sentence
        listed = evidence.named | (evidence.place > 0) | evidence.organization
        may_be = (evidence.word == 0) & (listed | ~opens)
        may_be |= (evidence.word < 4) & (evidence.place > 0) | (evidence.word < 3) & (evidence.given > 1)
        may_be |= evidence.is_in("place_abbreviations") | evidence.opens
        may_be |= evidence.is_in("organization_heads") | (evidence.is_in("state_codes") & ~opens)
        may_be[1:] |= (evidence.is_in("titles") & self._read.dot)[:-1]
        judged = (ends - starts > 1) | may_be[starts]
        return starts[judged].tolist(), ends[judged].tolist()

    def judge(self, start: int, end: int) -> Span | None:
        """The name in a run, if it contains one."""
        phrase = self._phrase(start, end) if self.phrase_opens.find(1, start, end) >= 0 else None
        introduced = False
        if end - start == 1 and self.title[start]:
            return None
        if end - start == 1 and self._is_state(start):
            return Span(start, end, PLACE, Likelihood.POSSIBLE)
        while start < end and (self.title[start] or self._is_no_part(start, end)):
            introduced = introduced or bool(self.title[start])
            start += 1
        end = self._before_words(start, end)
        if phrase is not None:
            start, end = min(start, phrase.start), max(end, phrase.end)
        if start >= end or end - start > _LONGEST:
            return None
        span = self._organization(start, end)
        if span is None and phrase is not None:
            span = self._around(phrase, start, end)
        span = (
            span
            or self._person(start, end, introduced)
            or self._place(start, end)
            or self._unknown(start, end)
        )
        if span is None:
            return None
        return self._with_suffix(self._with_state(span) if self.place[span.end - 1] else span)

    def _with_suffix(self, span: Span) -> Span:
        """Extend a person's name by its suffix: "Smith, Jr"."""
        i = span.end
        if span.info_type != PERSON or i >= self._count or not (self.suffix[i] and self.is_capital[i]):
            return span
        if self.comma[i - 1] or self.space[i - 1]:
            return Span(span.start, i + 1, PERSON, span.likelihood)
        return span

    def _is_state(self, i: int) -> bool:
        """Whether an all-capitals abbreviation alone means a place: "in LA", "NYC"."""
        if not self.shouted[i]:
            return False
        pointed = not self.opens_sentence[i] and self.before_place[i - 1]
        return bool(self.abbreviation[i] or (pointed and self.state[i]))

    def _around(self, found: Span, start: int, end: int) -> Span:
        """Extend a span to the words of its run that belong to it.

        Common words belong to it if only a name explains their capitals; headings and addresses explain them
        too.
        """
        first, last = found.start, found.end
        least = 2 if self.opens_sentence[start] else 3
        while first > start and (self.word[first - 1] < least or self.place_part[first - 1]):
            first -= 1
        while last < end and (self.word[last] < least or self.place_part[last]):
            last += 1
        return Span(first, last, found.info_type, found.likelihood)

    def _with_state(self, span: Span) -> Span:
        """Extend a city by its state: "Portland, OR"."""
        i = span.end
        if i < self._count and self.state[i] and self.shouted[i] and (self.comma[i - 1] or self.space[i - 1]):
            return Span(span.start, i + 1, span.info_type, span.likelihood)
        return span

    def _before_words(self, start: int, end: int) -> int:
        """The end of a run without ordinary words that a heading has capitalised."""
        while end > start and self.label[end - 1]:
            end -= 1
        while end > start and self.word[end - 1] >= 3 and not self.organization_end[end - 1]:
            if end - start > 1 and self.pair[end - 2]:
                break
            if self.initial[end - 1] and end - start > 1 and self._read.word_at(end - 1) != "i":
                break
            if (
                self.family[end - 1] >= 2
                and end - start > 1
                and self.given[end - 2]
                and not self.word[end - 2]
            ):
                break
            end -= 1
        return end

    def _is_no_part(self, i: int, end: int) -> bool:
        word, given = self.word[i], self.given[i]
        if self.hyphen[i] and i + 1 < end:
            return False
        named = given >= 2 and i + 1 < end and bool(self.family[i + 1]) and self.word[i + 1] < 2
        if word == 4:
            return not (given == 3 and named)
        if self.opens_sentence[i]:
            return (word >= 2 and not named) or (word == 1 and not given and not self.place[i])
        return word == 3 and not named and not self.organization_head[i] and not self.opens[i]

    def _organization(self, start: int, end: int) -> Span | None:
        if end - start >= 2 and self.organization_end.find(1, start + 1, end) >= 0:
            return Span(start, end, ORGANIZATION, Likelihood.LIKELY)
        if self.organization_head[start] and end - start >= 2:
            return Span(start, end, ORGANIZATION, Likelihood.LIKELY)
        if end - start == 1 and self.company[start] and not self.word[start] and self.length[start] > 3:
            return Span(start, end, ORGANIZATION, Likelihood.POSSIBLE)
        return None

    def _phrase(self, start: int, end: int) -> Span | None:
        stop = min(end + 4, self._count)
        for i in range(start, end):
            if self.phrase_opens[i]:
                count, level = self._evidence.phrase(i, stop)
                if count and (self.is_capital[i + count - 1] or (level >= 2 and self._is_new(i, i + count))):
                    kind = PLACE if level else ORGANIZATION
                    return Span(i, i + count, kind, Likelihood.LIKELY)
        return None

    def _is_new(self, start: int, end: int) -> bool:
        return self.word.find(0, start, end) >= 0

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
        likely = not word or (word == 1 and word2 < 2) or (given >= 2 and second >= 2 and word2 < 2)
        if self.pair.find(1, start, last) >= 0:
            return Span(start, end, PERSON, Likelihood.LIKELY)
        if self.hyphen[start] and given and self.given[start + 1]:
            likely = True
        if given and likely and not self.place_part[last]:
            sure = Likelihood.LIKELY if self.family[last] and not word else Likelihood.POSSIBLE
            return Span(start, end, PERSON, sure)
        if self.initial[start] or (
            not word and self.family[last] and (not self.word[last] or self._surname(last))
        ):
            return Span(start, end, PERSON, Likelihood.POSSIBLE)
        if any(self.given[i] >= 2 and not self.word[i] for i in range(start, end)):
            return Span(start, end, PERSON, Likelihood.POSSIBLE)
        return None

    def _surname(self, i: int) -> bool:
        return (
            self.family[i] >= 2
            and self.word[i] < 3
            and not self.place_part[i]
            and not self.organization_end[i]
        )

    def _single(self, i: int) -> Span | None:
        given, family, word = self.given[i], self.family[i], self.word[i]
        if (
            self.place[i] == 3
            or (self.place[i] == 2 and given < 2)
            or (self.shouted[i] and (self.length[i] < 4 or given < 2))
        ):
            return None
        opens = self.opens_sentence[i]
        known = given or (family >= (2 if opens else 1) and not self.place[i])
        if given < 2 and self._is_in(i, self._evidence.lexicon.capital_nouns):
            known = False
        ambiguous = given >= 2 and word and ((not opens and word == 1) or self._evidence.cued_at[i])
        if (known and not word) or ambiguous:
            return Span(i, i + 1, PERSON, Likelihood.POSSIBLE)
        return None

    def _is_in(self, i: int, languages: frozenset[int]) -> bool:
        """Whether the conversation is in one of some languages."""
        conversation = int(np.searchsorted(self._read.of_conversation, i, side="right")) - 1
        return int(self._read.languages[conversation]) in languages

    def _place(self, start: int, end: int) -> Span | None:
        if end - start == 1 and self.shouted[start] and self.length[start] < 4:
            pointed = start > 0 and self.before_place[start - 1]
            if pointed and self.state[start]:
                return Span(start, end, PLACE, Likelihood.POSSIBLE)
            return Span(start, end, PLACE, Likelihood.POSSIBLE) if self.place[start] == 3 else None
        for i in range(start, end):
            level, word = self.place[i], self.word[i]
            pointed = start > 0 and self.before_place[start - 1]
            opens = self.opens_sentence[i]
            trusted = word < 2 if opens else word < 4
            if level and (
                not word or (level >= 2 and trusted) or (level == 3 and word < 3) or (pointed and word < 3)
            ):
                sure = Likelihood.LIKELY if level == 3 or pointed else Likelihood.POSSIBLE
                return self._around(Span(i, i + 1, PLACE, sure), start, end)
        return None

    def _unknown(self, start: int, end: int) -> Span | None:
        """Capitalised words within a sentence, none of them a word of the language."""
        least = 3 if end - start > 1 else 4
        if self.opens_sentence[start] or any(self.word[start:end]) or min(self.length[start:end]) < least:
            return None
        if self.camel.find(1, start, end) >= 0:
            return None
        lexicon = self._evidence.lexicon
        other = lexicon.capital_nouns if end - start > 1 else lexicon.capital_terms
        if self.determiner[start - 1] or self._is_in(start, other):
            return None
        return Span(start, end, PERSON, Likelihood.POSSIBLE)
