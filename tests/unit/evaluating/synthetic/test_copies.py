import numpy as np
import pytest

from tacenda.transforms.evaluating.synthetic.copies import (
    BUCKETS,
    fingerprint,
    normalise,
    signatures,
    similar_pairs,
)

CALL = "Hello, I would like to change the delivery address of my order, please. It is the second time I call."


def test_copies_are_equal_in_spite_of_case_white_space_and_compatibility_forms():
    assert fingerprint("ＡＢＣ  call\nme") == fingerprint("abc call me ")
    assert fingerprint("abc call me") != fingerprint("abc call us")
    assert normalise(" A\u00a0B ") == "a b"


def test_a_slightly_changed_text_is_a_near_copy():
    texts = [
        CALL,
        CALL.replace("second", "third").upper() + "!!",
        "My bill of last month is wrong, who helps me?",
    ]
    packed = signatures(texts)
    assert packed.shape == (3, BUCKETS // 8)
    pairs = similar_pairs(packed[:1], packed, -1)
    assert pairs.cosines[0] == 1
    assert pairs.cosines[1] > 0.9
    assert pairs.cosines[2] < 0.2


@pytest.mark.parametrize("text", ["", "a", "今日は", "\U0001f600"])
def test_any_text_equals_itself(text: str):
    packed = signatures([text])
    assert similar_pairs(packed, packed, 0.99).cosines.tolist() == [1]


@pytest.mark.parametrize("block", [1, 7, 30, 1000])
def test_any_block_size_gives_the_result_of_single_pairs(block: int):
    generator = np.random.default_rng(1)
    texts = [" ".join(generator.choice(["order", "bill", "call", "who", "may"], 9)) for _ in range(60)]
    packed = signatures(texts)
    bits = np.unpackbits(packed, axis=1).astype(float)
    brute = [
        (i, j, cosine)
        for i in range(40)
        for j in range(20)
        if (cosine := bits[i] @ bits[40 + j] / np.sqrt(bits[i].sum() * bits[40 + j].sum())) > 0.5
    ]
    rows, columns, cosines = similar_pairs(packed[:40], packed[40:], 0.5, block)
    assert list(zip(rows.tolist(), columns.tolist(), cosines.tolist(), strict=True)) == brute
    assert brute


def test_an_empty_corpus_has_no_pairs():
    assert similar_pairs(signatures([]), signatures(["a"]), 0).rows.tolist() == []
