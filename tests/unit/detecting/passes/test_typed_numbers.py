import pytest

from tacenda.transforms.detecting.passes.typed_numbers import typed_numbers
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

SSN, AGE, ZIP = "US_SOCIAL_SECURITY_NUMBER", "AGE", "ZIP_CODE"


def _typed(texts: list[str], number: str, info_type: str, detector: str = "model") -> str | None:
    start = texts[-1].index(number)
    finding = Finding(start, start + len(number), info_type, Likelihood.VERY_LIKELY, detector)
    kept = typed_numbers(texts, [*([] for _ in texts[1:]), [finding]])[-1]
    return kept[0].info_type if kept else None


@pytest.mark.parametrize(
    ("texts", "number", "info_type", "kept"),
    [
        (["we keep 212-09-8841 of her"], "212-09-8841", SSN, SSN),
        (["the last four of your social, please?", "8841"], "8841", SSN, SSN),
        (["the card, please", "and what comes after the sort code is 8841 then"], "8841", SSN, "NUMERIC"),
        (["which number is on the card?", "8841"], "8841", SSN, "NUMERIC"),
        (["my postcode is 5020 in town"], "5020", ZIP, ZIP),
        (["they sold all 5020 of these boxes"], "5020", ZIP, "NUMERIC"),
        (["how old is she?", "soon 44 then"], "44", AGE, AGE),
        (["she is 44 years old"], "44 years old", AGE, AGE),
        (["there were only 44 boxes left over"], "44", AGE, None),
    ],
)
def test_a_network_s_number_needs_its_form_or_a_cue(
    texts: list[str], number: str, info_type: str, kept: str | None
) -> None:
    assert _typed(texts, number, info_type) == kept


def test_what_rules_found_is_not_judged() -> None:
    assert _typed(["there were only 44 boxes left over"], "44", AGE, "rules") == AGE


def test_a_place_beside_it_supports_a_postal_code() -> None:
    found = [
        Finding(0, 4, ZIP, Likelihood.LIKELY, "model"),
        Finding(5, 9, "LOCATION", Likelihood.LIKELY, "model"),
    ]
    assert typed_numbers(["5020 Lund is where we live now"], [found]) == [found]


def test_of_a_code_dictated_in_letters_only_the_digits_are_found() -> None:
    text = "so K. 904 M. then R. six"
    code = Finding(3, 11, "GENERIC_ID", Likelihood.VERY_LIKELY, "model")
    assert typed_numbers([text], [[code]]) == [[code._replace(start=6, end=9, info_type="NUMERIC")]]
    assert typed_numbers(["so K. 904 M."], [[code]]) == [[code]]
