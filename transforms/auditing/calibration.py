"""The probabilities of suspicions, as calibrated on gold corpora: ``calibration.json``.

A logistic model of a suspect's traits says how often such a place is personal data, and by kind what it is
where it is. It holds for the embedded network as shipped, with or without lists. The file names its corpora;
``python -m tests.benchmarks.second_look`` derives it, and shows how it does on makers it was not fitted to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import exp
from typing import Any

import orjson

from tacenda.transforms.auditing.suspects import TRAITS, Suspect
from tacenda.transforms.schema.residual import Dependence, Meaning, Residual, Suspicion
from tacenda.transforms.storage.process_cache import built_once

LEAST = 0.002
"""Probabilities below this are left out; together they are part of what no look sees."""

_AT_ONCE = 10
"""Replaced entities for which at most one is assumed that no look sees."""


@dataclass(frozen=True)
class Calibration:
    """The calibrated second look.

    ``weights`` are the coefficients of ``TRAITS``; ``meanings`` what suspicions of each kind are where they are
    right, none for what their own label says. ``unseen`` is the number of entities, for each one replaced, that
    stay readable and that nothing suspects, and ``unseen_meanings`` what they are. ``networks`` are the
    fingerprints of the packages that it was made with. ``spread`` has, by figure, how far other makers' text
    was from what was expected of it (``scoring.predicted``), ``dependence``, by kind, how far from independent
    the two looks were. ``provenance`` says what all this was made from.
    """

    weights: tuple[float, ...]
    meanings: Mapping[str, tuple[Meaning, ...]]
    unseen: float
    unseen_meanings: tuple[Meaning, ...]
    networks: tuple[str, ...]
    spread: Mapping[str, Mapping[str, float]]
    dependence: Mapping[str, Dependence]
    provenance: Mapping[str, Any]

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "Calibration":
        """The content of the file; raises ``KeyError`` for a trait without a coefficient."""
        return cls(
            tuple(told["weights"][trait] for trait in TRAITS),
            {kind: _meanings(several) for kind, several in told["meanings"].items()},
            told["unseen"]["entities"],
            _meanings(told["unseen"]["meanings"]),
            tuple(told["networks"]),
            told["spread"],
            {
                kind: Dependence(**{**of, "meanings": _meanings(of["meanings"])})
                for kind, of in told["dependence"].items()
            },
            told["provenance"],
        )

    def probability(self, suspect: Suspect) -> float:
        """How often such a place is personal data."""
        total = sum(weight * trait for weight, trait in zip(self.weights, suspect.traits, strict=True))
        return 1 / (1 + exp(-total))

    def suspicion(self, suspect: Suspect) -> Suspicion:
        """The suspect with its probability."""
        probability = self.probability(suspect)
        return Suspicion(suspect.residual, probability, self.meanings.get(suspect.kind, ()))

    def unseen_in(self, entities: int) -> list[Suspicion]:
        """What no look sees in a conversation in which so many entities were replaced."""
        nothing = Residual("", "")
        return [
            Suspicion(nothing, min(1.0, self.unseen * min(_AT_ONCE, entities - done)), self.unseen_meanings)
            for done in range(0, entities, _AT_ONCE)
        ]


def _meanings(told: Any) -> tuple[Meaning, ...]:
    return tuple(Meaning(**one) for one in told)


@built_once
def calibration() -> Calibration:
    """The shipped calibration."""
    told = files("tacenda.transforms.auditing").joinpath("calibration.json").read_bytes()
    return Calibration.from_json(orjson.loads(told))
