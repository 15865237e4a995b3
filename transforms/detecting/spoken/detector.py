"""SpokenDetector: apply the rules to a view of the text in which spoken values are written out.

"four one five double two oh nine" says 4152209. The run is put into a view of its cell as what it stands for,
the rules look at the view with the turns around it, and what they find over a run is reported at the place of
the run. So a spoken number has the same checksums, hotwords and ranks as a written one.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import ClassVar

from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.finding_lists import append_findings, append_unsure
from tacenda.transforms.detecting.rule_sets import RuleSetProcessor
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.spoken.recognition import spoken_runs_by_cell
from tacenda.transforms.detecting.spoken.runs import SpokenRun
from tacenda.transforms.detecting.spoken.view import View, written_out
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

_SAID_AS = {
    "spelled": "SPELLED_WORD",
    "code": "GENERIC_ID",
    "email": "EMAIL_ADDRESS",
    "url": "URL",
    "ip": "IP_ADDRESS",
}
"""What a run is, though no rule knows its value: the way of saying it gives it away."""

LANGUAGES = ("en", "es", "sv", "fi", "no")
"""Whose number words are read: those of the first everywhere, those of others in conversations where they are
spoken; of runs that overlap, the longest stands."""

Looks = tuple[list[list[Finding]], list[list[Finding]]]
"""What thresholds leave of each cell, and what they do not."""

_CONTEXT_CELLS = 1
"""Turns before and after that the rules see with a view, and more where a user's hotword looks farther; windows
of built-in ones rarely do."""


class SpokenDetector:
    """A detector beside :class:`RulesDetector`, with the same settings.

    Args:
        rules: what looks at the views; compiled once for both.
        settings: the checked InspectConfig that ``rules`` was made of.
        min_likelihood: in place of the config's, as ``rules`` has it; the second look runs with the lowest.
        languages: whose number words to read.
    """

    name = "spoken"
    languages: ClassVar = frozenset({"en", "es", "fi", "nb", "sv"})
    """Whose number words it reads (``LANGUAGES``)."""

    def __init__(
        self,
        rules: RulesDetector,
        settings: InspectSettings,
        min_likelihood: Likelihood | None = None,
        languages: Sequence[str] = LANGUAGES,
    ) -> None:
        self._rules = rules
        asked = [name for name in _SAID_AS.values() if name in settings.info_types]
        self._least = settings.thresholds(asked, min_likelihood)
        self._ruling = RuleSetProcessor(settings, self._least, min_likelihood)
        self._languages = tuple(languages)
        self._reach = settings.reach()

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """Findings of each cell, sorted by start; two runs that one finding spans give it twice."""
        return self._find(column, twice=False)[0]

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """See ``detector.TwoLookDetector``."""
        return self._find(column, twice=True)

    def _find(self, column: TextColumn, *, twice: bool) -> Looks:
        texts, first_cell = column.texts, column.first_cell
        found: list[list[Finding]] = [[] for _ in texts]
        unsure: list[list[Finding]] = [[] for _ in texts]
        said = {
            cell: runs
            for cell, all_runs in spoken_runs_by_cell(column, self._languages).items()
            if (runs := [run for run in all_runs if not run.quantity and run.kind != "year"])
        }
        views = {cell: written_out(texts[cell], runs) for cell, runs in said.items()}
        if not views:
            return found, unsure
        seen: list[str] = []
        place: list[int] = []
        starts = [0]
        earlier, later = self._reach
        for cell, view in views.items():
            low, high = _conversation(first_cell, cell)
            before = texts[cell - _cells_within(earlier, texts, range(cell - 1, low - 1, -1)) : cell]
            after = texts[cell + 1 : cell + 1 + _cells_within(later, texts, range(cell + 1, high))]
            seen += [*before, view.text, *after]
            place.append(starts[-1] + len(before))
            starts.append(len(seen))
        written = TextColumn(seen, starts)
        sure, doubtful = (
            self._rules.find_twice(written, place)
            if twice
            else (self._rules.find(written, place), [[]] * len(seen))
        )
        unnamed: dict[str, list[tuple[int, int, int, int]]] = {name: [] for name in self._least}
        for (cell, view), at in zip(views.items(), place, strict=True):
            named = self._named(said[cell], view, sure[at])
            found[cell].extend(named.values())
            unsure[cell].extend(self._named(said[cell], view, doubtful[at]).values())
            said_at = {view.original(start, end): (start, end) for start, end in view.rewritings()}
            for i, run in enumerate(said[cell]):
                said_as = _SAID_AS.get(run.kind)
                if i not in named and said_as in unnamed and (run.start, run.end) in said_at:
                    start, end = said_at[run.start, run.end]
                    unnamed[said_as].append((at, start, end, Likelihood.POSSIBLE))
        looks = found, unsure
        for look, given_away in zip(looks, self._given_away(written, unnamed), strict=True):
            for (cell, view), at in zip(views.items(), place, strict=True):
                for finding in given_away[at]:
                    start, end = view.original(finding.start, finding.end)
                    look[cell].append(finding._replace(start=start, end=end))
                look[cell].sort()
        return looks

    def _named(
        self, runs: Sequence[SpokenRun], view: View, findings: Sequence[Finding]
    ) -> dict[int, Finding]:
        """For each run the best finding that touches it, at its place in the original."""
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

    def _given_away(
        self,
        column: TextColumn,
        rows: Mapping[str, Sequence[tuple[int, int, int, int]]],
    ) -> Looks:
        """What only the way of saying it names, as far as a user's rules leave it; by the thresholds apart."""
        found: list[list[Finding]] = [[] for _ in column.texts]
        unsure: list[list[Finding]] = [[] for _ in column.texts]
        places = {name: candidates(several) for name, several in rows.items()}
        for name, left in self._ruling.left(column, places).items():
            append_findings(found, left, self._least[name], name, self.name)
            append_unsure(unsure, left, self._least[name], name, self.name)
        return found, unsure


def _weight(finding: Finding) -> tuple[bool, Likelihood, int]:
    """A catch-all names a run only where nothing else does."""
    return finding.info_type != "NUMERIC", finding.likelihood, finding.end - finding.start


def _conversation(first_cell: Sequence[int], cell: int) -> tuple[int, int]:
    """The cells of the conversation that a cell is in."""
    after = bisect_left(first_cell, cell + 1)
    return first_cell[after - 1], first_cell[after]


def _cells_within(reach: int, texts: Sequence[str], cells: Sequence[int]) -> int:
    """How many of some cells, ever farther away, a window of so many code points reaches into.

    The step from cell to cell counts as one. Those of the context count in any case.
    """
    count = 0
    for cell in cells:
        if count >= _CONTEXT_CELLS and reach <= 1:
            break
        reach -= 1 + len(texts[cell])
        count += 1
    return count
