import random

import pytest

from tacenda.transforms.evaluating.synthetic.diversity import (
    CURVE,
    Diversity,
    mean_and_deviation,
    priority,
    tokens,
)


def _records(count: int) -> list[tuple[int, list[str]]]:
    draw = random.Random(4)
    return [
        (priority(str(i), 1, 0), [f"w{draw.randrange(900)}" for _ in range(draw.randrange(1, 40))])
        for i in range(count)
    ]


def _of(records: list[tuple[int, list[str]]]) -> Diversity:
    diversity = Diversity()
    for key, words in records:
        diversity.add(key, words)
    return diversity


def test_figures_of_a_small_corpus():
    figures = _of([(1, ["a", "b"]), (2, ["a"]), (3, ["c", "c", "c"])]).figures()
    assert figures == {
        "records": 3,
        "tokens": 6,
        "types": 3,
        "mean_length": 2,
        "median_length": 2,
        "type_token_ratio": 0.5,
        "curve": {},
    }


@pytest.mark.parametrize("parts", [2, 5, 50])
def test_parts_in_any_order_add_up_to_the_whole(parts: int):
    records = _records(3000)
    whole = _of(records).figures()
    cut = [_of(records[start::parts]) for start in range(parts)]
    random.Random(parts).shuffle(cut)
    merged = Diversity()
    for one in cut:
        merged.merge(one)
    assert merged.figures() == whole
    assert list(whole["curve"]) == [str(n) for n in CURVE]
    assert sorted(whole["curve"].values(), reverse=True) == list(whole["curve"].values())


def test_memory_for_the_curve_is_bounded():
    diversity = _of([(i, ["a", "b"]) for i in range(100_000)])
    diversity.merge(Diversity())
    assert len(diversity.first) == CURVE[-1] / 2


def test_samples_are_reported_by_mean_and_deviation():
    one, other = ({"types": n, "curve": {"500": n / 10}} for n in (2, 4))
    assert mean_and_deviation([one, other]) == {"types": [3.0, 1.4142], "curve": {"500": [0.3, 0.1414]}}
    assert mean_and_deviation([one])["types"] == [2.0, 0.0]


def test_priorities_differ_by_seed_sample_and_record():
    assert len({priority(name, seed, sample) for name in "ab" for seed in (1, 2) for sample in (0, 1)}) == 8
    assert priority("a", 1, 0) == priority("a", 1, 0)


def test_scripts_without_spaces_count_by_character():
    assert tokens("Call 薬を飲む now") == ["call", "薬", "を", "飲", "む", "now"]
