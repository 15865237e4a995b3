"""What experiments measure of a corpus: leaks, contexts, style, uniqueness and utility."""

import math

import numpy as np
import pytest

from tacenda.pipelines.lab.contexts import contexts_of, count_unlike, count_words, grade
from tacenda.pipelines.lab.linkability import LEAST_LETTERS, joined_by_style, profile
from tacenda.pipelines.lab.uniqueness import figures_of, rarest_of, share_of, shares_of
from tacenda.pipelines.lab.utility import Corpus, compare, predictions, rouge_1
from tacenda.transforms.schema.errors import UserError

# Documents A, B and C of two, one and two contexts.


def _by_hand(vectors, owners):
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


def test_tokens_are_no_style():
    padding = "we talk about the weather and the house and about what there is to do in the garden today " * 2
    one, other = (profile(f"{padding}[{token}]") for token in ("PERSON_NAME_1", "PHONE_NUMBER_12"))
    assert one is not None
    assert other is not None
    assert (one == other).all()
    assert profile("[PERSON_NAME_1] " * LEAST_LETTERS) is None


def test_a_text_is_joined_with_the_most_similar_one():
    said = {"a": "!!! the order ??? is what " * 9, "b": "zebras, well, eat violins ... " * 9}
    found = joined_by_style(
        [*((owner, text + half) for owner, text in said.items() for half in "xy"), ("c", "hm")]
    )
    assert (found["compared"], found["texts"], found["joined"], found["short"]) == (2, 4, 2, 1)
    assert found["by_chance"] == pytest.approx(1 / 3, abs=1e-6)
    assert joined_by_style([])["share"] is None


ROWS = [("AGE", "34", 0.01), ("AGE", "90", 0.001), ("LOCATION", "Malmö", 0.03), ("LOCATION", "Kiruna", 0.002)]


SHARES = shares_of(ROWS, "table.csv")


def _figures(*found):
    return figures_of([rarest_of(found, SHARES)], 1_000_001)


def test_the_share_of_a_combination_is_the_product_of_its_values():
    found = _figures(("AGE", "90"), ("LOCATION", "kiruna"))
    others = 1_000_000 * 0.001 * 0.002
    assert found["unique"] == round((1 - 0.000002) ** 1_000_000, 2)
    assert found["average_risk"] == pytest.approx((1 - math.exp(-others)) / others, abs=1e-6)
    assert (found["small"], found["small_interval"]) == (1, [0.025, 1.0])
    assert found["info_types"] == {"AGE": 1, "LOCATION": 1}


def test_the_rarest_value_of_a_kind_counts_and_repetition_does_not():
    one = _figures(("LOCATION", "Malmö"), ("LOCATION", "Kiruna"), ("LOCATION", "Kiruna"))
    assert one == _figures(("LOCATION", "Kiruna"))
    assert one["small"] == 0


def test_what_the_table_does_not_list_counts_as_the_rarest():
    one, other = _figures(("LOCATION", "Ystad"), ("PERSON_NAME", "Ann")), _figures(("LOCATION", "Kiruna"))
    assert one == {**other, "unlisted": 1}


def test_a_number_in_words_is_that_number():
    assert share_of(SHARES, "AGE", "34 years old") == (0.01, True)
    assert share_of(SHARES, "AGE", "34 or 90") == (0.001, False)
    assert share_of(SHARES, "GENDER", "female") is None


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([("AGE", "34", 0.0)], "row 1: share must be above 0"),
        ([("AGE", "34", math.nan)], "row 1: share must be above 0"),
        ([("AGE", "34", 0.1), ("AGE", " 34 ", 0.1)], "row 2: its value is empty or listed before"),
        ([("AGE", "34", 0.6), ("AGE", "35", 0.6)], "shares of AGE add up to more than 1"),
        ([], "has no rows"),
    ],
)
def test_a_table_that_cannot_be_is_refused(rows, what):
    with pytest.raises(UserError, match=f"t.csv: .*{what}|t.csv: {what}"):
        shares_of(rows, "t.csv")


BOOKING = ["i", "want", "to", "book", "a", "table", "for", "two", "please"]
BILLING = ["there", "is", "an", "error", "on", "the", "bill", "you", "sent"]
TEXTS = [[*words, name] for name in ("ann", "bo", "eva", "ann") for words in (BOOKING, BILLING)]
CLASSES = ["booking", "billing"] * 4
HELD_OUT = Corpus([[*BOOKING, "ann"], [*BILLING, "liv"], [*BOOKING, "bo"]], ["booking", "billing", "booking"])
ORIGINAL = Corpus(TEXTS, CLASSES)
VERSIONS = {
    "same": ORIGINAL,
    "tokens": Corpus([[*text[:-1], "person_name_1"] for text in TEXTS], CLASSES),
    "nothing": Corpus([["x"] for _ in TEXTS], CLASSES),
}


@pytest.mark.parametrize(
    ("reference", "other", "overlap"),
    [
        ("the cat sat", "the cat the dog", 4 / 7),
        ("a b", "b a", 1),
        ("a", "b", 0),
        ("", "", 1),
        ("a", "", 0),
    ],
)
def test_words_count_as_often_as_both_texts_have_them(reference, other, overlap):
    assert rouge_1(reference.split(), other.split()) == pytest.approx(overlap)


def test_the_likeliest_class_follows_bayes_rule():
    # Spam: cheap cheap; other: hello there. P(cheap | spam) = 3/5, P(cheap | other) = 1/5.
    corpus = Corpus([["cheap", "cheap"], ["hello", "there"]], ["spam", "other"])
    # Words outside of the vocabulary say nothing; of equal classes the first by name.
    texts = [["cheap", "hello", "cheap"], ["hello"], ["unseen"]]
    assert predictions(corpus, {"cheap", "hello", "there"}, texts) == ["spam", "other", "other"]
    assert predictions(Corpus([["a"], ["a"], ["a"]], ["y", "y", "x"]), {"a"}, [["a"]]) == ["y"]


def test_the_costs_of_versions():
    report = compare(ORIGINAL, VERSIONS, HELD_OUT, 50, 1)
    same, tokens, nothing = report["versions"].values()
    assert (report["f1"], same["rouge_1"], same["f1_cost"], same["high"]) == (1, 1, 0, False)
    # 9 and 9 of 10 words are the same in each text.
    assert (tokens["rouge_1"], tokens["rouge_1_95"]) == (0.9, None)
    assert (tokens["f1"], tokens["f1_cost"]) == (1, 0)
    # All are called billing: F1 is 2 * 1 / (1 + 3) for billing and 0 for booking.
    assert (nothing["f1"], nothing["f1_cost"], nothing["high"]) == (0.25, 0.75, True)
    low, high = nothing["f1_cost_95"]
    assert low <= 0.75 <= high


def test_without_a_task_there_is_no_f1():
    report = compare(Corpus(TEXTS), {"same": Corpus(TEXTS)}, Corpus(HELD_OUT.texts), 0, 1)
    assert "f1" not in report
    assert report["versions"]["same"]["rouge_1_95"] is None
