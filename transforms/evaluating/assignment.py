"""The best one-to-one assignment of rows to columns, by total weight.

H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955, in
the form with potentials and shortest augmenting paths (R. Jonker and A. Volgenant, Computing 38, 1987).
"""

import numpy as np
import numpy.typing as npt


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
