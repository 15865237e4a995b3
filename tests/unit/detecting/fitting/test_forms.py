import pytest

from tacenda.transforms.detecting.fitting.forms import typed_by_form
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _typed(text: str, found: str, info_type: str, *before: str) -> tuple[str, str]:
    start = text.index(found)
    fitted = typed_by_form(
        text,
        Finding(start, start + len(found), info_type, Likelihood.VERY_LIKELY, "model"),
        lambda: before,
    )
    return text[fitted.start : fitted.end], fitted.info_type


@pytest.mark.parametrize(
    ("text", "found", "info_type", "settled"),
    [
        ("see volga dot example dot net", "volga dot example dot net", "volga dot example dot net", "URL"),
        ("the report at volga dot example dot net", "report at volga dot example dot net",
         "volga dot example dot net", "URL"),
        ("report at volga dot example dot net", "volga dot example dot net", "volga dot example dot net",
         "URL"),
        ("mark at volga dot example dot net", "mark at volga dot example dot net",
         "mark at volga dot example dot net", "EMAIL_ADDRESS"),
        ("write ann@example.com", "ann@example.com", "ann@example.com", "EMAIL_ADDRESS"),
        ("mohan 283 gmailcom", "mohan 283 gmailcom", "mohan 283 gmailcom", "EMAIL_ADDRESS"),
        ("mohan 283 gmail.com", "mohan 283 gmail.com", "mohan 283 gmail.com", "EMAIL_ADDRESS"),
        ("from ten dot zero dot oh dot five", "ten dot zero dot oh dot five", "ten dot zero dot oh dot five",
         "IP_ADDRESS"),
    ],
)  # fmt: skip
def test_an_email_address_needs_an_at_sign(text: str, found: str, info_type: str, settled: str) -> None:
    assert _typed(text, found, "EMAIL_ADDRESS") == (info_type, settled)


def test_a_number_that_fails_the_checksum_is_a_card_with_a_cue() -> None:
    reference = "123456789012345"
    assert _typed(f"reference {reference}", reference, "CREDIT_CARD_NUMBER")[1] == "GENERIC_ID"
    assert _typed(f"my card is {reference}", reference, "CREDIT_CARD_NUMBER")[1] == "CREDIT_CARD_NUMBER"
    said = _typed(reference, reference, "CREDIT_CARD_NUMBER", "which card is it", "one moment")
    assert said[1] == "CREDIT_CARD_NUMBER"
    valid = "4111 1111 1111 1111"
    assert _typed(f"it is {valid}", valid, "CREDIT_CARD_NUMBER")[1] == "CREDIT_CARD_NUMBER"
    assert _typed("ending in 4021", "4021", "CREDIT_CARD_NUMBER")[1] == "CREDIT_CARD_NUMBER"


def test_a_few_digits_are_of_a_card_if_they_are_its_last_or_a_cue_says_so() -> None:
    assert _typed("see 138560", "138560", "CREDIT_CARD_NUMBER")[1] == "NUMERIC"
    assert _typed("my card is 138560", "138560", "CREDIT_CARD_NUMBER")[1] == "CREDIT_CARD_NUMBER"
    assert (
        _typed("it is 138560", "138560", "CREDIT_CARD_NUMBER", "your card number")[1] == "CREDIT_CARD_NUMBER"
    )
    assert _typed("138560", "138560", "CREDIT_CARD_NUMBER", "the number please")[1] == "CREDIT_CARD_NUMBER"


def test_digits_alone_are_no_address_of_a_page() -> None:
    assert _typed("Please see 138560", "138560", "URL")[1] == "NUMERIC"
    assert _typed("see example.com/138560", "example.com/138560", "URL")[1] == "URL"


def test_an_address_is_not_a_social_security_number() -> None:
    assert _typed("1235 n jones st", "1235 n jones st", "US_SOCIAL_SECURITY_NUMBER")[1] == "STREET_ADDRESS"
    assert _typed("ram 4587", "ram 4587", "US_SOCIAL_SECURITY_NUMBER")[1] == "GENERIC_ID"
    for said in ("736-51-6113", "five five five oh one", "7 three six 51 6113"):
        assert _typed(said, said, "US_SOCIAL_SECURITY_NUMBER")[1] == "US_SOCIAL_SECURITY_NUMBER"


def test_a_date_is_not_a_phone_number() -> None:
    assert _typed("05302018", "05302018", "PHONE_NUMBER")[1] == "DATE"
    assert _typed("22041998", "22041998", "PHONE_NUMBER", "what is your phone number")[1] == "PHONE_NUMBER"
    assert _typed("48302018", "48302018", "PHONE_NUMBER")[1] == "PHONE_NUMBER"


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("833-719-3994-Fax", "833-719-3994"),
        ("08-654 32 10/hem", "08-654 32 10"),
        # Letters that are digits, and extensions.
        ("1-800-FLOWERS", "1-800-FLOWERS"),
        ("833-719-3994-ext5", "833-719-3994-ext5"),
        ("833-719-3994-extension", "833-719-3994-extension"),
    ],
)
def test_a_telephone_number_ends_before_its_kind(said: str, number: str) -> None:
    assert _typed(said, said, "PHONE_NUMBER") == (number, "PHONE_NUMBER")


def test_a_few_digits_are_generic_without_a_cue() -> None:
    assert _typed("231", "231", "US_SOCIAL_SECURITY_NUMBER")[1] == "NUMERIC"
    said = _typed("231", "231", "US_SOCIAL_SECURITY_NUMBER", "what is your ssn")
    assert said[1] == "US_SOCIAL_SECURITY_NUMBER"
    assert _typed("231", "231", "PHONE_NUMBER")[1] == "NUMERIC"
    assert _typed("call 911 now", "911", "PHONE_NUMBER")[1] == "PHONE_NUMBER"


def test_a_number_with_letters_before_it_is_a_code() -> None:
    assert _typed("Insurance: INS-697382176", "697382176", "PHONE_NUMBER")[1] == "GENERIC_ID"
    assert _typed("TEL-697382176", "697382176", "PHONE_NUMBER")[1] == "PHONE_NUMBER"


def test_four_groups_of_four_are_a_card_without_a_cue() -> None:
    assert (
        _typed("1874 4542 1314 1214", "1874 4542 1314 1214", "CREDIT_CARD_NUMBER")[1] == "CREDIT_CARD_NUMBER"
    )
