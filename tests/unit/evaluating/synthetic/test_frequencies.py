import numpy as np
import pytest

from tacenda.transforms.evaluating.synthetic.frequencies import compare_frequencies

stats = pytest.importorskip("scipy.stats")

EVENTS = [f"e{i}" for i in range(8)]
SOURCE = {("x", event): count for event, count in zip(EVENTS, [40, 20, 10, 5, 5, 2, 1, 1], strict=True)}


def test_equal_frequencies_correlate_perfectly_at_any_size():
    ten_times = {pair: 10 * count for pair, count in SOURCE.items()}
    figures = compare_frequencies(SOURCE, ten_times)["groups"]["x"]
    assert figures["pearson"] == figures["spearman"] == 1
    assert figures["ks_p"] == 1
    assert compare_frequencies(SOURCE, ten_times)["not_in_source"] == []


def test_figures_are_those_of_the_relative_frequencies():
    synthetic = {("x", event): count for event, count in zip(EVENTS, [10, 30, 8, 9, 1, 2, 0, 4], strict=True)}
    one = np.array(list(SOURCE.values())) / sum(SOURCE.values())
    other = np.array(list(synthetic.values())) / sum(synthetic.values())
    figures = compare_frequencies(SOURCE, synthetic)["all"]
    assert figures["pearson"] == pytest.approx(np.corrcoef(one, other)[0, 1], abs=1e-6)
    ranks = [stats.rankdata(values) for values in (one, other)]
    assert figures["spearman"] == pytest.approx(np.corrcoef(*ranks)[0, 1], abs=1e-6)
    assert 0 < figures["t_p"] < 1


def test_pairs_that_the_source_does_not_have_are_listed_and_groups_are_apart():
    report = compare_frequencies(SOURCE, {**SOURCE, ("y", "e0"): 3, ("x", "new"): 0})
    assert report["not_in_source"] == [["y", "e0"]]
    assert set(report["groups"]) == {"x", "y"}
    assert report["groups"]["y"]["pearson"] is None
