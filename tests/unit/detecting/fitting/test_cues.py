import pytest

from tacenda.transforms.detecting.fitting.cues import named_before, typed_by_cue
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _typed(text: str, found: str, info_type: str) -> str:
    start = text.rindex(found)
    return typed_by_cue(
        text, Finding(start, start + len(found), info_type, Likelihood.VERY_LIKELY, "model")
    ).info_type


@pytest.mark.parametrize(
    ("text", "found", "info_type", "named"),
    [
        ("my ac number is 4561", "4561", "US_SOCIAL_SECURITY_NUMBER", "FINANCIAL_ACCOUNT_NUMBER"),
        ("checking account: 8723", "8723", "NUMERIC", "FINANCIAL_ACCOUNT_NUMBER"),
        ("ssn is er 526", "er 526", "GENERIC_ID", "US_SOCIAL_SECURITY_NUMBER"),
        ("NASS: 3278462", "3278462", "GENERIC_ID", "SPAIN_SOCIAL_SECURITY_NUMBER"),
        ("credit card ending in 4021", "4021", "US_SOCIAL_SECURITY_NUMBER", "CREDIT_CARD_NUMBER"),
        ("the zip code is 90210", "90210", "NUMERIC", "ZIP_CODE"),
    ],
)
def test_preceding_words_decide_the_type_of_a_number(
    text: str, found: str, info_type: str, named: str
) -> None:
    assert _typed(text, found, info_type) == named


@pytest.mark.parametrize(
    ("text", "found", "info_type"),
    [
        ("my account was charged 4561", "4561", "US_SOCIAL_SECURITY_NUMBER"),  # another word stands between
        ("my card 55555", "55555", "NUMERIC"),  # no card, and no card's last digits
        ("account 4111111111111111", "4111111111111111", "CREDIT_CARD_NUMBER"),  # its check figure is right
        ("account ann@example.com", "ann@example.com", "EMAIL_ADDRESS"),
        ("4561", "4561", "US_SOCIAL_SECURITY_NUMBER"),
    ],
)
def test_numbers_without_cue_or_with_a_clear_form_keep_their_type(
    text: str, found: str, info_type: str
) -> None:
    assert _typed(text, found, info_type) == info_type


def test_the_nearest_cue_counts() -> None:
    text = "ssn no 1323 and the credit card account number "
    assert named_before(text, len(text)) == "FINANCIAL_ACCOUNT_NUMBER"
    assert named_before("", 0) is None
