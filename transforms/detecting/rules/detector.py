"""RulesDetector: patterns, dictionaries, hotwords and exclusions on whole columns of text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from tacenda.transforms.detecting import functions
from tacenda.transforms.detecting.candidates import (
    NOWHERE,
    Candidates,
    Places,
    append_findings,
    candidates,
    outside_tokens,
    united,
)
from tacenda.transforms.detecting.dictionaries.folding import FoldedWords
from tacenda.transforms.detecting.dictionaries.loading import load
from tacenda.transforms.detecting.other_writing import written_otherwise
from tacenda.transforms.detecting.patterns.pattern_set import Filter
from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.pattern_matching import pattern_candidates
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Function,
    Hotword,
    InspectSettings,
    Regex,
    WordDictionary,
)
from tacenda.transforms.detecting.user_rules import HotwordIndex, RuledColumn, adjusted
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import OTHER_SCRIPTS, Buffer, class_mask


class RulesDetector:
    """Finds personal data by rules; deterministic, offline, linear in the length of the text.

    ``min_likelihood`` overrides every threshold of the settings (for the second look). Pickled as its
    settings; everything compiled is rebuilt once wherever it is used.
    """

    name = "rules"
    languages: ClassVar = frozenset({"da", "en", "es", "fi", "nb", "sv"})
    """Languages in which its cue words, addresses and dates were measured; numbers work in all languages."""

    def __init__(self, settings: InspectSettings, min_likelihood: Likelihood | None = None) -> None:
        self._state = settings, min_likelihood
        self.built_in = frozenset(settings.info_types)
        self.customs: dict[str, list[CustomInfoType]] = {}
        for custom in settings.custom:
            if isinstance(custom.source, Function):
                functions.load(custom.source)  # or no text is read
            self.customs.setdefault(custom.info_type, []).append(custom)
        self.names = sorted({*settings.info_types, *self.customs})
        ruled = {name for rule_set in settings.rule_sets for name in rule_set.info_types}
        # Types used only by exclusions keep their configured threshold; lowering it would exclude more.
        self.least = {
            **settings.thresholds(settings.excluding(ruled)),
            **settings.thresholds(self.names, min_likelihood),
        }
        self._any = {**self.least, **dict.fromkeys(self.names, Likelihood.VERY_UNLIKELY)}
        self.rules = settings.rules(sorted({*self.names, *ruled}))
        self.filter = Filter(_needs(settings.info_types))

    def __reduce__(self) -> tuple[type["RulesDetector"], tuple[InspectSettings, Likelihood | None]]:
        return RulesDetector, self._state

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding."""
        return self._looks(column, twice=False)[0]

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """See ``detector.TwoLookDetector``.

        Exclusion rules reject the same in both looks: the infoTypes they refer to keep their thresholds.
        """
        return self._looks(column, twice=True)

    def _looks(self, column: TextColumn, twice: bool) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """The findings, and those that are too unlikely if asked for ``twice``."""
        looks = self._found(column, twice)
        if (other := written_otherwise(column)) is not None:
            for look, more in zip(looks, self._found(other.column, twice), strict=True):
                other.add(look, more)
        return looks

    def _found(self, column: TextColumn, twice: bool) -> tuple[list[list[Finding]], list[list[Finding]]]:
        looks: tuple[list[list[Finding]], ...] = tuple([[] for _ in column.texts] for _ in range(2))
        found, unsure = looks
        if len(column):
            search = Search(self, column, self._any if twice else self.least)
            for name in search.possible():
                standing = search.returned(name)
                append_findings(found, standing, self.least[name], name, self.name, unsure if twice else None)
            for look in looks:
                _outside_tokens(column, look)
        return found, unsure

    def search(self, column: TextColumn) -> "Search":
        """A search for what the settings ask for, at their thresholds."""
        return Search(self, column, self.least)


class Search:
    """One search of a column: candidates by infoType, each searched for and ruled on once.

    ``least`` has the minimum likelihood of candidates of each infoType.
    """

    def __init__(self, detector: RulesDetector, column: TextColumn, least: Mapping[str, Likelihood]) -> None:
        self._detector = detector
        self._text, self._column = column, column.utf8
        self._least = least
        self._matching = detector.filter.of(self._column)
        self._spots = HotwordIndex(self._column, self._matching)
        self._ruled = RuledColumn(column, self._spots, detector.rules, detector.least)
        self._raw: dict[str, tuple[Candidates, Candidates]] = {}

    def possible(self) -> Iterator[str]:
        """The infoTypes that may have candidates: few, if patterns were searched for together."""
        nowhere = {regex for regex, cells in self._matching.items() if cells is NOWHERE}
        for name in self._detector.names:
            if name in self._detector.customs or self._detector.rules.get(name):
                yield name
                continue
            anywhere, near_hotwords, hotwords = _regexes(name)
            if not anywhere <= nowhere or not (near_hotwords <= nowhere or hotwords <= nowhere):
                yield name

    def returned(self, name: str) -> Candidates:
        """The candidates of an infoType that no rule rejects, with their final likelihood."""
        return self._ruled.left(name, self._candidates(name)[0], self.named)

    def named(self, name: str) -> Candidates:
        """The candidates that exclusion rules see when they refer to the infoType."""
        return self._ruled.counted(name, united(self._candidates(name)))

    def _candidates(self, name: str) -> tuple[Candidates, Candidates]:
        """Candidates to return, and those only for exclusion rules; each position once."""
        if name not in self._raw:
            kept: list[Candidates] = []
            excluding: list[Candidates] = []
            customs = self._detector.customs.get(name, ())
            if name in self._detector.built_in or not customs:
                kept.append(self._by_catalogue(name))
            for custom in customs:
                (excluding if custom.excluding else kept).append(self._by_custom(custom))
            self._raw[name] = united(kept).surest(), united(excluding).surest()
        return self._raw[name]

    def _by_catalogue(self, name: str) -> Candidates:
        info_type = catalogue()[name]
        least = self._least[name]
        hotwords = [
            *info_type.hotwords,
            *(r for r in self._detector.rules.get(name, ()) if isinstance(r, Hotword)),
        ]
        near: Places | None = None
        several: list[Candidates] = []
        for pattern in info_type.patterns:
            may_match = self._matching.get(pattern.regex)  # None if it was not searched for yet
            if may_match is not None and not len(may_match):
                continue
            mask = class_mask(*pattern.needs)
            if pattern.likelihood >= least and not pattern.only_near_hotword:
                buffer = self._buffer(pattern.regex, mask)
            elif hotwords:
                # Candidates that need a hotword to reach the threshold are searched for only near hotwords.
                near = self._spots.cells_near(hotwords) if near is None else near
                cells = near if may_match is None else np.intersect1d(near, may_match, assume_unique=True)
                buffer = self._column.select(self._column.where(mask, cells))
            else:
                continue
            if not len(buffer.cells):
                continue
            found = pattern_candidates(self._column, buffer, pattern)
            if pattern.only_near_hotword:
                found = found.filter(np.any([self._spots.near(found, one) for one in hotwords], axis=0))
            # The classes are a condition, whichever cells were searched: no other cell may change a finding.
            several.append(found.filter(self._column.has(mask, found.cells)) if mask else found)
        together = united(several)
        for hotword in info_type.hotwords:
            together = adjusted(together, hotword, self._spots)
        return together

    def _buffer(self, regex: str, mask: int) -> Buffer:
        """The cells in which a pattern matches or, if that is unknown, those with the characters it needs."""
        cells = self._matching.get(regex)
        return self._column.needing(mask) if cells is None else self._column.select(cells)

    def _by_custom(self, custom: CustomInfoType) -> Candidates:
        found = self.places(custom)
        for hotword in custom.hotwords:
            found = adjusted(found, hotword, self._spots)
        return found

    def places(self, custom: CustomInfoType) -> Candidates:
        """What a user's own detector finds, whatever hotwords are near."""
        source, likelihood = custom.source, int(custom.likelihood)
        if isinstance(source, WordDictionary):
            places = self._words.find(load(source))[:3]
        elif isinstance(source, Regex):
            buffer = self._buffer(source.pattern, 0)
            places = buffer.locate(*scan(buffer, source.pattern, source.groups))
        elif isinstance(source, Function):
            places = functions.places_of(functions.load(source), self._text)
        else:
            return self._surrogates(custom.info_type, likelihood)
        return Candidates(*places, np.full(len(places[0]), likelihood, dtype=np.int64))

    @cached_property
    def _words(self) -> FoldedWords:
        return FoldedWords(self._text)

    def _surrogates(self, name: str, likelihood: int) -> Candidates:
        """``NAME(length):`` and that many characters, as written by reversible replacement.

        Marks within these characters are part of them and not matched.
        """
        buffer = self._column.needing(class_mask("digit", "colon"))
        places = buffer.locate(*scan(buffer, re.escape(name) + r"\(([0-9]{1,9})\):"))
        rows: list[tuple[int, int, int, int]] = []
        behind = 0, 0
        for cell, start, end in zip(*(place.tolist() for place in places), strict=True):
            if (cell, start) < behind:
                continue
            text = self._column.texts[cell]
            stop = end + int(text[start + len(name) + 1 : end - 2])
            if stop <= len(text):
                rows.append((cell, start, stop, likelihood))
                behind = cell, stop
        return candidates(rows)


def _outside_tokens(column: TextColumn, found: list[list[Finding]]) -> None:
    """Sort the findings of each cell, and cut replacement tokens of the input out of them."""
    for cell, findings in enumerate(found):
        if findings:
            text = column.texts[cell]
            found[cell] = sorted(outside_tokens(text, findings) if "[" in text else findings)


@lru_cache(maxsize=1024)
def _regexes(name: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The patterns of an infoType that count anywhere and only near its hotwords, and these."""
    info_type = catalogue()[name]
    near = frozenset(pattern.regex for pattern in info_type.patterns if pattern.only_near_hotword)
    anywhere = frozenset(p.regex for p in info_type.patterns if not p.only_near_hotword)
    return anywhere, near, frozenset(hotword.regex for hotword in info_type.hotwords)


def _needs(built_in: Sequence[str]) -> dict[str, int]:
    """The patterns to be searched for together, and the character classes that each needs.

    Patterns that only count near a hotword are left out: they match nearly everywhere. So are those of other
    scripts: their letters occur in few cells, and many letters make a large automaton. A user's own are
    searched for one by one: they may be as large as RE2 allows.
    """
    needs: dict[str, int] = {}
    for info_type in map(catalogue().__getitem__, built_in):
        needs.update((hotword.regex, 0) for hotword in info_type.hotwords)
        for pattern in info_type.patterns:
            if not (pattern.only_near_hotword or OTHER_SCRIPTS.intersection(pattern.needs)):
                needs[pattern.regex] = needs.get(pattern.regex, -1) & class_mask(*pattern.needs)
    return needs
