import pytest

from tacenda.transforms.detecting.fitting.joint_names import join_listed
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.mark.parametrize(
    ("text", "parts", "info_type", "names"),
    [
        ("in Trinidad and Tobago", ["Trinidad", "Tobago"], "LOCATION", ["Trinidad and Tobago"]),
        ("Bosnien och Hercegovina", ["Bosnien", "och Hercegovina"], "LOCATION", ["Bosnien och Hercegovina"]),
        ("Saint Vincent and the Grenadines", ["Saint Vincent", "the", "Grenadines"], "LOCATION", None),
        ("at Johnson and Johnson", ["Johnson and", "Johnson"], "ORGANIZATION_NAME", ["Johnson and Johnson"]),
        ("Castilla y León", ["Castilla y León"], "LOCATION", ["Castilla y León"]),
        ("Spain and Portugal", ["Spain", "Portugal"], "PERSON_NAME", ["Spain", "Portugal"]),
        ("Ann Lee and Bob Ray", ["Ann Lee", "Bob Ray"], "PERSON_NAME", ["Ann Lee", "Bob Ray"]),
        ("Trinidad, Tobago", ["Trinidad", "Tobago"], "PERSON_NAME", ["Trinidad", "Tobago"]),
    ],
)
def test_only_listed_names_are_joined(
    text: str, parts: list[str], info_type: str, names: list[str] | None
) -> None:
    at = 0
    found = []
    for part in parts:
        start = text.index(part, at)
        at = start + len(part)
        found.append(Finding(start, at, "PERSON_NAME", Likelihood.LIKELY, "model"))
    joined = join_listed(text, found)
    assert [text[f.start : f.end] for f in joined] == (names or [text])
    assert {f.info_type for f in joined} == {info_type}


def test_a_number_joins_nothing() -> None:
    text = "Trinidad and Tobago"
    place = Finding(0, 8, "LOCATION", Likelihood.LIKELY, "model")
    code = Finding(13, 19, "GENERIC_ID", Likelihood.LIKELY, "model")
    assert join_listed(text, [place, code]) == [place, code]
