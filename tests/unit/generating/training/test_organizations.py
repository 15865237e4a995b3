"""Names of organisations made of ordinary words."""

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists, organizations

_LANGUAGES = ("en", "es", "sv", "nb", "da", "fi")


def _names(kind, lang, count=400):
    return [organizations.organization(Draw("names", 1, i), kind, lang) for i in range(count)]


@pytest.mark.parametrize("lang", [*_LANGUAGES, "de"])
def test_every_pattern_finds_its_words(lang):
    for kind in organizations.kinds():
        for name in _names(kind, lang):
            assert name == name.strip()
            assert "{" not in name


@pytest.mark.parametrize("lang", _LANGUAGES)
def test_businesses_are_many_and_begin_with_a_capital(lang):
    names = _names("business", lang)

    assert len(set(names)) > 300
    assert all(name[0].isupper() or not name[0].isalpha() for name in names)


def test_a_local_name_is_made_of_words_of_its_language():
    adjectives = {word.capitalize() for word in lists.listed("words.yaml", "fi", "adjective")}
    nouns = {word.capitalize() for word in lists.listed("words.yaml", "fi", "thing")}

    seen = [name.split() for name in _names("business", "fi")]

    assert any(len(words) == 2 and words[0] in adjectives and words[1] in nouns for words in seen)


@pytest.mark.parametrize("gender", ["m", "f"])
def test_spanish_adjectives_agree(gender):
    article, other = ("El", "adjective_f") if gender == "m" else ("La", "adjective_m")
    nouns = {word.capitalize() for word in lists.listed("words.yaml", "es", f"thing_{gender}")}
    own = set(lists.listed("words.yaml", "es", f"adjective_{gender}"))
    wrong = set(lists.listed("words.yaml", "es", other)) - own

    for name in _names("business", "es", 2000):
        words = name.split()
        if len(words) == 3 and words[0] == article and words[1] in nouns:
            assert words[2].lower() not in wrong


def test_no_letter_is_tripled():
    assert not [name for name in _names("business", "sv", 3000) if "sss" in name.lower()]
