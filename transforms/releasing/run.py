"""A run as it is judged: its manifest, and the scores of its conversations, from receipts or risk records.

Whoever judges a run has one of these: when it ends, when people have read a sample, when conversations come or
go, and when the folder is verified. So the verdict is the same whoever asks for it.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from tacenda.transforms.language.coverage import ERROR, LanguageSettings, language_statistics
from tacenda.transforms.releasing.criterion import PEOPLE, Gate
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.scoring.bounds import Reading
from tacenda.transforms.scoring.detector_checks import held_by_swaps, sampling_statistics, swap_statistics
from tacenda.transforms.scoring.statistics import SourceScores

REVIEWS_BEFORE = "reviews_before"
"""The key of a manifest's entry on reviews that were taken off, as the corpus has other conversations since."""

MODIFIED = "input_modified"
"""The key, in a manifest's entry on the run, of how many input files were modified while it read them; that
holds the run, and does not apply to a repetition of it."""


@dataclass(frozen=True)
class Run:
    """A run, its corpus and the review that is bound to it.

    Attributes:
        manifest: with its entries on command, config, run, fields, rows and totals, and on a review if there is
            one. Its verdict may be that of before.
        scores: of all conversations, those of a bound review among them.
    """

    manifest: Mapping[str, Any]
    scores: Recount

    @cached_property
    def totals(self) -> Totals:
        """The counts of all conversations."""
        return totals_of(self.manifest)

    @cached_property
    def gate(self) -> Gate:
        """The requirements by the config, with the reason given for them there or with a review."""
        risk, review = self.manifest["config"]["risk"], self.review or {}
        asked = {column.name: risk[column.name] for column in fields(Gate) if column.name in risk}
        return Gate(**asked | ({"because": review["because"]} if "because" in review else {}))

    @property
    def review(self) -> Mapping[str, Any] | None:
        """The manifest's entry on the review that is bound to the corpus."""
        return self.manifest.get("review")

    @property
    def populations(self) -> dict[str, int]:
        """The conversations of each context of which a bound review is a sample."""
        return dict((self.review or {}).get("populations", {}))

    @property
    def is_scoring(self) -> bool:
        """Whether given conversations were scored, which are no corpus."""
        return bool(self.manifest["command"] == "score")

    @property
    def languages(self) -> LanguageSettings:
        """The languages that detectors cover, and what is done with others."""
        told = self.manifest["config"]["languages"]
        return LanguageSettings(frozenset(told["covered"]), told["accepted"], told["uncovered"])

    @cached_property
    def sources(self) -> dict[str, SourceScores]:
        """The scores of every source."""
        return self.scores.sketch.sources()

    def figures(self) -> dict[str, Any]:
        """The content of statistics.json."""
        totals, swapped = self.totals, swap_statistics(self.totals.swapped)
        quarantined = totals.quarantined.get(f"{Stage.DETECT.value}/{ERROR}", 0)
        drawn_from = None if self.review is None else {self.review["source"]: self.populations}
        return {
            **self.scores.sketch.figures(self.gate.threshold, drawn_from),
            "skipping": sampling_statistics(totals.sampling),
            "languages": language_statistics(totals.languages, self.languages, quarantined),
            "identifiability": self.scores.sketch.identifiability(),
            **({} if swapped is None else {"swap_test": swapped}),
        }

    @cached_property
    def bound(self) -> Reading | None:
        """What a review that is bound to the corpus read."""
        left = {"left": sum(self.populations.values())}
        return None if self.review is None else Reading(**{**self.review["reading"], **left})

    @cached_property
    def reading(self) -> Reading | None:
        """What people or gold read: a bound review, or gold or marks in the input itself, which are all the
        conversations that have them, and no sample of more.
        """
        if self.bound is not None:
            return self.bound
        return next((whole_reading(source, figures) for source, figures in self.people.items()), None)

    @cached_property
    def people(self) -> dict[str, SourceScores]:
        """The scores of people and gold, of those that read anything."""
        return {one: of for one, of in self.sources.items() if one in PEOPLE and of.total.scores}

    @cached_property
    def contexts(self) -> set[str]:
        """The contexts of all conversations with a score."""
        return {context for of in self.sources.values() for context in of.contexts}

    @cached_property
    def partial_gold(self) -> int:
        """Conversations whose gold is partial or empty."""
        return sum(self.totals.annotations.get(who, 0) for who in ("partial_gold", "empty_gold"))

    @cached_property
    def watch(self) -> list[str]:
        """What the swap test holds the run by, if nobody read it."""
        return held_by_swaps(self.totals.swapped)


def whole_reading(source: Any, figures: SourceScores) -> Reading:
    """The reading of all conversations that a source has scores of."""
    total, count = figures.total, figures.total.scores.count
    return Reading(source, count, count, total.direct, total.named, read=count)


def totals_of(manifest: Mapping[str, Any]) -> Totals:
    """The sums of a run from its manifest."""
    told = {**manifest["totals"], **{f"rows_{name}": count for name, count in manifest["rows"].items()}}
    given = {one.name: told[one.name] for one in fields(Totals) if one.name in told}
    counts: dict[str, Any] = {name: n if isinstance(n, int) else Counter(n) for name, n in given.items()}
    return Totals(**counts)


def readers_of(manifest: Mapping[str, Any]) -> dict[str, int]:
    """Number of conversations by reader; those without a name count for the reader given for the run."""
    if "review" in manifest:
        return dict(manifest["review"]["readers"])
    readers = dict(manifest["totals"]["readers"])
    if (name := manifest["run"]["reviewer"]) and "" in readers:
        readers[name] = readers.get(name, 0) + readers.pop("")
    return readers


def lowered(highest: Mapping[str, int], scores: Mapping[str, int]) -> int:
    """Number of conversations that score less than in an earlier review, or were not read again."""
    return sum(scores.get(conversation_id, 0) < before for conversation_id, before in highest.items())


def highest_in_reviews(manifest: Mapping[str, Any], gone: Collection[str] = ()) -> dict[str, int]:
    """The highest score of each conversation in all reviews of a corpus, also in those that were taken off.

    ``gone`` are conversations that the corpus has no longer. Scores of 0 are left out.
    """
    highest: dict[str, int] = {}
    for entry in _reviews(manifest):
        for one, score in entry.get("highest", {}).items():
            if one not in gone:
                highest[one] = max(highest.get(one, 0), score)
    return dict(sorted(highest.items()))


def corpora_in_reviews(manifest: Mapping[str, Any]) -> set[str]:
    """The hashes that a corpus had when it was judged by a review."""
    return {one for entry in _reviews(manifest) for one in entry.get("corpora", ())}


def reviews_before(manifest: Mapping[str, Any], gone: Collection[str] = ()) -> dict[str, Any]:
    """The manifest's entry on all reviews so far, when a corpus gets other conversations; none without any."""
    highest, corpora = highest_in_reviews(manifest, gone), sorted(corpora_in_reviews(manifest))
    return {REVIEWS_BEFORE: {"highest": highest, "corpora": corpora}} if any(_reviews(manifest)) else {}


def _reviews(manifest: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (manifest.get(entry, {}) for entry in (REVIEWS_BEFORE, "review"))
