from itertools import product
from math import exp, log

import pytest

from tacenda.transforms.lab.utility import (
    UNKNOWN,
    Classifier,
    Corpus,
    LanguageModel,
    Overlap,
    Resampling,
    compare,
    rouge_1,
    vocabulary_of,
)


def test_words_count_as_often_as_both_texts_have_them():
    # Shared: the, cat; of 3 and 4 words.
    found = rouge_1(["the", "cat", "sat"], ["the", "cat", "the", "dog"])
    assert found.precision == 2 / 4
    assert found.recall == 2 / 3
    assert found.f1 == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))


def test_equal_texts_overlap_1_and_disjoint_texts_0():
    assert rouge_1(["a", "b"], ["b", "a"]) == Overlap(1, 1, 1)
    assert rouge_1(["a"], ["b"]) == Overlap(0, 0, 0)
    assert rouge_1([], []) == Overlap(1, 1, 1)
    assert rouge_1(["a"], []) == Overlap(0, 0, 0)


def test_the_likeliest_class_follows_bayes_rule():
    # Spam: cheap cheap; other: hello there. P(cheap | spam) = 3/5, P(cheap | other) = 1/5.
    classifier = Classifier(
        [["cheap", "cheap"], ["hello", "there"]], ["spam", "other"], {"cheap", "hello", "there"}
    )
    assert classifier.predict(["cheap", "hello", "cheap"]) == "spam"
    assert classifier.predict(["hello"]) == "other"
    # Words never seen say nothing; of equal classes the first by name.
    assert classifier.predict(["unseen"]) == "other"


def test_frequent_classes_are_likelier():
    classifier = Classifier([["a"], ["a"], ["a"]], ["y", "y", "x"], {"a"})
    assert classifier.predict(["a"]) == "y"


def test_words_outside_of_the_vocabulary_change_nothing():
    texts, classes, known = [["a", "b"], ["a"], ["b", "b"]], ["x", "x", "y"], {"a", "b"}
    invented = [[*text, *(f"{text[0]}{i}{k}" for k in range(50))] for i, text in enumerate(texts)]
    plain, named = Classifier(texts, classes, known), Classifier(invented, classes, known)
    for text in (["a"], ["b"], ["a", "b"], ["b", "b", "a"], ["a00"]):
        assert named.predict(text) == plain.predict(text)


def test_the_vocabulary_has_words_that_occur_twice():
    assert vocabulary_of([["a", "b"], ["b", "c"]]) == {"b", UNKNOWN}
    assert vocabulary_of([["a"]], at_least=1) == {"a", UNKNOWN}


def test_probabilities_are_those_of_witten_and_bell():
    # Words: a twice, b once; of 3 words in the vocabulary. P(a) = (2 + 2/3) / 5, P(b) = (1 + 2/3) / 5.
    # Behind the start, twice: a, then b or nothing. P(a | start) = (2 + P(a)) / 3, again for two starts.
    model = LanguageModel([["a", "b"], ["a"]], frozenset({"a", "b", UNKNOWN}))
    a, b = (2 + 2 / 3) / 5, (1 + 2 / 3) / 5
    behind_start = (2 + (2 + a) / 3) / 3
    # b behind a, once, and behind start a, once.
    behind_a = (1 + (1 + b) / 2) / 2
    assert model.surprises(["a", "b"]) == pytest.approx([-log(behind_start), -log(behind_a)])


def test_probabilities_add_up_to_one():
    model = LanguageModel([["a", "b", "a"], ["c", "a"]], frozenset({"a", "b", "c", UNKNOWN}))
    for before in product("abc", repeat=2):
        total = sum(exp(-model.surprises([*before, word])[-1]) for word in ("a", "b", "c", "never"))
        assert total == pytest.approx(1)


def test_words_outside_the_vocabulary_share_one_probability():
    model = LanguageModel([["a", "x"], ["a", "y"]], frozenset({"a", UNKNOWN}))
    assert model.surprises(["a", "z"]) == model.surprises(["a", "x"])
    assert model.has("z")
    assert model.surprises([]) == []
    assert not LanguageModel([["a"]], frozenset({"a", "b", UNKNOWN})).has("b")


BOOKING = ["i", "want", "to", "book", "a", "table", "for", "two", "please"]
BILLING = ["there", "is", "an", "error", "on", "the", "bill", "you", "sent"]
TEXTS = [[*words, name] for name in ("ann", "bo", "eva", "ann") for words in (BOOKING, BILLING)]
CLASSES = ["booking", "billing"] * 4
HELD_OUT = Corpus([[*BOOKING, "ann"], [*BILLING, "liv"], [*BOOKING, "bo"]], ["booking", "billing", "booking"])
ORIGINAL = Corpus(TEXTS, CLASSES)
TOKENS = Corpus([[*text[:-1], "person_name_1"] for text in TEXTS], CLASSES)
NOTHING = Corpus([["x"] for _ in TEXTS], CLASSES)


def test_an_unchanged_version_has_no_cost():
    (figures,) = compare(ORIGINAL, {"same": ORIGINAL}, HELD_OUT, Resampling(50))["versions"].values()
    assert figures["rouge_1"]["f1"] == 1
    assert (figures["perplexity_cost"], figures["kept_words_cost"], figures["f1_cost"]) == (0, 0, 0)
    assert figures["dear"] == []


def test_removing_names_costs_perplexity_but_not_task_accuracy():
    report = compare(ORIGINAL, {"tokens": TOKENS}, HELD_OUT, Resampling(50))
    figures = report["versions"]["tokens"]
    # 9 and 9 of 10 words are the same in each text.
    assert figures["rouge_1"] == {"precision": 0.9, "recall": 0.9, "f1": 0.9, "f1_95": None}
    assert (report["f1"], figures["f1"], figures["f1_cost"]) == (1, 1, 0)
    assert figures["perplexity_cost"] > 0.05
    low, high = figures["perplexity_cost_95"]
    assert low <= figures["perplexity_cost"] <= high
    assert figures["kept_words_cost"] < figures["perplexity_cost"]
    assert "perplexity_cost" in figures["dear"]
    assert "f1_cost" not in figures["dear"]


def test_a_version_without_words_costs_the_task():
    figures = compare(ORIGINAL, {"nothing": NOTHING}, HELD_OUT, Resampling(50))["versions"]["nothing"]
    # All are called billing: F1 is 2 * 1 / (1 + 3) for billing and 0 for booking.
    assert figures["f1"] == 0.25
    assert figures["f1_cost"] == 0.75
    assert (
        figures["dear"] == ["perplexity_cost", "kept_words_cost", "f1_cost"] or "f1_cost" in figures["dear"]
    )


def test_without_a_task_there_is_no_f1():
    report = compare(Corpus(TEXTS), {"same": Corpus(TEXTS)}, Corpus(HELD_OUT.texts), Resampling(0))
    assert "f1" not in report
    assert report["versions"]["same"]["rouge_1"]["f1_95"] is None
