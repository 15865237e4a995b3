import pytest

from tacenda.transforms.detecting.fitting.nordic_names import end_of_words
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly


def _ended(text: str, *parts: str, info_type: str = "LOCATION") -> list[tuple[str, str]]:
    found = [
        Finding(text.index(part), text.index(part) + len(part), info_type, Likelihood.LIKELY, "model")
        for part in parts
    ]
    return [(text[f.start : f.end], f.info_type) for f in end_of_words(text, found)]


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("det Osmanska imperiet föll", "Osmanska", "Osmanska imperiet"),
        ("Euroopan komission päätös", "Euroopan", "Euroopan komission"),
        ("Turun yliopiston opiskelija", "Turun", "Turun yliopiston"),
        (
            "Turun yliopiston kasvatustieteiden tiedekunnan",
            "Turun yliopiston",
            "Turun yliopiston kasvatustieteiden tiedekunnan",
        ),
        ("vid Uppsala universitet i", "Uppsala", "Uppsala universitet"),
        ("Oslo tingrett dømte", "Oslo", "Oslo tingrett"),
        ("USA:s politik", "USA", "USA:s"),
        ("USA:s armé", "USA", "USA:s armé"),
    ],
)
def test_a_name_ends_with_its_institution_or_word(text: str, part: str, whole: str) -> None:
    assert _ended(text, part)[0][0] == whole


def test_an_institution_is_one() -> None:
    assert _ended("det Osmanska imperiet", "Osmanska") == [("Osmanska imperiet", "ORGANIZATION_NAME")]
    assert _ended("Toyota-tallilla", "Toyota", info_type="PERSON_NAME") == [
        ("Toyota-tallilla", "PERSON_NAME")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Boston-based firm",
        "Suez-krisen",
        "Boston: so",
        "Boston hospitals",
        "Oxford museum",
        "Roma imperial",
        "Oslo är",
        "York-2",
    ],
)
def test_other_words_stay_outside(text: str) -> None:
    [(found, _)] = _ended(text, text[:4])
    assert found == text[:4]


def test_findings_stay_disjoint() -> None:
    assert [part for part, _ in _ended("Oslo tingrett", "Oslo", "tingrett")] == ["Oslo", "tingrett"]


def test_time_is_linear() -> None:
    def run(size: int) -> None:
        text = "Oslo on " * size
        end_of_words(
            text, [Finding(8 * i, 8 * i + 4, "LOCATION", Likelihood.LIKELY, "model") for i in range(size)]
        )

    assert grows_linearly(run, 500)
