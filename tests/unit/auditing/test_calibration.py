from dataclasses import replace
from math import log

import pytest

from tacenda.transforms.auditing.calibration import Calibration, calibration
from tacenda.transforms.auditing.suspects import KINDS, TRAITS, Suspect
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.score_table import ScoreTable

PERSON = Residual("PERSON_NAME", "Anna", place=(0, 0, 4))


def _suspect(**values: float) -> Suspect:
    named = {name.replace("_", " "): value for name, value in values.items()}
    return Suspect(PERSON, "part of a name", tuple(named.get(trait, 0.0) for trait in TRAITS))


def _calibration(**weights: float) -> Calibration:
    named = {name.replace("_", " "): value for name, value in weights.items()}
    told = {
        "weights": {trait: named.get(trait, 0.0) for trait in TRAITS},
        "meanings": {},
        "unseen": {"entities": 0.01, "meanings": []},
        "networks": [],
        "spread": {},
        "dependence": {},
        "provenance": {},
    }
    return Calibration.from_json(told)


def test_a_probability_is_logistic_in_the_traits() -> None:
    made = _calibration(network=log(3), lists=log(0.5))
    assert made.probability(_suspect()) == 0.5
    assert made.probability(_suspect(network=1)) == pytest.approx(3 / 4)
    assert made.probability(_suspect(network=1, lists=1)) == pytest.approx(1.5 / 2.5)


def test_a_trait_without_a_coefficient_is_an_error() -> None:
    with pytest.raises(KeyError):
        Calibration.from_json({"weights": {}})


def test_what_no_look_sees_grows_with_what_was_replaced() -> None:
    made = _calibration()
    assert made.unseen_in(0) == []
    assert [one.probability for one in made.unseen_in(4)] == [pytest.approx(0.04)]
    assert sum(one.probability for one in made.unseen_in(234)) == pytest.approx(2.34)
    assert max(one.probability for one in replace(made, unseen=9.0).unseen_in(30)) == 1


def test_the_shipped_calibration_is_whole() -> None:
    shipped = calibration()
    assert len(shipped.weights) == len(TRAITS)
    assert set(shipped.meanings) <= set(KINDS)
    assert 0 < shipped.unseen < 0.1
    assert set(shipped.spread) == {"mean", "share", "direct"}
    assert all(of["factor"] > 0 and of["shape"] > 0 for of in shipped.spread.values())
    assert shipped.provenance["files"]
    table = ScoreTable.load()
    of_both = [of.meanings for of in shipped.dependence.values()]
    assert all(of_both)
    for several in (*shipped.meanings.values(), shipped.unseen_meanings, *of_both):
        assert sum(meaning.share for meaning in several) <= 1.001
        for meaning in several:
            table.resolve(meaning.label, meaning.partial, meaning.speaker)


def test_a_surer_network_means_a_higher_probability() -> None:
    shipped = calibration()
    score = TRAITS.index("network's score")
    faint = _suspect(network=1, part_of_a_name=1)
    sure = faint._replace(traits=(*faint.traits[:score], 0.7, *faint.traits[score + 1 :]))
    assert shipped.probability(sure) > 5 * shipped.probability(faint)
