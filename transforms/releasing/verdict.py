"""The verdict of a run, from its figures, counts and settings, and the reasons for it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from tacenda.transforms.language.coverage import held_by_language
from tacenda.transforms.releasing.criterion import (
    RULE,
    Ground,
    State,
    at_most,
    next_steps,
    readers_in_words,
    sentence,
)
from tacenda.transforms.releasing.grounds import grounds_of
from tacenda.transforms.releasing.run import MODIFIED, Run, readers_of, whole_reading
from tacenda.transforms.schema.errors import is_reason
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.bounds import Reading, judged_groups
from tacenda.transforms.scoring.statistics import Histogram
from tacenda.transforms.storage.json_lines import TRUNCATED


def judge(run: Run) -> dict[str, Any]:
    """The verdict, as marker and manifest have it; that of an inspection has state and ``held_by`` alone.

    ``held_by`` has the reasons why the run is held; ``lacks`` is what it needs for a release. ``evidence``
    is that of the release, None without any. ``problems`` are the reasons in ``held_by`` that no review can
    mend; ``failures``, those that are figures. ``figures`` are those of what was read.
    """
    if run.manifest["command"] == "inspect":
        problems = list(_problems_of_rows(run))
        state = State.HELD if problems else State.INSPECTED
        return {"state": state.value, "released": False, "held_by": problems}
    gate, totals = run.gate, run.totals
    lost, rows, most = totals.rows_quarantined, totals.rows_in, gate.largest_quarantined_share
    problems = list(_problems(run))
    if 2 * lost > rows:
        problems.append(sentence("mostly_quarantined", lost=lost, rows=rows))
    elif lost > most * rows:
        problems.append(sentence("much_quarantined", lost=lost, rows=rows, most=most))
    # What is wrong with a review holds the corpus as long as it is bound; another one may mend it.
    of_review = (run.review or {}).get("problems", ())
    failures, evidence, grounds = list(_failures(run)), _evidence(run), list(grounds_of(run))
    lacks = list(_lacks(run, evidence, grounds))
    held_by = [*problems, *of_review, *failures]
    if held_by:
        state = State.HELD
    elif run.is_scoring:
        state = State.SCORED
    elif evidence in (None, "no_review") and run.watch:
        state, held_by = State.HELD, run.watch
    elif not lacks:
        state = State.RELEASED
    elif run.bound is not None or evidence == "no_review":
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
        "figures": _figures(run),
        "held_by": held_by,
        "problems": problems,
        "failures": failures,
        "lacks": lacks,
        "rests_on": [ground._asdict() for ground in (*_evidence_grounds(run, evidence), *grounds)],
        "next": [],
    }
    if run.manifest["command"] == "anonymize" and run.review is None:
        verdict["next"] = next_steps(verdict)
    if gate.because is not None:
        verdict["because"] = gate.because
    return verdict


def meets_gate(run: Run) -> bool:
    """Whether the figures meet the gate, whatever else holds or releases the corpus."""
    return not any(_failures(run))


def _problems(run: Run) -> Iterator[str]:
    """Reasons to hold the run regardless of its risk, which nobody can override."""
    yield from _problems_of_rows(run)
    named = run.manifest["run"]["fields"].get("context")
    if named is not None and run.contexts == {""}:
        # All conversations would be judged as one.
        yield sentence("no_context", name=named)


def _problems_of_rows(run: Run) -> Iterator[str]:
    """Reasons to hold a run that need no scores."""
    manifest, totals = run.manifest, run.totals
    # Unit boundaries were planned for other bytes, so row counts do not show what was skipped.
    if modified := manifest["run"].get(MODIFIED, 0):
        yield sentence("modified", n=modified)
    if not totals.balanced:
        yield sentence("unbalanced", balance=totals.balance)
    if cut_off := totals.quarantined.get(f"{Stage.READ.value}/{TRUNCATED}", 0):
        yield sentence("cut_off", n=cut_off)
    if run.is_scoring:
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
        uncovered := held_by_language(totals.languages, run.languages)
    ):
        yield uncovered


def _failures(run: Run) -> Iterator[str]:
    """The figures of people and gold that do not meet the gate, a sentence each."""
    reading = run.reading
    for source, figures in run.people.items():
        yield from _too_high(run, source)
        is_read = reading is not None and reading.source == source
        yield from _too_many(run, source, reading if reading and is_read else whole_reading("gold", figures))
    if run.is_scoring and reading is None:
        yield sentence("nothing_scored")


def _judged(run: Run, source: str) -> dict[str, Histogram]:
    """The scores that are judged: of contexts, small ones together, and of the whole."""
    figures, bound = run.people[source], run.bound
    populations = {name: one.scores.count for name, one in figures.contexts.items()}
    drawn = figures.total.scores.count
    if bound is not None and bound.source == source:
        populations, drawn = run.populations, bound.drawn
    groups = judged_groups(populations, drawn, run.gate.least_conversations)
    several: dict[str, Histogram] = {}
    small = {context for context, group in groups.items() if group != context}
    small = small if len(small) > 1 else set()
    for context, of_one in figures.contexts.items():
        name = "small contexts together" if context in small else _context(context)
        several.setdefault(name, Histogram()).update(of_one.scores)
    if len(several) > 1:
        several["all contexts"] = figures.total.scores
    return several


def _figures(run: Run) -> dict[str, Any] | None:
    """The figures of what was read; ``points`` is the highest mean + std of what is judged."""
    if run.reading is None:
        return None
    judged = _judged(run, run.reading.source) if run.reading.source in run.people else {}
    points = max((scores.mean_plus(1) or 0 for scores in judged.values()), default=None)
    return {**run.reading.to_json(), "points": points}


def _too_high(run: Run, source: str) -> Iterator[str]:
    """What is judged, of which mean + std is not below the threshold."""
    threshold = Fraction(run.gate.threshold)
    of = {"source": source, "threshold": float(threshold)}
    told = [
        sentence("too_high", group=name, figure=scores.mean_plus(1) or 0, **of)
        for name, scores in _judged(run, source).items()
        if scores.count and not scores.mean_plus_std_below(threshold)
    ]
    yield from at_most(told, "contexts that are too high")


def _too_many(run: Run, source: str, reading: Reading) -> Iterator[str]:
    """Whether direct identifiers may be readable in too many conversations."""
    direct, most = reading.share_direct(), run.gate.direct_identifiers_at_most
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


def _evidence(run: Run) -> str | None:
    """What speaks for a release, if anything does."""
    if run.is_scoring:
        return None
    if run.bound is not None:
        return run.bound.source
    present = {who for who, count in run.totals.annotations.items() if count}
    if run.reading is not None and run.reading.source == "gold" and present == {"gold"}:
        return "gold"
    return "no_review" if run.gate.release_on == "no_review" else None


def _lacks(run: Run, evidence: str | None, grounds: Sequence[Ground]) -> Iterator[str]:
    """What is missing for a release, although nothing fails."""
    if evidence is None and not run.is_scoring:
        if partial := run.partial_gold:
            yield sentence("partial_gold", n=partial)
        yield sentence("nobody")
    if run.manifest["command"] == "anonymize" and (left_out := run.totals.rows_not_read):
        yield sentence("not_read", rows=counted(left_out, "row"))
    if run.bound is not None and not run.bound.is_whole:
        yield from _few(run, run.bound)
    people = run.sources.get("human")
    if run.is_scoring and people is not None and (unread := people.total.unreviewed):
        yield sentence("without_marks", n=unread)
    weakened = [ground.what for ground in grounds if ground.weakens]
    if weakened and not is_reason(run.gate.because):
        yield sentence("unjustified", which="; ".join(weakened))


def _few(run: Run, bound: Reading) -> Iterator[str]:
    """Contexts, small ones together, of which a review has too few conversations."""
    least, populations = run.gate.least_conversations, run.populations
    groups = judged_groups(populations, bound.drawn, least)
    contexts = run.sources[bound.source].contexts
    read, there = Counter[str](), Counter[str]()
    for context, population in populations.items():
        group = _context(context) if groups[context] == context else "small contexts"
        read[group] += contexts[context].scores.count if context in contexts else 0
        there[group] += population
    few = [
        sentence("few", group=group, n=count, least=min(least, there[group]))
        for group, count in read.items()
        if count < min(least, there[group])
    ]
    yield from at_most(few, "contexts with too few")


def _context(name: str) -> str:
    return f"context {name or '(none)'}"


def _evidence_grounds(run: Run, evidence: str | None) -> Iterator[Ground]:
    """What was read by whom, and what nobody read."""
    told, totals = readers_in_words(readers_of(run.manifest)), run.totals
    by = f" by {told}" if told else ""
    for source, figures in run.people.items():
        count = figures.total.scores.count
        if source == "human":
            yield Ground(sentence("review", n=count, by=by))
        elif partial := run.partial_gold:
            yield Ground(sentence("gold_in_part", n=count, partial=partial))
        else:
            bound = run.bound is not None and run.bound.source == source
            yield Ground(sentence("gold", n=count, by=by if bound else ""))
    if run.is_scoring:
        yield Ground(sentence("scored_alone"))
    if evidence not in (None, "no_review"):
        yield from (Ground(sentence("decided_otherwise", reason=reason)) for reason in run.watch)
    if run.contexts == {""}:
        yield Ground(sentence("contexts_as_one"))
    if lost := totals.rows_quarantined:
        yield Ground(sentence("rest_in_quarantine", n=totals.rows_in - lost, rows=totals.rows_in))
    if totals.dropped:
        yield Ground(sentence("dropped", n=totals.dropped, least=run.manifest["run"]["drop_over"]))
