"""Decoding settings: the rule, its threshold, and thresholds of single infoTypes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from numpy import float32

from tacenda.transforms.schema.errors import UserError

_KEYS = ("rule", "threshold", "thresholds", "info_type", "hysteresis", "doubts", "by_language")


class Rule(str, Enum):
    """When a token counts as personal data, and of which infoType.

    SUM: if the probabilities of all classes but "O" sum to more than the threshold; the most probable of them
    (work on Swedish customer service chats masks from a sum of .12).
    BINARY: as SUM, but every finding has one infoType: sensitive or not, as done for learners' essays.
    """

    SUM = "sum"
    BINARY = "binary"


@dataclass(frozen=True, slots=True)
class Decision:
    """A rule with its threshold; ``thresholds`` override it for single infoTypes.

    ``info_type`` is the infoType of BINARY's findings. The threshold of a word next to a found one is
    multiplied by ``hysteresis``; 1 turns that off. ``doubts`` are infoTypes without a form of their own, as
    names: what lists and rules find of them is dropped where the model gives personal data of any kind less
    probability. A masked language model, for which a word counts if it is
    less probable than the threshold, may have another threshold ``by_language``.
    """

    rule: Rule = Rule.SUM
    threshold: float = 0.2
    thresholds: tuple[tuple[str, float], ...] = ()
    info_type: str = "GENERIC_ID"
    hysteresis: float = 1.0
    by_language: tuple[tuple[str, float], ...] = ()
    doubts: tuple[tuple[str, float], ...] = ()

    def info_types(self, classes: Iterable[str | None]) -> list[str]:
        """The infoTypes that a model with these classes can find; None is a class that is not personal data."""
        if self.rule is Rule.BINARY:
            return [self.info_type]
        return [name for name in classes if name is not None]

    def within_reach(self, classes: Iterable[str | None]) -> list[str]:
        """As ``info_types``, without those whose threshold no probability can pass in single precision."""
        own = dict(self.thresholds)
        return [name for name in self.info_types(classes) if float32(own.get(name, self.threshold)) < 1]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as written in a config or a package; defaults are left out."""
        optional = {
            "thresholds": dict(self.thresholds),
            "info_type": self.info_type if self.rule is Rule.BINARY else None,
            "by_language": dict(self.by_language),
            "doubts": dict(self.doubts),
            "hysteresis": None if self.hysteresis == 1 else self.hysteresis,
        }
        data = {"rule": self.rule.value, "threshold": self.threshold}
        return data | {name: value for name, value in optional.items() if value}


def read_decision(data: Mapping[str, Any], place: str) -> Decision:
    """The decision of a config or a package; ``place`` is its location for error messages.

    Raises:
        UserError: an unknown key or rule, a key that the rule does not use, or a threshold that is not a
            probability.
    """
    plain = Decision()
    try:
        by_name = {
            key: tuple(sorted((name, float(p)) for name, p in data.get(key, {}).items()))
            for key in ("thresholds", "by_language", "doubts")
        }
        rule, info_type = Rule(data.get("rule", plain.rule)), data.get("info_type", plain.info_type)
        threshold, hysteresis = (float(data.get(k, getattr(plain, k))) for k in ("threshold", "hysteresis"))
        probabilities = [threshold, hysteresis, *(p for pairs in by_name.values() for _, p in pairs)]
        sound = (
            all(0 <= p <= 1 for p in probabilities)
            and hysteresis > 0
            and set(data) <= set(_KEYS)
            and isinstance(info_type, str)
            and info_type != ""
        )
    except (AttributeError, TypeError, ValueError):
        sound = False
    if not sound:
        raise UserError(f"{place}: must have only {', '.join(_KEYS)}, with probabilities from 0 to 1")
    if by_name["thresholds"] and rule is Rule.BINARY:
        raise UserError(f"{place}: rule binary has one threshold for all; leave 'thresholds' out")
    for key in ("info_type", "by_language"):
        if data.get(key) and rule is not Rule.BINARY:
            raise UserError(f"{place}: '{key}' applies to rule binary only; leave it out")
    return Decision(rule, threshold, info_type=info_type, hysteresis=hysteresis, **by_name)
