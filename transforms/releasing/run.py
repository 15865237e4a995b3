"""A run as it is judged: its manifest, and the scores of its conversations, from receipts or risk records.

Whoever judges a run has one of these: when it ends, when people have read a sample, when conversations come or
go, and when the folder is verified. So the verdict is the same whoever asks for it.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from tacenda.transforms.language.coverage import (
    ERROR,
    LanguageSettings,
    held_by_language,
    language_statistics,
)
from tacenda.transforms.releasing.grounds import Told, grounds_of_run
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.releasing.verdict import (
    PEOPLE,
    RULE,
    Gate,
    Ground,
    State,
    at_most,
    next_steps,
    readers_in_words,
    sentence,
)
from tacenda.transforms.schema.errors import is_reason
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.bounds import Reading, judged_groups
from tacenda.transforms.scoring.detector_checks import held_by_swaps, sampling_statistics, swap_statistics
from tacenda.transforms.scoring.statistics import Histogram, SourceStatistics, Statistics
from tacenda.transforms.storage.json_lines import TRUNCATED

REVIEWS_BEFORE = "reviews_before"
"""The key of a manifest's entry on reviews that were taken off, as the corpus has other conversations since."""

MODIFIED = "input_modified"
"""The key, in a manifest's entry on the run, of how many input files were modified while it read them; that
holds the run, and does not apply to a repetition of it."""


@dataclass(frozen=True)
class Run:
    """A run, its corpus and the review that is bound to it.

    Attributes:
        manifest: with its entries on command, config, run and fields, and on a review if there is one. Rows,
            totals and verdict may be those of before.
        totals: the counts of all conversations.
        scores: of all conversations, those of a bound review among them.
        gate: the requirements.
    """

    manifest: Mapping[str, Any]
    totals: Totals
    scores: Recount
    gate: Gate

    @property
    def review(self) -> Mapping[str, Any] | None:
        """The manifest's entry on the review that is bound to the corpus."""
        return self.manifest.get("review")

    @property
    def _populations(self) -> dict[str, int]:
        """The conversations of each context of which a bound review is a sample."""
        return dict((self.review or {}).get("populations", {}))

    @property
    def _scoring(self) -> bool:
        """Whether given conversations were scored, which are no corpus."""
        return bool(self.manifest["command"] == "score")

    @cached_property
    def statistics(self) -> Statistics:
        """The figures of every source."""
        drawn_from = None if self.review is None else {self.review["source"]: self._populations}
        return self.scores.sketch.compute(self.gate.threshold, populations=drawn_from)

    def figures(self) -> dict[str, Any]:
        """The content of statistics.json."""
        totals, swapped = self.totals, swap_statistics(self.totals.swapped)
        quarantined = totals.quarantined.get(f"{Stage.DETECT.value}/{ERROR}", 0)
        return {
            **self.statistics.to_json(),
            "skipping": sampling_statistics(totals.sampling),
            "languages": language_statistics(totals.languages, _languages(self.manifest), quarantined),
            "identifiability": self.scores.remains.figures(),
            **({} if swapped is None else {"swap_test": swapped}),
        }

    @cached_property
    def bound(self) -> Reading | None:
        """What a review that is bound to the corpus read."""
        left = {"left": sum(self._populations.values())}
        return None if self.review is None else Reading(**{**self.review["reading"], **left})

    @cached_property
    def reading(self) -> Reading | None:
        """What people or gold read: a bound review, or gold or marks in the input itself, which are all the
        conversations that have them, and no sample of more.
        """
        if self.bound is not None:
            return self.bound
        return next((_whole(source, figures) for source, figures in self._people.items()), None)

    @cached_property
    def _people(self) -> dict[str, SourceStatistics]:
        """The figures of people and gold, of those that read anything."""
        sources = self.statistics.sources
        return {one: sources[one] for one in PEOPLE if one in sources and sources[one].total.count}

    @cached_property
    def grounds(self) -> list[Ground]:
        """What settings, counts and a review say for and against the run."""
        return list(grounds_of_run(Told(self.manifest, self.totals, self.gate, "human" in self._people)))

    @cached_property
    def watch(self) -> list[str]:
        """What the swap test holds the run by, if nobody read it."""
        return held_by_swaps(self.totals.swapped)

    def judge(self) -> dict[str, Any]:
        """The verdict, as marker and manifest have it.

        ``held_by`` has the reasons why the run is held; ``lacks`` is what it needs for a release. ``evidence``
        is that of the release, None without any. ``problems`` are the reasons in ``held_by`` that no review can
        mend; ``failures``, those that are figures. ``figures`` are those of what was read.
        """
        gate, totals = self.gate, self.totals
        lost, rows, most = totals.rows_quarantined, totals.rows_in, gate.largest_quarantined_share
        problems = list(self._problems())
        if 2 * lost > rows:
            problems.append(sentence("mostly_quarantined", lost=lost, rows=rows))
        elif lost > most * rows:
            problems.append(sentence("much_quarantined", lost=lost, rows=rows, most=most))
        # What is wrong with a review holds the corpus as long as it is bound; another one may mend it.
        of_review = list((self.review or {}).get("problems", ()))
        failures, evidence = list(self._failures()), self._evidence()
        lacks, grounds = list(self._lacks(evidence)), list(self._rests_on(evidence))
        by_hand = gate.release_anyway is not None and not self._scoring
        held_by = [*problems, *of_review, *failures]
        if problems or of_review or (failures and not by_hand):
            state = State.HELD
        elif self._scoring:
            state = State.SCORED
        elif by_hand:
            state, evidence = State.RELEASED, "by_hand"
        elif evidence in (None, "no_review") and self.watch:
            state, held_by = State.HELD, self.watch
        elif not lacks:
            state = State.RELEASED
        elif self.bound is not None or evidence == "no_review":
            # Someone who asked for a release and does not get it must not mistake the exit code for one.
            state, held_by = State.HELD, lacks
        else:
            state = State.UNREVIEWED
        verdict: dict[str, Any] = {
            "rule": RULE,
            "state": state.value,
            "released": state is State.RELEASED,
            "threshold": gate.threshold,
            "direct_identifiers_at_most": gate.direct_identifiers_at_most,
            "evidence": evidence if state is State.RELEASED else None,
            "figures": self._figures(),
            "held_by": held_by,
            "problems": problems,
            "failures": failures,
            "lacks": lacks,
            "rests_on": [ground._asdict() for ground in grounds],
            "next": [],
        }
        if self.manifest["command"] == "anonymize" and self.review is None:
            verdict["next"] = next_steps(verdict)
        if gate.because is not None:
            verdict["because"] = gate.because
        if verdict["evidence"] == "by_hand":
            verdict["released_anyway"] = gate.release_anyway
        return verdict

    def meets_gate(self) -> bool:
        """Whether the figures meet the gate, whatever else holds or releases the corpus."""
        return not any(self._failures())

    def _problems(self) -> Iterator[str]:
        """Reasons to hold the run regardless of its risk, which nobody can override."""
        yield from problems_of_rows(self.manifest, self.totals)
        named = self.manifest["run"]["fields"].get("context")
        if named is not None and self._contexts() == {""}:
            # All conversations would be judged as one.
            yield sentence("no_context", name=named)

    def _contexts(self) -> set[str]:
        return {context for of in self.statistics.sources.values() for context in of.contexts}

    def _failures(self) -> Iterator[str]:
        """The figures of people and gold that do not meet the gate, a sentence each."""
        reading = self.reading
        for source, figures in self._people.items():
            yield from self._too_high(source)
            is_read = reading is not None and reading.source == source
            yield from self._too_many(source, reading if reading and is_read else _whole("gold", figures))
        if self._scoring and reading is None:
            yield sentence("nothing_scored")

    def _judged(self, source: str) -> dict[str, Histogram]:
        """The scores that are judged: of contexts, small ones together, and of the whole."""
        figures, bound = self._people[source], self.bound
        populations, drawn = {name: one.count for name, one in figures.contexts.items()}, figures.total.count
        if bound is not None and bound.source == source:
            populations, drawn = self._populations, bound.drawn
        groups = judged_groups(populations, drawn, self.gate.least_conversations)
        several: dict[str, Histogram] = {}
        small = {context for context, group in groups.items() if group != context}
        small = small if len(small) > 1 else set()
        for context, of_one in figures.contexts.items():
            name = "small contexts together" if context in small else _context(context)
            several.setdefault(name, Histogram()).update(of_one.histogram)
        if len(several) > 1:
            several["all contexts"] = Histogram(figures.total.histogram)
        return several

    def _figures(self) -> dict[str, Any] | None:
        """The figures of what was read; ``points`` is the highest mean + std of what is judged."""
        if self.reading is None:
            return None
        judged = self._judged(self.reading.source) if self.reading.source in self._people else {}
        points = max((scores.mean_plus(1) or 0 for scores in judged.values()), default=None)
        return {**self.reading.to_json(), "points": points}

    def _too_high(self, source: str) -> Iterator[str]:
        """What is judged, of which mean + std is not below the threshold."""
        threshold = Fraction(self.gate.threshold)
        of = {"source": source, "threshold": float(threshold)}
        told = [
            sentence("too_high", group=name, figure=scores.mean_plus(1) or 0, **of)
            for name, scores in self._judged(source).items()
            if scores.count and not scores.mean_plus_std_below(threshold)
        ]
        yield from at_most(told, "contexts that are too high")

    def _too_many(self, source: str, reading: Reading) -> Iterator[str]:
        """Whether direct identifiers may be readable in too many conversations."""
        direct, most = reading.share_direct(), self.gate.direct_identifiers_at_most
        if direct.at_most <= most:
            return
        whole = reading.is_whole and not reading.planted
        yield sentence(
            "too_many_of_all" if whole else "too_many_of_read",
            source=source,
            found=counted(direct.found, "conversation"),
            of=reading.population if whole else reading.read or reading.drawn,
            share=direct.at_most,
            most=most,
        )

    def _evidence(self) -> str | None:
        """What speaks for a release, if anything does."""
        if self._scoring:
            return None
        if self.bound is not None:
            return self.bound.source
        present = {who for who, count in self.totals.annotations.items() if count}
        if self.reading is not None and self.reading.source == "gold" and present == {"gold"}:
            return "gold"
        return "no_review" if self.gate.release_on == "no_review" else None

    def _partial(self) -> int:
        """Conversations whose gold is partial or empty."""
        return sum(self.totals.annotations.get(who, 0) for who in ("partial_gold", "empty_gold"))

    def _lacks(self, evidence: str | None) -> Iterator[str]:
        """What is missing for a release, although nothing fails."""
        if evidence is None and not self._scoring:
            if partial := self._partial():
                yield sentence("partial_gold", n=partial)
            yield sentence("nobody")
        if self.manifest["command"] == "anonymize" and (left_out := self.totals.rows_not_read):
            yield sentence("not_read", rows=counted(left_out, "row"))
        if self.bound is not None and not self.bound.is_whole:
            yield from self._few(self.bound)
        people = self.statistics.sources.get("human")
        if self._scoring and people is not None and (unread := people.total.unreviewed):
            yield sentence("without_marks", n=unread)
        weakened = [ground.what for ground in self.grounds if ground.weakens]
        if weakened and not is_reason(self.gate.because):
            yield sentence("unjustified", which="; ".join(weakened))

    def _few(self, bound: Reading) -> Iterator[str]:
        """Contexts, small ones together, of which a review has too few conversations."""
        least, populations = self.gate.least_conversations, self._populations
        groups = judged_groups(populations, bound.drawn, least)
        contexts = self.statistics.sources[bound.source].contexts
        read, there = Counter[str](), Counter[str]()
        for context, population in populations.items():
            group = _context(context) if groups[context] == context else "small contexts"
            read[group] += contexts[context].count if context in contexts else 0
            there[group] += population
        few = [
            sentence("few", group=group, n=count, least=min(least, there[group]))
            for group, count in read.items()
            if count < min(least, there[group])
        ]
        yield from at_most(few, "contexts with too few")

    def _rests_on(self, evidence: str | None) -> Iterator[Ground]:
        told = readers_in_words(readers_of(self.manifest, self.totals.readers))
        by, totals = f" by {told}" if told else "", self.totals
        for source, figures in self._people.items():
            count = figures.total.count
            if source == "human":
                yield Ground(sentence("review", n=count, by=by))
            elif partial := self._partial():
                yield Ground(sentence("gold_in_part", n=count, partial=partial))
            else:
                bound = self.bound is not None and self.bound.source == source
                yield Ground(sentence("gold", n=count, by=by if bound else ""))
        if self._scoring:
            yield Ground(sentence("scored_alone"))
        if evidence not in (None, "no_review"):
            yield from (Ground(sentence("decided_otherwise", reason=reason)) for reason in self.watch)
        if self._contexts() == {""}:
            yield Ground(sentence("contexts_as_one"))
        if lost := totals.rows_quarantined:
            yield Ground(sentence("rest_in_quarantine", n=totals.rows_in - lost, rows=totals.rows_in))
        if totals.dropped:
            yield Ground(sentence("dropped", n=totals.dropped, least=self.manifest["run"]["drop_over"]))
        yield from self.grounds


def _whole(source: Any, figures: SourceStatistics) -> Reading:
    """The reading of all conversations that a source has figures of."""
    total, count = figures.total, figures.total.count
    return Reading(source, count, count, total.direct_identifiers, total.naming_somebody, read=count)


def _context(name: str) -> str:
    return f"context {name or '(none)'}"


def problems_of_rows(manifest: Mapping[str, Any], totals: Totals) -> Iterator[str]:
    """Reasons to hold a run that need no scores."""
    # Unit boundaries were planned for other bytes, so row counts do not show what was skipped.
    if modified := manifest["run"].get(MODIFIED, 0):
        yield sentence("modified", n=modified)
    if not totals.balanced:
        yield sentence("unbalanced", balance=totals.balance)
    if cut_off := totals.quarantined.get(f"{Stage.READ.value}/{TRUNCATED}", 0):
        yield sentence("cut_off", n=cut_off)
    if manifest["command"] == "score":
        # Without the quarantined conversations the sample would look better than it is.
        if rows := totals.rows_quarantined:
            are = counted(rows, "reviewed row is", "reviewed rows are")
            yield sentence("reviewed_in_quarantine", are=are)
        if rows := totals.rows_not_read:
            yield sentence("reviewed_left_out", were=counted(rows, "reviewed row was", "reviewed rows were"))
    given = manifest["run"]["reviews_given"]
    if totals.reviews_matched != given:
        are = counted(given, "conversation is", "conversations are")
        yield sentence("reviews_unmatched", are=are, matched=totals.reviews_matched)
    if manifest["command"] == "anonymize" and (
        uncovered := held_by_language(totals.languages, _languages(manifest))
    ):
        yield uncovered


def _languages(manifest: Mapping[str, Any]) -> LanguageSettings:
    told = manifest["config"]["languages"]
    return LanguageSettings(frozenset(told["covered"]), told["accepted"], told["uncovered"])


def totals_of(manifest: Mapping[str, Any]) -> Totals:
    """The sums of a run from its manifest."""
    told = {**manifest["totals"], **{f"rows_{name}": count for name, count in manifest["rows"].items()}}
    return Totals(**{column.name: told[column.name] for column in fields(Totals) if column.name in told})


def readers_of(manifest: Mapping[str, Any], readers: Mapping[str, int]) -> dict[str, int]:
    """Number of conversations by reader; those without a name count for the reader given for the run."""
    if "review" in manifest:
        return dict(manifest["review"]["readers"])
    readers = dict(readers)
    if (name := manifest["run"]["reviewer"]) and "" in readers:
        readers[name] = readers.get(name, 0) + readers.pop("")
    return readers


def gate_of(manifest: Mapping[str, Any], because: str | None, release_anyway: str | None = None) -> Gate:
    """The requirements by a manifest's config, with the reasons given for them or against them."""
    risk = manifest["config"]["risk"]
    names = (column.name for column in fields(Gate) if column.name in risk)
    return Gate(**{**{name: risk[name] for name in names}, "because": because}, release_anyway=release_anyway)


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
