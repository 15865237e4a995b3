import pytest

from tacenda.transforms.linking.psilence.mention_types import mention_type
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("John Doe QC spoke", "John Doe", "LAWYER"),
        ("John Doe, Q.C. spoke", "John Doe", "LAWYER"),
        ("counsel for the claimant, Jane Doe", "Jane Doe", "LAWYER"),
        ("the Honorable Doe said", "Doe", "JUDGE"),
        ("Hon'ble Mr. Justice Doe", "Doe", "JUDGE"),
        ("Arbitrator: Ms. Jane Doe", "Jane Doe", "ARBITRATOR"),
        ("the expert witness, Dr. Doe", "Doe", "EXPERT"),
        ("Mr. Doe saw it", "Doe", "PERSON"),
        ("he is no judge. Doe said", "Doe", "PERSON"),
    ],
)
def test_words_beside_a_name_give_it_a_role(text: str, name: str, expected: str) -> None:
    start = text.index(name)
    finding = Finding(start, start + len(name), "PERSON_NAME", Likelihood.LIKELY, "test")
    assert mention_type(finding, text) == expected


def test_only_a_person_is_specialised() -> None:
    text = "Judge Springfield at 10.1.2.3"
    place = Finding(6, 17, "LOCATION", Likelihood.LIKELY, "test")
    assert mention_type(place, text) == "LOCATION"
    assert mention_type(place._replace(info_type="PARTY"), text) == "PARTY"
    assert mention_type(Finding(21, 29, "IP_ADDRESS", Likelihood.LIKELY, "test"), text) is None
