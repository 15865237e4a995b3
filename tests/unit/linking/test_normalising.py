import pytest

from tacenda.transforms.linking.normalising import normalised_value


@pytest.mark.parametrize(
    ("info_type", "one", "other"),
    [
        ("PERSON_NAME", "Pam", "PAM"),
        ("PERSON_NAME", "Pam's", "pam"),
        ("PERSON_NAME", "Ana  María", "ana maría"),
        ("PERSON_NAME", "“Pam”,", "Pam"),
        ("PHONE_NUMBER", "(555) 010-0199", "555 0100199"),
        ("IBAN_CODE", "DE89 3704 0044 0532 0130 00", "de89370400440532013000"),
        ("SPELLED_WORD", "M-A-R-K", "m a r k"),
        ("EMAIL_ADDRESS", "Ann@Example.com", "ann@example.com"),
        ("PERSON_NAME", "ﬁona", "fiona"),
    ],
)
def test_mentions_of_one_thing_are_equal(info_type: str, one: str, other: str) -> None:
    assert normalised_value(info_type, one) == normalised_value(info_type, other)


@pytest.mark.parametrize(
    ("info_type", "one", "other"),
    [
        ("PERSON_NAME", "Mark", "Marc"),
        ("EMAIL_ADDRESS", "a.b@example.com", "ab@example.com"),
        ("GENERIC_ID", "12-3", "1-23"),
        ("PERSON_NAME", "कमल", "कमला"),
        ("PERSON_NAME", "அமுத", "அமுது"),
        ("SPELLED_WORD", "रवि", "रव"),
    ],
)
def test_other_things_stay_apart(info_type: str, one: str, other: str) -> None:
    assert normalised_value(info_type, one) != normalised_value(info_type, other)


def test_a_value_of_punctuation_alone_keeps_a_key() -> None:
    assert normalised_value("PERSON_NAME", "--") == "--"
