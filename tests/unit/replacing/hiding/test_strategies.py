from collections import Counter
from itertools import pairwise
from statistics import mean

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.hiding.strategies import (
    PoolExhaustedError,
    consistent,
    markov_per_value,
    markov_sequence,
    random_tokens,
)

POOL = tuple(f"name {n}" for n in range(600))


def _mode(names: list[str]) -> int:
    return max(Counter(names).values())


@pytest.mark.parametrize("count", [0, 1, 2, 5, 24, 100, 500])
def test_no_surrogate_is_used_more_than_t_times(count: int) -> None:
    for t in (1, 2, 4):
        sequence = markov_sequence(count, POOL, 0.9, t, Draw(count, t))
        assert len(sequence) == count
        assert max(Counter(sequence).values(), default=0) <= t


@pytest.mark.parametrize(("count", "mode"), [(4, 2.37), (8, 3.10), (24, 3.82)])
def test_the_mode_is_that_of_the_run_length_law(count: int, mode: float) -> None:
    modes = [_mode(markov_sequence(count, POOL, 0.5, 4, Draw(n))) for n in range(5000)]
    assert mean(modes) == pytest.approx(mode, abs=0.1)


def test_runs_have_a_half_a_quarter_an_eighth_and_an_eighth() -> None:
    runs = Counter(
        count for n in range(400) for count in Counter(markov_sequence(200, POOL, 0.5, 4, Draw(n))).values()
    )
    total = sum(runs.values())
    shares = [runs[length] / total for length in (1, 2, 3, 4)]
    assert shares == pytest.approx([0.5, 0.25, 0.125, 0.125], abs=0.02)


def test_p_of_none_is_the_baseline_and_of_one_gives_runs_of_t() -> None:
    assert _mode(markov_sequence(300, POOL, 0, 4, Draw(1))) == 1
    assert _mode(random_tokens(300, POOL, Draw(1))) == 1
    assert set(Counter(markov_sequence(300, POOL, 1, 4, Draw(1))).values()) == {4}


def test_places_are_shuffled() -> None:
    # One name repeated eight times never gets one surrogate, and runs do not stand together.
    sequences = [markov_sequence(8, POOL, 0.5, 4, Draw(n)) for n in range(300)]
    assert all(len(set(sequence)) > 1 for sequence in sequences)
    apart = [s for s in sequences for name, k in Counter(s).items() if k > 1 and s[s.index(name) + 1] != name]
    assert len(apart) > 100


def test_the_variant_by_value_keeps_to_each_original() -> None:
    originals = ["Ann", "Bob", "ann", "ANN ", "Bob"]
    assert consistent(originals, POOL, Draw(1)) == markov_per_value(originals, POOL, 1, Draw(1))
    a, b, c, d, e = consistent(originals, POOL, Draw(1))
    assert a == c == d != b == e
    assert len(set(markov_per_value(originals, POOL, 0, Draw(1)))) == len(originals)


def test_the_variant_by_value_changes_half_of_the_time() -> None:
    names = markov_per_value(["Ann"] * 400, POOL, 0.5, Draw(5))
    stays = sum(a == b for a, b in pairwise(names)) / 399
    assert stays == pytest.approx(0.5, abs=0.08)
    assert max(Counter(markov_per_value(["Ann"] * 400, POOL, 0.99, Draw(5), t=4)).values()) == 4


def test_the_same_draw_gives_the_same_and_another_another() -> None:
    assert markov_sequence(40, POOL, 0.5, 4, Draw("a")) == markov_sequence(40, POOL, 0.5, 4, Draw("a"))
    assert markov_sequence(40, POOL, 0.5, 4, Draw("a")) != markov_sequence(40, POOL, 0.5, 4, Draw("b"))


def test_an_exhausted_pool_is_an_error() -> None:
    assert len(markov_sequence(12, POOL[:3], 1, 4, Draw(1))) == 12
    with pytest.raises(PoolExhaustedError):
        markov_sequence(13, POOL[:3], 1, 4, Draw(1))
    with pytest.raises(PoolExhaustedError):
        random_tokens(4, POOL[:3], Draw(1))


@pytest.mark.parametrize(("p", "t"), [(-0.1, 4), (1.1, 4), (0.5, 0)])
def test_p_is_a_probability_and_t_at_least_one(p: float, t: int) -> None:
    with pytest.raises(ValueError, match="p is a probability"):
        markov_sequence(1, POOL, p, t, Draw(1))
