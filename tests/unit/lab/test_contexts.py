import numpy as np
import numpy.typing as npt
import pytest

from tacenda.transforms.lab.contexts import (
    MODES,
    Mode,
    contexts_of,
    count_unlike,
    count_words,
    grade,
)

# Documents A, B and C of two, one and two contexts.
VECTORS = np.array([(1, 0), (0, 1), (1, 0), (0, 1), (-1, 0)], np.float32)
OWNERS = np.array([0, 0, 1, 2, 2])


def _by_hand(vectors: npt.NDArray[np.float32], owners: npt.NDArray[np.intp], mode: Mode) -> list[int]:
    """Each pair by itself."""
    counts = [0] * (int(owners.max()) + 1)
    for i, one in enumerate(vectors.tolist()):
        apart = []
        for j, other in enumerate(vectors.tolist()):
            if mode == "all_pairs" or owners[i] != owners[j]:
                dot = sum(a * b for a, b in zip(one, other, strict=True))
                sizes = sum(a * a for a in one) * sum(b * b for b in other)
                apart.append(dot <= 0 or 4 * dot * dot < sizes)
        counts[owners[i]] += all(apart) if mode == "unique" else sum(apart)
    return counts


@pytest.mark.parametrize(
    ("mode", "counts"), [("pairs", [4, 3, 5]), ("all_pairs", [6, 3, 7]), ("unique", [0, 0, 1])]
)
def test_counts_of_five_contexts_worked_out_by_hand(mode: Mode, counts: list[int]) -> None:
    assert count_unlike(VECTORS, OWNERS, mode).tolist() == counts == _by_hand(VECTORS, OWNERS, mode)


def test_the_figures_that_the_paper_prints() -> None:
    graded = grade([15, 14, 7, 7], [36, 36, 36, 36], "counted")
    assert [one.level for one in graded] == ["yellow", "yellow", "green", "green"]
    assert [round(one.percent or 0, 1) for one in graded] == [34.9, 32.6, 16.3, 16.3]
    # As equation 1 is worded, all of them would be green.
    assert {one.level for one in grade([15, 14, 7, 7], [36, 36, 36, 36], "all")} == {"green"}


def test_bounds_are_yellow_and_own_contexts_do_not_depend_on_the_corpus() -> None:
    assert [one.level for one in grade([4, 3, 5], [2, 1, 2], "counted")] == ["yellow", "yellow", "yellow"]
    own = grade([0, 0, 1], [2, 1, 2])
    assert [(one.percent, one.level) for one in own] == [(0, "green"), (0, "green"), (50, "yellow")]
    larger = grade([0, 0, 1] + [10] * 30, [2, 1, 2] + [10] * 30)
    assert larger[:3] == own
    assert grade([0, 0, 1] + [10] * 30, [2, 1, 2] + [10] * 30, "counted")[2].level == "green"


def test_a_single_conversation_has_no_uniqueness() -> None:
    (alone,) = grade([2], [2])
    assert (alone.percent, alone.level) == (None, None)
    assert [one.percent for one in grade([0, 0], [3, 3], "counted")] == [None, None]
    assert grade([0, 0, 0], [0, 3, 3])[0] == (0, 0, 0.0, "green")
    assert count_unlike(count_words([]), np.zeros(0, np.intp)).tolist() == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("block", [1, 2, 7, 1000])
def test_any_blocks_count_what_each_pair_by_itself_counts(mode: Mode, block: int) -> None:
    random = np.random.default_rng(5)
    vectors = random.integers(0, 3, (60, 4)).astype(np.float32)
    vectors[:, 0] += 1
    owners = np.sort(random.integers(0, 9, 60))
    owners[-1] = 8
    # Cosines of exactly one half are not below it.
    vectors[:2] = [(1, 0, 0, 1), (1, 0, 1, 0)]
    assert count_unlike(vectors, owners, mode, block=block).tolist() == _by_hand(vectors, owners, mode)


def test_contexts_are_five_words_on_either_side_and_end_with_the_text() -> None:
    text = "One two three four five six, Mr [PERSON_NAME_2] of [ORGANIZATION_NAME_1] said so. A b c d."
    first, second = contexts_of(text)
    assert first == [
        "three", "four", "five", "six", "mr", "[PERSON_NAME]", "of", "[ORGANIZATION_NAME]", "said", "so", "a",
    ]  # fmt: skip
    assert second[:2] == ["five", "six"]
    assert list(contexts_of("[AGE_1]")) == [["[AGE]"]]
    assert list(contexts_of("nothing")) == []


def test_numbers_of_tokens_make_no_difference_and_words_do() -> None:
    said = ["my name is [PERSON_NAME_1] I", "My name is [PERSON_NAME_7], I", "zebra [AGE_1] crossing"]
    vectors = count_words([context for text in said for context in contexts_of(text)])
    assert (vectors[0] == vectors[1]).all()
    assert count_unlike(vectors, np.array([0, 1, 2])).tolist() == [0, 0, 1]
