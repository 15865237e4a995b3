"""What experiments measure of a corpus: style and utility."""

import random

import pytest

from tacenda.pipelines.lab.linkability import LEAST_LETTERS, Styles, profile
from tacenda.pipelines.lab.utility import Corpus, compare, predictions, rouge_1

WORDS = ("the", "order", "a", "call", "bill", "we", "you", "it", "is", "not", "and", "what", "when", "phone")
HABITS = ("!!! ", " ... ", " -- ", ", y'know, ", " ;) ", "?? ")


def _text(rng, habit):
    return "".join(rng.choice(WORDS) + (habit if rng.random() < 0.3 else " ") for _ in range(120))


def _styles(habits, owners, most=100):
    rng = random.Random(7)
    styles = Styles(most)
    for owner in range(owners):
        for half in range(2):
            styles.add(f"o{owner}", f"t{half}", _text(rng, habits[owner % len(habits)]))
    return styles


def test_tokens_are_no_style():
    padding = "we talk about the weather and the house and about what there is to do in the garden today " * 2
    one, other = (profile(f"{padding}[{token}]") for token in ("PERSON_NAME_1", "PHONE_NUMBER_12"))
    assert one is not None
    assert other is not None
    assert (one.buckets == other.buckets).all()
    assert profile("[PERSON_NAME_1] " * LEAST_LETTERS) is None


def test_a_sample_of_owners_is_the_same_in_any_order_and_division():
    whole = _styles(HABITS, 30, most=8)
    rng = random.Random(7)
    parts = [Styles(8) for _ in range(3)]
    texts = [
        (f"o{owner}", f"t{half}", _text(rng, HABITS[owner % 6])) for owner in range(30) for half in range(2)
    ]
    for number, one in enumerate(reversed(texts)):
        parts[number % 3].add(*one)
    merged = parts[2].merge(parts[0]).merge(parts[1])
    assert merged.figures() == whole.figures()
    assert merged.figures()["is_sample"]
    assert merged.figures()["compared"] == 8


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
        ("the cat sat", "the cat the dog", (1 / 2, 2 / 3, 4 / 7)),
        ("a b", "b a", (1, 1, 1)),
        ("a", "b", (0, 0, 0)),
        ("", "", (1, 1, 1)),
        ("a", "", (0, 0, 0)),
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
    assert (report["f1"], same["rouge_1"]["f1"], same["f1_cost"], same["high"]) == (1, 1, 0, False)
    # 9 and 9 of 10 words are the same in each text.
    assert tokens["rouge_1"] == {"precision": 0.9, "recall": 0.9, "f1": 0.9, "f1_95": None}
    assert (tokens["f1"], tokens["f1_cost"]) == (1, 0)
    # All are called billing: F1 is 2 * 1 / (1 + 3) for billing and 0 for booking.
    assert (nothing["f1"], nothing["f1_cost"], nothing["high"]) == (0.25, 0.75, True)
    low, high = nothing["f1_cost_95"]
    assert low <= 0.75 <= high


def test_without_a_task_there_is_no_f1():
    report = compare(Corpus(TEXTS), {"same": Corpus(TEXTS)}, Corpus(HELD_OUT.texts), 0, 1)
    assert "f1" not in report
    assert report["versions"]["same"]["rouge_1"]["f1_95"] is None
