"""Samples for people to read: at random over the corpus, and determined by its hash."""

from collections import Counter

import pytest

from tacenda.transforms.reviewing.drawing import Hashed, draw

CORPUS = [Hashed(f"c{i}", f"context {i % 3}", f"h{i}") for i in range(300)]


def test_a_sample_depends_on_seed_and_ids_alone():
    assert draw(CORPUS, "a", 30, 5) == draw(reversed(CORPUS), "a", 30, 5)
    assert draw(CORPUS, "a", 30).drawn != draw(CORPUS, "b", 30).drawn


def test_a_larger_sample_contains_a_smaller_one():
    assert draw(CORPUS, "a", 60).drawn[:30] == draw(CORPUS, "a", 30).drawn


def test_every_context_has_its_share_on_average():
    drawn = Counter(one.context for seed in range(60) for one in draw(CORPUS, str(seed), 30).drawn)
    assert all(abs(count - 600) < 75 for count in drawn.values())


def test_contexts_that_were_drawn_too_rarely_get_more_but_not_those_over_the_corpus():
    rare = [Hashed(f"r{i}", "rare", "h") for i in range(40)]
    sample = draw([*CORPUS, *rare], "a", 50, 5)
    assert len(sample.drawn) == 50
    read = Counter(one.context for one in sample.everything)
    assert read["rare"] >= 5
    assert {one.context for one in sample.extra} <= {"rare"}


@pytest.mark.parametrize("contexts", [100, 300])
def test_many_small_contexts_ask_nobody_to_read_more_than_the_corpus_does(contexts):
    corpus = [Hashed(f"c{i}", f"queue {i % contexts}", f"h{i}") for i in range(10_000)]
    assert len(draw(corpus, "a", 150, 5).everything) == 150


def test_one_small_context_beside_a_large_one_is_read_too():
    corpus = [
        *(Hashed(f"c{i}", "large", "h") for i in range(9_990)),
        *(Hashed(f"s{i}", "", "h") for i in range(10)),
    ]
    sample = draw(corpus, "a", 150, 5)
    assert sum(one.context == "" for one in sample.everything) == 5
    assert len(draw(corpus[-3:], "a", 150, 5).everything) == 3
