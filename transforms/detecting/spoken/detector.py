"""SpokenDetector: apply the rules to a view of the text in which spoken values are written out.

"four one five double two oh nine" means 4152209. The value of each run is written into a view of its cell,
the rules search the view with its neighbouring turns, and a finding that overlaps the value is reported at
the position of the run. So spoken numbers get the same checksums, hotwords and ranks as written ones.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import ClassVar

from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.rule_sets import FindingFilter
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.spoken.addresses import addresses
from tacenda.transforms.detecting.spoken.lexicon import LANGUAGES, Lexicon, lexicon
from tacenda.transforms.detecting.spoken.reading import SpokenRun, Token, elements_of, run_of
from tacenda.transforms.detecting.spoken.seeds import windows_of
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


def spoken_runs(column: TextColumn, languages: tuple[str, ...] = LANGUAGES) -> dict[int, list[SpokenRun]]:
    """The runs of the cells that have any, by index, in order and without overlap.

    All languages are read; if two read the same words differently, the longer run is kept, or else that of the
    earlier language. A text without candidates costs one pass of a regular expression.

    >>> spoken_runs(TextColumn(["it is four one five double two oh nine, thanks"]))
    {0: [SpokenRun(start=6, end=38, value='4152209', kind='digits')]}
    """
    runs: defaultdict[int, list[SpokenRun]] = defaultdict(list)
    if len(column):
        for window in windows_of(column, languages):
            for language in languages:
                runs[window.cell] += read(window.tokens, lexicon(language))
    return {cell: longest(runs[cell]) for cell in sorted(runs) if runs[cell]}


def read(found: Sequence[Token], words: Lexicon) -> list[SpokenRun]:
    """The runs of some tokens in one language; addresses hold the numbers and letters in them."""
    chains = elements_of(found, words)
    runs = [run for chain in chains if (run := run_of(found, chain, words)) is not None]
    said = {token.folded for token in found}
    if "@" not in said and words.signs.keys().isdisjoint(said):
        return runs
    taken = list(addresses(found, chains, words))
    starts = [run.start for run in taken]
    return sorted([*taken, *(run for run in runs if not _overlaps(run, taken, starts))])


def _overlaps(run: SpokenRun, others: Sequence[SpokenRun], starts: Sequence[int]) -> bool:
    """Whether a run overlaps one of ``others``, which are disjoint and sorted by their ``starts``."""
    i = bisect_left(starts, run.end)
    return i > 0 and others[i - 1].end > run.start


def longest(runs: Sequence[SpokenRun]) -> list[SpokenRun]:
    """The longest of overlapping runs, in order of position."""
    kept: list[SpokenRun] = []
    starts: list[int] = []
    for run in sorted(runs, key=lambda run: run.start - run.end):
        if not _overlaps(run, kept, starts):
            i = bisect_left(starts, run.start)
            kept.insert(i, run)
            starts.insert(i, run.start)
    return kept


class View:
    """A text with its runs replaced by their values.

    >>> said = "call four one five, five five five, oh one two three now"
    >>> view = View(said, spoken_runs(TextColumn([said]))[0])
    >>> view.text, said[slice(*view.original(5, 8))]
    ('call 4155550123 now', 'four one five, five five five, oh one two three')
    """

    def __init__(self, text: str, runs: Sequence[SpokenRun]) -> None:
        self._runs = runs
        self.places: list[tuple[int, int]] = []
        """Where the value of each run is in the view."""
        self.text, last = "", 0
        for run in runs:
            self.text += text[last : run.start]
            self.places.append((len(self.text), len(self.text) + len(run.value)))
            self.text += run.value
            last = run.end
        self.text += text[last:]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original range of a range of the view; values count as a whole."""
        return self._edge(start)[0], self._edge(end - 1)[1]

    def _edge(self, place: int) -> tuple[int, int]:
        k = bisect_right(self.places, (place, len(self.text) + 1)) - 1
        if k < 0:
            return place, place + 1
        if place < self.places[k][1]:
            return self._runs[k].start, self._runs[k].end
        first = self._runs[k].end + place - self.places[k][1]
        return first, first + 1


_SAID_AS = {"spelled": "SPELLED_WORD", "code": "GENERIC_ID", "email": "EMAIL_ADDRESS", "url": "URL"}
"""The infoType of runs whose value no rule recognises, from the way they are spoken."""

Looks = tuple[list[list[Finding]], list[list[Finding]]]
"""The findings of each cell that reach their thresholds, and those that do not."""


class SpokenDetector:
    """A detector beside :class:`RulesDetector`, with the same settings.

    Args:
        rules: the rules for views; compiled once for both detectors.
        settings: the checked InspectConfig from which ``rules`` was made.
        min_likelihood: overrides the config's, as in ``rules``; the second look uses the lowest.
    """

    name = "spoken"
    languages: ClassVar = frozenset({"en", "es", "fi", "nb", "sv"})
    """Those of ``LANGUAGES`` in which the cues of rules were measured on gold, too."""

    def __init__(
        self,
        rules: RulesDetector,
        settings: InspectSettings,
        min_likelihood: Likelihood | None = None,
    ) -> None:
        self._rules = rules
        self._given_away = FindingFilter(settings, _SAID_AS.values(), min_likelihood)
        self._reach = settings.reach()

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """Findings of each cell, sorted by start; a finding over two runs is reported for each."""
        return self._find(column, twice=False)[0]

    def find_twice(self, column: TextColumn) -> Looks:
        """See ``detector.TwoLookDetector``."""
        return self._find(column, twice=True)

    def _find(self, column: TextColumn, *, twice: bool) -> Looks:
        texts = column.texts
        looks: Looks = [[] for _ in texts], [[] for _ in texts]
        said = spoken_runs(column)
        if not said:
            return looks
        views = {cell: View(texts[cell], runs) for cell, runs in said.items()}
        written: list[str] = []
        places: dict[int, int] = {}
        starts = [0]
        for cell, view in views.items():
            before, after = self._context(column, cell)
            places[len(written) + len(before)] = cell
            written += [*before, view.text, *after]
            starts.append(len(written))
        seen_in = TextColumn(written, starts)
        rules = self._rules
        seen = rules.find_twice(seen_in) if twice else (rules.find(seen_in), [[]] * len(written))
        unnamed: dict[str, list[tuple[int, int, int, int]]] = {name: [] for name in self._given_away.least}
        for at, cell in places.items():
            named, doubtful = (self._named(said[cell], views[cell], look[at]) for look in seen)
            looks[0][cell].extend(named.values())
            looks[1][cell].extend(doubtful.values())
            for i, (run, place) in enumerate(zip(said[cell], views[cell].places, strict=True)):
                said_as = _SAID_AS.get(run.kind)
                if i not in named and said_as in unnamed:
                    unnamed[said_as].append((at, *place, Likelihood.POSSIBLE))
        # By the way of speaking alone, after the user's rules.
        unsure: list[list[Finding]] = [[] for _ in written]
        by_name = {name: candidates(several) for name, several in unnamed.items()}
        sure = self._given_away.findings(seen_in, by_name, self.name, unsure)
        for look, given_away in zip(looks, (sure, unsure), strict=True):
            for at, cell in places.items():
                for finding in given_away[at]:
                    start, end = views[cell].original(finding.start, finding.end)
                    look[cell].append(finding._replace(start=start, end=end))
                look[cell].sort()
        return looks

    def _context(self, column: TextColumn, cell: int) -> tuple[Sequence[str], Sequence[str]]:
        """The turns before and after a cell that the rules see; more if a user's hotword reaches farther."""
        texts, following = column.texts, bisect_left(column.first_cell, cell + 1)
        low, high = column.first_cell[following - 1], column.first_cell[following]
        before = _within(self._reach[0], map(texts.__getitem__, range(cell - 1, low - 1, -1)))
        after = _within(self._reach[1], map(texts.__getitem__, range(cell + 1, high)))
        return texts[cell - before : cell], texts[cell + 1 : cell + 1 + after]

    def _named(
        self, runs: Sequence[SpokenRun], view: View, findings: Sequence[Finding]
    ) -> dict[int, Finding]:
        """For each run, the best finding that overlaps it, at its position in the original."""
        ends = [run.end for run in runs]
        best: dict[int, Finding] = {}
        for seen in findings:
            start, end = view.original(seen.start, seen.end)
            i = bisect_left(ends, start + 1)
            while i < len(runs) and runs[i].start < end:
                finding = Finding(start, end, seen.info_type, seen.likelihood, self.name)
                if i not in best or _weight(finding) > _weight(best[i]):
                    best[i] = finding
                i += 1
        return best


def _weight(finding: Finding) -> tuple[bool, Likelihood, int]:
    """Sort key: a catch-all infoType is used only if there is no other."""
    return finding.info_type != "NUMERIC", finding.likelihood, finding.end - finding.start


def _within(reach: int, texts: Iterable[str]) -> int:
    """How many of successively farther turns a window of ``reach`` code points extends into; at least one."""
    count = 0
    for text in texts:
        if count and reach <= 1:
            break
        reach -= 1 + len(text)
        count += 1
    return count
