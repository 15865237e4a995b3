from statistics import mean

import pytest

from tacenda.transforms.replacing.hiding.significance import mcnemar, wilcoxon
from tacenda.transforms.replacing.hiding.simulation import (
    PROFILE,
    TABLE_3,
    MissingDetector,
    Simulated,
    simulate,
)

DOCUMENTS = 4000


def _leaks(documents: list[Simulated]) -> float:
    return 100 * mean(document.leaks for document in documents)


def test_the_paper_again_random_tokens_13_and_the_chain_4_percent() -> None:
    random = simulate(DOCUMENTS, "random", TABLE_3, 1)
    markov = simulate(DOCUMENTS, "markov", TABLE_3, 1)
    assert _leaks(random) == pytest.approx(13.1, abs=1.5)
    assert _leaks(markov) == pytest.approx(3.8, abs=1)
    # Two settings of the detector give all four figures of the table: the average modes too (1.5 and 4.0).
    assert mean(document.mode_after for document in random) == pytest.approx(1.5, abs=0.15)
    assert mean(document.mode_after for document in markov) == pytest.approx(4.0, abs=0.25)


def test_both_tests_tell_the_strategies_apart() -> None:
    random = simulate(400, "random", TABLE_3, 2)
    markov = simulate(400, "markov", TABLE_3, 2)
    pairs = [(r.leaks, m.leaks) for r, m in zip(random, markov, strict=True)]
    assert mcnemar(pairs.count((True, False)), pairs.count((False, True))) < 0.001
    before = [document.mode_before for document in random[:80]]
    far = wilcoxon(before, [document.mode_after for document in random[:80]])
    near = wilcoxon(before, [document.mode_after for document in markov[:80]])
    assert far < 1e-9 < near


def test_independent_misses_leak_little_even_at_a_lower_recall() -> None:
    # The paper's recall, with misses that know nothing of each other: far too few names come through often.
    independent = MissingDetector(1, 0.12)
    assert _leaks(simulate(DOCUMENTS, "markov", independent, 1)) < 1
    assert independent.recall < TABLE_3.recall


def test_a_perfect_detector_leaks_nothing() -> None:
    perfect = MissingDetector(0, 1)
    assert _leaks(simulate(200, "markov", perfect, 1)) == 0
    assert perfect.recall == 1


def test_a_name_that_is_always_missed_leaks_under_every_strategy() -> None:
    blind = MissingDetector(1, 1)
    for document in simulate(50, "markov", blind, 1):
        assert document.leaks
        assert document.mode_after == max(PROFILE)
