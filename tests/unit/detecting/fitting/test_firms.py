import pytest

from tacenda.transforms.detecting.fitting.firms import join_firms
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.mark.parametrize(
    ("text", "parts", "firms"),
    [
        ("Sable & Finch", ["Sable", "Finch"], ["Sable & Finch"]),
        ("Google, Inc. of", ["Google", "Inc"], ["Google, Inc"]),
        ("GASES PVT. LTD.", ["GASES PVT", "LTD"], ["GASES PVT. LTD"]),
        ("Visa, Shell", ["Visa", "Shell"], ["Visa", "Shell"]),
        ("Visa and Shell", ["Visa", "Shell"], ["Visa", "Shell"]),
    ],
)
def test_adjacent_parts_of_a_company_name_are_joined(text: str, parts: list[str], firms: list[str]) -> None:
    found = [
        Finding(text.index(p), text.index(p) + len(p), "ORGANIZATION_NAME", Likelihood.LIKELY, "model")
        for p in parts
    ]
    assert [text[f.start : f.end] for f in join_firms(text, found)] == firms
    persons = [f._replace(info_type="PERSON_NAME") for f in found]
    assert join_firms(text, persons) == persons
