import pytest

from tacenda.transforms.linking.corpus_identity import corpus_identities
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _identities(info_type: str, *values: str) -> list[str | None]:
    findings = [[Finding(0, len(value), info_type, Likelihood.LIKELY, "test")] for value in values]
    return corpus_identities(link_conversation(values, [None] * len(values), findings, {}))


@pytest.mark.parametrize(
    ("info_type", "values", "identity"),
    [
        ("PERSON_NAME", ["Ann", "Ms Lee", "Lee, Ann"], "ann lee"),
        ("PERSON_NAME", ["Anna van der Berg"], "anna van der berg"),
        ("PERSON_NAME", ["John Smith Jr."], "john smith jr"),
        ("PERSON_NAME", ["Ann"], None),
        ("PERSON_NAME", ["Ms Lee"], None),
        ("PERSON_NAME", ["A. Lee"], None),
        ("ORGANIZATION_NAME", ["Acme"], "acme"),
        ("PHONE_NUMBER", ["(555) 010-0199"], "5550100199"),
        ("NUMERIC", ["231"], None),
        ("EMAIL_ADDRESS", ["Ann@Example.com"], "ann@example.com"),
        ("AGE", ["34"], None),
    ],
)
def test_corpus_identity_of_an_entity(info_type: str, values: list[str], identity: str | None) -> None:
    assert _identities(info_type, *values) == [identity]
