import pytest

from tacenda.transforms.text.written_date import months_of, weekdays_of


@pytest.mark.parametrize(
    ("word", "number"), [("may", 4), ("Sept", 8), ("JUNI", 5), ("heinäkuussa", 6), ("março", 2)]
)
def test_months_in_the_words_of_a_language(word: str, number: int) -> None:
    assert months_of(word)[0].number == number


def test_every_series_is_whole() -> None:
    for word, size, find in (("january", 12, months_of), ("måndag", 7, weekdays_of), ("tue", 7, weekdays_of)):
        assert all(len(one.series) == size for one in find(word))


def test_another_word_has_the_same_capitals_and_ending() -> None:
    (july,) = months_of("Heinäkuussa")
    assert july.moved(7, "Heinäkuussa") == "Elokuussa"
    assert months_of("MAY")[0].moved(12, "MAY") == "JANUARY"
    assert weekdays_of("Sunday")[0].moved(7, "Sunday") == "Monday"


def test_other_words_are_not_months() -> None:
    assert months_of("maybe") == []
    assert weekdays_of("dayoff") == []
