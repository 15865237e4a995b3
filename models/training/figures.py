"""Accuracy on scored gold: recall of whole spans, precision of characters, conversations that leak.

The metrics are those of ``tacenda evaluate``: a span is found if findings, of any infoType, cover all its
letters and digits; precision counts letters and digits, where the gold is complete for the finding's
infoType.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tacenda.models.token_classifier.decoding import Bools, verdicts
from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.onnx_session import Ints
from tacenda.models.token_classifier.spans import spans
from tacenda.models.training.gold_tokens import ScoredGold, covered, running
from tacenda.transforms.schema.likelihood import Likelihood


class _Outcome(NamedTuple):
    """What a decision makes of gold.

    Of each gold span: its infoType, an index into those asked for, its conversation, and whether it is found.
    Of each finding where the gold is complete for its infoType: its infoType, its conversation, the number of
    its letters and digits, and of those that are right.
    """

    span_type: Ints
    span_of: Ints
    hit: Bools
    finding_type: Ints
    finding_of: Ints
    judged: Ints
    right: Ints

    def counts(self, span_group: Ints, finding_group: Ints, groups: int) -> Ints:
        """Gold spans, spans found, characters judged and right ones (groups, 4), by the group of each."""
        columns = (
            np.bincount(span_group, minlength=groups),
            np.bincount(span_group, self.hit, groups),
            np.bincount(finding_group, self.judged, groups),
            np.bincount(finding_group, self.right, groups),
        )
        return np.stack(columns, axis=1).astype(np.int64)


def _outcome(gold: ScoredGold, decision: Decision, asked: Sequence[str]) -> _Outcome:
    on = verdicts(gold.probabilities, (None, *gold.classes[1:]), decision, asked)
    floors = [Likelihood.POSSIBLE] * len(asked)
    places = spans(gold.column, gold.encoded, on, asked, floors, floors, floors)
    numbers = np.array([gold.classes.index(name) for name in asked], np.int64)
    cells = np.concatenate([some.cells for some in places.values()])
    starts, ends = (
        gold.column.origins[cells] + np.concatenate([getattr(some, side) for some in places.values()])
        for side in ("starts", "ends")
    )
    info_type = np.repeat(np.arange(len(asked)), [len(some.cells) for some in places.values()])
    found = covered(starts, ends, len(gold.before) - 1)
    of = gold.conversation_of[cells]
    judged = gold.judged[of, numbers[info_type]]
    starts, ends, of, info_type = starts[judged], ends[judged], of[judged], info_type[judged]
    right, neutral, every = (
        before[ends] - before[starts] for before in (gold.gold_before, gold.neutral_before, gold.before)
    )
    wanted = np.isin(gold.spans.classes, numbers)
    span_starts, span_ends, classes, span_of = (array[wanted] for array in gold.spans)
    seen = running(found & (np.diff(gold.before) > 0))
    hit = seen[span_ends] - seen[span_starts] == gold.before[span_ends] - gold.before[span_starts]
    order = np.argsort(numbers)
    span_type = order[np.searchsorted(numbers, classes, sorter=order)]
    return _Outcome(span_type, span_of, hit, info_type, of, every - neutral, right)


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
    made = _outcome(gold, decision, asked)
    conversations, leaking = len(np.unique(made.span_of)), len(np.unique(made.span_of[~made.hit]))
    by_type = made.counts(made.span_type, made.finding_type, len(asked))
    by_corpus, by_language = (
        made.counts(group_of[made.span_of], group_of[made.finding_of], len(names))
        for names, group_of in ((gold.corpora, gold.corpus_of), (gold.languages, gold.language_of))
    )
    groups = {
        "by_info_type": (asked, by_type),
        "by_corpus": (gold.corpora, by_corpus),
        "by_language": (gold.languages, by_language),
    }
    return {
        **_told(by_type.sum(axis=0)),
        "conversations": conversations,
        "leak_rate": _rounded(leaking / conversations if conversations else None),
        **{
            kind: {name: _told(row) for name, row in zip(names, rows, strict=True) if name}
            for kind, (names, rows) in groups.items()
        },
    }


LIMITS: tuple[float, ...] = (*(round(0.2 + 0.05 * i, 2) for i in range(16)), 0.97, 0.98, 0.99)
"""Limits at which the curve is measured. Perfect scores on development gold do not show how low a limit can
go on other text, so none goes below the first: at .1, small talk was taken for streets and postcodes."""

ALL = "*"
"""Name of the curve of all classes together."""

_ENOUGH = 20
"""Fewest gold spans, in conversations whose gold is complete for the class, for a reliable curve."""


Curve = dict[str, Any]
"""Figures by limit, in ``points``; ``judged_support`` counts the gold spans where precision is judged."""


def curves(gold: ScoredGold, asked: Sequence[str], hysteresis: float = 1.0) -> dict[str, Curve]:
    """The curve of each class asked for, and of all together."""
    made = [_outcome(gold, Decision(Rule.SUM, limit, hysteresis=hysteresis), asked) for limit in LIMITS]
    by_type = np.stack([one.counts(one.span_type, one.finding_type, len(asked)) for one in made])
    judged = [gold.judged_spans(name) for name in asked]
    rows = [*by_type.swapaxes(0, 1), by_type.sum(axis=1)]
    return {
        name: {
            "judged_support": support,
            "points": [{"limit": limit, **_told(row)} for limit, row in zip(LIMITS, own, strict=True)],
        }
        for name, own, support in zip((*asked, ALL), rows, (*judged, sum(judged)), strict=True)
    }


def chosen_limit(curve: Curve, delta: float) -> float | None:
    """The lowest limit (so the highest recall) with an F1 at most ``delta`` below the best.

    None if there is too little gold.
    """
    known = [(point["limit"], point["f1"]) for point in curve["points"] if point["f1"] is not None]
    if curve["judged_support"] < _ENOUGH or not known:
        return None
    best = max(f1 for _, f1 in known)
    return float(min(limit for limit, f1 in known if f1 >= best - delta))


def decided(named: Mapping[str, Curve], delta: float, fallback: float = Decision().threshold) -> Decision:
    """The rule SUM with the limits chosen on the curves; classes without one use that of all together."""
    chosen = {name: chosen_limit(curve, delta) for name, curve in named.items()}
    whole = chosen.pop(ALL)
    limits = sorted((name, limit) for name, limit in chosen.items() if limit is not None)
    return Decision(Rule.SUM, fallback if whole is None else whole, tuple(limits))
