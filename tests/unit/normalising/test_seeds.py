import pytest

from transforms.normalising.lexicon import LANGUAGES
from transforms.normalising.seeds import JoinedTexts


def windows(texts, language="en", bare=True):
    return [(w.cell, w.start, w.text) for w in JoinedTexts(texts).windows(language, bare)]


def test_only_texts_with_a_seed_are_read():
    assert windows(["one of us for you to see", "four one", "nothing"]) == [(1, 0, "four one")]


def test_a_seed_never_lies_across_two_texts():
    assert windows(["four", "one", "m a", "r k"]) == []


def test_windows_are_cut_at_spaces_and_say_where_they_begin():
    text = "żółw " * 100 + "four one five" + " żółw" * 100
    ((_, start, part),) = windows([text])
    assert text[start : start + len(part)] == part
    assert "four one five" in part
    assert set(part.split()) == {"żółw", "four", "one", "five"}
    assert len(part) < 300


def test_windows_that_touch_are_one():
    text = "four one and then four one"
    assert windows([text]) == [(0, 0, text)]
    far = "four one" + " word" * 100 + " four one"
    assert len(windows([far])) == 2


def test_letters_and_figures_apart_are_looked_for_once():
    assert windows(["m a r k"], "sv", bare=False) == []
    assert len(windows(["m a r k"], "sv", bare=True)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_expression_of_every_language_fits_into_memory(language):
    assert windows(["x" * 1000] * 10, language) == []
