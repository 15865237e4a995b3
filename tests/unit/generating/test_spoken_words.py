"""Numbers and signs in words."""

import pytest

from tacenda.transforms.generating.spoken_words import (
    alphabet,
    digit_words,
    number,
    ordinal,
    signs_in_words,
    year,
)


def test_numbers_years_and_ordinals():
    assert number(0) == "zero"
    assert number(40) == "forty"
    assert number(1017) == "one thousand seventeen"
    assert year(1905) == "nineteen oh five"
    assert year(2000) == "two thousand"
    assert ordinal(22) == "twenty second"
    assert ordinal(30) == "thirtieth"
    assert len({ordinal(day) for day in range(1, 32)}) == 31


@pytest.mark.parametrize("kind", ["nato", "phone", "mixed"])
def test_alphabets_go_from_a_to_z(kind):
    assert "".join(word[0].lower() for word in alphabet(kind)) == "abcdefghijklmnopqrstuvwxyz"


def test_languages():
    assert digit_words("sv")[:3] == ("noll", "ett", "två")
    assert signs_in_words("a.b@c", "es") == "a punto b arroba c"
