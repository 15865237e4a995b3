import numpy as np
import pytest

from tacenda.transforms.evaluating import bootstrap
from tacenda.transforms.evaluating.bootstrap import percentile_interval, resampled_sums


def test_the_same_seed_gives_the_same_sums():
    counts = np.random.default_rng(3).integers(0, 5, (200, 4))
    sums = resampled_sums(counts, 100, seed=7)
    assert np.array_equal(sums, resampled_sums(counts, 100, seed=7))
    assert not np.array_equal(sums, resampled_sums(counts, 100, seed=8))


def test_every_sample_has_as_many_conversations_as_there_are():
    counts = np.stack([np.ones(50, np.int64), np.arange(50)], axis=1)
    sums = resampled_sums(counts, 130, seed=1)
    assert sums.shape == (130, 2)
    assert set(sums[:, 0].tolist()) == {50}


def test_samples_are_drawn_in_steps_when_there_are_many(monkeypatch):
    counts = np.random.default_rng(3).integers(0, 5, (50, 2))
    whole = resampled_sums(counts, 30, seed=7)
    monkeypatch.setattr(bootstrap, "_DRAWN_AT_ONCE", 130)
    assert np.array_equal(resampled_sums(counts, 30, seed=7), whole)


def test_the_spread_is_that_of_a_sum_of_independent_rows():
    values = np.random.default_rng(5).integers(0, 10, (400, 1))
    sums = resampled_sums(values, 4000, seed=2)[:, 0]
    assert sums.mean() == pytest.approx(values.sum(), rel=0.01)
    assert sums.std() == pytest.approx(np.sqrt(400 * values.var()), rel=0.05)


def test_an_empty_sample_has_no_bootstrap():
    assert resampled_sums(np.zeros((0, 3), np.int64), 5, seed=1).tolist() == [[0, 0, 0]] * 5


def test_percentile_intervals():
    assert percentile_interval(np.linspace(0, 1, 1001)) == pytest.approx((0.025, 0.975))
    assert percentile_interval(np.array([np.nan, 0.0, 1.0]), 0.5) == pytest.approx((0.25, 0.75))
    assert percentile_interval(np.array([np.nan, np.nan])) is None
    assert percentile_interval(np.array([1.0, 1.0, np.nan])) is None
