"""Count matches, one row per conversation, so that any set of conversations can be summed."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.evaluating import clustering
from tacenda.transforms.evaluating.bootstrap import Counts
from tacenda.transforms.evaluating.matches import Matches

SEVERITIES = ("B", "A", "C", "D", "E", "F")
"""Worst first."""

RIGHT = ("C", "D", "E")
"""True positives for recall and precision per conversation."""

MEANINGS = {
    "B": "something missed",
    "A": "else a false positive",
    "C": "else a wrong type",
    "D": "else all correct",
    "E": "else only don't-care data found",
    "F": "nothing to find, nothing found",
}

Flags = npt.NDArray[np.bool_]


def severities(
    missed: Flags, false_positive: Flags, wrong_type: Flags, right: Flags, excused: Flags
) -> Flags:
    """One row per conversation, one column per severity, True at the worst that applies.

    >>> yes, no = np.array([True]), np.array([False])
    >>> severities(yes, yes, no, no, no).tolist()
    [[True, False, False, False, False, False]]
    >>> severities(no, no, no, no, no).tolist()
    [[False, False, False, False, False, True]]
    """
    holds = np.stack([missed, false_positive, wrong_type, right, excused, np.ones_like(missed)], axis=1)
    worst: Flags = holds & (np.cumsum(holds, axis=1) == 1)
    return worst


MATCHES = ("overlapped", "typed", "exact", "strict")

COLUMNS: tuple[str, ...] = (
    # Gold spans of core labels, and their letters and digits.
    "spans",
    "covered",
    "partial",
    *(f"spans_{match}" for match in MATCHES),
    "spans_fitted",
    "excess_chars",
    "gold_chars",
    "covered_chars",
    # What gold spans mean, each counted once a conversation: all of it, and what is named twice or more; of
    # both, that with every mention covered.
    "entities",
    "consistent",
    "repeated",
    "repeated_consistent",
    # How mentions that were found, and of which it is certain what they mean, were linked.
    *clustering.COLUMNS,
    # All findings; those whose class the gold is complete for, less those on don't-care spans alone; their
    # letters and digits.
    "findings",
    "judged",
    "false_positives",
    *(f"findings_{match}" for match in MATCHES),
    "judged_chars",
    "right_chars",
    # Conversations: with a core span, with one that is not covered, by the worst in them; right are C, D and E.
    "sensitive",
    "leaked",
    *(f"worst_{severity}" for severity in SEVERITIES),
    "right",
    "judged_right",
)
INDEX = {name: i for i, name in enumerate(COLUMNS)}


def count_core(matches: Matches) -> Counts:
    """Counts of every conversation, with the columns ``COLUMNS``; spans of quasi labels are excluded."""
    return _count(matches, "core")


def count_all(matches: Matches) -> Counts:
    """As :func:`count_core`, over spans of every label, for matches of one label."""
    return _count(matches, None)


def totals(counts: Counts) -> dict[str, int]:
    """Sums over all conversations by column name."""
    return dict(zip(COLUMNS, counts.sum(axis=0).tolist(), strict=True))


def _count(matches: Matches, kind: str | None) -> Counts:
    number = matches.conversations.num_rows
    counts = np.zeros((number, len(COLUMNS)), np.int64)
    column = {name: counts[:, i] for name, i in INDEX.items()}

    spans = matches.spans if kind is None else matches.spans.filter(pc.equal(matches.spans["kind"], kind))
    of = _Adder(spans["conversation"], number)
    chars, under = _numpy(spans["chars"]), _numpy(spans["covered_chars"])
    covered, typed = under == chars, _numpy(spans["typed"])
    column["spans"][:] = of.sums(np.ones_like(chars))
    column["covered"][:] = of.sums(covered)
    column["partial"][:] = of.sums((under > 0) & ~covered)
    column["gold_chars"][:] = of.sums(chars)
    column["covered_chars"][:] = of.sums(under)
    for match in MATCHES:
        column[f"spans_{match}"][:] = of.sums(_numpy(spans[match]))
    column["spans_fitted"][:] = of.sums(_numpy(spans["fitted"]))
    column["excess_chars"][:] = of.sums(_numpy(spans["excess_chars"]))
    _count_entities(spans, covered, column)
    first = INDEX[clustering.COLUMNS[0]]
    counts[:, first : first + len(clustering.COLUMNS)] = _clusters(spans, number)
    wrong_type = of.sums(covered & ~typed & (chars > 0)) > 0

    findings = matches.findings
    of = _Adder(findings["conversation"], number)
    judged, touched = _numpy(findings["judged"]), _numpy(findings["touched"])
    overlapped = _numpy(findings["overlapped"])
    # A finding that only touches don't-care spans is neither right nor wrong.
    decided = judged & (overlapped | ~touched)
    column["findings"][:] = of.sums(np.ones_like(judged))
    column["judged"][:] = of.sums(decided)
    column["false_positives"][:] = of.sums(judged & ~touched)
    for match in MATCHES:
        column[f"findings_{match}"][:] = of.sums(decided & _numpy(findings[match]))
    column["judged_chars"][:] = of.sums(judged * _numpy(findings["chars"]))
    column["right_chars"][:] = of.sums(judged * _numpy(findings["right_chars"]))

    column["sensitive"][:] = column["spans"] > 0
    column["leaked"][:] = column["covered"] < column["spans"]
    worst = severities(
        missed=column["leaked"] > 0,
        false_positive=column["false_positives"] > 0,
        wrong_type=wrong_type,
        right=(column["spans"] > 0) | (of.sums(overlapped) > 0),
        excused=of.sums(touched & ~overlapped) > 0,
    )
    counts[:, [INDEX[f"worst_{severity}"] for severity in SEVERITIES]] = worst
    column["right"][:] = worst[:, [SEVERITIES.index(severity) for severity in RIGHT]].any(axis=1)
    column["judged_right"][:] = column["right"] * _numpy(matches.conversations["judged"])
    return counts


def _count_entities(
    spans: pa.Table, covered: npt.NDArray[np.bool_], column: dict[str, npt.NDArray[np.int64]]
) -> None:
    """Add the entities of gold spans to the columns: an entity is caught if all its mentions are."""
    places = np.stack([_numpy(spans["conversation"]), _numpy(spans["gold_entity"])], axis=1)
    entities, of_entity, mentions = np.unique(places, axis=0, return_inverse=True, return_counts=True)
    caught = np.bincount(of_entity.ravel(), covered, len(entities)) == mentions
    number = len(column["entities"])
    for several, names in ((1, ("entities", "consistent")), (2, ("repeated", "repeated_consistent"))):
        counted = mentions >= several
        for name, chosen in zip(names, (counted, counted & caught), strict=True):
            column[name][:] = np.bincount(entities[chosen, 0], minlength=number)


def _clusters(spans: pa.Table, number: int) -> Counts:
    mentions = spans.filter(pc.and_(spans["certain"], pc.is_valid(spans["entity"])))
    place, key, response = (
        _numpy(mentions[name]).astype(np.int64) for name in ("conversation", "gold_entity", "entity")
    )
    return clustering.count_clusters(place, key, response, number)


class _Adder:
    """Adds up values by conversation."""

    def __init__(self, place: pa.ChunkedArray, number: int) -> None:
        self._place = _numpy(place)
        self._number = number

    def sums(self, values: npt.NDArray[Any]) -> Counts:
        """One sum per conversation; counts stay far below 2^53, where floats are exact."""
        found = np.bincount(self._place, values.astype(float), self._number)
        return np.rint(found).astype(np.int64)


def _numpy(column: pa.ChunkedArray) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = column.to_numpy()
    return values
