"""The turns shown to a network, those sampled, and that the choice depends on the conversation alone."""

import numpy as np
import pytest

from tacenda.models.token_classifier import turn_filter as skipping
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.turn_filter import choose_turns, hash_conversations, show
from tacenda.transforms.text.column import TextColumn


def test_turns_are_judged_with_the_end_of_the_previous_turn(
    encoder: TurnEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skipping, "CONTEXT", 2)
    encoded = encoder.encode(
        TextColumn(["hello my name is", "pam", "the call", "it is", "dwight", "hello my name"])
    )
    judged = np.array([False, True, False, False, True, False])
    shown = show(judged, encoded, [0, 3, 6])
    assert shown.token.tolist() == [2, 3, 4, 7, 8, 9]
    assert shown.judged.tolist() == [False, False, True, False, False, True]
    assert shown.first_cell.tolist() == [0, 2, 4]
    assert np.array_equal(shown.encoded.ids, encoded.ids[shown.token])
    assert shown.encoded.first_token.tolist() == [0, 2, 3, 5, 6]


def test_no_context_comes_from_another_conversation(encoder: TurnEncoder) -> None:
    encoded = encoder.encode(TextColumn(["hello my", "pam"]))
    shown = show(np.array([False, True]), encoded, [0, 1, 2])
    assert shown.token.tolist() == [2]
    assert shown.first_cell.tolist() == [0, 0, 1]


@pytest.mark.parametrize("first_cell", [[0], [0, 0], [0, 2], [0, 0, 2]])
def test_no_turns_to_judge_give_no_context(encoder: TurnEncoder, first_cell: list[int]) -> None:
    texts = ["hello", "my"][: first_cell[-1]]
    shown = show(np.zeros(len(texts), np.bool_), encoder.encode(TextColumn(texts)), first_cell)
    assert len(shown.token) == 0
    assert shown.first_cell.tolist() == [0] * len(first_cell)


def test_the_sample_does_not_depend_on_other_conversations(encoder: TurnEncoder) -> None:
    rng = np.random.default_rng(1)
    vocabulary = np.array(["hello", "my", "name", "is", "from", "the", "call", "and", "in", "it"])
    conversations = [
        [" ".join(rng.choice(vocabulary, rng.integers(0, 6))) for _ in range(rng.integers(1, 30))]
        for _ in range(300)
    ]

    def sample(several: list[list[str]]) -> list[list[bool]]:
        encoded = encoder.encode(TextColumn([text for one in several for text in one]))
        first_cell = np.cumsum([0, *map(len, several)]).tolist()
        turns = choose_turns(np.ones(first_cell[-1], np.bool_), encoded, first_cell)
        assert np.array_equal(turns.judged, turns.sampled)
        return [s.tolist() for s in np.split(turns.sampled, first_cell[1:-1])]

    together = sample(conversations)
    assert together == [sample([one])[0] for one in conversations]
    assert together[::-1] == sample(conversations[::-1])
    spoken = sum(bool(text) for one in conversations for text in one)
    assert 0.005 * spoken < sum(map(sum, together)) < 0.02 * spoken


def test_turns_that_are_not_harmless_are_judged_and_never_of_the_sample(encoder: TurnEncoder) -> None:
    encoded = encoder.encode(TextColumn(["hello"] * 500))
    turns = choose_turns(np.zeros(500, np.bool_), encoded, [0, 500])
    assert turns.judged.all()
    assert not turns.sampled.any()


def test_conversations_of_other_words_or_another_order_have_other_hashes(encoder: TurnEncoder) -> None:
    several = [["hello my"], ["my hello"], ["hello my name"], [""], ["hello my"]]
    encoded = encoder.encode(TextColumn([text for one in several for text in one]))
    hashes = hash_conversations(encoded, np.cumsum([0, *map(len, several)]).tolist()).tolist()
    assert hashes[0] == hashes[-1]
    assert len(set(hashes)) == 4
