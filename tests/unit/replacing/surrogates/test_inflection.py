import pytest

from tacenda.transforms.replacing.surrogates.inflection import (
    Ending,
    split_ending,
    takes,
    with_ending,
)

NAMES = {"Virtanen", "Pekka", "Matti", "Helsinki", "Turku", "Suomi", "Karlsson", "Müller", "Kerava", "Lars"}


@pytest.mark.parametrize(
    ("word", "base", "ending"),
    [
        ("Ann's", "Ann", Ending("'s")),
        ("Ann’s", "Ann", Ending("’s")),
        ("Karlssons", "Karlsson", Ending("s")),
        ("Müllers", "Müller", Ending("s")),
        ("Lars", "Lars", None),
        ("Virtasen", "Virtanen", Ending("", "genitive")),
        ("Virtaselle", "Virtanen", Ending("", "allative")),
        ("Virtasta", "Virtanen", Ending("", "partitive")),
        ("Pekan", "Pekka", Ending("", "genitive")),
        ("Matilla", "Matti", Ending("", "adessive")),
        ("Helsingissä", "Helsinki", Ending("", "inessive")),
        ("Turussa", "Turku", Ending("", "inessive")),
        ("Suomesta", "Suomi", Ending("", "elative")),
        ("Keravaan", "Kerava", Ending("", "illative")),
        ("Qwerty", "Qwerty", None),
    ],
)
def test_possessive_endings_are_removed(word: str, base: str, ending: Ending | None) -> None:
    assert split_ending(word, NAMES.__contains__) == (base, ending)


@pytest.mark.parametrize(
    ("name", "case", "written"),
    [
        ("Korhonen", "genitive", "Korhosen"),
        ("Korhonen", "partitive", "Korhosta"),
        ("Korhonen", "illative", "Korhoseen"),
        ("Järvinen", "inessive", "Järvisessä"),
        ("Salo", "ablative", "Salolta"),
        ("Aila", "partitive", "Ailaa"),
        ("Kerava", "adessive", "Keravalla"),
        ("Kerava", "illative", "Keravaan"),
        ("Nämä", "essive", "Nämänä"),
    ],
)
def test_finnish_cases_are_put_on(name: str, case: str, written: str) -> None:
    ending = Ending("", case)
    assert takes(name, ending)
    assert with_ending(name, ending) == written


@pytest.mark.parametrize("name", ["Pekka", "Turku", "Kallio", "Niemi", "Smith"])
def test_names_with_changing_finnish_stems_are_not_inflected(name: str) -> None:
    assert not takes(name, Ending("", "genitive"))


def test_no_s_follows_an_s() -> None:
    assert not takes("Lars", Ending("s"))
    assert not takes("Max", Ending("s"))
    assert takes("Lars", Ending("'s"))
    assert with_ending("Nilsson", Ending("s")) == "Nilssons"


@pytest.mark.parametrize(
    ("name", "ending", "fits"),
    [
        ("Lars", "'", True),
        ("Luke", "'", False),
        ("Luke", "s", True),
        ("Lars", "s", False),
        ("Luke", "'s", True),
    ],
)
def test_a_bare_apostrophe_follows_an_s_and_an_s_follows_none(name: str, ending: str, fits: bool) -> None:
    assert takes(name, Ending(ending)) is fits
