"""A number is found whole, whatever number is beside it."""

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.rules.joined_numbers import numbers_within
from tacenda.transforms.text.column import TextColumn
from tests.growth import grows_linearly

VALID = [
    ("CREDIT_CARD_NUMBER", "card", "4111111111111111"),
    ("CREDIT_CARD_NUMBER", "card", "4111 1111 1111 1111"),
    ("CREDIT_CARD_NUMBER", "card", "4222222222222"),
    ("CREDIT_CARD_NUMBER", "card", "3056 930902 5904"),
    ("ICCID_NUMBER", "sim", "8991 1012 0000 3204 514"),
    ("VAT_NUMBER", "VAT", "DE 136 695 976"),
    ("VAT_NUMBER", "VAT", "FR83404833048"),
    ("NEW_ZEALAND_IRD_NUMBER", "IRD", "49-091-850"),
    ("NEW_ZEALAND_IRD_NUMBER", "IRD", "136 410 132"),
    ("DENMARK_CVR_NUMBER", "CVR", "13 58 56 28"),
    ("UK_NATIONAL_HEALTH_SERVICE_NUMBER", "NHS number", "943 476 5919"),
    ("FRANCE_NIR", "NIR", "2 55 08 14 168 025 38"),
    ("BRAZIL_CPF_NUMBER", "CPF", "111 444 777 35"),
]


def _detector(name: str) -> RulesDetector:
    return RulesDetector(parse_inspect_config({"info_types": [{"name": name}]}))


@pytest.mark.parametrize(("name", "cue", "number"), VALID)
@pytest.mark.parametrize("before", ["", "2 ", "12 ", "A ", "12-"])
@pytest.mark.parametrize("after", ["", " 2", " 12 of", " 100 kr", " A", " - 3 of", ", 12"])
def test_neighbouring_numbers_do_not_change_a_number(
    name: str, cue: str, number: str, before: str, after: str
) -> None:
    text = f"{cue} {before}{number}{after}"
    start = text.index(number)
    (found,) = _detector(name).find(TextColumn([text]))
    assert any(f.start <= start and start + len(number) <= f.end for f in found)


def test_two_numbers_and_a_count_are_separated() -> None:
    (found,) = _detector("DENMARK_CVR_NUMBER").find(TextColumn(["CVR 12 13 58 56 28 10 15 08 17 er"]))
    assert [(f.start, f.end) for f in found] == [(7, 18), (19, 30)]


def test_beyond_ascii_offsets_stay_code_points() -> None:
    (found,) = _detector("CREDIT_CARD_NUMBER").find(TextColumn(["crédité 4111111111111111 12 €"]))
    assert [(f.start, f.end) for f in found] == [(8, 24)]


def test_ranges_stay_within_their_cell() -> None:
    texts = ["NHS number 12 943 476", "5919 and"]
    assert _detector("UK_NATIONAL_HEALTH_SERVICE_NUMBER").find(TextColumn(texts, [0, 2])) == [[], []]


def test_a_single_group_is_not_split() -> None:
    asked: list[tuple[int, int]] = []
    data = b"x 12345 y"
    assert not numbers_within(data, 2, 7, r"\b\d+\b", lambda *place: asked.append(place) is None)
    assert not asked


def test_time_grows_with_the_text() -> None:
    detector = _detector("CREDIT_CARD_NUMBER")
    assert grows_linearly(lambda n: detector.find(TextColumn(["card 4111 1111 1111 1112 " * n])), 100)
