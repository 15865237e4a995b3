"""Count matches, one row per conversation, so that any set of conversations can be summed.

Linking is counted as coreference, as in the scorer of the CoNLL shared tasks (S. Pradhan et al., ACL 2014). Key
and response cluster the same mentions, so everything follows from how many each pair of clusters shares:

- Pairwise: pairs of mentions in one cluster.
- MUC: links that would join a cluster again (M. Vilain et al., MUC-6, 1995).
- B³: for each mention, the share of its cluster that the other side has in its cluster, too (A. Bagga and B.
  Baldwin, LREC 1998).
- CEAF-e: similarity of clusters under their best alignment, by φ4 (X. Luo, HLT/EMNLP 2005).
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

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

Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]


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


UNIT = 1_000_000
"""Fractions are counted in millionths: integers, whose sums do not depend on the order."""

LINKING = (
    "linked_mentions",
    "key_clusters",
    "response_clusters",
    "key_pairs",
    "response_pairs",
    "common_pairs",
    "key_links",
    "response_links",
    "common_links",
    "b_cubed_recall",
    "b_cubed_precision",
    "cluster_similarity",
)

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
    *LINKING,
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
    spans = matches.spans if kind is None else matches.spans.filter(pc.equal(matches.spans["kind"], kind))
    span, finding = _numpy(spans), _numpy(matches.findings)
    of_span, of_finding = _adder(span["conversation"], number), _adder(finding["conversation"], number)
    covered = span["covered_chars"] == span["chars"]
    judged, touched, overlapped = finding["judged"], finding["touched"], finding["overlapped"]
    # A finding that only touches don't-care spans is neither right nor wrong.
    decided = judged & (overlapped | ~touched)
    column: dict[str, Array] = {
        "spans": of_span(np.ones_like(covered)),
        "covered": of_span(covered),
        "partial": of_span((span["covered_chars"] > 0) & ~covered),
        **{f"spans_{match}": of_span(span[match]) for match in MATCHES},
        "spans_fitted": of_span(span["fitted"]),
        "excess_chars": of_span(span["excess_chars"]),
        "gold_chars": of_span(span["chars"]),
        "covered_chars": of_span(span["covered_chars"]),
        **_entities(span, covered, number),
        **_links(span, number),
        "findings": of_finding(np.ones_like(judged)),
        "judged": of_finding(decided),
        "false_positives": of_finding(judged & ~touched),
        **{f"findings_{match}": of_finding(decided & finding[match]) for match in MATCHES},
        "judged_chars": of_finding(judged * finding["chars"]),
        "right_chars": of_finding(judged * finding["right_chars"]),
    }
    column["sensitive"] = (column["spans"] > 0).astype(np.int64)
    column["leaked"] = (column["covered"] < column["spans"]).astype(np.int64)
    worst = severities(
        missed=column["leaked"] > 0,
        false_positive=column["false_positives"] > 0,
        wrong_type=of_span(covered & ~span["typed"] & (span["chars"] > 0)) > 0,
        right=(column["spans"] > 0) | (of_finding(overlapped) > 0),
        excused=of_finding(touched & ~overlapped) > 0,
    )
    column |= {f"worst_{severity}": worst[:, i] for i, severity in enumerate(SEVERITIES)}
    column["right"] = np.sum([column[f"worst_{severity}"] for severity in RIGHT], axis=0)
    column["judged_right"] = column["right"] * matches.conversations["judged"].to_numpy()
    return np.stack([column[name].astype(np.int64) for name in COLUMNS], axis=1)


def _entities(span: Mapping[str, Array], covered: Flags, number: int) -> dict[str, Counts]:
    """The entities of gold spans by conversation: one is caught if all its mentions are."""
    places = np.stack([span["conversation"], span["gold_entity"]], axis=1)
    entities, of_entity, mentions = np.unique(places, axis=0, return_inverse=True, return_counts=True)
    caught = np.bincount(of_entity.ravel(), covered, len(entities)) == mentions
    several = mentions > 1

    def counted(chosen: Flags) -> Counts:
        return np.bincount(entities[chosen, 0], minlength=number)

    return {
        "entities": counted(mentions > 0),
        "consistent": counted(caught),
        "repeated": counted(several),
        "repeated_consistent": counted(several & caught),
    }


def _links(span: Mapping[str, Array], number: int) -> dict[str, Counts]:
    """The counts of linking, of mentions that were found and of which it is certain what they mean."""
    # No finding is a number that is missing.
    linked = span["certain"].astype(np.bool_) & ~np.isnan(span["entity"].astype(np.float64))
    place, key, response = (
        span[name][linked].astype(np.int64) for name in ("conversation", "gold_entity", "entity")
    )
    return dict(zip(LINKING, count_clusters(place, key, response, number).T, strict=True))


def _adder(place: Array, number: int) -> Callable[[Array], Counts]:
    """Adds up values by conversation; counts stay far below 2^53, where floats are exact."""

    def sums(values: Array) -> Counts:
        return np.rint(np.bincount(place, values.astype(float), number)).astype(np.int64)

    return sums


def _numpy(table: pa.Table) -> dict[str, Array]:
    names = (field.name for field in table.schema if not pa.types.is_string(field.type))
    return {name: table[name].to_numpy() for name in names}


def best_total(weights: npt.NDArray[np.float64]) -> float:
    """The greatest sum of weights with each row and each column used at most once.

    Args:
        weights: a matrix of non-negative numbers; not necessarily square.

    Time is proportional to n²·m, where n is the smaller side and m the greater.

    >>> best_total(np.array([[3.0, 2.0, 0.0], [3.0, 0.0, 0.0]]))
    5.0
    """
    if weights.shape[0] > weights.shape[1]:
        weights = weights.T
    rows, columns = weights.shape
    # Column 0 means unassigned, as in the usual formulation, which minimises the cost.
    cost = -weights
    row_potential, column_potential = np.zeros(rows + 1), np.zeros(columns + 1)
    row_of = np.zeros(columns + 1, np.int64)
    for row in range(1, rows + 1):
        row_of[0] = row
        column = 0
        slack = np.full(columns + 1, np.inf)
        before = np.zeros(columns + 1, np.int64)
        reached = np.zeros(columns + 1, np.bool_)
        while True:
            reached[column] = True
            at = row_of[column]
            reduced = cost[at - 1] - row_potential[at] - column_potential[1:]
            nearer = ~reached[1:] & (reduced < slack[1:])
            slack[1:][nearer] = reduced[nearer]
            before[1:][nearer] = column
            column = int(np.argmin(np.where(reached, np.inf, slack)))
            step = slack[column]
            row_potential[row_of[reached]] += step
            column_potential[reached] -= step
            slack[~reached] -= step
            if row_of[column] == 0:
                break
        while column:
            row_of[column] = row_of[before[column]]
            column = int(before[column])
    taken = np.flatnonzero(row_of[1:])
    return float(weights[row_of[1:][taken] - 1, taken].sum())


def count_clusters(conversation: Counts, key: Counts, response: Counts, number: int) -> Counts:
    """Counts of every conversation, with the columns ``LINKING``; the last three are in millionths.

    Args:
        conversation: the conversation of each mention, from 0.
        key: the true cluster of each mention, numbered within its conversation.
        response: the predicted cluster of each mention, numbered within its conversation.
        number: number of conversations.
    """
    counts = np.zeros((number, len(LINKING)), np.int64)
    if not len(conversation):
        return counts
    triples = np.stack([conversation, key, response], axis=1)
    cells, shared = np.unique(triples, axis=0, return_counts=True)
    where = cells[:, 0]
    keys, of_key = np.unique(cells[:, :2], axis=0, return_inverse=True)
    responses, of_response = np.unique(cells[:, ::2], axis=0, return_inverse=True)
    of_key, of_response = of_key.ravel(), of_response.ravel()
    key_sizes = np.bincount(of_key, shared).astype(np.int64)
    response_sizes = np.bincount(of_response, shared).astype(np.int64)

    def summed(place: Counts, values: npt.NDArray[np.float64 | np.int64]) -> Counts:
        return np.rint(np.bincount(place, values, number)).astype(np.int64)

    mentions = summed(where, shared)
    key_number, response_number, cell_number = (
        np.bincount(place, minlength=number) for place in (keys[:, 0], responses[:, 0], where)
    )
    columns = (
        mentions,
        key_number,
        response_number,
        summed(keys[:, 0], _pairs(key_sizes)),
        summed(responses[:, 0], _pairs(response_sizes)),
        summed(where, _pairs(shared)),
        mentions - key_number,
        mentions - response_number,
        mentions - cell_number,
        summed(where, UNIT * shared**2 / key_sizes[of_key]),
        summed(where, UNIT * shared**2 / response_sizes[of_response]),
        summed(*_similarities(where, of_key, of_response, shared, key_sizes, response_sizes)),
    )
    counts[:] = np.stack(columns, axis=1)
    return counts


def _pairs(sizes: Counts) -> Counts:
    return sizes * (sizes - 1) // 2


def _similarities(
    where: Counts,
    of_key: Counts,
    of_response: Counts,
    shared: Counts,
    key_sizes: Counts,
    response_sizes: Counts,
) -> tuple[Counts, npt.NDArray[np.float64]]:
    """Conversation and similarity of aligned clusters, in millionths.

    Clusters without common mentions add nothing to an alignment, so each connected set of clusters is aligned
    on its own; most are one and one.
    """
    phi = UNIT * 2 * shared / (key_sizes[of_key] + response_sizes[of_response])
    alone = (np.bincount(of_key)[of_key] == 1) & (np.bincount(of_response)[of_response] == 1)
    places, totals = [where[alone]], [phi[alone]]
    for cells in _components(of_key, of_response, np.flatnonzero(~alone)):
        keys, row = np.unique(of_key[cells], return_inverse=True)
        responses, column = np.unique(of_response[cells], return_inverse=True)
        weights = np.zeros((len(keys), len(responses)))
        weights[row, column] = phi[cells]
        places.append(where[cells[:1]])
        totals.append(np.array([best_total(weights)]))
    return np.concatenate(places), np.concatenate(totals)


def _components(of_key: Counts, of_response: Counts, cells: Counts) -> list[Counts]:
    """Partition cells so that no cluster has cells in two sets."""
    at_key: dict[int, list[int]] = {}
    at_response: dict[int, list[int]] = {}
    for cell in cells.tolist():
        at_key.setdefault(int(of_key[cell]), []).append(cell)
        at_response.setdefault(int(of_response[cell]), []).append(cell)
    found: list[Counts] = []
    for first in list(at_key):
        waiting = at_key.pop(first, [])
        members = set()
        while waiting:
            cell = waiting.pop()
            members.add(cell)
            waiting += at_response.pop(int(of_response[cell]), [])
            waiting += at_key.pop(int(of_key[cell]), [])
        if members:
            found.append(np.array(sorted(members), np.int64))
    return found
