"""The verdict of a run: what is required, what people or gold read, and what follows from it.

Two figures decide, and both come from people or complete gold: in every context the mean of the risk scores
plus their standard deviation is below the threshold (Gardiner et al., CALD-pseudo 2024, equation 2), and over
the corpus the share of conversations in which a direct identifier is readable is, at 95 %, at most so much.
What detectors suspect never decides.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from tacenda.transforms.schema.errors import is_reason
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.bounds import Reading, judged_groups
from tacenda.transforms.scoring.statistics import Histogram, SourceStatistics, Statistics

RULE = 2
"""The number of this rule in manifests; those without one are of the rule of mean and deviation alone."""

ReleaseOn = Literal["review", "no_review"]
Evidence = Literal["human", "gold", "no_review", "by_hand"]
"""What a release rests on; ``no_review``: a config that says in words why nobody has to read, ``by_hand``: a
person who gives a reason."""


class State(str, Enum):
    """The outcome of a run; an inspection and scores of given conversations release nothing."""

    RELEASED = "released"
    UNREVIEWED = "unreviewed"
    HELD = "held"
    INSPECTED = "inspected"
    SCORED = "scored"


class Ground(NamedTuple):
    """A ground of the verdict, as a sentence; ``weakens``: the release would not be as likely without it."""

    what: str
    weakens: bool = False


@dataclass(frozen=True, slots=True)
class Gate:
    """The requirements for a release.

    ``threshold`` is that of mean + std in every context, ``direct_identifiers_at_most`` the largest share of
    conversations with a readable direct identifier. Of a review, every context needs ``least_conversations``,
    or all that it has. If more than ``largest_quarantined_share`` of the rows are in quarantine, the run is
    held. ``because`` is the reason for settings that weaken the gate; ``release_anyway``, for a release
    against it.
    """

    threshold: float = 5
    direct_identifiers_at_most: float = 0.02
    release_on: ReleaseOn = "review"
    least_conversations: int = 5
    largest_quarantined_share: float = 0.05
    because: str | None = None
    release_anyway: str | None = None


DEFAULT_GATE = Gate()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its grounds, each as a sentence.

    ``held_by`` has the reasons why it is held; ``lacks`` is what it needs for a release. ``evidence`` is that
    of the release, None without any. ``problems`` are the reasons in ``held_by`` that no review can mend;
    ``failures``, those that are figures. ``reading`` is what was read.
    """

    state: State
    gate: Gate
    evidence: Evidence | None
    held_by: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    rests_on: tuple[Ground, ...] = ()
    next_steps: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    reading: Reading | None = None

    def to_json(self) -> dict[str, Any]:
        """The marker's content, also part of the manifest."""
        told: dict[str, Any] = {
            "rule": RULE,
            "state": self.state.value,
            "released": self.state is State.RELEASED,
            "threshold": self.gate.threshold,
            "direct_identifiers_at_most": self.gate.direct_identifiers_at_most,
            "evidence": self.evidence,
            "figures": None if self.reading is None else self.reading.to_json(),
            "held_by": list(self.held_by),
            "problems": list(self.problems),
            "failures": list(self.failures),
            "lacks": list(self.lacks),
            "rests_on": [ground._asdict() for ground in self.rests_on],
            "next": list(self.next_steps),
        }
        if self.gate.because is not None:
            told["because"] = self.gate.because
        if self.evidence == "by_hand":
            told["released_anyway"] = self.gate.release_anyway
        return told


MOST_NAMED = 20
"""Maximum number of contexts that reasons list by name."""

MOST_READERS = 5
"""Maximum number of people that a sentence lists by name."""

PEOPLE: tuple[Literal["human", "gold"], ...] = ("human", "gold")
"""The sources that decide, most trusted first."""


class Facts(NamedTuple):
    """The facts about a run that a judgement needs besides its scores.

    ``annotations`` counts conversations by annotator (``none``, ``gold``, ``partial_gold``, ``empty_gold``,
    ``human``). ``scoring``: given conversations were scored, which are no corpus. ``reading`` is what a review
    or gold that is bound to the corpus read, and ``populations`` the conversations of each context. ``watch``
    has what the swap test holds a run by, if nobody read it. ``dropped`` conversations were removed by
    request. ``grounds`` are further grounds of the verdict. ``readers`` counts the conversations read by each
    person, with an empty name for unnamed people.
    """

    rows_in: int
    rows_quarantined: int
    annotations: Mapping[str, int]
    scoring: bool = False
    reading: Reading | None = None
    populations: Mapping[str, int] | None = None
    rows_not_read: int = 0
    watch: Sequence[str] = ()
    dropped: int = 0
    drop_over: int | None = None
    grounds: Sequence[Ground] = ()
    readers: Mapping[str, int] = {}


def judge(statistics: Statistics, gate: Gate, facts: Facts, problems: Sequence[str] = ()) -> Judgement:
    """Judge what a run measured.

    Args:
        statistics: the scores, by source.
        gate: the requirements.
        facts: other facts about the run.
        problems: reasons to hold the run that neither scores nor people can override.
    """
    problems = [*problems, *_lost(gate, facts)]
    reading = facts.reading or _read_as_a_whole(statistics, facts)
    failures = list(_failures(statistics, gate, facts, reading))
    evidence = _evidence(gate, facts, reading)
    lacks = list(_lacks(statistics, gate, facts, evidence))
    grounds = tuple(_grounds(statistics, facts, evidence))
    by_hand = gate.release_anyway is not None and not facts.scoring
    held_by = [*problems, *failures]
    if problems or (failures and not by_hand):
        state = State.HELD
    elif facts.scoring:
        state = State.SCORED
    elif by_hand:
        state, evidence = State.RELEASED, "by_hand"
    elif evidence in (None, "no_review") and facts.watch:
        state, held_by = State.HELD, list(facts.watch)
    elif not lacks:
        state = State.RELEASED
    elif facts.reading is not None or evidence == "no_review":
        # Someone who asked for a release and does not get it must not mistake the exit code for one.
        state, held_by = State.HELD, lacks
    else:
        state = State.UNREVIEWED
    if state is not State.RELEASED:
        evidence = None
    return Judgement(
        state,
        gate,
        evidence,
        tuple(held_by),
        tuple(lacks),
        grounds,
        problems=tuple(problems),
        failures=tuple(failures),
        reading=reading,
    )


def next_steps(judgement: Judgement) -> tuple[str, ...]:
    """The next steps for a corpus that nobody has read; none if it is released. OUT stands for its folder."""
    if judgement.state is State.RELEASED:
        return ()
    review = (
        "tacenda review sample OUT says what reading N conversations can show; with --output FILE it draws "
        "them",
        "tacenda release OUT --review FILE releases or holds the corpus by what people marked",
    )
    if judgement.state is State.UNREVIEWED:
        return review
    nothing = "nothing in OUT/.held is released; do not train on it"
    if judgement.problems:
        return ("correct what the corpus is held by, then run again with --overwrite", nothing)
    extend = (
        "extend the config to find what is left (dictionaries, infoTypes, rules), then run again with "
        "--overwrite; OUT/risk lists what to read first"
    )
    return (extend, *review, nothing)


def meets_gate(statistics: Statistics, gate: Gate, facts: Facts) -> bool:
    """Whether the figures of people or gold, if there are any, meet the gate."""
    reading = facts.reading or _read_as_a_whole(statistics, facts)
    return not any(_failures(statistics, gate, facts, reading))


def _lost(gate: Gate, facts: Facts) -> Iterator[str]:
    lost, rows = facts.rows_quarantined, facts.rows_in
    if 2 * lost > rows:
        yield (
            f"{lost} of {rows} rows are in quarantine: the rest is not the corpus (the quarantine has the "
            "reasons)"
        )
    elif lost > gate.largest_quarantined_share * rows:
        yield (
            f"{lost} of {rows} rows are in quarantine, more than {gate.largest_quarantined_share:.4g} of them "
            "(risk.largest_quarantined_share)"
        )


def _read_as_a_whole(statistics: Statistics, facts: Facts) -> Reading | None:
    """What gold or marks in the input itself read: all conversations that have them, and no sample of more."""
    for source in PEOPLE:
        figures = statistics.sources.get(source)
        if figures is not None and (count := figures.total.count):
            total = figures.total
            return Reading(source, count, count, total.direct_identifiers, total.naming_somebody, read=count)
    return None


def _failures(statistics: Statistics, gate: Gate, facts: Facts, reading: Reading | None) -> Iterator[str]:
    """The figures of people and gold that do not meet the gate, a sentence each."""
    for source in PEOPLE:
        figures = statistics.sources.get(source)
        if figures is None or not figures.total.count:
            continue
        populations, drawn = {name: one.count for name, one in figures.contexts.items()}, figures.total.count
        if facts.reading is not None and facts.reading.source == source:
            populations, drawn = dict(facts.populations or {}), facts.reading.drawn
        groups = judged_groups(populations, drawn, gate.least_conversations)
        yield from _too_high(source, figures, gate, groups)
        if reading is not None and reading.source == source:
            yield from _too_many(source, gate, reading)
        else:
            total = figures.total
            whole = Reading("gold", total.count, total.count, total.direct_identifiers, total.naming_somebody)
            yield from _too_many(source, gate, whole)
    if facts.scoring and reading is None:
        yield "no conversation was scored"


def _too_high(source: str, figures: SourceStatistics, gate: Gate, groups: Mapping[str, str]) -> Iterator[str]:
    """Contexts, small ones together, and the whole, in which mean + std is not below the threshold."""
    threshold = Fraction(gate.threshold)
    several: dict[str, Histogram] = {}
    small = {context for context, group in groups.items() if group != context}
    small = small if len(small) > 1 else set()
    for context, of_one in figures.contexts.items():
        name = "small contexts together" if context in small else f"context {context or '(none)'}"
        several.setdefault(name, Histogram()).merge(Histogram(of_one.histogram))
    if len(several) > 1:
        several["all contexts"] = Histogram(figures.total.histogram)
    told = []
    for name, scores in several.items():
        if scores.count and not scores.mean_plus_std_below(threshold, figures.total.ddof):
            figure = scores.mean_plus(1, figures.total.ddof) or 0
            told.append(f"{source}, {name}: mean + std is {figure:.4g}, not less than {float(threshold):g}")
    yield from _at_most(told, "contexts that are too high")


def _too_many(source: str, gate: Gate, reading: Reading) -> Iterator[str]:
    """Whether direct identifiers may be readable in too many conversations."""
    direct, most = reading.share_direct(), gate.direct_identifiers_at_most
    if direct.at_most <= most:
        return
    what = f"{source}: a direct identifier is readable in {counted(direct.found, 'conversation')}"
    if reading.is_whole and not reading.planted:
        yield f"{what} of {reading.population:,}, {direct.at_most:.2%}, more than {most:.4g}"
    else:
        yield (
            f"{what} of {reading.read or reading.drawn:,} read, so that up to {direct.at_most:.2%} of the "
            "corpus "
            f"may have one (95 %), more than {most:.2%}"
        )


def _evidence(gate: Gate, facts: Facts, reading: Reading | None) -> Evidence | None:
    """What speaks for a release, if anything does."""
    if facts.scoring:
        return None
    if facts.reading is not None:
        return facts.reading.source
    if reading is not None and reading.source == "gold" and set(_present(facts)) == {"gold"}:
        return "gold"
    return "no_review" if gate.release_on == "no_review" else None


def _present(facts: Facts) -> list[str]:
    return [who for who, count in facts.annotations.items() if count]


def _lacks(statistics: Statistics, gate: Gate, facts: Facts, evidence: Evidence | None) -> Iterator[str]:
    """What is missing for a release, although nothing fails."""
    if evidence is None and not facts.scoring:
        if partial := facts.annotations.get("partial_gold", 0) + facts.annotations.get("empty_gold", 0):
            yield (
                f"gold is partial or empty in {partial} conversations, and decides nothing alone "
                '(a record with "gold": "complete" says that all its personal data is annotated)'
            )
        yield "nobody reviewed it"
    if facts.rows_not_read:
        yield f"{counted(facts.rows_not_read, 'row')} not read (--limit): a part of a corpus is not released"
    if facts.reading is not None and not facts.reading.is_whole:
        yield from _few(statistics.sources[facts.reading.source], gate, facts)
    people = statistics.sources.get("human")
    if facts.scoring and people is not None and (unread := people.total.unreviewed):
        yield f"{unread} conversations have no marks, and no sign that anybody read them"
    weakened = [ground.what for ground in facts.grounds if ground.weakens]
    if weakened and not is_reason(gate.because):
        yield f"settings weaken the gate ({'; '.join(weakened)}): justify that in risk.because"


def _few(figures: SourceStatistics, gate: Gate, facts: Facts) -> Iterable[str]:
    assert facts.reading is not None
    assert facts.populations is not None
    groups = judged_groups(facts.populations, facts.reading.drawn, gate.least_conversations)
    read: dict[str, int] = {}
    there: dict[str, int] = {}
    for context, population in facts.populations.items():
        group = f"context {context or '(none)'}" if groups[context] == context else "small contexts"
        of_one = figures.contexts.get(context)
        read[group] = read.get(group, 0) + (0 if of_one is None else of_one.count)
        there[group] = there.get(group, 0) + population
    few = [
        f"{group}: {count} conversations read, {least} needed"
        for group, count in read.items()
        if count < (least := min(gate.least_conversations, there[group]))
    ]
    yield from _at_most(few, "contexts with too few")


def _at_most(told: Sequence[str], of: str) -> Iterator[str]:
    yield from told[:MOST_NAMED]
    if len(told) > MOST_NAMED:
        yield f"and {len(told) - MOST_NAMED} more {of}"


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


def _grounds(statistics: Statistics, facts: Facts, evidence: Evidence | None) -> Iterable[Ground]:
    for source in PEOPLE:
        figures = statistics.sources.get(source)
        if figures is None or not (count := figures.total.count):
            continue
        bound = facts.reading is not None and facts.reading.source == source
        if source == "human":
            yield Ground(f"a review of {count} conversations{_by(facts.readers)}")
        elif partial := sum(facts.annotations.get(who, 0) for who in ("partial_gold", "empty_gold")):
            yield Ground(f"gold annotations of {count} conversations, partial or empty in {partial} of them")
        else:
            by = _by(facts.readers) if bound else ""
            yield Ground(
                f"gold annotations of {count} conversations, declared to cover all personal data{by}"
            )
    if facts.scoring:
        yield Ground(
            "these conversations alone: 'tacenda score', unlike 'tacenda release', binds them to no corpus"
        )
    if evidence not in (None, "no_review"):
        for reason in facts.watch:
            yield Ground(f"people decided otherwise: {reason}")
    contexts = {context for figures in statistics.sources.values() for context in figures.contexts}
    if contexts == {""}:
        yield Ground("no contexts: all conversations are judged as one")
    if facts.rows_quarantined:
        yield Ground(
            f"{facts.rows_in - facts.rows_quarantined} of {facts.rows_in} rows: the rest is in quarantine"
        )
    if facts.dropped:
        yield Ground(
            f"{facts.dropped} conversations that scored {facts.drop_over} or more were dropped by request"
        )
    yield from facts.grounds
