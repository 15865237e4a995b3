import pytest

from tacenda.transforms.replacing.surrogates.writing import in_case_of, without_accents


@pytest.mark.parametrize(
    ("original", "value", "written"),
    [
        ("LEE", "Moss", "MOSS"),
        ("ann", "Eva", "eva"),
        ("Ann", "Eva", "Eva"),
        ("McLeod", "Berg", "Berg"),
        ("A", "eva", "Eva"),
        ("123", "Eva", "Eva"),
        ("王", "李", "李"),
    ],
)
def test_capitals_are_those_of_the_original(original: str, value: str, written: str) -> None:
    assert in_case_of(original, value) == written


def test_accents_go_where_nobody_writes_them() -> None:
    assert without_accents("Sjöberg Łukasz Großmann Kjær") == "Sjoberg Lukasz Grossmann Kjaer"
