"""Attempts of a careful opponent: no verdict is stronger than its evidence."""

from dataclasses import replace

import pytest

from tacenda.transforms.releasing.judging import Facts, judge
from tacenda.transforms.releasing.verdict import Gate, Ground, State
from tacenda.transforms.releasing.weakening import grounds_of_gate, grounds_of_scores
from tacenda.transforms.scoring.bounds import Reading
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch

GATE = Gate()
GOLD = Facts(100, 0, {"gold": 100})
UNREAD = Facts(100, 0, {"none": 100})
REASON = "counsel decided so"


def _scored(source="gold", count=100, score=0, contexts=("sales",), direct=0):
    sketch = RiskSketch()
    for context in contexts:
        sketch.add(source, context, score, times=count - direct)
        if direct:
            sketch.add(source, context, 5, True, True, times=direct)
    return sketch


def _judged(sketch, facts, gate=GATE, problems=()):
    return judge(sketch.compute(gate.threshold), gate, facts, problems)


def _read(direct=0, read=300, **more):
    reading = Reading("human", 10_000, read, direct, direct, read=read, **more)
    facts = Facts(10_000, 0, {"none": 10_000}, reading=reading, populations={"sales": 10_000})
    return _judged(_scored("human", read, direct=direct), facts)


def test_a_review_and_complete_gold_release():
    assert _read().evidence == "human"
    assert _judged(_scored(), GOLD).evidence == "gold"


@pytest.mark.parametrize(
    ("read", "direct", "released"),
    [(149, 0, True), (140, 0, False), (300, 1, True), (300, 2, False), (20, 0, False)],
)
def test_a_review_releases_where_the_bound_is_within_the_limit(read, direct, released):
    verdict = _read(direct, read)
    assert (verdict.state is State.RELEASED) == released
    if not released:
        assert verdict.state is State.HELD
        assert "of the corpus may have one (95 %), more than 2.00%" in verdict.held_by[0]


def test_five_full_names_in_a_hundred_conversations_of_complete_gold_hold():
    verdict = _judged(_scored(direct=5), GOLD)
    assert verdict.state is State.HELD
    assert verdict.held_by == (
        "gold: a direct identifier is readable in 5 conversations of 100, 5.00%, more than 0.02",
    )
    assert _judged(_scored(direct=2), GOLD).state is State.RELEASED


@pytest.mark.parametrize("score", [0, 9, 100])
def test_without_a_review_there_is_no_judgement_whatever_detectors_suspect(score):
    verdict = _judged(_scored("model", score=score), UNREAD)
    assert (verdict.state, verdict.evidence, verdict.reading) == (State.UNREVIEWED, None, None)
    assert verdict.lacks == ("nobody reviewed it",)
    assert not verdict.failures


def test_the_watch_holds_what_nobody_read_and_people_may_decide_otherwise():
    seen = "code: 46 of 100 names were found again"
    assert _judged(_scored("model"), UNREAD._replace(watch=[seen])).held_by == (seen,)
    assert _judged(_scored(), GOLD._replace(watch=[seen])).state is State.RELEASED
    gate = Gate(release_on="no_review", because=REASON)
    assert _judged(_scored("model"), UNREAD._replace(watch=[seen]), gate).state is State.HELD


def test_a_config_that_says_in_words_why_nobody_has_to_read_releases():
    gate = Gate(release_on="no_review", because=REASON)
    facts = UNREAD._replace(grounds=list(grounds_of_gate(gate)))
    assert _judged(_scored("model"), facts, gate).evidence == "no_review"
    assert _judged(_scored("model"), facts, replace(gate, because=None)).state is State.HELD


@pytest.mark.parametrize("who", ["partial_gold", "empty_gold"])
def test_partial_and_empty_gold_decide_nothing_alone(who):
    verdict = _judged(_scored(), Facts(100, 0, {"gold": 60, who: 40}))
    assert (verdict.state, verdict.evidence) == (State.UNREVIEWED, None)
    assert "gold is partial or empty in 40 conversations" in verdict.lacks[0]
    assert any("partial or empty in 40 of them" in ground.what for ground in verdict.rests_on)
    assert _judged(_scored(direct=9), Facts(100, 0, {who: 100})).state is State.HELD


def test_gold_of_some_conversations_does_not_release_the_others():
    mixed = _scored(count=1).merge(_scored("model", 99))
    assert _judged(mixed, Facts(100, 0, {"gold": 1, "none": 99})).state is State.UNREVIEWED


def test_too_few_of_a_context_are_no_review_of_it():
    reading = Reading("human", 2_000, 200, 0, 0, read=200)
    populations = {"sales": 1_000, "meetings": 1_000}
    facts = Facts(2_000, 0, {"none": 2_000}, reading=reading, populations=populations)
    few = _scored("human", 197).merge(_scored("human", 3, contexts=("meetings",)))
    verdict = _judged(few, facts)
    assert verdict.held_by == ("context meetings: 3 conversations read, 5 needed",)
    small = facts._replace(populations={"sales": 1_980, "meetings": 20})
    assert _judged(few, small).held_by == ("small contexts: 3 conversations read, 5 needed",)


def test_a_context_that_fails_is_not_hidden_by_the_others():
    mixed = _scored(count=1_000).merge(_scored(score=6, contexts=("meetings",)))
    verdict = _judged(mixed, GOLD)
    assert verdict.held_by == ("gold, context meetings: mean + std is 6, not less than 5",)


def test_many_contexts_that_fail_are_not_all_listed():
    held = _judged(_scored(score=6, contexts=[f"c{i}" for i in range(50)]), GOLD).held_by
    assert len(held) == 21
    assert held[-1] == "and 31 more contexts that are too high"


@pytest.mark.parametrize(("lost", "held"), [(5, False), (6, True), (99, True)])
def test_more_in_quarantine_than_the_gate_allows_holds_whoever_read_it(lost, held):
    verdict = _judged(_scored(), Facts(100, lost, {"gold": 100 - lost}))
    assert (verdict.state is State.HELD) == held
    by_hand = replace(GATE, release_anyway=REASON)
    assert (_judged(_scored(), Facts(100, lost, {"gold": 1}), by_hand).state is State.HELD) == held


def _weakened(gate=GATE, **score_table):
    grounds = [*grounds_of_gate(gate), *grounds_of_scores(ScoreTable.load(**score_table), False)]
    assert grounds
    assert all(ground.weakens for ground in grounds)
    return GOLD._replace(grounds=grounds)


@pytest.mark.parametrize(
    "weaker",
    [
        {"overrides": {"PERSON_NAME": 0}},
        {"overrides": {"PERSON_NAME": {"partial_rounding": "floor"}}},
        {"overrides": {"PHONE": {"direct": False}}},
        {"labels": {"FIRST_NAME": "unscored"}},
        {"labels": {"IRELAND_EIRCODE": "AGE"}},
        {"preset": "worked_example"},
    ],
)
def test_scores_that_were_lowered_are_reported_and_need_a_reason(weaker):
    facts = _weakened(**weaker)
    verdict = _judged(_scored(), facts)
    assert verdict.state is State.UNREVIEWED
    assert "settings weaken the gate" in verdict.lacks[0]
    assert set(facts.grounds) <= set(verdict.rests_on)
    assert _judged(_scored(), facts, replace(GATE, because=REASON)).state is State.RELEASED


@pytest.mark.parametrize(
    "weaker",
    [
        {"threshold": 9},
        {"least_conversations": 1},
        {"largest_quarantined_share": 0.5},
        {"direct_identifiers_at_most": 0.03},
    ],
)
def test_a_gate_that_was_lowered_is_reported_and_needs_a_reason(weaker):
    gate = replace(GATE, **weaker)
    assert _judged(_scored(), _weakened(gate), gate).state is State.UNREVIEWED


def test_contexts_that_are_pooled_are_reported():
    assert (
        Ground("no contexts: all conversations are judged as one")
        in _judged(_scored(contexts=("",)), GOLD).rests_on
    )


def test_scores_of_given_conversations_release_nothing():
    scoring = Facts(100, 0, {"human": 100}, scoring=True)
    assert _judged(_scored("human"), scoring).state is State.SCORED
    assert _judged(_scored("human", direct=9), scoring).state is State.HELD
    assert _judged(RiskSketch(), scoring).held_by == ("no conversation was scored",)
    by_hand = replace(GATE, release_anyway=REASON)
    assert _judged(_scored("human"), scoring, by_hand).state is State.SCORED


def test_a_part_of_a_corpus_is_not_released():
    verdict = _judged(_scored(), GOLD._replace(rows_not_read=10))
    assert verdict.state is State.UNREVIEWED
    assert "10 rows not read (--limit)" in verdict.lacks[0]


def test_a_reason_of_a_person_does_not_lift_a_problem_of_the_run():
    gate = replace(GATE, release_anyway=REASON)
    assert _judged(_scored(score=9), GOLD, gate).evidence == "by_hand"
    assert _judged(_scored(), GOLD, gate, ["rows do not balance"]).state is State.HELD


def test_conversations_dropped_for_their_score_are_reported():
    facts = GOLD._replace(dropped=7, drop_over=5)
    told = " ".join(ground.what for ground in _judged(_scored(), facts).rests_on)
    assert "7 conversations that scored 5 or more were dropped by request" in told
