import numpy as np
import pytest

from tacenda.pipelines.lab.audit import (
    BUCKETS,
    SOURCE,
    SYNTHETIC,
    compare_frequencies,
    diversity,
    in_blind_order,
    normalise,
    signatures,
    similar_pairs,
)
from tacenda.pipelines.lab.reading import Record, _lowest

CALL = "Hello, I would like to change the delivery address of my order, please. It is the second time I call."


def test_copies_are_equal_in_spite_of_case_white_space_and_compatibility_forms():
    assert normalise("ＡＢＣ  call\nme") == normalise("abc call me ") == normalise("abc\u00a0call me")
    assert normalise("abc call me") != normalise("abc call us")


def test_a_slightly_changed_text_is_a_near_copy():
    changed = CALL.replace("second", "third").upper() + "!!"
    packed = signatures([CALL, changed, "My bill of last month is wrong, who helps me?"])
    assert packed.shape == (3, BUCKETS // 8)
    same, near, other = (cosine for _, _, cosine in similar_pairs(packed[:1], packed, -1))
    assert same == 1
    assert near > 0.9
    assert other < 0.2


@pytest.mark.parametrize("text", ["", "a", "今日は", "\U0001f600"])
def test_any_text_equals_itself(text):
    packed = signatures([text])
    assert similar_pairs(packed, packed, 0.99) == [(0, 0, 1.0)]
    assert similar_pairs(signatures([]), packed, 0) == []


def test_figures_of_a_small_corpus():
    assert diversity([["a", "b"], ["a"], ["c", "c", "c"]]) == {
        "records": 3,
        "tokens": 6,
        "types": 3,
        "mean_length": 2,
        "median_length": 2,
        "type_token_ratio": 0.5,
        "curve": {},
    }
    assert diversity([["a", "b"] * 500])["curve"] == {"500": 0.004, "1000": 0.002}


def test_a_sample_has_all_records_of_an_owner_or_none():
    records = [(2, Record("c", [])), (1, Record("b", [])), (1, Record("a", [])), (3, Record("d", []))]
    assert [record.name for _, record in _lowest(records, 2)] == ["a", "b", "c"]
    assert _lowest([], 2) == []


stats = pytest.importorskip("scipy.stats")
EVENTS = [f"e{i}" for i in range(8)]
COUNTS = {("x", event): count for event, count in zip(EVENTS, [40, 20, 10, 5, 5, 2, 1, 1], strict=True)}


def test_figures_are_those_of_the_relative_frequencies():
    figures = compare_frequencies(COUNTS, {pair: 10 * count for pair, count in COUNTS.items()})["all"]
    assert (figures["pearson"], figures["spearman"], figures["ks_p"]) == (1, 1, 1)
    synthetic = {("x", event): count for event, count in zip(EVENTS, [10, 30, 8, 9, 1, 2, 0, 4], strict=True)}
    one = np.array(list(COUNTS.values())) / sum(COUNTS.values())
    other = np.array(list(synthetic.values())) / sum(synthetic.values())
    figures = compare_frequencies(COUNTS, synthetic)["all"]
    assert figures["pearson"] == pytest.approx(np.corrcoef(one, other)[0, 1], abs=1e-6)
    ranks = [stats.rankdata(values) for values in (one, other)]
    assert figures["spearman"] == pytest.approx(np.corrcoef(*ranks)[0, 1], abs=1e-6)
    assert 0 < figures["t_p"] < 1


def test_pairs_that_the_source_does_not_have_are_listed_and_groups_are_apart():
    report = compare_frequencies(COUNTS, {**COUNTS, ("y", "e0"): 3, ("x", "new"): 0})
    assert report["not_in_source"] == [["y", "e0"]]
    assert set(report["groups"]) == {"x", "y"}
    assert report["groups"]["y"]["pearson"] is None


def test_the_order_of_records_does_not_reveal_their_origin():
    drawn = {
        origin: [Record(f"{origin}{i}", [(None, "text")]) for i in range(100)]
        for origin in (SOURCE, SYNTHETIC)
    }
    asked = in_blind_order(drawn, seed=1)
    assert 30 < sum(origin == SOURCE for origin, _ in asked[:100]) < 70
    assert asked == in_blind_order(drawn, seed=1) != in_blind_order(drawn, seed=2)
    assert sorted(asked) == sorted((origin, one) for origin, several in drawn.items() for one in several)
