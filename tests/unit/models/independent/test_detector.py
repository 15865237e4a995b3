import pickle

import pytest

from tacenda.models.independent.detector import IndependentDetector
from tacenda.transforms.detecting.independent_looks import EDGES, independent_band
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

TEXTS = [
    "hi, this is Anna Lindqvist calling about the invoice",
    "",
    "my name is john carter and i live in boston",
    "what did you say then, and why would it matter",
    "Jag heter Erik Öberg och bor i Malmö 😀",
    "my number is 415 220 9112",
]


@pytest.fixture(scope="module")
def detector() -> IndependentDetector:
    return IndependentDetector()


def _told(text: str, found: list[Finding]) -> list[tuple[str, str]]:
    assert {independent_band(one.detector) for one in found} <= set(range(len(EDGES)))
    return [(text[one.start : one.end], one.info_type) for one in found]


def test_names_places_and_numbers_are_seen(detector: IndependentDetector) -> None:
    told = [_told(text, found) for text, found in zip(TEXTS, detector.find(TextColumn(TEXTS)), strict=True)]
    assert ("Anna Lindqvist", "PERSON_NAME") in told[0]
    assert ("boston", "LOCATION") in told[2]
    assert told[3] == []
    assert "PERSON_NAME" in {kind for _, kind in told[4]}
    assert [kind for _, kind in told[5]] == ["GENERIC_ID"]


def test_findings_do_not_depend_on_the_batch(detector: IndependentDetector) -> None:
    together = detector.find(TextColumn(TEXTS))
    assert together == [detector.find(TextColumn([text]))[0] for text in TEXTS]
    assert detector.find(TextColumn(TEXTS[::-1])) == together[::-1]


def test_many_blocks_give_what_one_does(detector: IndependentDetector) -> None:
    column = TextColumn(TEXTS * 4000)
    assert len(column.blocks) > 1
    assert detector.find(column) == detector.find(TextColumn(TEXTS)) * 4000


def test_findings_are_in_order_and_apart(detector: IndependentDetector) -> None:
    for text, found in zip(TEXTS, detector.find(TextColumn(TEXTS)), strict=True):
        ends = [0, *(one.end for one in found)]
        assert all(one.start >= end for one, end in zip(found, ends, strict=False))
        assert all(one.end <= len(text) for one in found)
        assert {one.likelihood for one in found} <= {Likelihood.VERY_UNLIKELY}


def test_nothing_to_read(detector: IndependentDetector) -> None:
    assert detector.find(TextColumn([])) == []
    assert detector.find(TextColumn([" ..."])) == [[]]


def test_a_detector_can_be_sent_to_workers(detector: IndependentDetector) -> None:
    assert pickle.loads(pickle.dumps(detector)).find(TextColumn(TEXTS)) == detector.find(TextColumn(TEXTS))
