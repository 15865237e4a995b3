import pytest

from tacenda.transforms.detecting.fitting.codes import house_and_before, is_tag, trim_code
from tacenda.transforms.detecting.fitting.conversation import fit_conversation
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


@pytest.mark.parametrize(
    ("text", "code", "tag"),
    [
        ("the valve V-204 leaks", "V-204", True),
        ("pump P12 runs", "P12", True),
        ("gate G4", "G4", True),
        ("pressure switch SW-7", "SW-7", True),
        ("customer C-204 called", "C-204", False),
        ("nummer N-204", "N-204", False),
        ("the valve X-204 leaks", "X-204", False),
        ("rekvisition R-339", "R-339", False),
        ("docket D-204", "D-204", False),
        ("valve V-20444", "V-20444", False),
        ("Volvo V70", "V70", False),
    ],
)
def test_tags_of_things_are_no_codes_of_anybody(text: str, code: str, tag: bool) -> None:
    start = text.index(code)
    finding = Finding(start, start + len(code), "GENERIC_ID", Likelihood.LIKELY, "model")
    assert is_tag(text, finding) is tag
    rank = {"GENERIC_ID": 1, "NUMERIC": 0}
    (fitted,) = fit_conversation([text], [[finding]], rank)
    assert bool(fitted) is not tag
    number = Finding(text.index(code[-2:]), start + len(code), "NUMERIC", Likelihood.POSSIBLE, "rules")
    (fitted,) = fit_conversation([text], [[number]], rank)
    assert tag is False or not fitted
    (by_rule,) = fit_conversation([text], [[finding._replace(detector="rules")]], rank)
    assert by_rule
