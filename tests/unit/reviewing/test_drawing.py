import random
from collections import Counter

import pytest

from tacenda.transforms.reviewing.drawing import Hashed, allocate, class_of, draw, draw_over_contexts

CORPUS = [Hashed(f"c{i}", "sales" if i % 3 else "meetings", f"hash{i}") for i in range(300)]


def test_so_many_of_each_context_are_drawn_and_all_where_there_are_fewer() -> None:
    sample = draw([*CORPUS, Hashed("x", "rare", "h")], 1, 20)
    assert Counter(one.context for one in sample.drawn) == {"meetings": 20, "rare": 1, "sales": 20}
    assert sample.populations == {"meetings": 100, "rare": 1, "sales": 200}
    assert len(set(sample.drawn)) == len(sample.drawn)


def test_a_sample_does_not_depend_on_the_order_of_the_corpus() -> None:
    shuffled = CORPUS.copy()
    random.Random(3).shuffle(shuffled)
    assert draw(shuffled, 7, 10) == draw(CORPUS, 7, 10)


def test_another_seed_draws_others_and_every_conversation_has_its_chance() -> None:
    assert draw(CORPUS, 1, 10).drawn != draw(CORPUS, 2, 10).drawn
    times = Counter(one for seed in range(300) for one in draw(CORPUS, seed, 20).drawn)
    assert len(times) == len(CORPUS)
    meetings = [times[one] for one in CORPUS if one.context == "meetings"]
    assert 30 < min(meetings) <= max(meetings) < 95


def test_an_empty_corpus_gives_an_empty_sample() -> None:
    assert draw([], 1, 5) == ((), {})


CLASSES = {f"c{i}": 2 if i < 12 else 1 for i in range(60)}


def test_each_class_of_risk_has_its_share_of_every_context() -> None:
    for seed in range(20):
        drawn = draw(CORPUS, seed, 20, CLASSES).drawn
        found = Counter((one.context, CLASSES.get(one.conversation_id, 0)) for one in drawn)
        # meetings: 80 of class 0, 16 of 1, 4 of 2; sales: 160, 32, 8
        assert found["meetings", 0] == found["sales", 0] == 16
        assert found["meetings", 1] + found["meetings", 2] == 4
        assert found["meetings", 1] in (3, 4)


def test_by_risk_each_conversation_still_has_the_same_chance() -> None:
    times: Counter[int] = Counter()
    for seed in range(600):
        times.update(CLASSES.get(one.conversation_id, 0) for one in draw(CORPUS, seed, 7, CLASSES).drawn)
    chances = {risk: times[risk] / size for risk, size in ((0, 240), (1, 48), (2, 12))}
    # 14 of 300 in each sample; by context 7 of 100 and 7 of 200.
    assert chances[0] / 600 == pytest.approx(14 / 300, rel=0.03)
    assert chances[1] / 600 == pytest.approx(14 / 300, rel=0.1)
    assert chances[2] / 600 == pytest.approx(14 / 300, rel=0.2)


def test_a_sample_by_risk_does_not_depend_on_the_order_and_may_be_everything() -> None:
    shuffled = CORPUS.copy()
    random.Random(3).shuffle(shuffled)
    assert draw(shuffled, 7, 10, CLASSES) == draw(CORPUS, 7, 10, CLASSES)
    assert set(draw(CORPUS, 7, 999, CLASSES).drawn) == set(CORPUS)


def test_shares_are_exact_on_average() -> None:
    sizes = [90, 7, 3]
    starts = [i / 1000 for i in range(1000)]
    allocated = [allocate(sizes, 20, start) for start in starts]
    assert all(sum(counts) == 20 for counts in allocated)
    means = [sum(column) / 1000 for column in zip(*allocated, strict=True)]
    assert means == pytest.approx([18, 1.4, 0.6])


def test_a_sample_over_contexts_is_in_proportion() -> None:
    sample = draw_over_contexts(CORPUS, 1, 30)
    assert Counter(one.context for one in sample.drawn) == {"meetings": 10, "sales": 20}
    assert draw_over_contexts(reversed(CORPUS), 1, 30) == sample
    assert len(draw_over_contexts(CORPUS, 1, 999).drawn) == 300


def test_classes_are_bounded_by_the_threshold() -> None:
    assert [class_of(score, 5.0) for score in (0, 1, 4, 5, 9)] == [0, 1, 1, 2, 2]
