import pytest

from tacenda.transforms.evaluating.comparing import compare, mcnemar_exact


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    [(0, 0, 1.0), (4, 4, 1.0), (0, 5, 0.0625), (1, 9, 22 / 1024), (9, 1, 22 / 1024), (0, 1, 1.0)],
)
def test_mcnemar_is_the_binomial_test_of_one_half(first, second, p_value):
    assert mcnemar_exact(first, second) == pytest.approx(p_value)


def test_mcnemar_of_many_pairs_neither_overflows_nor_vanishes():
    assert mcnemar_exact(5000, 5200) == pytest.approx(0.0487, abs=1e-3)
    assert 0 <= mcnemar_exact(0, 5000) < 1e-300


def test_two_configs_over_the_same_gold(corpus):
    gold = ["a:CITY b:CITY", "a:CITY", "a:CITY c:DATE", ""]
    first = corpus(*zip(gold, ["a:CITY", "", "a:CITY", "d:CITY"], strict=True))
    second = corpus(*zip(gold, ["a:CITY b:CITY", "", "", ""], strict=True))
    compared = compare(first, second, 500, 1)
    assert compared["spans"] == {
        "both": 1, "only_first": 1, "only_second": 1, "neither": 1, "p_value": 1.0,
    }  # fmt: skip
    assert compared["conversations"] == {
        "both": 0, "only_first": 1, "only_second": 1, "neither": 1, "p_value": 1.0,
    }  # fmt: skip
    assert compared["recall_difference"]["value"] == 0
    low, high = compared["recall_difference"]["interval"]
    assert low < 0 < high


def test_the_difference_is_second_less_first(corpus):
    gold = ["a:CITY b:CITY"] * 20
    first = corpus(*((g, "a:CITY" if i % 4 else "") for i, g in enumerate(gold)))
    second = corpus(*((g, "a:CITY b:CITY") for g in gold))
    compared = compare(first, second, 500, 1)
    assert compared["recall_difference"]["value"] == pytest.approx(25 / 40)
    assert compared["recall_difference"]["interval"][0] > 0
    assert compared["spans"]["only_second"] == 25
    assert compared["spans"]["p_value"] < 1e-6


def test_other_gold_cannot_be_compared(corpus):
    with pytest.raises(ValueError, match="same gold"):
        compare(corpus(("a:CITY", "")), corpus(("b:CITY", "")), 10, 1)
