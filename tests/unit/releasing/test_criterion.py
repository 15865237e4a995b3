import pytest

from tacenda.transforms.releasing.criterion import Failure, decide
from tacenda.transforms.scoring.statistics import RiskSketch


def statistics_of(scores, unreviewed=(), ddof=0):
    """``scores`` maps (source, context) to scores; ``unreviewed`` are such pairs."""
    sketch = RiskSketch()
    for (source, context), values in scores.items():
        for value in values:
            sketch.add(source, context, value)
    for source, context in unreviewed:
        sketch.add_unreviewed(source, context)
    return sketch.compute(ddof=ddof)


def test_met_if_every_context_and_the_total_meet_the_criterion():
    verdict = decide(statistics_of({("human", "sales"): [0, 1, 3], ("human", "meetings"): [0, 4]}))
    assert verdict == (True, ())
    assert verdict.reasons == []


def test_held_if_one_context_alone_does_not():
    verdict = decide(statistics_of({("human", "sales"): [0] * 99, ("human", "meetings"): [3, 9]}))
    assert not verdict.met
    assert verdict.failures == (Failure("human", "meetings", "mean + std is 9, not less than 5"),)
    assert verdict.reasons == ["human, context meetings: mean + std is 9, not less than 5"]


def test_held_if_only_the_total_does_not():
    statistics = statistics_of({("gold", "a"): [0] * 3, ("gold", "b"): [4] * 17})
    assert decide(statistics).met
    # Each context has no spread; together the mean is 3.4 and the std 1.43.
    held = decide(statistics, threshold=4.5)
    assert held.failures == (Failure("gold", None, "mean + std is 4.828, not less than 4.5"),)


@pytest.mark.parametrize("scores", [[0, 5], [0] * 50 + [5] * 50, [5], [3, 5], [1, 1, 1, 1, 5, 5, 5, 5]])
def test_exactly_the_threshold_is_held(scores):
    verdict = decide(statistics_of({("human", ""): scores}))
    assert not verdict.met
    assert verdict.reasons[0] == "human, context (none): mean + std is 5, not less than 5"
    assert verdict.reasons[1] == "human, all contexts: mean + std is 5, not less than 5"


@pytest.mark.parametrize("scores", [[0] * 51 + [5] * 50, [4], [3, 4], [1, 1, 1, 1, 1, 5, 5, 5, 5]])
def test_just_under_the_threshold_is_met(scores):
    assert decide(statistics_of({("human", ""): scores})).met


def test_nothing_scored_is_held():
    verdict = decide(statistics_of({}))
    assert verdict.failures == (Failure("no source", None, "no conversation was scored"),)
    assert not decide(statistics_of({}, unreviewed=[("human", "sales")])).met


def test_a_context_of_which_nothing_is_known_is_held():
    verdict = decide(statistics_of({("human", "sales"): [0]}, unreviewed=[("human", "meetings")]))
    assert verdict.failures == (Failure("human", "meetings", "no conversation was scored"),)


def test_a_source_that_scored_nothing_counts_only_if_asked_for():
    statistics = statistics_of({("model", "sales"): [0, 1]}, unreviewed=[("human", "sales")])
    assert decide(statistics).met
    assert not decide(statistics, sources=["human"]).met
    assert not decide(statistics, sources=["gold"]).met
    assert decide(statistics, sources=["model"]).met
    assert not decide(statistics, sources=[]).met


def test_every_source_that_scored_must_meet_the_criterion():
    statistics = statistics_of({("human", ""): [0, 1], ("model", ""): [9, 9]})
    assert {failure.source for failure in decide(statistics).failures} == {"model"}
    assert decide(statistics, sources=["human"]).met


def test_one_conversation_is_no_sample():
    verdict = decide(statistics_of({("human", ""): [0]}, ddof=1))
    assert verdict.failures[0].reason == "too few scored conversations (1) for a standard deviation"


def test_the_threshold_can_be_tuned():
    statistics = statistics_of({("human", ""): [0, 5]})
    assert decide(statistics, threshold=5.5).met
    assert not decide(statistics, threshold=3).met
