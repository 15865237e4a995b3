import pytest

from tacenda.transforms.detecting.spoken.lexicon import lexicon
from tacenda.transforms.detecting.spoken.numbers import figures, number_word
from tacenda.transforms.detecting.spoken.quantities import is_quantity
from tacenda.transforms.detecting.spoken.tokens import tokens


def measured(before, number, after, language="en"):
    words = lexicon(language)
    found = tokens(f"{before} {number} {after}")
    first = len(tokens(before))
    last = first + len(tokens(number))
    said = [number_word(token.folded, words) for token in found[first:last]]
    return is_quantity(found, first, last, said, figures(said), words)


@pytest.mark.parametrize(
    ("before", "number", "after"),
    [
        ("for", "two oh four", "dollars"),
        ("a", "two oh four", "-dollar ticket"),
        ("is", "two oh four", "%"),
        ("on page", "two oh four", "there"),
        ("is", "three fifty six", "p m"),
        ("see you at", "three fifty six", "then"),
        ("three point", "one four one", ""),
        ("there were", "three hundred two", "apples"),
        ("about the", "nine hundred", ""),
        ("so", "five four three two", "go"),
    ],
)
def test_quantities(before, number, after):
    assert measured(before, number, after) is True


@pytest.mark.parametrize(
    ("before", "number", "after"),
    [
        ("code", "two oh four", "thanks"),
        ("room", "three hundred two", ", on the left"),
        ("it is", "three fifty six", ""),
        ("at", "seven one seven five five five oh", "people"),
    ],
)
def test_identifiers(before, number, after):
    assert measured(before, number, after) is False


def test_other_languages_have_their_own_measures():
    assert measured("det är", "två noll fyra", "kronor", "sv")
    assert measured("son", "dos cero cuatro", "pesos", "es")
    assert not measured("det är", "två noll fyra", "dollarx", "sv")
