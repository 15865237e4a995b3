import hashlib
import random
from collections import Counter
from itertools import pairwise

import pytest

from tacenda.transforms.scoring.distinct_counts import DistinctCounts


def digest(value: object) -> bytes:
    return hashlib.blake2b(str(value).encode(), digest_size=8).digest()


def counted(values: "list[object]", most: int) -> DistinctCounts:
    counts = DistinctCounts(most)
    for value in values:
        counts.add(digest(value))
    return counts


def test_few_values_are_counted_exactly() -> None:
    counts = counted(["a", "b", "a", "c", "a"], most=3)
    assert counts.exact
    assert counts.distinct() == 3
    assert counts.times() == Counter({1: 2, 3: 1})


@pytest.mark.parametrize("most", [1, 7, 100])
def test_the_sample_is_the_same_in_any_order_and_division(most: int) -> None:
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


def test_kept_values_are_counted_exactly_even_when_others_are_left_out() -> None:
    values: list[object] = [i % 1000 for i in range(3000)]
    counts = counted(values, most=50)
    assert not counts.exact
    assert counts.times() == Counter({3: 50})


def test_the_number_of_distinct_values_is_estimated() -> None:
    counts = counted(list(range(40_000)), most=2048)
    assert counts.distinct() == pytest.approx(40_000, rel=0.07)
    assert len(counts.to_json()["times"]) == 2048
