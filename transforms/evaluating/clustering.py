"""Quality of linking: counts for coreference measures, per conversation.

Key and response cluster the same mentions, so everything follows from the number of mentions shared by each
pair of clusters. Counts add up over conversations, as in the scorer of the CoNLL shared tasks (S. Pradhan et
al., ACL 2014).

- Pairwise: pairs of mentions in one cluster.
- MUC: links that would join a cluster again (M. Vilain et al., MUC-6, 1995).
- B³: for each mention, the share of its cluster that the other side has in its cluster, too (A. Bagga and B.
  Baldwin,
  LREC 1998).
- CEAF-e: similarity of clusters under their best alignment, by φ4 (X. Luo, HLT/EMNLP 2005).
"""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.bootstrap import Counts


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


UNIT = 1_000_000
"""Fractions are counted in millionths: integers, whose sums do not depend on the order."""

COLUMNS = (
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

Integers = npt.NDArray[np.int64]


def count_clusters(conversation: Integers, key: Integers, response: Integers, number: int) -> Counts:
    """Counts of every conversation, with the columns ``COLUMNS``; the last three are in millionths.

    Args:
        conversation: the conversation of each mention, from 0.
        key: the true cluster of each mention, numbered within its conversation.
        response: the predicted cluster of each mention, numbered within its conversation.
        number: number of conversations.
    """
    counts = np.zeros((number, len(COLUMNS)), np.int64)
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

    def summed(place: Integers, values: npt.NDArray[np.float64 | np.int64]) -> Integers:
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


def _pairs(sizes: Integers) -> Integers:
    return sizes * (sizes - 1) // 2


def _similarities(
    where: Integers,
    of_key: Integers,
    of_response: Integers,
    shared: Integers,
    key_sizes: Integers,
    response_sizes: Integers,
) -> tuple[Integers, npt.NDArray[np.float64]]:
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


def _components(of_key: Integers, of_response: Integers, cells: Integers) -> list[Integers]:
    """Partition cells so that no cluster has cells in two sets."""
    at_key: dict[int, list[int]] = {}
    at_response: dict[int, list[int]] = {}
    for cell in cells.tolist():
        at_key.setdefault(int(of_key[cell]), []).append(cell)
        at_response.setdefault(int(of_response[cell]), []).append(cell)
    found: list[Integers] = []
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
