"""Judge a run: its scores by the gate, and its evidence by the requirements for a release."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from tacenda.transforms.releasing.criterion import Failure, decide
from tacenda.transforms.releasing.verdict import Evidence, Gate, Ground, Judgement, State
from tacenda.transforms.schema.errors import is_reason
from tacenda.transforms.scoring.statistics import GroupStatistics, Statistics

MOST_NAMED = 20
"""Maximum number of contexts that reasons list by name."""

MOST_READERS = 5
"""Maximum number of people that a sentence lists by name."""


class Facts(NamedTuple):
    """The facts about a run that a judgement needs besides its scores.

    ``annotations`` counts conversations by annotator (``none``, ``gold``, ``partial_gold``, ``empty_gold``,
    ``human``). ``reviews``: the input was what reviewers read. ``bound`` is the source of scores that are
    bound to the corpus; they decide. ``populations`` has the number of conversations from which those of each
    context were drawn. ``dropped`` conversations were removed by request. ``grounds`` are further grounds of
    the verdict. ``readers`` counts the conversations read by each person, with an empty name for unnamed
    people.
    """

    rows_in: int
    rows_quarantined: int
    annotations: Mapping[str, int]
    reviews: bool = False
    bound: Literal["human", "gold"] | None = None
    populations: Mapping[str, int] | None = None
    dropped: int = 0
    drop_over: int | None = None
    grounds: Sequence[Ground] = ()
    readers: Mapping[str, int] = {}


class Judged(NamedTuple):
    """A judgement, and the failures of the criterion with their figures."""

    judgement: Judgement
    failures: tuple[Failure, ...]

    def with_next_steps(self, steps: Sequence[str]) -> "Judged":
        """The same judgement, with the next steps for the user."""
        return self._replace(judgement=replace(self.judgement, next_steps=tuple(steps)))


def judge(statistics: Statistics, gate: Gate, facts: Facts, problems: Sequence[str] = ()) -> Judged:
    """Judge what a run measured.

    Args:
        statistics: the scores, by source.
        gate: the requirements.
        facts: other facts about the run.
        problems: reasons to hold the run that neither scores nor people can override.
    """
    problems = [*problems, *_lost(facts)]
    decided = decide(statistics, gate.threshold, deciding_sources(statistics, facts.bound), gate.criterion)
    evidence = _evidence(statistics, gate, facts)
    lacks = list(_lacks(statistics, gate, facts, evidence))
    grounds = tuple(_grounds(statistics, facts, evidence))
    held_by = [*problems, *decided.reasons]
    by_hand = gate.release_anyway is not None
    if problems or (decided.failures and not by_hand):
        state = State.HELD
    elif by_hand:
        state, evidence = State.RELEASED, "by_hand"
    elif not lacks:
        state = State.RELEASED
    else:
        # Someone who asked for a release and does not get it must not mistake the exit code for one.
        asked = evidence == "self_check" or facts.bound is not None
        state = State.HELD if asked else State.UNREVIEWED
        held_by += lacks if asked else []
    if state is State.HELD:
        evidence = None
    judgement = Judgement(
        state, gate, evidence, tuple(held_by), tuple(lacks), grounds, problems=tuple(problems)
    )
    return Judged(judgement, decided.failures)


def deciding_sources(statistics: Statistics, bound: str | None) -> list[str] | None:
    """The sources that must meet the criterion; None means all with scores.

    If a review is bound to the corpus, it decides together with other human annotations: a self-check saw
    less.
    """
    if bound is None:
        return None
    annotated = [
        source for source, figures in statistics.sources.items() if figures.total.count and source != "model"
    ]
    return list(dict.fromkeys([bound, *annotated]))


def _lost(facts: Facts) -> Iterable[str]:
    if 2 * facts.rows_quarantined > facts.rows_in:
        yield (
            f"{facts.rows_quarantined} of {facts.rows_in} rows are in quarantine: the rest is not the "
            "corpus (the quarantine has the reasons)"
        )


def _evidence(statistics: Statistics, gate: Gate, facts: Facts) -> Evidence | None:
    """The evidence for the scores, if any."""
    if facts.bound is not None:
        return facts.bound
    scored = {source for source, figures in statistics.sources.items() if figures.total.count}
    if facts.reviews and "human" in scored:
        return "human"
    if scored == {"gold"} and set(_present(facts)) == {"gold"}:
        return "gold"
    return "self_check" if gate.release_on == "self_check" and "model" in scored else None


def _present(facts: Facts) -> list[str]:
    return [who for who, count in facts.annotations.items() if count]


def _lacks(statistics: Statistics, gate: Gate, facts: Facts, evidence: Evidence | None) -> Iterable[str]:
    """What is missing for a release, although the criterion is met."""
    if evidence is None:
        if partial := facts.annotations.get("partial_gold", 0) + facts.annotations.get("empty_gold", 0):
            yield (
                f"gold is partial or empty in {partial} conversations, and decides nothing alone "
                '(a record with "gold": "complete" says that all its personal data is annotated)'
            )
        yield "nobody reviewed it"
        deciding = list(statistics.sources)
    else:
        deciding = ["model" if evidence == "self_check" else evidence]
    for source in deciding:
        yield from _few(statistics.sources[source].contexts, gate, facts)
    if facts.rows_quarantined > gate.largest_quarantined_share * facts.rows_in:
        yield (
            f"{facts.rows_quarantined} of {facts.rows_in} rows are in quarantine, more than "
            f"{gate.largest_quarantined_share:.4g} of them (risk.largest_quarantined_share)"
        )
    if (
        evidence == "human"
        and facts.bound is None
        and (unread := statistics.sources["human"].total.unreviewed)
    ):
        yield f"{unread} conversations have no marks, and no sign that anybody read them"
    weakened = [ground.what for ground in facts.grounds if ground.weakens]
    if weakened and not is_reason(gate.because):
        yield f"settings weaken the gate ({'; '.join(weakened)}): justify that in risk.because"


def _by(readers: Mapping[str, int]) -> str:
    told = readers_in_words(readers)
    return f" by {told}" if told else ""


def readers_in_words(readers: Mapping[str, int]) -> str:
    """Who read how many conversations; empty if nobody read any."""
    named = sorted((-count, name) for name, count in readers.items() if name)
    told = [f"{name} ({-count})" for count, name in named[:MOST_READERS]]
    if more := len(named) - len(told):
        told.append(f"{more} more")
    if unnamed := readers.get("", 0):
        told.append(f"unnamed people ({unnamed})")
    *others, last = told or [""]
    return f"{', '.join(others)}{' and ' if others else ''}{last}"


def _few(contexts: Mapping[str, GroupStatistics], gate: Gate, facts: Facts) -> Iterable[str]:
    few = []
    for context, group in contexts.items():
        least = gate.least_conversations
        if facts.populations is not None:
            least = min(least, facts.populations.get(context, least))
        if group.count < least:
            few.append(
                f"context {context or '(none)'}: scored conversations: {group.count} of {least} needed"
            )
    yield from few[:MOST_NAMED]
    if len(few) > MOST_NAMED:
        yield f"and {len(few) - MOST_NAMED} more contexts with too few"


def _grounds(statistics: Statistics, facts: Facts, evidence: Evidence | None) -> Iterable[Ground]:
    for source, figures in statistics.sources.items():
        count = figures.total.count
        if not count:
            continue
        if source == "model":
            yield Ground(
                f"a self-check of {count} conversations: only the detectors that replaced text read it again"
            )
        elif source == "gold" and set(_present(facts)) - {"gold", "none", "human"}:
            yield Ground(
                f"gold annotations of {count} conversations, partial or empty in "
                f"{sum(facts.annotations.get(who, 0) for who in ('partial_gold', 'empty_gold'))} of them"
            )
        elif source == "gold":
            by = _by(facts.readers) if facts.bound == "gold" else ""
            yield Ground(
                f"gold annotations of {count} conversations, declared to cover all personal data{by}"
            )
        else:
            yield Ground(f"a review of {count} conversations{_by(facts.readers)}")
    if facts.reviews:
        yield Ground(
            "these conversations alone: 'tacenda score', unlike 'tacenda release', binds them to no corpus"
        )
    contexts = {context for figures in statistics.sources.values() for context in figures.contexts}
    if contexts == {""}:
        yield Ground("no contexts: all conversations are judged as one")
    if facts.rows_quarantined:
        yield Ground(
            f"{facts.rows_in - facts.rows_quarantined} of {facts.rows_in} rows: the rest is in quarantine"
        )
    if facts.dropped:
        yield Ground(
            f"scores after {facts.dropped} conversations that scored {facts.drop_over} or more were dropped by "
            "request: they were found by the same check that judges the rest"
        )
    yield from facts.grounds
