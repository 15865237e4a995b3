from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.replacing.surrogates.dates import moved_digits, read_date


@pytest.mark.parametrize(
    ("text", "language", "moved"),
    [
        ("2024-03-18", "en", "2022-11-04"),
        ("2024-03-18T09:30", "en", "2022-11-04T09:30"),
        ("25/06/1984", "en", "11/02/1983"),
        ("03/25/2024", "en", "11/11/2022"),
        ("20240318", "en", "20221104"),
        ("05302018", "en", "01152017"),
        ("12/2019", "en", "08/2018"),
        ("2019", "en", "2018"),
        ("1990s", "en", "1980s"),
        ("Monday, March 18, 2024", "en", "Friday, November 4, 2022"),
        ("MAR 18", "en", "NOV 4"),
        ("May '98", "en", "December '96"),
        ("May 2nd", "en", "December 19th"),
        ("the 6th of January 1990", "en", "the 24th of August 1988"),
        ("october nineteenth twenty twenty three", "en", "june sixth twenty twenty two"),
        (
            "the fourteenth of may nineteen forty nine",
            "en",
            "the thirty first of december nineteen forty seven",
        ),
        ("Tuesday", "en", "Saturday"),
        ("den 3 maj", "sv", "den 20 december"),
        ("12. toukokuuta 2020", "fi", "29. joulukuuta 2018"),
        ("5 de marzo de 2024", "es", "22 de octubre de 2022"),
        ("3. März 2024", "de", "20. Oktober 2022"),
        # What NorDeid prints (Ngo et al. 2025) and the forms of its free fixture.
        ("28. 08", "no", "16. 04"),
        ("26.01 17", "no", "14.09 15"),
        ("09.03.94", "no", "25.10.92"),
        ("1. august 2010", "no", "19. mars 2009"),
        ("15/4/2020", "no", "2/12/2018"),
        ("220519", "no", "070118"),
        ("5.12-18", "no", "23.7-17"),
        ("4. juli 18", "no", "19. februar 17"),
        ("april-18", "no", "desember-16"),
        ("90-tallet", "no", "80-tallet"),
    ],
)
def test_dates_move_in_their_form(text: str, language: str, moved: str) -> None:
    read = read_date(text, language)
    assert read is not None
    assert read.moved(-500) == moved


@pytest.mark.parametrize("text", ["tomorrow", "the eighties", "45", "31.02.2020", "JUG05", "", "Ann", "12th"])
def test_what_is_no_date_is_not_read(text: str) -> None:
    assert read_date(text) is None


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %B %Y", "%A, %b %d, %Y"]),
)
def test_a_read_date_is_written_as_it_was(day: date, form: str) -> None:
    text = day.strftime(form)
    read = read_date(text)
    assert read is not None
    assert read.moved(0) == text


@pytest.mark.parametrize(
    ("digits", "form", "moved"),
    [
        ("640823", "yymmdd", "630720"),
        ("19640823", "yyyymmdd", "19630720"),
        ("670123", "ddmmyy", "631221"),  # the D-number of somebody born on 27 January
        ("170161", "yymmdd", "151188"),  # the coordination number of somebody born on 1 January
        ("1203", "ddmm", "0602"),
    ],
)
def test_the_date_in_a_personal_number_moves(digits: str, form: str, moved: str) -> None:
    assert moved_digits(digits, form, -400) == moved


def test_a_personal_number_without_a_date_gives_none() -> None:
    assert moved_digits("999999", "ddmmyy", -400) is None


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
        ("2016-05", "2016-05", "2016-05"),
    ],
)
def test_a_date_among_words_moves_in_its_own_form(text: str, before: str, after: str) -> None:
    read = read_date(text, among_words=True)
    assert read is not None
    assert (read.moved(-10), read.moved(1)) == (before, after)
    assert str(read.moved(0)).casefold() in (text.casefold(), text.casefold().replace("sept", "sep"))


@pytest.mark.parametrize(
    "text", ["yesterday", "10:30", "3-5 March 2020", "1/2/3", "31/31/2000", "PIN 4711 of 3 May 2020", ""]
)
def test_text_without_exactly_one_date_gives_none(text: str) -> None:
    assert read_date(text, among_words=True) is None


def test_the_parts_of_a_date() -> None:
    whole = read_date("Mon, 4 March 2024, 5:15 pm", among_words=True)
    assert whole is not None
    assert (whole.first_day.isoformat(), whole.weekday, whole.hour) == ("2024-03-04", 0, 17)
    march = read_date("March 2024")
    assert march is not None
    assert (march.day, march.month, march.year, march.hour) == (None, 3, 2024, None)
    midnight = read_date("2024-03-04 12 am")
    assert midnight is not None
    assert midnight.hour == 0
