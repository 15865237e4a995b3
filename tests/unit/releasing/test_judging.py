"""Attempts of a careful opponent: no verdict is stronger than its evidence."""

from dataclasses import replace

import pytest

from tacenda.transforms.releasing.judging import Facts, judge
from tacenda.transforms.releasing.verdict import Gate, Ground, State
from tacenda.transforms.releasing.weakening import of_the_gate, of_the_scores
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch

GATE = Gate()
GOLD = Facts(100, 0, {"gold": 100})
REVIEWED = Facts(100, 0, {"human": 100}, reviews=True)


def _scored(source="gold", count=100, score=0, contexts=("sales",)):
    sketch = RiskSketch()
    for context in contexts:
        sketch.add(source, context, score, times=count)
    return sketch


def _judged(sketch, facts, gate=GATE, problems=()):
    judged = judge(sketch.compute(gate.threshold), gate, facts, problems)
    return judged.judgement


def test_a_review_and_complete_gold_release():
    assert _judged(_scored("human"), REVIEWED).evidence == "human"
    assert _judged(_scored(), GOLD).evidence == "gold"


def test_a_self_check_alone_releases_nothing():
    verdict = _judged(_scored("model"), Facts(100, 0, {"none": 100}))
    assert (verdict.state, verdict.evidence, verdict.lacks) == (
        State.UNREVIEWED,
        None,
        ("nobody reviewed it",),
    )


def test_a_self_check_releases_where_the_config_says_in_words_why():
    gate, facts = replace(GATE, release_on="self_check"), Facts(100, 0, {"none": 100})
    assert _judged(_scored("model"), facts, gate).evidence == "self_check"


@pytest.mark.parametrize("who", ["partial_gold", "empty_gold"])
def test_partial_and_empty_gold_decide_nothing_alone(who):
    both = _scored().merge(_scored("model"))
    verdict = _judged(both, Facts(100, 0, {"gold": 60, who: 40}))
    assert (verdict.state, verdict.evidence) == (State.UNREVIEWED, None)
    assert "gold is partial or empty in 40 conversations" in verdict.lacks[0]
    assert any("partial or empty in 40 of them" in ground.what for ground in verdict.rests_on)


def test_gold_of_some_conversations_does_not_release_the_others():
    mixed = _scored(count=1).merge(_scored("model", 99))
    assert _judged(mixed, Facts(100, 0, {"gold": 1, "none": 99})).state is State.UNREVIEWED


def test_a_second_look_that_finds_much_holds_what_gold_calls_clean():
    both = _scored().merge(_scored("model", score=9))
    assert _judged(both, Facts(100, 0, {"partial_gold": 100})).state is State.HELD


def test_one_conversation_in_a_context_is_too_few():
    few = _scored().merge(_scored(count=1, contexts=("meetings",)))
    verdict = _judged(few, GOLD)
    assert verdict.state is State.UNREVIEWED
    assert verdict.lacks == ("context meetings: scored conversations: 1 of 20 needed",)


def test_most_of_the_corpus_in_quarantine_holds_without_override():
    facts = Facts(100, 99, {"gold": 1})
    for gate in (GATE, replace(GATE, release_anyway="because")):
        assert _judged(_scored(count=1), facts, gate).state is State.HELD


def test_more_in_quarantine_than_the_gate_allows_is_no_release():
    verdict = _judged(_scored(), Facts(100, 6, {"gold": 94}))
    assert (verdict.state, len(verdict.lacks)) == (State.UNREVIEWED, 1)
    assert "6 of 100 rows are in quarantine, more than 0.05 of them" in verdict.lacks[0]


def _weakened(gate=GATE, **score_table):
    grounds = [*of_the_gate(gate), *of_the_scores(ScoreTable.load(**score_table), False)]
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
    assert _judged(_scored(), facts, replace(GATE, because="counsel decided so")).state is State.RELEASED


@pytest.mark.parametrize(
    "weaker", [{"threshold": 9}, {"least_conversations": 1}, {"largest_quarantined_share": 0.5}]
)
def test_a_gate_that_was_lowered_is_reported_and_needs_a_reason(weaker):
    gate = replace(GATE, **weaker)
    assert _judged(_scored(), _weakened(gate), gate).state is State.UNREVIEWED


def test_the_upper_bound_may_be_asked_for_beside_the_papers_criterion():
    sketch = _scored(count=20)
    assert _judged(sketch, GOLD).state is State.RELEASED
    verdict = _judged(sketch, GOLD, replace(GATE, criterion="upper_bound", threshold=1))
    assert verdict.state is State.HELD
    assert "the upper bound of mean + std is" in verdict.held_by[0]


def test_contexts_that_are_pooled_are_reported():
    verdict = _judged(_scored(contexts=("",)), GOLD)
    assert Ground("no contexts: all conversations are judged as one") in verdict.rests_on


def test_a_context_that_fails_is_not_hidden_by_the_others():
    assert (
        _judged(_scored(count=1000).merge(_scored(score=6, contexts=("meetings",))), GOLD).state is State.HELD
    )


def test_a_reviewed_sample_with_conversations_that_nobody_read_is_no_release():
    sketch = _scored("human")
    sketch.add_unreviewed("human", "sales", 3)
    verdict = _judged(sketch, REVIEWED)
    assert verdict.state is State.UNREVIEWED
    assert "3 conversations have no mark" in verdict.lacks[0]


def test_a_reason_of_a_person_does_not_lift_a_problem_of_the_run():
    gate = replace(GATE, release_anyway="because")
    assert _judged(_scored(score=9), GOLD, gate).evidence == "by_hand"
    assert _judged(_scored(), GOLD, gate, ["rows do not balance"]).state is State.HELD


def test_conversations_dropped_for_their_score_are_reported():
    facts = GOLD._replace(dropped=7, drop_over=5)
    told = " ".join(ground.what for ground in _judged(_scored(), facts).rests_on)
    assert "after 7 conversations that scored 5 or more were dropped by request" in told
