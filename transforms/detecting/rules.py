"""RulesDetector: patterns, dictionaries, hotwords and exclusions over whole columns of text."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from transforms.detecting.candidate import Candidate
from transforms.detecting.catalogue import Pattern, catalogue
from transforms.detecting.column import Buffer, Column, class_mask
from transforms.detecting.dictionaries import JoinedCells, load
from transforms.detecting.exclusions import excluded
from transforms.detecting.proximity import HotSpots
from transforms.detecting.scanning import compiled, scan
from transforms.detecting.settings import (
    CustomInfoType,
    Exclusion,
    Hotword,
    InspectSettings,
    Regex,
    WordDictionary,
)
from transforms.detecting.trimming import TRIMMERS
from transforms.detecting.validators import VALIDATORS
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood
from transforms.schema.token import TOKEN


class RulesDetector:
    """Finds personal data by rules; deterministic, offline, linear in the length of the text.

    ``min_likelihood`` overrides every threshold of the settings (the second look wants all findings).
    Pickles as its settings; everything compiled is built again, once, where it is used.
    """

    name = "rules"

    def __init__(self, settings: InspectSettings, min_likelihood: Likelihood | None = None) -> None:
        self._settings = settings
        self._override = min_likelihood
        by_type = dict(settings.min_likelihood_by_info_type)
        self._customs: dict[str, list[CustomInfoType]] = {}
        for custom in settings.custom:
            self._customs.setdefault(custom.info_type, []).append(custom)
        self._names = sorted({*settings.info_types, *self._customs})
        self._least: dict[str, Likelihood] = {
            name: by_type.get(name, settings.min_likelihood) if min_likelihood is None else min_likelihood
            for name in self._names
        }
        self._rules: dict[str, list[Hotword | Exclusion]] = {
            name: [rule for s in settings.rule_sets if name in s.info_types for rule in s.rules]
            for name in self._names
        }

    def __reduce__(self) -> tuple[type["RulesDetector"], tuple[InspectSettings, Likelihood | None]]:
        return RulesDetector, (self._settings, self._override)

    def find(self, texts: Sequence[str], first_cell: Sequence[int]) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding."""
        found: list[list[Finding]] = [[] for _ in texts]
        if not texts:
            return found
        column = Column(texts, first_cell)
        search = _Search(column, self._settings.info_types, self._customs, self._rules, self._least)
        for name in self._names:
            least = self._least[name]
            for candidate in search.returned(name):
                if candidate.likelihood >= least:
                    found[candidate.cell].append(
                        Finding(candidate.start, candidate.end, name, candidate.likelihood, self.name)
                    )
        for cell in column.needing(class_mask(["bracket"])).cells:
            if found[cell]:
                found[cell] = list(_outside_tokens(column.texts[cell], found[cell]))
        for findings in found:
            findings.sort()
        return found


class _Search:
    """One call of ``find``: candidates by infoType, each found and ruled upon once."""

    def __init__(
        self,
        column: Column,
        built_in: Sequence[str],
        customs: Mapping[str, Sequence[CustomInfoType]],
        rules: Mapping[str, Sequence[Hotword | Exclusion]],
        least: Mapping[str, Likelihood],
    ) -> None:
        self._column = column
        self._built_in = frozenset(built_in)
        self._customs = customs
        self._rules = rules
        self._least = least
        self._spots = HotSpots(column, _hotword_patterns(built_in, customs, rules))
        self._cells: JoinedCells | None = None
        self._raw: dict[str, tuple[list[Candidate], list[Candidate]]] = {}

    def returned(self, name: str) -> list[Candidate]:
        """The candidates of an infoType that no rule took back, with their final likelihood."""
        candidates, _ = self._candidates(name)
        for rule in self._rules.get(name, ()):
            if not candidates:
                break
            if isinstance(rule, Hotword):
                candidates = self._adjusted(candidates, rule)
            else:
                drop = excluded(self._column, self._spots, candidates, rule, self._all)
                candidates = [c for c, gone in zip(candidates, drop, strict=True) if not gone]
        return candidates

    def _all(self, name: str) -> list[Candidate]:
        kept, excluding = self._candidates(name)
        least = self._least.get(name, Likelihood.POSSIBLE)
        return [c for c in (*kept, *excluding) if c.likelihood >= least]

    def _candidates(self, name: str) -> tuple[list[Candidate], list[Candidate]]:
        """Those to return and those that only serve exclusion rules, each place once."""
        if name not in self._raw:
            kept: list[Candidate] = []
            excluding: list[Candidate] = []
            if name in self._built_in or name not in self._customs:
                kept.extend(self._by_catalogue(name))
            for custom in self._customs.get(name, ()):
                (excluding if custom.excluding else kept).extend(self._by_custom(custom))
            self._raw[name] = _surest(kept), _surest(excluding)
        return self._raw[name]

    def _by_catalogue(self, name: str) -> list[Candidate]:
        info_type = catalogue()[name]
        least = self._least.get(name, Likelihood.POSSIBLE)
        hotwords = [*info_type.hotwords, *(r for r in self._rules.get(name, ()) if isinstance(r, Hotword))]
        candidates: list[Candidate] = []
        for pattern in info_type.patterns:
            mask = class_mask(pattern.needs)
            if pattern.likelihood >= least and not pattern.only_near_hotword:
                candidates.extend(self._matches(pattern, self._column.needing(mask)))
            elif hotwords:
                # What only a hotword can lift over the threshold is searched for only where one is near.
                cells = self._spots.cells_near(hotwords)
                found = list(self._matches(pattern, self._column.some(self._column.having(mask, cells))))
                candidates.extend(self._near_any(found, hotwords) if pattern.only_near_hotword else found)
        for hotword in info_type.hotwords:
            candidates = self._adjusted(candidates, hotword)
        return candidates

    def _near_any(self, candidates: list[Candidate], hotwords: Sequence[Hotword]) -> list[Candidate]:
        places = [c.place for c in candidates]
        near = [self._spots.near(places, hotword).tolist() for hotword in hotwords]
        return [c for c, *hot in zip(candidates, *near, strict=True) if any(hot)]

    def _matches(self, pattern: Pattern, buffer: Buffer) -> Iterator[Candidate]:
        texts = self._column.texts
        trim = TRIMMERS[pattern.trim] if pattern.trim else None
        checks = [VALIDATORS[v] for v in pattern.validators]
        for cell, start, end in scan(buffer, pattern.regex, (pattern.group,)):
            text = texts[cell]
            if trim is not None:
                cut = trim(text[start:end])
                if cut is None:
                    continue
                start, end = start + cut[0], start + cut[1]
            if not _stands_apart(text, start, end, pattern.boundary):
                continue
            likelihood = pattern.likelihood
            if checks:
                matched = text[start:end]
                if not all(check(matched) for check in checks):
                    if pattern.invalid is None:
                        continue
                    likelihood = pattern.invalid
            yield Candidate(cell, start, end, likelihood)

    def _by_custom(self, custom: CustomInfoType) -> list[Candidate]:
        candidates = [Candidate(*place, custom.likelihood) for place in self._places(custom)]
        for hotword in custom.hotwords:
            candidates = self._adjusted(candidates, hotword)
        return candidates

    def _places(self, custom: CustomInfoType) -> Iterable[tuple[int, int, int]]:
        if isinstance(custom.source, WordDictionary):
            if self._cells is None:
                self._cells = JoinedCells(self._column.texts)
            return self._cells.find(load(custom.source))
        if isinstance(custom.source, Regex):
            return scan(self._column.everything, custom.source.pattern, custom.source.groups)
        return self._surrogates(custom.info_type)

    def _surrogates(self, name: str) -> Iterator[tuple[int, int, int]]:
        """``NAME(length):`` and the characters it announces, as reversible replacement writes them."""
        buffer = self._column.needing(class_mask(["digit", "colon"]))
        pattern = compiled(name + r"\(([0-9]{1,9})\):").pattern
        for cell, start, end in scan(buffer, pattern):
            text = self._column.texts[cell]
            stop = end + int(text[start + len(name) + 1 : end - 2])
            if stop <= len(text):
                yield cell, start, stop

    def _adjusted(self, candidates: list[Candidate], hotword: Hotword) -> list[Candidate]:
        near = self._spots.near([c.place for c in candidates], hotword).tolist()
        return [
            c._replace(likelihood=hotword.fixed or c.likelihood.shifted(hotword.relative)) if hot else c
            for c, hot in zip(candidates, near, strict=True)
        ]


def _hotword_patterns(
    built_in: Sequence[str],
    customs: Mapping[str, Sequence[CustomInfoType]],
    rules: Mapping[str, Sequence[Hotword | Exclusion]],
) -> Iterator[str]:
    for name in built_in:
        yield from (hotword.regex for hotword in catalogue()[name].hotwords)
    for custom in (c for several in customs.values() for c in several):
        yield from (hotword.regex for hotword in custom.hotwords)
    for rule in (r for several in rules.values() for r in several):
        if isinstance(rule, Hotword):
            yield rule.regex
        elif rule.hotword is not None:
            yield rule.hotword.regex


def _surest(candidates: list[Candidate]) -> list[Candidate]:
    best: dict[Any, Candidate] = {}
    for candidate in candidates:
        known = best.get(candidate.place)
        if known is None or known.likelihood < candidate.likelihood:
            best[candidate.place] = candidate
    return [best[place] for place in sorted(best)]


def _stands_apart(text: str, start: int, end: int, boundary: str) -> bool:
    if boundary == "none":
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    if boundary == "digit":
        return not (before.isdigit() or after.isdigit())
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


def _outside_tokens(text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    tokens = [match.span() for match in TOKEN.finditer(text)]
    ends = [end for _, end in tokens]
    for finding in findings:
        start = finding.start
        for first, last in tokens[bisect_right(ends, start) :]:
            if first >= finding.end:
                break
            if _says_something(text, start, first):
                yield finding._replace(start=start, end=first)
            start = last
        if start == finding.start or _says_something(text, start, finding.end):
            yield finding._replace(start=start)


def _says_something(text: str, start: int, end: int) -> bool:
    return any(c.isalnum() for c in text[start : max(start, end)])
