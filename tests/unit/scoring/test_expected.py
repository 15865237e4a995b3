from itertools import product

import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.residual import Meaning, Residual, Suspicion
from tacenda.transforms.scoring.expected import MILLION, MOST_POINTS, NOTHING, Expected, expected_risk
from tacenda.transforms.scoring.score_table import ScoreTable

TABLE = ScoreTable.load()


def _of(label: str, value: str, probability: float, *, partial: bool = False) -> Suspicion:
    return Suspicion(Residual(label, value, partial), probability)


def _shares(expected: Expected) -> list[float]:
    return [times / MILLION for times in expected.distribution]


def test_nothing_suspected_scores_0_for_certain() -> None:
    assert expected_risk([], TABLE) == NOTHING
    assert NOTHING.mean == 0


def test_one_suspicion_scores_its_points_or_nothing() -> None:
    expected = expected_risk([_of("PERSON_NAME", "Anna Berg", 0.25)], TABLE)
    assert _shares(expected) == [0.75, 0, 0, 0, 0, 0.25]
    assert expected.direct == 250_000
    assert expected.mean == pytest.approx(1.25)


def test_several_add_up_as_if_each_were_drawn_alone() -> None:
    several = [
        _of("PERSON_NAME", "Anna Berg", 0.3),
        _of("LOCATION", "Oslo", 0.6),
        _of("LOCATION", "Bergen", 0.1),
        _of("AGE", "41", 0.5),
    ]
    points = [5, 2, 2, 1]
    by_hand = [0.0] * 11
    for right in product((0, 1), repeat=4):
        chance = 1.0
        for one, is_right in zip(several, right, strict=True):
            chance *= one.probability if is_right else 1 - one.probability
        by_hand[sum(more for more, is_right in zip(points, right, strict=True) if is_right)] += chance
    expected = expected_risk(several, TABLE)
    assert _shares(expected) == pytest.approx(by_hand, abs=2e-6)
    assert sum(expected.distribution) == MILLION


def test_one_value_is_one_entity_with_its_greatest_probability() -> None:
    several = [_of("LOCATION", "Oslo", 0.2), _of("LOCATION", "oslo", 0.7), _of("LOCATION", "OSLO", 0.4)]
    assert _shares(expected_risk(several, TABLE)) == pytest.approx([0.3, 0, 0.7])


def test_what_no_look_sees_is_never_one_entity() -> None:
    unseen = Suspicion(Residual("", ""), 0.5, (Meaning("LOCATION", False, False, 1.0),))
    assert _shares(expected_risk([unseen, unseen], TABLE)) == pytest.approx([0.25, 0, 0.5, 0, 0.25])


def test_a_suspicion_may_mean_several_things() -> None:
    meanings = (
        Meaning("PERSON_NAME", False, False, 0.2),
        Meaning("PERSON_NAME", True, False, 0.3),
        Meaning("ORGANIZATION_NAME", False, False, 0.4),
    )
    expected = expected_risk([Suspicion(Residual("LOCATION", "Oslo"), 0.5, meanings)], TABLE)
    assert _shares(expected) == pytest.approx([0.75, 0, 0, 0.15, 0, 0.1])
    assert expected.direct == 100_000


def test_partial_data_is_no_direct_identifier() -> None:
    assert expected_risk([_of("PERSON_NAME", "Anna", 0.5, partial=True)], TABLE).direct == 0


def test_high_scores_are_counted_together() -> None:
    several = [_of("PERSON_NAME", f"Anna {name}", 1.0) for name in "abcdefghijklmnop"]
    expected = expected_risk(several, TABLE)
    assert len(expected.distribution) == MOST_POINTS + 1
    assert expected.distribution[MOST_POINTS] == MILLION


def test_an_unknown_label_is_an_error() -> None:
    with pytest.raises(RecordError, match="UnknownTag"):
        expected_risk([_of("NO_SUCH_LABEL", "x", 0.5)], TABLE)
