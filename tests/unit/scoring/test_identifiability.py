"""Who could be singled out; bounds of what was read; agreement of readers; samples of what was skipped."""

import hashlib
import json
import random
from collections import Counter
from itertools import pairwise
from math import comb

import pytest

from tacenda.transforms.reviewing.agreement import cohen_kappa, krippendorff_alpha
from tacenda.transforms.scoring.bounds import Reading, judged_groups
from tacenda.transforms.scoring.detector_checks import Sample, sampling_statistics
from tacenda.transforms.scoring.identifiability import NOTHING, DistinctCounts, Remains
from tacenda.transforms.scoring.intervals import upper_bound, upper_count
from tacenda.transforms.scoring.statistics import RiskSketch
from tests.cases import tabled


def left(combination=None, *links):
    return Remains(None if combination is None else digest(combination), tuple(map(digest, links)))


def digest(value):
    return hashlib.blake2b(str(value).encode(), digest_size=8).digest()


def sketch_of(*conversations):
    sketch = RiskSketch()
    for direct, _ in conversations:
        sketch.add("gold", "", 0, direct)
    indirect = [one.combination for direct, one in conversations if one.combination and not direct]
    links = Counter(link for _, one in conversations for link in one.links)
    sketch.add_left("gold", Counter(indirect), links)
    return sketch


TALKS = (
    *[(False, NOTHING)] * 90,
    *[(False, left("43, Uppsala"))] * 4,
    *[(False, left("Ann"))] * 2,
    (False, left("nurse, 39, Visby")),
    (True, left("43, Uppsala", "ann@example.com")),
    (True, left(None, "ann@example.com", "555-0199")),
    (True, left(None, "555-0123")),
)


def test_figures_of_a_corpus():
    figures = sketch_of(*TALKS).identifiability()["gold"]
    assert (figures["scored"], figures["direct"], figures["indirect"], figures["clean"]) == (100, 3, 7, 90)
    sizes = {one["from"]: (one["combinations"], one["conversations"]) for one in figures["classes"]}
    assert sizes == {1: (1, 1), 2: (1, 2), 3: (1, 4), 5: (0, 0), 11: (0, 0)}
    # 3 with a direct identifier, 3 classes of combinations, and one of conversations with nothing left.
    assert figures["average_risk"] == 0.07
    assert (figures["least_k"], figures["maximum_risk"]) == (1, 1.0)
    assert (figures["values"], figures["values_that_link"], figures["occurrences_linked"]) == (3, 1, 2)
    assert figures["most_linked_by_one"] == 2


def test_without_direct_identifiers_the_smallest_class_gives_the_maximum():
    figures = sketch_of(*[(False, NOTHING)] * 20, *[(False, left("Ann"))] * 4).identifiability()["gold"]
    assert (figures["least_k"], figures["maximum_risk"]) == (4, 0.25)
    assert figures["average_risk"] == round(2 / 24, 6)
    assert sketch_of((False, NOTHING)).identifiability()["gold"]["maximum_risk"] == 1


def test_any_order_and_division_give_the_same():
    whole = sketch_of(*TALKS)
    generator = random.Random(5)
    talks = list(TALKS)
    generator.shuffle(talks)
    merged = RiskSketch()
    for part in (talks[:30], talks[30:31], talks[31:]):
        told = json.loads(json.dumps(sketch_of(*part).to_json()))
        merged.merge(RiskSketch.from_json(told))
    assert merged.to_json() == whole.to_json()
    assert merged.identifiability() == whole.identifiability()


def test_of_very_many_combinations_a_sample_is_kept_and_the_figures_are_near():
    unique = [(False, left(i)) for i in range(20_000)]
    twice = [(False, left(f"twice {i}")) for i in range(5_000)] * 2
    sketch = sketch_of(*unique, *twice)
    assert len(json.dumps(sketch.to_json())) < 60_000
    figures = sketch.identifiability()["gold"]
    assert not figures["combinations_exact"]
    assert abs(figures["classes"][0]["conversations"] / 20_000 - 1) < 0.1
    low, high = figures["average_risk_interval_95"]
    assert low <= 25_000 / 30_000 <= high < 1.05 * low / 0.95
    assert figures["combinations_interval_95"][0] <= 25_000 <= figures["combinations_interval_95"][1]


def test_an_estimate_is_no_more_than_can_be():
    unique = [(False, left(i, i)) for i in range(6_000)]
    figures = sketch_of(*unique).identifiability()["gold"]
    assert figures["combinations"] <= figures["classes"][0]["conversations"] <= 6_000
    assert figures["average_risk"] <= 1
    assert figures["values_interval_95"][0] <= 6_000 <= figures["values_interval_95"][1]
    most = min(unique, key=lambda one: one[1].combination)
    figures = sketch_of(*unique, *[most] * 4_000).identifiability()["gold"]
    assert 4_001 <= figures["classes"][-1]["conversations"] < 10_000


@pytest.mark.parametrize(
    ("found", "drawn", "population"), [(0, 20, 100), (3, 50, 400), (1, 99, 100), (2, 10, 30)]
)
def test_the_bound_of_a_finite_corpus_is_the_largest_number_that_chance_explains(found, drawn, population):
    def chance(marked):
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
    def most(caught):
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


def counted(values, most):
    counts = DistinctCounts(most)
    for value in values:
        counts.add({digest(value): 1})
    return counts


def test_few_values_are_counted_exactly():
    counts = counted(["a", "b", "a", "c", "a"], most=3)
    assert counts.exact
    assert counts.distinct() == 3
    assert counts.times() == Counter({1: 2, 3: 1})


@pytest.mark.parametrize("most", [1, 7, 100])
def test_the_sample_is_the_same_in_any_order_and_division(most):
    generator = random.Random(3)
    values: list[object] = [generator.randrange(60) for _ in range(500)]
    whole = counted(values, most).to_json()
    for _ in range(5):
        generator.shuffle(values)
        cuts = [0, *sorted(generator.sample(range(1, 500), 4)), 500]
        parts = [counted(values[a:b], most) for a, b in pairwise(cuts)]
        generator.shuffle(parts)
        merged = parts[0]
        for part in parts[1:]:
            merged.merge(DistinctCounts.from_json(part.to_json(), most))
        assert merged.to_json() == whole


def test_kept_values_are_counted_exactly_even_when_others_are_left_out():
    values: list[object] = [i % 1000 for i in range(3000)]
    counts = counted(values, most=50)
    assert not counts.exact
    assert counts.times() == Counter({3: 50})


@pytest.mark.parametrize(("most", "estimate"), [(2, 2), (3, 8 / 3)])
def test_the_estimate_is_one_less_than_what_is_kept_by_the_highest_of_it(most, estimate):
    counts = DistinctCounts(most)
    for eighths in (2, 4, 6, 7):
        counts.add({(eighths * 2**61).to_bytes(8, "big"): 1})
    assert counts.distinct() == pytest.approx(estimate)


@tabled("cells", "kappa")
def test_kappa_by_hand_and_as_published(cells, kappa):
    counts = dict(zip([(a, b) for a in "yn" for b in "yn"], cells, strict=True))
    assert round(cohen_kappa(counts), 3) == kappa


def test_kappa_of_more_than_two_values_or_where_chance_agreement_is_certain():
    # 3 of 4 agree; by chance (2 * 1 + 1 * 2 + 1 * 1) / 16 = 5 / 16.
    assert cohen_kappa({("a", "a"): 1, ("a", "b"): 1, ("b", "b"): 1, ("c", "c"): 1}) == pytest.approx(7 / 11)
    assert cohen_kappa({("y", "y"): 3}) is cohen_kappa({}) is None


@tabled("readers", "alpha")
def test_alpha_as_published(readers, alpha):
    units = [[value for value in unit if value != "."] for unit in zip(*readers, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(alpha, abs=5e-4)


@pytest.mark.parametrize(
    ("units", "alpha"), [(["aa", "aa"], None), (["a", "b"], None), ([], None), (["aa", "bb", "c"], 1)]
)
def test_alpha_needs_two_values_and_two_readers(units, alpha):
    assert krippendorff_alpha(units) == alpha


def test_the_share_missed_is_that_of_the_sample_for_all_that_was_left_out():
    told = sampling_statistics(dict(Sample(10_000, 5_000, 50, 1, 2_000, 2).counts()))
    assert list(told) == ["places"]
    # Two findings in 50 places are 198 in the 4,950 that nobody looked at.
    assert told["places"]["findings_missed"] == 198
    assert told["places"]["share_missed"] == 198 / 2_198
    low, high = told["places"]["share_with_findings_interval_95"]
    assert low < 1 / 50 < high


def test_without_a_sample_nothing_is_said_and_where_nothing_was_left_out_nothing_is_missed():
    none = sampling_statistics(dict(Sample(10, 3, 0, 0, 4, 0).counts()))["places"]
    assert none["findings_missed"] is none["share_missed"] is none["share_with_findings_interval_95"] is None
    assert sampling_statistics(dict(Sample(10, 0, 0, 0, 4, 0).counts()))["places"]["share_missed"] == 0
    assert sampling_statistics({}) is None
