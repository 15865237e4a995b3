from itertools import product
from math import exp, log

import pytest

from tacenda.transforms.evaluating.utility.language_model import UNKNOWN, LanguageModel, vocabulary_of


def test_the_vocabulary_has_words_that_occur_twice() -> None:
    assert vocabulary_of([["a", "b"], ["b", "c"]]) == {"b", UNKNOWN}
    assert vocabulary_of([["a"]], at_least=1) == {"a", UNKNOWN}


def test_probabilities_are_those_of_witten_and_bell() -> None:
    # Words: a twice, b once; of 3 words in the vocabulary. P(a) = (2 + 2/3) / 5, P(b) = (1 + 2/3) / 5.
    # Behind the start, twice: a, then b or nothing. P(a | start) = (2 + P(a)) / 3, again for two starts.
    model = LanguageModel([["a", "b"], ["a"]], frozenset({"a", "b", UNKNOWN}))
    a, b = (2 + 2 / 3) / 5, (1 + 2 / 3) / 5
    behind_start = (2 + (2 + a) / 3) / 3
    # b behind a, once, and behind start a, once.
    behind_a = (1 + (1 + b) / 2) / 2
    assert model.surprises(["a", "b"]) == pytest.approx([-log(behind_start), -log(behind_a)])


def test_probabilities_add_up_to_one() -> None:
    model = LanguageModel([["a", "b", "a"], ["c", "a"]], frozenset({"a", "b", "c", UNKNOWN}))
    for before in product("abc", repeat=2):
        total = sum(exp(-model.surprises([*before, word])[-1]) for word in ("a", "b", "c", "never"))
        assert total == pytest.approx(1)


def test_words_outside_the_vocabulary_share_one_probability() -> None:
    model = LanguageModel([["a", "x"], ["a", "y"]], frozenset({"a", UNKNOWN}))
    assert model.surprises(["a", "z"]) == model.surprises(["a", "x"])
    assert model.has("z")
    assert model.surprises([]) == []
    assert not LanguageModel([["a"]], frozenset({"a", "b", UNKNOWN})).has("b")
