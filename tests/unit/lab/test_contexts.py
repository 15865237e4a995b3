import numpy as np
import pytest

from tacenda.pipelines.lab.contexts import (
    contexts_of,
    count_unlike,
    count_words,
    grade,
)

# Documents A, B and C of two, one and two contexts.
VECTORS = np.array([(1, 0), (0, 1), (1, 0), (0, 1), (-1, 0)], np.float32)
OWNERS = np.array([0, 0, 1, 2, 2])


def _by_hand(vectors, owners):
    """Each pair by itself."""
    counts = [0] * (int(owners.max()) + 1)
    for i, one in enumerate(vectors.tolist()):
        apart = []
        for j, other in enumerate(vectors.tolist()):
            if owners[i] != owners[j]:
                dot = sum(a * b for a, b in zip(one, other, strict=True))
                sizes = sum(a * a for a in one) * sum(b * b for b in other)
                apart.append(dot <= 0 or 4 * dot * dot < sizes)
        counts[owners[i]] += all(apart)
    return counts


def test_counts_of_five_contexts_worked_out_by_hand():
    assert count_unlike(VECTORS, OWNERS, 3).tolist() == [0, 0, 1] == _by_hand(VECTORS, OWNERS)


def test_bounds_are_yellow_and_own_contexts_do_not_depend_on_the_corpus():
    own = grade([0, 0, 1], [2, 1, 2])
    assert [(one["percent"], one["level"]) for one in own] == [(0, "green"), (0, "green"), (50, "yellow")]
    assert grade([0, 0, 1] + [10] * 30, [2, 1, 2] + [10] * 30)[:3] == own


def test_a_single_conversation_has_no_uniqueness():
    (alone,) = grade([2], [2])
    assert (alone["percent"], alone["level"]) == (None, None)
    assert [*grade([0, 0, 0], [0, 3, 3])[0].values()] == [0, 0, 0.0, "green"]
    assert count_unlike(count_words([]), np.zeros(0, np.intp), 0).tolist() == []


@pytest.mark.parametrize("block", [1, 2, 7, 1000])
def test_any_blocks_count_what_each_pair_by_itself_counts(block):
    random = np.random.default_rng(5)
    vectors = random.integers(0, 3, (60, 4)).astype(np.float32)
    vectors[:, 0] += 1
    owners = np.sort(random.integers(0, 9, 60))
    owners[-1] = 8
    # Cosines of exactly one half are not below it.
    vectors[:2] = [(1, 0, 0, 1), (1, 0, 1, 0)]
    assert count_unlike(vectors, owners, 9, block).tolist() == _by_hand(vectors, owners)


def test_contexts_are_five_words_on_either_side_and_end_with_the_text():
    text = "One two three four five six, Mr [PERSON_NAME_2] of [ORGANIZATION_NAME_1] said so. A b c d."
    first, second = contexts_of(text)
    assert first == [
        "three", "four", "five", "six", "mr", "[PERSON_NAME]", "of", "[ORGANIZATION_NAME]", "said", "so", "a",
    ]  # fmt: skip
    assert second[:2] == ["five", "six"]
    assert list(contexts_of("[AGE_1]")) == [["[AGE]"]]
    assert list(contexts_of("nothing")) == []


def test_numbers_of_tokens_make_no_difference_and_words_do():
    said = ["my name is [PERSON_NAME_1] I", "My name is [PERSON_NAME_7], I", "zebra [AGE_1] crossing"]
    vectors = count_words([context for text in said for context in contexts_of(text)])
    assert (vectors[0] == vectors[1]).all()
    assert count_unlike(vectors, np.array([0, 1, 2]), 3).tolist() == [0, 0, 1]
