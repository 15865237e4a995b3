import pytest

from tacenda.transforms.detecting.rules.match_boundaries import (
    address,
    code,
    date,
    introduced_name,
    name_without_office,
    person_name,
    spanish_age,
    titled_name,
)


def _cut(function, text: str) -> str | None:  # type: ignore[no-untyped-def]
    found = function(text)
    return None if found is None else text[found[0] : found[1]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Oscar Martinez and I need", "Oscar Martinez"),
        ("viswa and my ssn", "viswa"),
        ("john smith west", "john smith"),
        ("Dr. Ludwig van der Berg today", "Ludwig van der Berg"),
        ("De la Ossa Prieto", "De la Ossa Prieto"),
        ("A. Parente Hernández.", "A. Parente Hernández"),
        ("Pam's desk", "Pam"),
        ("Kelly. Call me", "Kelly"),
        ("kelly", "kelly"),
        ("waiting for you", None),
        ("not here", None),
        ("de Montserrat", None),
        ("", None),
        ("李伟 你好", "李伟 你好"),
    ],
)
def test_person_name(text: str, name: str | None) -> None:
    assert _cut(person_name, text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("riley i need", "riley"),
        ("X", None),
        ("Vance Refrigeration", "Vance Refrigeration"),
        ("Still called", "Still"),
        ("still waiting", None),
        ("My leg hurts", None),
        ("Mayor, we", None),
    ],
)
def test_titled_name(text: str, name: str | None) -> None:
    assert _cut(titled_name, text) == name


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("32 basant vihar moscow and number is 1", "32 basant vihar moscow"),
        ("Calle Prula, 66, Bajo B.", "Calle Prula, 66, Bajo B"),
        ("wrong since 3 days", None),
        ("somewhere else", None),
    ],
)
def test_address(text: str, found: str | None) -> None:
    assert _cut(address, text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("53 años", "53 años"),
        ("tres años de edad", "tres años"),
        ("23 años de raza", "23 años"),
        ("hace 40 años", None),
        ("10 años de evolución", None),
        ("5 años después", None),
    ],
)
def test_spanish_age(text: str, found: str | None) -> None:
    assert _cut(spanish_age, text) == found


@pytest.mark.parametrize(("text", "found"), [("rf 56 f 5 ", "rf 56 f 5"), ("12-", "12"), ("a 1", None)])
def test_code(text: str, found: str | None) -> None:
    assert _cut(code, text) == found


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("thd 123456789 and", "thd 123456789"),
        ("rf 56 f 5", "rf 56 f 5"),
        ("483920 hos", "483920"),
        ("12345 / 98 ", "12345 / 98"),
        ("a 1", None),
    ],
)
def test_a_code_ends_before_the_sentence_goes_on(text: str, kept: str | None) -> None:
    assert _cut(code, text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("the 5 maj 2019", "5 maj 2019"),
        ("el cinco de mayo", "cinco de mayo"),
        ("second may", None),
        ("march 2", None),
        ("second of may", "second of may"),
        ("2nd march", "2nd march"),
    ],
)
def test_a_date_counts_more_than_two_other_words(text: str, kept: str | None) -> None:
    assert _cut(date, text) == kept


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("sabine krüger und", "sabine krüger"),
        ("luc perrin", "luc perrin"),
        ("pieter van der meer en", "pieter van der meer"),
        ("nicht dabei", None),
        ("comme ça", None),
    ],
)
def test_a_name_in_lower_case_ends_at_a_word_that_is_none(text: str, name: str | None) -> None:
    assert _cut(introduced_name, text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [("Ministro Barroso", "Barroso"), ("Oberinspektor", None), ("Maria Silva", "Maria Silva")],
)
def test_an_office_is_no_name(text: str, name: str | None) -> None:
    assert _cut(name_without_office, text) == name
