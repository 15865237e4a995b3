import pytest

from tacenda.transforms.detecting.spoken.lexicon import Part, Said, lexicon
from tacenda.transforms.detecting.spoken.numbers import figures, number_word
from tests.growth import is_linear_work


def said(text, language="en"):
    return [number_word(word, lexicon(language)) for word in text.split()]


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("four one five double two oh nine", "4152209"),
        ("twenty three", "23"),
        ("one hundred", "100"),
        ("double two", "22"),
        ("triple seven", "777"),
        ("oh", "0"),
        ("nineteen eighty four", "1984"),
        ("nineteen hundred", "1900"),
        ("twenty oh four", "2004"),
        ("two thousand four", "2004"),
        ("fifty five fifty", "5550"),
        ("five hundred and two", "502"),
        ("five hundred twenty three", "523"),
        ("one eight hundred five five five oh one two three", "18005550123"),
        ("two hundred three thousand", "203000"),
        ("two thousand three hundred", "2300"),
        ("two thousand three thousand", "20003000"),
        ("twelve thousand three hundred and five", "12305"),
        ("two million five", "2000005"),
        ("twenty zero", "200"),
    ],
)
def test_english_numbers_in_telephone_style(text, digits):
    assert figures(said(text)) == digits


@pytest.mark.parametrize(
    ("language", "text", "digits"),
    [
        ("sv", "trettiofem", "35"),
        ("sv", "tvåhundratjugofem", "225"),
        ("sv", "nittonhundraåttiofyra", "1984"),
        ("sv", "tjugotjugotre", "2023"),
        ("sv", "noll sju två", "072"),
        ("sv", "nollåtta", "08"),
        ("sv", "nollsju", "07"),
        ("sv", "nollsjuttio", "070"),
        ("sv", "nollsjuttitre", "073"),
        ("sv", "nollsjuttiotre", "073"),
        ("sv", "nolltrettioett", "031"),
        ("sv", "nollåtta hundra tjugo", "08120"),
        ("no", "nullåtte", "08"),
        ("no", "nullto", "02"),
        ("fi", "nollaneljäkymmentä", "040"),
        ("no", "femogtredve", "35"),
        ("da", "tooghalvfems", "92"),
        ("da", "halvtreds", "50"),
        ("da", "femogtredive", "35"),
        ("da", "nittenhundredetreogfirs", "1983"),
        ("no", "trettifem", "35"),
        ("no", "tohundreogfem", "205"),
        ("es", "treinta y cinco", "35"),
        ("es", "treintaicinco", "35"),
        ("es", "cuarentaidós", "42"),
        ("es", "cincuentaitres", "53"),
        ("es", "noventaiún", "91"),
        ("es", "ochentayseis", "86"),
        ("es", "cientotreintaiséis", "136"),
        ("es", "doscientos cinco", "205"),
        ("es", "doscientos cuarentaicinco", "245"),
        ("es", "mil novecientos noventa y dos", "1992"),
        ("es", "dos mil cuatro", "2004"),
        ("fi", "kaksikymmentäviisi", "25"),
        ("fi", "kakskytviis", "25"),
        ("fi", "satakaksi", "102"),
        ("fi", "kaksisataaviisi", "205"),
        ("fi", "tuhatyhdeksänsataakahdeksankymmentäneljä", "1984"),
        ("fi", "yks kaks kolme", "123"),
    ],
)
def test_numbers_of_other_languages(language, text, digits):
    assert figures(said(text, language)) == digits


def test_a_pause_keeps_tens_and_ones_apart():
    twenty, three = said("twenty three")
    assert figures([twenty, Said(Part.PAUSE, ""), three]) == "203"


@pytest.mark.parametrize("word", ["treasure", "femma", "onehundredone", "centre", "tre-fem", ""])
def test_other_words_are_not_numbers(word):
    assert number_word(word, lexicon("en")) is None


@pytest.mark.parametrize(
    "word", ["sextant", "fembarn", "ochfem", "tioochx", "nollan", "nollställ", "nolloch"]
)
def test_words_that_only_begin_like_compounds_are_not_numbers(word):
    assert number_word(word, lexicon("sv")) is None


@pytest.mark.parametrize("end", ["", "x", "xon"])
@pytest.mark.parametrize("part", ["arton", "fem", "tusen", "hundra", "noll", "femtio"])
def test_endless_compounds_are_read_in_linear_time(part, end):
    assert is_linear_work(lambda n: number_word.__wrapped__(part * n + end, lexicon("sv")), 200)


def test_endless_hundreds_are_read_one_by_one():
    assert figures([Said(Part.HUNDREDS, "100")] * 5_000) == "100" * 5_000


@pytest.mark.parametrize("word", ["unidos", "treintai", "ytres", "itres", "unaydos", "onceava", "milydos"])
def test_spanish_words_containing_a_number_are_not_numbers(word):
    assert number_word(word, lexicon("es")) is None
