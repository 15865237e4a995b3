import pytest

pytest.importorskip("torch")

from tacenda.models.training.small_causal import held_out_nats


def test_it_learns_what_the_texts_repeat_and_is_the_same_again() -> None:
    texts = [[1, 2, 3, 4, 5, 6]] * 200
    learnt = held_out_nats(texts, [[1, 2, 3, 4, 5, 6]], 8, seed=1)
    assert learnt == held_out_nats(texts, [[1, 2, 3, 4, 5, 6]], 8, seed=1)
    assert learnt != held_out_nats(texts, [[1, 2, 3, 4, 5, 6]], 8, seed=2)
    # Guessing among 8 words takes 2.08 nats; another order is worse than that.
    assert learnt < 1.5
    assert held_out_nats(texts, [[6, 5, 4, 3, 2, 1], []], 8, seed=1) > 2.08
