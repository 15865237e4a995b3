import random
from collections import Counter

from tacenda.transforms.reviewing.drawing import Hashed, draw

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
