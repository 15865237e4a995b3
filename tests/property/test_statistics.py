"""The figures equal numpy's over the whole list, with equal bytes for any sharding."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.scoring.statistics import RiskSketch

SCORED = st.tuples(
    st.sampled_from(["human", "model"]),
    st.sampled_from(["", "sales", "meetings"]),
    st.one_of(st.none(), st.integers(0, 40), st.just(0)),
    st.booleans(),
)


def sketch_of(conversations):
    sketch = RiskSketch()
    for source, context, score, direct in conversations:
        if score is None:
            sketch.add_unreviewed(source, context)
        else:
            sketch.add(source, context, score, direct)
    return sketch


@given(st.lists(SCORED, max_size=120), st.data())
def test_any_sharding_gives_the_same_bytes(conversations, data):
    whole = sketch_of(conversations)
    shuffled = data.draw(st.permutations(conversations))
    shards = data.draw(st.integers(1, 5))
    parts = [sketch_of(shuffled[i::shards]) for i in range(shards)]
    parts = [RiskSketch.from_json(json.loads(json.dumps(part.to_json()))) for part in parts]
    left = RiskSketch()
    for part in parts:
        left.merge(part)
    right = RiskSketch()
    for part in reversed(parts):
        right = RiskSketch().merge(part).merge(right)
    for sketch in (left, right):
        assert json.dumps(sketch.to_json()) == json.dumps(whole.to_json())
        for ddof in (0, 1):
            assert json.dumps(sketch.compute(ddof=ddof).to_json()) == json.dumps(
                whole.compute(ddof=ddof).to_json()
            )


@given(st.lists(st.integers(0, 60), min_size=1, max_size=200), st.sampled_from([0, 1]), st.integers(1, 12))
def test_figures_equal_those_of_numpy(scores, ddof, threshold):
    group = sketch_of(("human", "", s, False) for s in scores).compute(threshold, ddof).sources["human"].total
    array = np.array(scores)
    assert group.count == len(scores)
    assert group.max == array.max()
    assert group.mean == pytest.approx(array.mean(), abs=1e-9)
    for percent, figure in ((50, group.p50), (95, group.p95), (99, group.p99)):
        assert figure == pytest.approx(np.percentile(array, percent), abs=1e-9)
    assert group.share_at_or_over_threshold == pytest.approx((array >= threshold).mean(), abs=1e-12)
    if len(scores) == ddof:
        assert group.std is None
        assert not group.passed
        return
    std = array.std(ddof=ddof)
    assert group.std == pytest.approx(std, abs=1e-9)
    assert group.mu_plus_sigma == pytest.approx(array.mean() + std, abs=1e-9)
    assert group.mu_plus_2sigma == pytest.approx(array.mean() + 2 * std, abs=1e-9)
    if abs(array.mean() + std - threshold) > 1e-9:
        assert group.passed == (array.mean() + std < threshold)


@given(st.integers(1, 50), st.integers(1, 10))
def test_half_zeros_and_half_the_threshold_give_the_threshold(half, threshold):
    scores = [0] * half + [threshold] * half
    group = sketch_of(("gold", "", s, False) for s in scores).compute(threshold).sources["gold"].total
    assert group.mu_plus_sigma == threshold
    assert not group.passed
