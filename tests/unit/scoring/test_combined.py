import random
from fractions import Fraction
from statistics import fmean, variance

import pytest

from tacenda.transforms.scoring.combined import NARROW, Estimate, Pair, estimate, reviews_for, student_t


def test_the_sample_corrects_the_self_check() -> None:
    # The self-check says 6 on average; in ten of a hundred, people gave 4 less, or 5 less in half of them.
    pairs = {"sales": [Pair(2, 6), Pair(1, 6)] * 5}
    found = estimate(pairs, {"sales": (100, 600)})
    assert found is not None
    by_context, total = found
    assert by_context["sales"] == total
    assert total.mean == pytest.approx(1.5)
    error = (0.9 * variance([-4, -5] * 5) / 10) ** 0.5
    assert total.interval[0] == pytest.approx(1.5 - 2.2622 * error, abs=1e-3)
    # None of ten need show what a share of 1 - .025 ** .1 of all conversations has: 5 points.
    assert total.interval[1] == pytest.approx(1.5 + 5 * (1 - 0.025**0.1))
    assert (total.passed_over, total.eluded) == (0, 0)


def test_more_reviews_halve_the_interval_whatever_its_end_rests_on() -> None:
    clean = estimate({"": [Pair(0, 0)] * 50}, {"": (10_000, 0)})
    assert clean is not None
    assert clean[1].more == 50
    again = estimate({"": [Pair(0, 0)] * 100}, {"": (10_000, 0)})
    assert again is not None
    assert again[1].interval[1] == pytest.approx(clean[1].interval[1] / 2, rel=0.05)
    few_left = estimate({"": [Pair(0, 0)] * 50}, {"": (60, 0)})
    assert few_left is not None
    assert few_left[1].more == 10


def test_so_many_reviews_narrow_the_interval_to_a_given_width() -> None:
    draw = random.Random(3)

    def of(read: int) -> Estimate:
        found = estimate({"": [Pair(draw.choice((0, 0, 3)), 0) for _ in range(read)]}, {"": (100_000, 0)})
        assert found is not None
        return found[1]

    first = of(60)
    assert first.interval[1] - first.mean > NARROW
    again = of(first.read + first.to_narrow)
    assert again.interval[1] - again.mean == pytest.approx(NARROW, rel=0.15)
    assert again.to_narrow < 0.3 * first.to_narrow
    clean = estimate({"": [Pair(0, 0)] * 50}, {"": (10_000, 0)})
    assert clean is not None
    # 5 points in a share of conversations that none of so many need show.
    assert 5 * (1 - 0.025 ** (1 / (50 + clean[1].to_narrow))) == pytest.approx(NARROW, rel=0.05)


def test_elusion_counts_what_the_self_check_passed_over() -> None:
    pairs = {"": [Pair(0, 0)] * 59 + [Pair(3, 0)] + [Pair(0, 5)] * 20}
    found = estimate(pairs, {"": (1000, 1250)})
    assert found is not None
    told = found[1].to_json()
    assert (told["passed_over"], told["eluded"]) == (60, 1)
    assert told["elusion_at_most"] == pytest.approx(0.0765, abs=5e-4)
    assert told["elusion_interval_95"] == pytest.approx([0.000422, 0.0894], abs=5e-4)


def test_contexts_are_weighted_by_their_size() -> None:
    pairs = {"a": [Pair(1, 0)] * 10, "b": [Pair(0, 0)] * 10}
    found = estimate(pairs, {"a": (100, 0), "b": (300, 0)})
    assert found is not None
    assert (found[0]["a"].mean, found[0]["b"].mean, found[1].mean) == (1, 0, 0.25)
    # Ten of a hundred and ten of three hundred are no sample of all with equal chances.
    assert found[1].to_json()["elusion_at_most"] is None
    assert found[0]["b"].to_json()["elusion_at_most"] == pytest.approx(0.2589, abs=1e-4)


def test_a_context_that_too_few_read_gives_no_estimate() -> None:
    assert estimate({"a": [Pair(1, 0)] * 9}, {"a": (100, 0)}) is None
    assert estimate({"a": [Pair(1, 0)] * 10}, {"a": (100, 0), "b": (100, 0)}) is None
    assert estimate({}, {}) is None
    assert estimate({"a": [Pair(1, 0)] * 3}, {"a": (3, 0)}) is not None


def test_what_was_read_completely_is_known() -> None:
    found = estimate({"a": [Pair(i % 3, 1) for i in range(30)]}, {"a": (30, 30)})
    assert found is not None
    assert found[1].interval == pytest.approx((1, 1))


def test_an_interval_contains_the_mean_about_as_often_as_it_says() -> None:
    # Skewed scores, as residual risk has; a self-check that is noisy and far too high.
    rng = random.Random(4)
    corpus = [
        Pair(read, max(0, read + rng.choice((0, 0, 2, 5, -3))))
        for read in (rng.choices((0, 1, 3, 5, 8), (80, 8, 6, 4, 2))[0] for _ in range(2000))
    ]
    truth, total = fmean(pair.read for pair in corpus), sum(pair.checked for pair in corpus)
    hits = plain = 0
    for _ in range(400):
        found = estimate({"": rng.sample(corpus, 100)}, {"": (2000, total)})
        assert found is not None
        low, high = found[1].interval
        hits += low <= truth <= high
        plain += high - low < 1.2
    assert 0.93 * 400 <= hits <= 400
    assert plain > 300


def test_so_many_more_reviews_give_the_width() -> None:
    assert reviews_for(2.0, 0.5, 10**9, 0) == 62  # (1.96 * 2 / .5) ** 2 = 61.5
    assert reviews_for(2.0, 0.5, 100, 0) == 39  # 61.5 / (1 + .615)
    assert reviews_for(2.0, 0.5, 100, 39) == 0
    assert reviews_for(0.0, 0.5, 100, 3) == 0


@pytest.mark.parametrize(("freedom", "value"), [(5, 2.5706), (10, 2.2281), (19, 2.0930), (120, 1.9799)])
def test_quantiles_of_students_distribution_are_the_printed_ones(freedom: int, value: float) -> None:
    assert student_t(0.975, freedom) == pytest.approx(value, abs=0.01 if freedom < 10 else 5e-4)


def test_a_better_prediction_gives_the_same_mean_in_a_narrower_interval() -> None:
    read = [0, 0, 3, 0, 5, 0, 0, 3, 0, 0] * 4
    expected = [Fraction(9 * score + 1, 10) for score in read]
    blind = estimate({"": [Pair(score, 4) for score in read]}, {"": (400, 1600)})
    seeing = estimate(
        {"": [Pair(score, 4, one) for score, one in zip(read, expected, strict=True)]},
        {"": (400, 10 * sum(expected))},
    )
    assert blind is not None
    assert seeing is not None
    assert seeing[1].mean == pytest.approx(blind[1].mean) == pytest.approx(1.1)
    low, _ = blind[1].interval
    nearer, _ = seeing[1].interval
    assert low < nearer < 1.1
