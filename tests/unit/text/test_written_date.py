import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.text.written_date import WrittenDate, months_of, weekdays_of


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("2024-03-18", "2024-03-08", "2024-03-19"),
        ("2024-03-18T09:30:15Z", "2024-03-08T09:30:15Z", "2024-03-19T09:30:15Z"),
        ("20240318", "20240308", "20240319"),
        ("25/06/1984", "15/06/1984", "26/06/1984"),
        ("06/25/84", "06/15/84", "06/26/84"),
        ("3.5.2021", "23.4.2021", "4.5.2021"),
        ("5.3.", "24.2.", "6.3."),
        ("12-Feb-98", "2-Feb-98", "13-Feb-98"),
        ("March 3rd, 2021", "February 21st, 2021", "March 4th, 2021"),
        ("MARCH 3RD", "FEBRUARY 22ND", "MARCH 4TH"),
        ("sept. 30, 2020", "sep. 20, 2020", "oct. 1, 2020"),
        ("the 21st of June '98", "the 11th of June '98", "the 22nd of June '98"),
        ("Monday, 4 March 2024 at 5 pm", "Friday, 23 February 2024 at 5 pm", "Tuesday, 5 March 2024 at 5 pm"),
        ("el 5 de mayo de 1999", "el 25 de abril de 1999", "el 6 de mayo de 1999"),
        ("18. Dezember 2023", "8. Dezember 2023", "19. Dezember 2023"),
        ("3. tammikuuta 2020", "24. joulukuuta 2019", "4. tammikuuta 2020"),
        ("måndag 6 maj 2024", "fredag 26 april 2024", "tisdag 7 maj 2024"),
        ("31/12/1999", "21/12/1999", "01/01/2000"),
        ("2016-05", "2016-04", "2016-05"),
    ],
)
def test_a_date_moves_in_its_own_form(text: str, before: str, after: str) -> None:
    written = WrittenDate.read(text)
    assert written.shifted(-10) == before
    assert written.shifted(1) == after
    assert written.shifted(0).casefold() in (text.casefold(), text.casefold().replace("sept", "sep"))


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "Monday",
        "10:30",
        "3-5 March 2020",
        "1/2/3",
        "31/31/2000",
        "PIN 4711 of 3 May 2020",
        "",
        "2024",
    ],
)
def test_text_without_exactly_one_date_gives_none(text: str) -> None:
    with pytest.raises(RecordError, match="NotADate"):
        WrittenDate.read(text)


def test_a_day_that_no_calendar_has() -> None:
    with pytest.raises(RecordError, match="NotADate"):
        WrittenDate.read("9999-12-31").shifted(1)


def test_what_a_date_says_and_what_not() -> None:
    whole = WrittenDate.read("Mon, 4 March 2024, 5:15 pm")
    assert (whole.day.isoformat(), whole.has_year, whole.has_day, whole.hour) == (
        "2024-03-04",
        True,
        True,
        17,
    )
    assert not WrittenDate.read("March 2024").has_day
    assert not WrittenDate.read("4 March").has_year
    assert WrittenDate.read("4 March").hour is None
    assert WrittenDate.read("2024-03-04 12 am").hour == 0


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
