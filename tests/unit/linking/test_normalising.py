import pytest

from tacenda.transforms.linking.normalising import identity, normalised_value


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
        ("PERSON_NAME", "Dr. Rachel Green", "rachel green's"),
        ("PERSON_NAME", "Prof. Dr. Green", "Herr Green"),
        ("SWEDEN_NATIONAL_ID_NUMBER", "811228-9874", "8112289874"),
        ("UK_PASSPORT", "533 380 006", "533380006"),
        ("MAC_ADDRESS", "00-1B-44-11-3A-B7", "00:1b:44:11:3a:b7"),
        ("GENERIC_ID", "AB-12 3456", "ab123456"),
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
        ("PERSON_NAME", "John Smith", "Jane Smith"),
        ("PERSON_NAME", "Drew Green", "Ew Green"),
        ("PERSON_NAME", "Dr.", "Prof."),
        ("IP_ADDRESS", "192.168.1.11", "192.168.11.1"),
        ("DATE", "1-11-2020", "11-1-2020"),
        ("USER_NAME", "jo_hn1999", "john1999"),
    ],
)
def test_different_values_have_different_keys(info_type: str, one: str, other: str) -> None:
    assert normalised_value(info_type, one) != normalised_value(info_type, other)


def test_a_value_of_punctuation_alone_keeps_a_key() -> None:
    assert normalised_value("PERSON_NAME", "--") == "--"


@pytest.mark.parametrize(
    "written", ["Acme", "Acme Inc.", "ACME, Inc", "the Acme Company", "Acme Co. Ltd.", "Acmé AB"]
)
def test_an_organization_with_and_without_its_legal_form(written: str) -> None:
    assert identity("ORGANIZATION_NAME", written) == ("name", "acme")


@pytest.mark.parametrize(
    ("info_type", "written", "expected"),
    [
        ("ORGANIZATION_NAME", "Co", ("name", "co")),
        ("PERSON_NAME", "Jo Co", ("name", "jo co")),
        ("PHONE_NUMBER", "555 010 0199", ("code", "5550100199")),
        ("NUMERIC", "72-31", ("NUMERIC", "72-31")),
        ("GENERIC_ID", "72-31", ("code", "72-31")),
        ("EMAIL_ADDRESS", "Ann@Example.com", ("EMAIL_ADDRESS", "ann@example.com")),
    ],
)
def test_mentions_with_equal_keys_are_linked(info_type: str, written: str, expected: tuple[str, str]) -> None:
    assert identity(info_type, written) == expected
