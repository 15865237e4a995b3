import pytest

from tacenda.transforms.detecting.fitting.codes import house_and_before, trim_code
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.mark.parametrize(
    ("text", "found", "code"),
    [
        ("It says 3-0-8-8-1.", "says 3-0-8-8-1", "3-0-8-8-1"),
        ("It's 925-961-9090 now", "s 925-961-9090", "925-961-9090"),
        ("the number is is 1234", "is 1234", "1234"),
        ("ends in oh one five five", "oh one five five", "oh one five five"),
        ("AB 1234", "AB 1234", "AB 1234"),
        ("oh 8581 here", "oh 8581", "8581"),
        ("MRN 9179097", "MRN 9179097", "9179097"),
        ("1234", "1234", "1234"),
        ("Case No. 8:24-cv-02746", "No. 8:24-cv-02746", "8:24-cv-02746"),
    ],
)
def test_words_that_lead_to_a_code_are_no_part_of_it(text: str, found: str, code: str) -> None:
    start = text.rindex(found)
    fitted = trim_code(text, Finding(start, start + len(found), "GENERIC_ID", Likelihood.LIKELY, "rules"))
    assert text[fitted.start : fitted.end] == code


def test_words_that_lead_to_an_address_are_no_part_of_it() -> None:
    for text, address in (
        ("That's 62 Rue Saint-Denis", "62 Rue Saint-Denis"),
        ("no 4 Raju St", "no 4 Raju St"),
    ):
        fitted = trim_code(text, Finding(0, len(text), "STREET_ADDRESS", Likelihood.LIKELY, "rules"))
        assert text[fitted.start : fitted.end] == address


def test_a_number_before_an_address_is_not_part_of_it() -> None:
    for text, number, address in (
        ("678 728 9735 address 337 russell st", "678 728 9735", "337 russell st"),
        ("7448900955 12 mill road", "7448900955", "12 mill road"),
        ("12 address lane", "", "12 address lane"),
        ("337 russell st", "", "337 russell st"),
    ):
        finding = Finding(0, len(text), "STREET_ADDRESS", Likelihood.LIKELY, "rules")
        end, start = house_and_before(text, finding)
        assert (text[:end], text[start:]) == (number, address)
