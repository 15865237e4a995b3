"""Do events occur in the synthetic corpus as often, relative to each other, as in its source?

For each group (such as a medicine), the relative frequencies of its events (such as side effects) in both
corpora are compared: correlation by Pearson and by Spearman, the two-sample test of Kolmogorov and Smirnov,
and a t-test of whether events that are frequent in the source are more frequent in the synthetic corpus than
rare ones. The statistics are those of SciPy, an optional dependency.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_CONSTANT = 1e-9
"""Shares that differ by less are taken for equal."""

Pair = tuple[str, str]
"""A group and an event of it."""


def compare_frequencies(source: Mapping[Pair, int], synthetic: Mapping[Pair, int]) -> dict[str, Any]:
    """Compare counts by group and event.

    Every event of either corpus counts in every group, with 0 where it does not occur.

    Args:
        source: how many records have a pair.
        synthetic: the same.

    Returns:
        ``groups``, by name, and ``all``, over all pairs, each with ``pearson``, ``pearson_p``, ``spearman``,
        ``spearman_p``, ``ks_p``, ``t_p``; ``not_in_source``: pairs that only the synthetic corpus has. A figure
        is None where it is not defined, as the correlation with a constant.
    """
    groups = sorted({group for group, _ in (*source, *synthetic)})
    events = sorted({event for _, event in (*source, *synthetic)})
    of_source = {group: _relative(source, group, events) for group in groups}
    of_synthetic = {group: _relative(synthetic, group, events) for group in groups}
    return {
        "groups": {group: _compared(of_source[group], of_synthetic[group]) for group in groups},
        "all": _compared(
            [share for group in groups for share in of_source[group]],
            [share for group in groups for share in of_synthetic[group]],
        ),
        "not_in_source": [
            list(pair) for pair in sorted(synthetic) if synthetic[pair] and not source.get(pair)
        ],
    }


def _relative(counts: Mapping[Pair, int], group: str, events: Sequence[str]) -> list[float]:
    of_group = [counts.get((group, event), 0) for event in events]
    total = sum(of_group)
    return [count / total if total else 0.0 for count in of_group]


def _compared(source: Sequence[float], synthetic: Sequence[float]) -> dict[str, float | None]:
    from scipy import stats

    one, other = np.array(source), np.array(synthetic)
    figures: dict[str, float | None] = dict.fromkeys(("pearson", "pearson_p", "spearman", "spearman_p"))
    if len(one) > 2 and min(np.ptp(one), np.ptp(other)) > _CONSTANT:
        figures["pearson"], figures["pearson_p"] = map(_rounded, stats.pearsonr(one, other))
        figures["spearman"], figures["spearman_p"] = map(_rounded, stats.spearmanr(one, other))
    figures["ks_p"] = _rounded(stats.ks_2samp(one, other).pvalue)
    # More and less frequent in the source: above its median, and not above it.
    frequent = one > np.median(one)
    halves = other[frequent], other[~frequent]
    figures["t_p"] = None
    if all(len(half) > 1 and np.ptp(half) > _CONSTANT for half in halves):
        figures["t_p"] = _rounded(stats.ttest_ind(*halves, equal_var=False).pvalue)
    return figures


def _rounded(value: Any) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)
