import hashlib
import json
import random

import pytest

from tacenda.transforms.scoring.identifiability import IdentifiabilitySketch
from tacenda.transforms.scoring.remains import NOTHING, Remains


def left(combination: object = None, *links: object) -> Remains:
    return Remains(None if combination is None else digest(combination), tuple(map(digest, links)))


def digest(value: object) -> bytes:
    return hashlib.blake2b(str(value).encode(), digest_size=8).digest()


def sketch_of(*conversations: tuple[bool, Remains]) -> IdentifiabilitySketch:
    sketch = IdentifiabilitySketch()
    for direct, remains in conversations:
        sketch.add("gold", direct, remains)
    return sketch


TALKS = (
    *[(False, NOTHING)] * 90,
    *[(False, left("43, Uppsala"))] * 4,
    *[(False, left("Ann"))] * 2,
    (False, left("nurse, 39, Visby")),
    (True, left("43, Uppsala", "ann@example.com")),
    (True, left(None, "ann@example.com", "555-0199")),
    (True, left(None, "555-0123")),
)


def test_figures_of_a_corpus() -> None:
    figures = sketch_of(*TALKS).figures()["gold"]
    assert (figures["scored"], figures["direct"], figures["indirect"], figures["clean"]) == (100, 3, 7, 90)
    sizes = {one["from"]: (one["combinations"], one["conversations"]) for one in figures["classes"]}
    assert sizes == {1: (1, 1), 2: (1, 2), 3: (1, 4), 5: (0, 0), 11: (0, 0)}
    # 3 with a direct identifier, 3 classes of combinations, and one of conversations with nothing left.
    assert figures["average_risk"] == 0.07
    assert (figures["least_k"], figures["maximum_risk"]) == (1, 1.0)
    assert (figures["values"], figures["values_that_link"], figures["occurrences_linked"]) == (3, 1, 2)
    assert figures["most_linked_by_one"] == 2


def test_without_direct_identifiers_the_smallest_class_gives_the_maximum() -> None:
    figures = sketch_of(*[(False, NOTHING)] * 20, *[(False, left("Ann"))] * 4).figures()["gold"]
    assert (figures["least_k"], figures["maximum_risk"]) == (4, 0.25)
    assert figures["average_risk"] == round(2 / 24, 6)
    assert sketch_of((False, NOTHING)).figures()["gold"]["maximum_risk"] == 1


def test_what_is_left_is_compared_with_a_population() -> None:
    talks = [
        *[(False, NOTHING)] * 6,
        (False, left("43")._replace(others=99.0)),
        (False, left("nurse, 91, Visby")._replace(others=0.0)),
        (True, left("43")._replace(others=5.0)),
        (True, NOTHING),
    ]
    figures = sketch_of(*talks).figures()["gold"]["population"]
    assert (figures["with_values"], figures["unique"], figures["small"]) == (2, 1.0, 1)
    # Two with a direct identifier, one who is alone, and one of about a hundred.
    assert figures["average_risk"] == pytest.approx((2 + 1 + 1 / 99) / 10, abs=1e-6)
    assert "population" not in sketch_of(*TALKS).figures()["gold"]
    parts = sketch_of(*talks[:7]).merge(IdentifiabilitySketch.from_json(sketch_of(*talks[7:]).to_json()))
    assert parts.to_json() == sketch_of(*talks).to_json()


def test_any_order_and_division_give_the_same() -> None:
    whole = sketch_of(*TALKS)
    generator = random.Random(5)
    talks = list(TALKS)
    generator.shuffle(talks)
    merged = IdentifiabilitySketch()
    for part in (talks[:30], talks[30:31], talks[31:]):
        told = json.loads(json.dumps(sketch_of(*part).to_json()))
        merged.merge(IdentifiabilitySketch.from_json(told))
    assert merged.to_json() == whole.to_json()
    assert merged.figures() == whole.figures()


def test_of_very_many_combinations_a_sample_is_kept_and_the_figures_are_near() -> None:
    unique = [(False, left(i)) for i in range(20_000)]
    twice = [(False, left(f"twice {i}")) for i in range(5_000)] * 2
    sketch = sketch_of(*unique, *twice)
    assert len(json.dumps(sketch.to_json())) < 60_000
    figures = sketch.figures()["gold"]
    assert not figures["combinations_exact"]
    assert abs(figures["classes"][0]["conversations"] / 20_000 - 1) < 0.1
    assert abs(figures["average_risk"] / (25_000 / 30_000) - 1) < 0.1
