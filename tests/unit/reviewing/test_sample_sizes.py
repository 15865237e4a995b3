"""What samples of a size can show is known before anybody reads, and several looks spend 5 % together."""

import random

import pytest

from tacenda.transforms.reviewing.sample_sizes import error_of, size_of, sizes, smallest
from tacenda.transforms.scoring.bounds import ERROR, Reading

MANY = 10**7


@pytest.mark.parametrize(("read", "at_most"), [(60, 0.049), (150, 0.02), (300, 0.01), (1000, 0.003)])
def test_sizes_bound_the_share_as_the_rule_of_three_says(read, at_most):
    assert size_of(read, MANY, 0.02, ERROR, ()).at_most == pytest.approx(at_most, rel=0.02)


def test_chances_of_a_release_are_those_of_the_binomial_distribution():
    of_150, of_500 = (size_of(n, MANY, 0.02, ERROR, (0.001, 0.005, 0.01)) for n in (150, 500))
    assert of_150.chances == pytest.approx((0.86, 0.47, 0.22), abs=0.005)
    assert (of_500.allowed, of_500.chances[1]) == (4, pytest.approx(0.89, abs=0.005))


def test_looks_spend_no_more_than_the_error_together():
    assert sum(error_of([False] * k, False) for k in range(50)) == pytest.approx(ERROR)
    assert error_of([False, False], True) == pytest.approx(ERROR * 0.2**2)
    assert error_of([True], False) == 0


def test_a_small_corpus_needs_fewer_and_none_needs_more_than_all():
    assert smallest(MANY, 0.02, ERROR) == 149
    assert smallest(500, 0.02, ERROR) < 149
    assert smallest(10, 0.02, ERROR) == 10
    assert [one.number for one in sizes(120, 0.02, ERROR, ())] == [60, 100, 120]


@pytest.mark.parametrize(("rate", "most"), [(0.021, 0.05), (0.03, 0.05), (0.05, 0.05)])
def test_corpora_over_the_limit_are_released_in_at_most_one_of_twenty_looks(rate, most):
    """Simulated over two looks, the second only where the first did not release."""
    chance, population, released = random.Random(7), 3_000, 0
    marked = round(rate * population)
    for _ in range(1_000):
        corpus = chance.sample(range(population), 400)
        for read, error in ((160, error_of([], False)), (400, error_of([False], True))):
            direct = sum(one < marked for one in corpus[:read])
            if Reading("human", population, read, direct, direct, error=error).share_direct().at_most <= 0.02:
                released += 1
                break
    assert released <= most * 1_000
