import pytest

from tacenda.transforms.detecting.fitting.places import split_places, typed_as_place
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _whole(text: str, info_type: str, detector: str = "model") -> Finding:
    return Finding(0, len(text), info_type, Likelihood.VERY_LIKELY, detector)


@pytest.mark.parametrize(
    ("name", "info_type"),
    [
        ("Albanien", "LOCATION"),
        ("Frankrike", "LOCATION"),
        ("Jordan", "PERSON_NAME"),  # a given name, too
        ("Karlsson", "PERSON_NAME"),
        ("Anna Karlsson", "PERSON_NAME"),
    ],
)
def test_a_listed_place_is_not_an_unlisted_person(name: str, info_type: str) -> None:
    assert typed_as_place(name, _whole(name, "PERSON_NAME")).info_type == info_type


def test_findings_of_rules_are_kept() -> None:
    assert typed_as_place("Albanien", _whole("Albanien", "PERSON_NAME", "rules")).info_type == "PERSON_NAME"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Concord MN", ["Concord", "MN"]),
        ("New Mexico", ["New Mexico"]),
        ("Concord, MN", ["Concord, MN"]),
        ("San Francisco", ["San Francisco"]),
        ("Blorptown MN", ["Blorptown MN"]),
    ],
)
def test_a_town_and_its_state_are_two_findings(text: str, places: list[str]) -> None:
    assert [text[f.start : f.end] for f in split_places(text, _whole(text, "LOCATION"))] == places
