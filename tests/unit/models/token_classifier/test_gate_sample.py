"""Which blocks are sampled depends on the conversation alone."""

import numpy as np

from tacenda.models.token_classifier.gate_sample import draw, hash_conversations
from tacenda.transforms.text.column import TextColumn


def test_the_sample_does_not_depend_on_other_conversations(encoder):
    rng = np.random.default_rng(1)
    vocabulary = np.array(["hello", "my", "name", "is", "from", "the", "call", "and", "in", "it"])
    conversations = [
        [" ".join(rng.choice(vocabulary, rng.integers(0, 6))) for _ in range(rng.integers(1, 30))]
        for _ in range(300)
    ]

    def sample(several):
        encoded = encoder.encode(TextColumn([text for one in several for text in one]))
        first_cell = np.cumsum([0, *map(len, several)]).tolist()
        drawn = draw(hash_conversations(encoded, first_cell), np.diff(first_cell))
        return [s.tolist() for s in np.split(drawn, first_cell[1:-1])]

    together = sample(conversations)
    assert together == [sample([one])[0] for one in conversations]
    assert together[::-1] == sample(conversations[::-1])
    blocks = sum(map(len, conversations))
    assert 0.005 * blocks < sum(map(sum, together)) < 0.02 * blocks


def test_conversations_of_other_words_or_another_order_have_other_hashes(encoder):
    several = [["hello my"], ["my hello"], ["hello my name"], [""], ["hello my"]]
    encoded = encoder.encode(TextColumn([text for one in several for text in one]))
    hashes = hash_conversations(encoded, np.cumsum([0, *map(len, several)]).tolist()).tolist()
    assert hashes[0] == hashes[-1]
    assert len(set(hashes)) == 4
