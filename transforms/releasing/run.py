"""A run as it is judged: its manifest, and the scores of its conversations, from receipts or risk records.

Whoever judges a run has one of these: when it ends, when people have read a sample, when conversations come or
go, and when the folder is verified. So the verdict is the same whoever asks for it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.language.coverage import (
    ERROR,
    LanguageSettings,
    held_by_language,
    language_statistics,
)
from tacenda.transforms.releasing.grounds import grounds_of_review, grounds_of_run
from tacenda.transforms.releasing.verdict import Facts, Gate, Judgement, judge, meets_gate, next_steps
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.bounds import Reading
from tacenda.transforms.scoring.conversation_risk import PERSON_NAME
from tacenda.transforms.scoring.identifiability import IdentifiabilitySketch, Remains
from tacenda.transforms.scoring.sampling import held_by_swaps, sampling_statistics, swap_statistics
from tacenda.transforms.scoring.statistics import (
    MOST,
    RiskSketch,
    ScoredConversation,
    Statistics,
    Worst,
    worst_of,
)
from tacenda.transforms.storage.json_lines import TRUNCATED

REVIEWS_BEFORE = "reviews_before"
"""The key of a manifest's entry on reviews that were taken off, as the corpus has other conversations since."""

COLUMNS = (
    *("conversation_id", "context", "source", "score", "tags", "direct_identifier"),
    *("combination", "links"),
)


@dataclass(slots=True)
class Recount:
    """The totals of risk records.

    ``missed`` counts entities by risk tag, partial ones under ``TAG_PARTIAL``. A conversation may have one
    record per source; ``conversations`` counts it once. ``wrong`` counts records whose score is not the sum
    of their tags.
    """

    sketch: RiskSketch = field(default_factory=RiskSketch)
    remains: IdentifiabilitySketch = field(default_factory=IdentifiabilitySketch)
    missed: dict[str, int] = field(default_factory=dict)
    worst: Worst = field(default_factory=dict)
    records: int = 0
    conversations: int = 0
    wrong: int = 0

    def add_review(self, reviewed: "Recount") -> None:
        """Add the scores of a review, which are of conversations of the run and of another source."""
        self.sketch.merge(reviewed.sketch)
        self.remains.merge(reviewed.remains)
        self.worst.update(reviewed.worst)

    def add_unread(self, figures: Mapping[str, Any], without: Collection[str | None] = ()) -> None:
        """Count the conversations that have no score, which no record tells, as ``statistics.json`` does."""
        for source, told in figures["sources"].items():
            for context, group in told["contexts"].items() if source not in without else ():
                self.sketch.add_unreviewed(source, context, group["unreviewed"])


def recount(tables: Iterable[pa.Table]) -> Recount:
    """Add up risk records; the tables have ``COLUMNS`` (``writing.risk``), in any order and division.

    All records of a conversation must be in one table.
    """
    found = Recount()
    missed: Counter[str] = Counter()
    for table in tables:
        found.records += table.num_rows
        if not table.num_rows:
            continue
        score, source = table["score"].to_numpy(), table["source"].to_pylist()
        context, direct = table["context"].to_pylist(), table["direct_identifier"].to_pylist()
        named, added = _of_tags(table["tags"].combine_chunks(), missed)
        found.wrong += int(np.count_nonzero(added != score))
        alike = Counter(zip(source, context, score.tolist(), direct, named.tolist(), strict=True))
        for (who, where, points, is_direct, is_named), times in alike.items():
            found.sketch.add(who, where, points, is_direct, is_named, times)
        left = (table[name].to_pylist() for name in ("combination", "links"))
        for who, is_direct, *remains in zip(source, direct, *left, strict=True):
            found.remains.add(who, is_direct, Remains.from_text(*remains))
        ids = table["conversation_id"]
        found.conversations += pc.count_distinct(ids).as_py()
        worst = [(who, one) for who, several in found.worst.items() for one in several]
        for who in set(source):
            of = np.flatnonzero(np.asarray(table["source"]) == who)
            worst += [
                (who, ScoredConversation(int(score[i]), direct[i], context[i], ids[i].as_py()))
                for i in of[score[of] >= _least_of_worst(score[of])].tolist()
            ]
        found.worst = worst_of(worst)
    found.missed = dict(sorted(missed.items()))
    return found


def _of_tags(tags: pa.ListArray, missed: Counter[str]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Whether each record names a person, and the sum of its tags; entities are added to ``missed``."""
    of = np.asarray(pc.list_parent_indices(tags))
    entries = tags.flatten()
    tag, partial = entries.field("tag"), entries.field("partial")
    is_name = np.asarray(pc.equal(tag, PERSON_NAME))
    named = np.bincount(of[is_name], minlength=len(tags)) > 0
    added = np.bincount(of, np.asarray(entries.field("score"), np.float64), len(tags)).astype(np.int64)
    keys = zip(tag.to_pylist(), partial.to_pylist(), entries.field("entities").to_pylist(), strict=True)
    for name, is_partial, entities in keys:
        missed[f"{name}_PARTIAL" if is_partial else name] += entities
    return named, added


def _least_of_worst(score: npt.NDArray[np.int32]) -> int:
    """The lowest score among the worst."""
    if len(score) <= MOST:
        return 1
    return max(1, int(np.partition(score, len(score) - MOST)[len(score) - MOST]))


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

    @cached_property
    def statistics(self) -> Statistics:
        """The figures of every source."""
        review = self.review
        drawn_from = None if review is None else {review["source"]: review["populations"]}
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

    def judge(self, problems: Iterable[str] = ()) -> Judgement:
        """The verdict, with what to do next if nobody has read the corpus; ``problems`` are reasons to hold it
        that neither scores nor people can override.
        """
        judgement = judge(self.statistics, self.gate, self.facts, list(problems))
        to_review = self.manifest["command"] == "anonymize" and self.review is None
        return replace(judgement, next_steps=next_steps(judgement)) if to_review else judgement

    def meets_gate(self) -> bool:
        """Whether the figures meet the gate, whatever else holds or releases the corpus."""
        return meets_gate(self.statistics, self.gate, self.facts)

    @cached_property
    def facts(self) -> Facts:
        """What a judgement needs besides the scores."""
        manifest, totals, review = self.manifest, self.totals, self.review
        return Facts(
            totals.rows_in,
            totals.rows_quarantined,
            totals.annotations,
            scoring=manifest["command"] == "score",
            reading=None
            if review is None
            else Reading(**{**review["reading"], "left": sum(review["populations"].values())}),
            populations=None if review is None else review["populations"],
            rows_not_read=totals.rows_not_read if manifest["command"] == "anonymize" else 0,
            watch=held_by_swaps(totals.swapped),
            dropped=totals.dropped,
            drop_over=manifest["run"]["drop_over"],
            grounds=[
                *grounds_of_run(manifest, totals, self.gate, self.statistics),
                *(() if review is None else grounds_of_review(review)),
            ],
            readers=readers_of(manifest, totals.readers),
        )

    def problems(self) -> list[str]:
        """Reasons to hold the run regardless of its risk, which nobody can override."""
        return [*problems_of_rows(self.manifest, self.totals), *self._problems_of_contexts()]

    def _problems_of_contexts(self) -> Iterable[str]:
        named = self.manifest["run"]["fields"].get("context")
        contexts = {context for of in self.statistics.sources.values() for context in of.contexts}
        if named is not None and contexts == {""}:
            # All conversations would be judged as one.
            yield f"--field context={named}: no conversation has it, so no context can be judged by itself"


def problems_of_rows(manifest: Mapping[str, Any], totals: Totals) -> Iterable[str]:
    """Reasons of :meth:`Run.problems` that need no scores."""
    if not totals.balanced:
        yield f"rows do not balance: {totals.balance}"
    cut_off = totals.quarantined.get(f"{Stage.READ.value}/{TRUNCATED}", 0)
    if cut_off:
        yield (
            f"truncated or damaged input files: {cut_off:,}; the number of lost rows is unknown; restore them "
            "and run again (the quarantine says where each ends)"
        )
    if manifest["command"] == "score":
        # Without the quarantined conversations the sample would look better than it is.
        if rows := totals.rows_quarantined:
            are = counted(rows, "reviewed row is", "reviewed rows are")
            yield f"{are} in quarantine, which lists positions and errors; correct them and run again"
        if rows := totals.rows_not_read:
            were = counted(rows, "reviewed row was", "reviewed rows were")
            yield f"{were} left out by --limit; score them all"
    given = manifest["run"]["reviews_given"]
    if totals.reviews_matched != given:
        are = counted(given, "conversation is", "conversations are")
        yield f"{are} reviewed in the spans files, {totals.reviews_matched:,} of them in the input"
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
    for entry in (REVIEWS_BEFORE, "review"):
        for one, score in manifest.get(entry, {}).get("highest", {}).items():
            if one not in gone:
                highest[one] = max(highest.get(one, 0), score)
    return dict(sorted(highest.items()))
