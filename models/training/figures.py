"""Accuracy on scored gold: recall of whole spans, precision of characters, conversations that leak.

The metrics are those of ``tacenda evaluate``: a span is found if findings, of any infoType, cover all its
letters and digits; precision counts letters and digits, where the gold is complete for the finding's
infoType.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.decoding import verdicts
from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.onnx_session import Ints
from tacenda.models.token_classifier.spans import spans
from tacenda.models.training.gold_tokens import GoldPart, ScoredGold, covered, running
from tacenda.transforms.schema.likelihood import Likelihood

_SUPPORT, _FOUND, _JUDGED, _RIGHT = range(4)
_WHOLE = "whole"


class _Counts:
    """For all together and for each class, corpus and language, a row of counts.

    They are the gold spans, the spans found, the characters judged and those of them that are right. Of
    ``conversations`` with gold, ``leaking`` have a span not wholly found.
    """

    def __init__(self, gold: ScoredGold, asked: Sequence[str]) -> None:
        self.names: dict[str, Sequence[str]] = {
            _WHOLE: [""],
            "by_info_type": asked,
            "by_corpus": gold.corpora,
            "by_language": gold.languages,
        }
        self.rows = {kind: np.zeros((len(names), 4), np.int64) for kind, names in self.names.items()}
        self.conversations = self.leaking = 0

    def add(self, columns: Mapping[int, npt.NDArray[Any]], info_type: Ints, part: GoldPart, of: Ints) -> None:
        """Add columns of counts, given the infoType and the conversation of each entry."""
        groups = {
            _WHOLE: np.zeros_like(of),
            "by_info_type": info_type,
            "by_corpus": part.corpus_of[of],
            "by_language": part.language_of[of],
        }
        for kind, group in groups.items():
            for column, values in columns.items():
                np.add.at(self.rows[kind][:, column], group, values)


def _metrics(row: Ints) -> tuple[float | None, float | None, float | None]:
    """Recall, precision and their harmonic mean; None where there is nothing to judge."""
    support, found, judged, right = row.tolist()
    recall, precision = found / support if support else None, right / judged if judged else None
    if recall is None or precision is None:
        return recall, precision, None
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _told(row: Ints) -> dict[str, Any]:
    recall, precision, f1 = map(_rounded, _metrics(row))
    support, found, judged, _ = row.tolist()
    return {
        "support": support,
        "found": found,
        "recall": recall,
        "judged_characters": judged,
        "precision": precision,
        "f1": f1,
    }


def figures(gold: ScoredGold, decision: Decision, asked: Sequence[str]) -> dict[str, Any]:
    """Measure the classes ``asked``; spans of other classes count as gold for precision, but not for recall."""
    counts = _counted(gold, decision, asked)
    leak_rate = counts.leaking / counts.conversations if counts.conversations else None
    told = {
        kind: {name: _told(row) for name, row in zip(names, counts.rows[kind], strict=True) if name}
        for kind, names in counts.names.items()
        if kind != _WHOLE
    }
    whole = _told(counts.rows[_WHOLE][0])
    return {**whole, "conversations": counts.conversations, "leak_rate": _rounded(leak_rate), **told}


def _counted(gold: ScoredGold, decision: Decision, asked: Sequence[str]) -> _Counts:
    counts = _Counts(gold, asked)
    for part in gold.parts:
        _add(counts, part, gold, decision, asked)
    return counts


def _add(counts: _Counts, part: GoldPart, gold: ScoredGold, decision: Decision, asked: Sequence[str]) -> None:
    on = verdicts(part.probabilities, (None, *gold.classes[1:]), decision, asked)
    floors = [Likelihood.POSSIBLE] * len(asked)
    places = spans(part.column, part.encoded, on, asked, floors, floors, floors)
    numbers = np.array([gold.classes.index(name) for name in asked], np.int64)
    found = np.zeros(len(part.before) - 1, np.bool_)
    for i, name in enumerate(asked):
        some = places[name]
        starts, ends = (part.column.origins[some.cells] + offsets for offsets in (some.starts, some.ends))
        found |= covered(starts, ends, len(found))
        of = part.conversation_of[some.cells]
        judged = part.judged[of, numbers[i]]
        starts, ends, of = starts[judged], ends[judged], of[judged]
        right, neutral, every = (
            before[ends] - before[starts] for before in (part.gold_before, part.neutral_before, part.before)
        )
        counts.add({_JUDGED: every - neutral, _RIGHT: right}, np.full_like(of, i), part, of)
    wanted = np.isin(part.spans.classes, numbers)
    starts, ends, classes, of = (array[wanted] for array in part.spans)
    seen = running(found & (np.diff(part.before) > 0))
    hit = seen[ends] - seen[starts] == part.before[ends] - part.before[starts]
    info_type = (classes[:, None] == numbers).argmax(axis=1) if len(classes) else classes
    counts.add({_SUPPORT: np.ones_like(of), _FOUND: hit}, info_type, part, of)
    counts.conversations += len(np.unique(of))
    counts.leaking += len(np.unique(of[~hit]))


LIMITS: tuple[float, ...] = (*(round(0.2 + 0.05 * i, 2) for i in range(16)), 0.97, 0.98, 0.99)
"""Limits at which the curve is measured. Perfect scores on development gold do not show how low a limit can
go on other text, so none goes below the first: at .1, small talk was taken for streets and postcodes."""

ALL = "*"
"""Name of the curve of all classes together."""

_ENOUGH = 20
"""Fewest gold spans, in conversations whose gold is complete for the class, for a reliable curve."""


class Point(NamedTuple):
    """One limit of a curve; precision and F1 are None if no finding could be judged."""

    limit: float
    recall: float | None
    precision: float | None
    f1: float | None


class Curve(NamedTuple):
    """Recall and precision by limit; ``judged_support`` counts the gold spans where precision is judged."""

    support: int
    judged_support: int
    points: tuple[Point, ...]

    def chosen(self, delta: float) -> float | None:
        """The lowest limit (so the highest recall) with an F1 at most ``delta`` below the best.

        None if there is too little gold.
        """
        known = [(point.limit, point.f1) for point in self.points if point.f1 is not None]
        if self.judged_support < _ENOUGH or not known:
            return None
        best = max(f1 for _, f1 in known)
        return min(limit for limit, f1 in known if f1 >= best - delta)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        points = [{name: _rounded(value) for name, value in p._asdict().items()} for p in self.points]
        return {**self._asdict(), "points": points}


def curves(gold: ScoredGold, asked: Sequence[str], hysteresis: float = 1.0) -> dict[str, Curve]:
    """The curve of each class asked for, and of all together."""
    measured = [_counted(gold, Decision(Rule.SUM, limit, hysteresis=hysteresis), asked) for limit in LIMITS]
    made = {}
    for i, name in enumerate((*asked, ALL)):
        rows = [one.rows[_WHOLE][0] if name == ALL else one.rows["by_info_type"][i] for one in measured]
        points = [Point(limit, *_metrics(row)) for limit, row in zip(LIMITS, rows, strict=True)]
        judged = sum(gold.judged_spans(n) for n in (asked if name == ALL else [name]))
        made[name] = Curve(int(rows[0][_SUPPORT]), judged, tuple(points))
    return made


def decided(named: Mapping[str, Curve], delta: float, fallback: float = Decision().threshold) -> Decision:
    """The rule SUM with the limits chosen on the curves; classes without one use that of all together."""
    chosen = {name: curve.chosen(delta) for name, curve in named.items()}
    whole = chosen.pop(ALL)
    limits = sorted((name, limit) for name, limit in chosen.items() if limit is not None)
    return Decision(Rule.SUM, fallback if whole is None else whole, tuple(limits))
