"""What reading some conversations says of a corpus."""

from math import comb

import pytest

from tacenda.transforms.scoring.bounds import Reading, judged_groups
from tacenda.transforms.scoring.intervals import upper_bound, upper_count


@pytest.mark.parametrize(
    ("found", "drawn", "population"), [(0, 20, 100), (3, 50, 400), (1, 99, 100), (2, 10, 30)]
)
def test_the_bound_of_a_finite_corpus_is_the_largest_number_that_chance_explains(found, drawn, population):
    def chance(marked: int) -> float:
        ways = (comb(marked, k) * comb(population - marked, drawn - k) for k in range(found + 1))
        return sum(ways) / comb(population, drawn)

    most = upper_count(found, drawn, population)
    possible = [k for k in range(found, population - (drawn - found) + 1) if chance(k) > 0.05]
    assert most == max(possible)


def test_in_a_large_corpus_it_is_the_binomial_bound():
    assert upper_count(3, 200, 10**8) / 10**8 == pytest.approx(upper_bound(3, 200), abs=1e-5)
    with pytest.raises(ValueError, match="drawn"):
        upper_count(3, 2, 10)


def test_read_as_a_whole_the_share_itself_counts():
    assert Reading("gold", 200, 200, 3, 20).share_direct() == (3, 0.015)


def test_what_is_found_beside_the_draw_can_only_raise_the_bound():
    drawn = Reading("human", 1_000, 300, 0, 0)
    assert drawn.share_direct().at_most == pytest.approx(0.008, abs=0.001)
    with_extra = Reading("human", 1_000, 300, 0, 0, extra_direct=20)
    assert with_extra.share_direct() == (20, 0.02)


def test_readers_who_miss_planted_leaks_raise_the_bound():
    def most(caught: int) -> float:
        return Reading("human", 10**6, 400, 0, 0, planted=20, caught=caught).share_direct().at_most

    assert most(20) == pytest.approx(upper_bound(0, 400, 0.975) / 0.832, rel=0.01)
    assert most(10) > 2 * most(20)
    assert most(0) == 1.0


def test_erasing_what_nobody_read_lowers_no_bound():
    before, after = Reading("human", 1_000, 200, 1, 1), Reading("human", 1_000, 200, 1, 1, left=900)
    assert after.share_direct().at_most > before.share_direct().at_most


def test_small_contexts_are_judged_together():
    groups = judged_groups({"a": 900, "b": 60, "c": 40}, 150, 5)
    assert groups == {"a": "a", "b": "b", "c": "c"}
    assert judged_groups({"a": 980, "b": 10, "c": 10}, 150, 5) == {"a": "a", "b": "", "c": ""}
