"""Reasons against a release from a run's own counts and settings, and the facts and grounds of its verdict.

They use only what is in the manifest, so that a later judgement, to verify the run or by a review, has the
same result.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tacenda.pipelines.output.manifest_facts import language_settings, readers_of
from tacenda.transforms.language.coverage import held_by_language, undecided
from tacenda.transforms.releasing.changes import CHANGES
from tacenda.transforms.releasing.judging import Facts
from tacenda.transforms.releasing.verdict import Gate, Ground
from tacenda.transforms.releasing.weakening import (
    grounds_of_decisions,
    grounds_of_entities,
    grounds_of_exclusions,
    grounds_of_gate,
    grounds_of_hiding,
    grounds_of_languages,
    grounds_of_replacement,
    grounds_of_scores,
)
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.bounds import Reading
from tacenda.transforms.scoring.sampling import PLACES
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import Statistics
from tacenda.transforms.scoring.swap_figures import held_by_swaps
from tacenda.transforms.storage.json_lines import TRUNCATED

_MANY_WORDLESS = 0.05
"""Share of conversations without a word from which on they make the figures look better."""

_OUTSIDE_GOLD, _SAME_AS_GOLD, _CUT_SPANS, _FEW_SPANS = 1 / 3, 0.99, 0.05, 20
"""Shares from which on gold is doubtful: of findings that it lacks, of places equal to findings, and of spans
that cut words or are readable without points; the latter from so many spans on."""

_MANY_TURNS = 200
"""Turns in which a model finds something, if it works."""

REVIEWS_BEFORE = "reviews_before"
"""The key of a manifest's entry on reviews that were taken off, as the corpus has other conversations since."""


def problems_of_rows(manifest: Mapping[str, Any], totals: Totals) -> Iterator[str]:
    """Problems that hold a run regardless of its risk and cannot be overridden."""
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
    if manifest["command"] == "anonymize":
        uncovered = held_by_language(totals.languages, language_settings(manifest))
        if uncovered:
            yield uncovered


def problems_of_scores(manifest: Mapping[str, Any], statistics: Statistics) -> Iterator[str]:
    """As above, for problems with the scores."""
    named = manifest["run"]["fields"].get("context")
    contexts = {context for figures in statistics.sources.values() for context in figures.contexts}
    if named is not None and contexts == {""}:
        # All conversations would be judged as one.
        yield f"--field context={named}: no conversation has it, so no context can be judged by itself"


def facts_of(
    manifest: Mapping[str, Any],
    totals: Totals,
    gate: Gate,
    statistics: Statistics,
) -> Facts:
    """What a judgement needs besides the scores; a review that is bound to the corpus has its manifest
    entry.
    """
    review = manifest.get("review")
    return Facts(
        totals.rows_in,
        totals.rows_quarantined,
        totals.annotations,
        scoring=manifest["command"] == "score",
        reading=reading_of(review),
        populations=None if review is None else review["populations"],
        rows_not_read=totals.rows_not_read if manifest["command"] == "anonymize" else 0,
        watch=held_by_swaps(totals.swapped),
        dropped=totals.dropped,
        drop_over=manifest["run"]["drop_over"],
        grounds=[
            *_grounds_of_run(manifest, totals, gate, statistics),
            *(() if review is None else _grounds_of_review(review)),
        ],
        readers=readers_of(manifest, totals),
    )


def reading_of(review: Mapping[str, Any] | None) -> Reading | None:
    """What a review read, by its entry in the manifest."""
    if review is None:
        return None
    return Reading(**{**review["reading"], "left": sum(review["populations"].values())})


def _grounds_of_run(
    manifest: Mapping[str, Any],
    totals: Totals,
    gate: Gate,
    statistics: Statistics,
) -> Iterator[Ground]:
    risk = manifest["config"]["risk"]
    yield from grounds_of_gate(gate)
    table = ScoreTable.load(risk["preset"], risk["overrides"], risk["labels"])
    yield from grounds_of_scores(table, risk["variant_clustering"])
    if manifest["command"] == "anonymize":
        detectors = manifest["config"]["detectors"]
        yield from grounds_of_languages(detectors.get("claimed", ()), totals.languages)
        yield from grounds_of_decisions(detectors.get("decided_by_config", ()))
        yield from grounds_of_exclusions(
            manifest.get("exclusion_rules", 0), totals.sampling, set(totals.annotations) == {"gold"}
        )
        yield from grounds_of_replacement(manifest["config"]["replacement"], totals.readable)
        yield from grounds_of_entities(manifest["config"].get("entities", {}), totals.readable)
        yield from grounds_of_hiding(manifest.get("hidden_in_plain_sight", {}))
        yield from _of_idle_models(totals)
        if totals.rows_not_read:
            yield Ground(
                f"{totals.rows_in - totals.rows_not_read:,} of {counted(totals.rows_in, 'row')}: the rest was "
                "not read, by request (--limit)"
            )
    if totals.wordless:
        yield Ground(
            f"conversations without a word, which score 0: {totals.wordless:,} of {totals.conversations:,}",
            totals.wordless > _MANY_WORDLESS * totals.conversations,
        )
    if totals.unsigned and manifest["run"]["reviewer"] is None:
        yield Ground(
            "conversations without a mark whose reader nobody names (--reviewer, reviewed_by): "
            f"{totals.unsigned:,}",
            True,
        )
    if named := manifest["run"]["fields"].get("context"):
        yield Ground(f"contexts are taken from the field {named}")
    too_short = undecided(totals.languages)
    if 2 * too_short > totals.conversations:
        yield Ground(
            f"text too short to identify its language, in {counted(too_short, 'conversation')}: most of them"
        )
    yield from _of_what_was_not_looked_for(manifest)
    yield from _of_gold(totals, _is_scored(statistics, "human"))
    direct = [kind["tag"] for kind in _kinds(manifest) if kind["direct"]]
    if direct and set(totals.annotations) == {"gold"} and totals.of_gold.get("spans") == 0:
        yield Ground(
            "gold without a single annotation, of text in which no detector looked for direct identifiers "
            f"({', '.join(direct)})",
            True,
        )
    for name, reason in sorted(manifest["config"]["languages"]["accepted"].items()):
        yield Ground(f"text in {name} is released by request: {reason}")
    for name, reason in sorted(manifest["fields"].get("opaque", {}).items()):
        yield Ground(f"nothing inspected the field {name}: {reason}")
    if gate.because is not None:
        yield Ground(f"the reason given for the settings: {gate.because}")
    yield from _of_erasures(manifest)
    yield from _of_additions(manifest)


def _of_gold(totals: Totals, read: bool) -> Iterator[Ground]:
    """What speaks against gold; if people ``read`` the corpus as well, the verdict does not rest on it."""
    count = totals.of_gold.get
    found, spans, outside = count("findings", 0), count("spans", 0), count("outside", 0)
    if outside > _OUTSIDE_GOLD * found:
        yield Ground(
            f"gold that is declared complete but lacks {outside:,} of the {found:,} places that were replaced",
            not read,
        )
    if beside := count("beside", 0):
        yield Ground(
            f"gold of turns alone, which does not cover the texts of kept fields: {beside:,}", not read
        )
    if found >= _FEW_SPANS and count("same", 0) >= _SAME_AS_GOLD * max(found, spans):
        yield Ground(
            f"gold that is nearly what the detectors found ({count('same', 0):,} of {max(found, spans):,} "
            "places alike): "
            "if they made it, it shows nothing",
            not read,
        )
    if (cut := count("cut", 0)) > _CUT_SPANS * spans:
        yield Ground(
            f"gold of which {cut:,} of {spans:,} spans cut a word: are its offsets characters?", not read
        )
    if joined := count("joined", 0):
        yield Ground(
            "gold in which one entity id stands for people with different names: "
            f"{counted(joined, 'conversation')}",
            not read,
        )
    labels = {
        name: places for name, places in totals.unscored.items() if "DATE" not in name and "TIME" not in name
    }
    if spans and labels:
        told = ", ".join(f"{name} {places:,}" for name, places in sorted(labels.items()))
        yield Ground(
            f"readable places of gold under labels without points: {told}",
            not read and sum(labels.values()) > _CUT_SPANS * spans,
        )


def _of_idle_models(totals: Totals) -> Iterator[Ground]:
    ran = totals.sampling.get(f"{PLACES}/all", 0)
    if ran and totals.turns >= _MANY_TURNS and not totals.sampling.get(f"{PLACES}/findings", 0):
        yield Ground(f"no model found anything in {totals.turns:,} turns, so nothing shows that it works")


def _of_erasures(manifest: Mapping[str, Any]) -> Iterator[Ground]:
    """Whoever erases what scores high gets a better verdict, without a ``--drop-over`` that would tell it."""
    erasures = [entry for entry in manifest.get(CHANGES, ()) if entry["change"] == "erased"]
    # Entries of earlier versions do not say it, nor do their verdicts.
    met = [entry["criterion_met_before"] for entry in erasures if "criterion_met_before" in entry]
    erased = sum(entry["conversations"] for entry in erasures)
    if met and erased:
        failed = not all(met)
        before = ", before which the criterion was not met" if failed else ""
        were = counted(erased, "conversation was", "conversations were")
        yield Ground(f"{were} erased after the run{before}", failed)


def _of_additions(manifest: Mapping[str, Any]) -> Iterator[Ground]:
    """Whoever adds what scores low lowers the mean."""
    added = [
        entry["conversations"]
        for entry in manifest.get(CHANGES, ())
        if entry["change"] == "added" and not entry.get("criterion_met_before", True)
    ]
    if added:
        were = counted(sum(added), "conversation was", "conversations were")
        yield Ground(f"{were} added to a corpus that did not meet the criterion")


def _grounds_of_review(review: Mapping[str, Any]) -> Iterator[Ground]:
    """Grounds that weaken a verdict from a review: other text was read, or may have been."""
    if lowered := review["lowered"]:
        yield Ground(f"conversations that scored higher in an earlier review: {lowered:,}", True)
    if hidden := review.get("not_shown", 0):
        yield Ground(
            "what is written beside the text was not shown to the readers of "
            f"{counted(hidden, 'conversation')}",
            True,
        )


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


def _is_scored(statistics: Statistics, source: str) -> bool:
    figures = statistics.sources.get(source)
    return figures is not None and figures.total.count > 0


def _of_what_was_not_looked_for(manifest: Mapping[str, Any]) -> Iterator[Ground]:
    kinds = _kinds(manifest)
    if direct := [kind["tag"] for kind in kinds if kind["direct"]]:
        yield Ground(f"direct identifiers that no detector looked for: {', '.join(direct)}")
    if weakly := manifest.get("not_looked_for", {}).get("weakly"):
        yield Ground(f"only rules looked for {', '.join(weakly)}, and they find few of them")
    if by_config := manifest.get("not_looked_for", {}).get("by_config"):
        yield Ground(f"only infoTypes of the config looked for {', '.join(by_config)}")
    if other := [kind["tag"] for kind in kinds if not kind["direct"]]:
        yield Ground(f"scored kinds that no detector looked for: {', '.join(other)}")


def _kinds(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    kinds: list[dict[str, Any]] = list(manifest.get("not_looked_for", {}).get("kinds", ()))
    return kinds
