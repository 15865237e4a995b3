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

    EACH: if a class reaches its own threshold; the most probable such class.
    SUM: if the probabilities of all classes but "O" sum to more than the threshold; the most probable of them
    (work on Swedish customer service chats masks from a sum of .12).
    OUTSIDE: if the probability of "O" is below the threshold; the most probable other class (.85 in Spanish
    work on MEDDOCAN). Equivalent to SUM unless some classes are not asked for.
    BINARY: as SUM, but every finding has one infoType: sensitive or not, as done for learners' essays.
    """

    EACH = "each"
    SUM = "sum"
    OUTSIDE = "outside"
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
        limits = {name: own.get(name, self.threshold) for name in self.info_types(classes)}
        of_outside = self.rule is Rule.OUTSIDE
        return [name for name, limit in limits.items() if float32(1 - limit if of_outside else limit) < 1]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as written in a config or a package; defaults are left out."""
        binary = self.rule is Rule.BINARY
        optional = {
            "thresholds": dict(self.thresholds),
            "info_type": self.info_type if binary else None,
            "by_language": dict(self.by_language),
            "doubts": dict(self.doubts),
            "hysteresis": None if self.hysteresis == 1 else self.hysteresis,
        }
        data = {"rule": self.rule.value, "threshold": self.threshold}
        return data | {name: value for name, value in optional.items() if value}


def read_decision(data: Any, place: str) -> Decision:
    """Parse plain data; ``place`` is its location for error messages.

    Raises:
        UserError: an unknown key or rule, a key that the rule does not use, or a threshold that is not a
            probability.
    """

    def wrong(what: str) -> UserError:
        return UserError(f"{place}: {what}")

    def probability(value: Any, key: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise wrong(f"'{key}' must be a number from 0 to 1")
        return float(value)

    def probabilities(key: str, what: str) -> tuple[tuple[str, float], ...]:
        values = data.get(key) or {}
        if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
            raise wrong(f"'{key}' must map {what}")
        return tuple(sorted((name, probability(value, f"{key}.{name}")) for name, value in values.items()))

    if not isinstance(data, Mapping):
        raise wrong("must be a mapping with rule, threshold, thresholds")
    if unknown := [key for key in data if key not in _KEYS]:
        raise wrong(f"unknown key '{unknown[0]}'; known here: {', '.join(_KEYS)}")
    plain = Decision()
    try:
        rule = Rule(data.get("rule", plain.rule.value))
    except ValueError:
        raise wrong(f"'rule' must be one of {', '.join(rule.value for rule in Rule)}") from None
    thresholds = probabilities("thresholds", "infoTypes to probabilities")
    doubts = probabilities("doubts", "infoTypes to probabilities")
    by_language = probabilities("by_language", "languages to probabilities, as {en: 0.001}")
    info_type = data.get("info_type", plain.info_type)
    if not isinstance(info_type, str) or not info_type:
        raise wrong("'info_type' must be the name of an infoType")
    if thresholds and rule is Rule.BINARY:
        raise wrong("rule binary has one threshold for all; leave 'thresholds' out")
    for key in ("info_type", "by_language"):
        if data.get(key) and rule is not Rule.BINARY:
            raise wrong(f"'{key}' applies to rule binary only; leave it out")
    hysteresis = probability(data.get("hysteresis", plain.hysteresis), "hysteresis")
    if not hysteresis:
        raise wrong("'hysteresis' must be above 0; 1 turns it off")
    usual = 0.85 if rule is Rule.OUTSIDE else plain.threshold
    threshold = probability(data.get("threshold", usual), "threshold")
    return Decision(rule, threshold, thresholds, info_type, hysteresis, by_language, doubts)
