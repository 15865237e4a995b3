import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.writing.splitting import NO_GROUPS, Keys, joined, links, representatives

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 12)), max_size=30)


def _array(rows: list[tuple[int, int]]) -> Keys:
    return np.array(rows, dtype=np.uint64).reshape(-1, 2)


def _by_hand(shared: list[tuple[int, int]]) -> dict[int, int]:
    """The smallest key that each key hangs together with."""
    groups: list[set[int]] = [{key} for key in {key for _, key in shared}]
    for value in {value for value, _ in shared}:
        owners = {key for one, key in shared if one == value}
        touched = [group for group in groups if group & owners]
        groups = [group for group in groups if not group & owners] + [set().union(*touched)]
    return {key: min(group) for group in groups for key in group}


@given(PAIRS, st.integers(1, 5))
def test_groups_are_those_of_a_search_by_hand_in_any_order_and_any_buckets(
    shared: list[tuple[int, int]], buckets: int
) -> None:
    rows = _array(shared)
    of_buckets = [rows[rows[:, 0] % np.uint64(buckets) == bucket] for bucket in range(buckets)]
    found = [links(some[:, 0], some[:, 1]) for some in of_buckets]
    random.Random(1).shuffle(found)
    halves = [joined(np.concatenate([NO_GROUPS, *some])) for some in (found[:2], found[2:])]
    groups = joined(np.concatenate(halves))
    by_hand = _by_hand(shared)
    keys = np.array(sorted(by_hand) or [0], dtype=np.uint64)
    assert representatives(keys, groups).tolist() == [by_hand.get(key, key) for key in keys.tolist()]
    # Nothing is held of records that share nothing.
    assert len(groups) == sum(list(by_hand.values()).count(first) > 1 for first in by_hand.values())


def test_a_value_of_many_records_gives_as_many_links_as_records() -> None:
    keys = np.arange(10_000, dtype=np.uint64)
    found = links(np.zeros(10_000, dtype=np.uint64), np.concatenate([keys[5000:], keys[:5000]]))
    assert len(found) == 9_999
    assert set(representatives(keys, joined(found)).tolist()) == {0}
