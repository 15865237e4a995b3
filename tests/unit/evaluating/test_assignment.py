from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tacenda.transforms.evaluating.clustering import best_total


@pytest.mark.parametrize(
    ("weights", "total"),
    [
        ([[1.0]], 1.0),
        ([[3.0, 2.0], [3.0, 0.0]], 5.0),
        ([[1.0, 2.0, 3.0]], 3.0),
        ([[1.0], [2.0], [3.0]], 3.0),
        ([[0.0, 0.0], [0.0, 0.0]], 0.0),
        # Taking the greatest first would give 9 + 1.
        ([[9.0, 8.0], [8.0, 1.0]], 16.0),
    ],
)
def test_the_best_of_small_matrices(weights, total):
    assert best_total(np.array(weights)) == total


@given(arrays(np.int64, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.integers(0, 9)))
def test_the_assignment_is_optimal(weights):
    short = weights if weights.shape[0] <= weights.shape[1] else weights.T
    rows, columns = short.shape
    best = max(sum(short[range(rows), order]) for order in permutations(range(columns), rows))
    assert best_total(weights.astype(float)) == best
