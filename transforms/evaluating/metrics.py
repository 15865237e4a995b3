"""Recall, precision, F-beta and leak rates of conversations with intervals, and those of two configs compared.

Spans of one conversation are found and missed together (one speaker, one topic), so the bootstrap resamples
whole conversations, not spans. B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 8.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.counting import INDEX, UNIT, Counts, Flags, count
from tacenda.transforms.evaluating.matches import Conversation
from tacenda.transforms.scoring.intervals import wilson_interval

Values = npt.NDArray[np.float64]


_KINDS = {"typed": "typed", "overlap": "overlapped", "exact": "exact", "strict": "strict"}


class Ratio(NamedTuple):
    """A share of counts: sums of the columns ``hits`` over sums of the columns ``of``.

    ``trials``: the counts are of independent cases, so that Wilson's interval applies; not so for letters and
    digits, since those of one span are found together, nor for links or mentions of one cluster. ``unit``: the
    counts are in units of one over this number.
    """

    hits: str
    of: tuple[str, ...]
    trials: bool = True
    unit: int = 1


RATIOS = {
    "recall": Ratio("covered", ("spans",)),
    "partial": Ratio("partial", ("spans",)),
    **{f"{kind}_recall": Ratio(f"spans_{match}", ("spans",)) for kind, match in _KINDS.items()},
    "exact_boundary_rate": Ratio("spans_fitted", ("spans_overlapped",)),
    "mean_excess_chars": Ratio("excess_chars", ("spans_overlapped",), trials=False),
    "char_recall": Ratio("covered_chars", ("gold_chars",), trials=False),
    "char_precision": Ratio("right_chars", ("judged_chars",), trials=False),
    "over_masking": Ratio("hidden_chars", ("harmless_chars",), trials=False),
    **{f"{kind}_precision": Ratio(f"findings_{match}", ("judged",)) for kind, match in _KINDS.items()},
    "conversation_leak_rate": Ratio("leaked", ("sensitive",)),
    "conversation_recall": Ratio("right", ("right", "worst_B")),
    "conversation_precision": Ratio("judged_right", ("judged_right", "worst_A")),
    "consistent_detection": Ratio("consistent", ("entities",)),
    "consistent_detection_repeated": Ratio("repeated_consistent", ("repeated",)),
    "pairwise_recall": Ratio("common_pairs", ("key_pairs",), trials=False),
    "pairwise_precision": Ratio("common_pairs", ("response_pairs",), trials=False),
    "muc_recall": Ratio("common_links", ("key_links",), trials=False),
    "muc_precision": Ratio("common_links", ("response_links",), trials=False),
    "b_cubed_recall": Ratio("b_cubed_recall", ("linked_mentions",), False, UNIT),
    "b_cubed_precision": Ratio("b_cubed_precision", ("linked_mentions",), False, UNIT),
    "ceaf_e_recall": Ratio("cluster_similarity", ("key_clusters",), False, UNIT),
    "ceaf_e_precision": Ratio("cluster_similarity", ("response_clusters",), False, UNIT),
}

MATCHINGS = {  # recall and precision of each F-beta
    "masking": ("recall", "char_precision"),
    "characters": ("char_recall", "char_precision"),
    **{kind: (f"{kind}_recall", f"{kind}_precision") for kind in ("overlap", "typed", "exact", "strict")},
    "conversations": ("conversation_recall", "conversation_precision"),
}

LINKINGS = {  # the same for F1 of linking
    measure: (f"{measure}_recall", f"{measure}_precision")
    for measure in ("pairwise", "muc", "b_cubed", "ceaf_e")
}


def measure(counts: Counts, betas: Sequence[float], resamples: int, seed: int) -> dict[str, Any]:
    """All ratios and F-betas of some conversations.

    ``counts`` has one row per conversation, ``betas`` how many times recall weighs as much as precision;
    without ``resamples`` there is no bootstrap.

    Returns: For each ratio's name: ``value`` (None if nothing was counted), ``hits``, ``of``, ``wilson`` and
        ``bootstrap`` (95 %, None if they do not apply), and ``interval``: the wider of the two at each end.
        Wilson's assumes independent spans; the bootstrap does not, but knows nothing of what it never saw.
        ``f`` maps a kind of match and a beta, as text, to ``value`` and ``interval``; ``linking_f1`` does so
        for measures of linking.
    """
    # The first row is of the conversations themselves, the others are of samples.
    samples = np.concatenate([counts.sum(axis=0)[np.newaxis], resampled_sums(counts, resamples, seed)])
    shares: dict[str, Values] = {}
    measured: dict[str, Any] = {}
    for name, ratio in RATIOS.items():
        hits, of = samples[:, INDEX[ratio.hits]], samples[:, [INDEX[one] for one in ratio.of]].sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares[name] = hits / ratio.unit / of
        first, total = int(hits[0]), int(of[0])
        wilson = wilson_interval(first, total) if ratio.trials and total else None
        figure = _figure(shares[name])
        measured[name] = {
            "value": figure["value"],
            "hits": first if ratio.unit == 1 else first / ratio.unit,
            "of": total,
            "interval": _wider(wilson, figure["interval"]),
            "wilson": wilson,
            "bootstrap": figure["interval"],
        }

    def f_of(names: tuple[str, str], beta: float) -> dict[str, Any]:
        recall, precision = names
        return _figure(f_beta(shares[precision], shares[recall], beta))

    measured["f"] = {
        matching: {f"{beta:g}": f_of(names, beta) for beta in betas} for matching, names in MATCHINGS.items()
    }
    measured["linking_f1"] = {name: f_of(names, 1.0) for name, names in LINKINGS.items()}
    return measured


def f_beta(precision: Values, recall: Values, beta: float) -> Values:
    """Weighted harmonic mean of precision and recall; 0 if recall is 0, whatever precision is.

    Not a number if there was nothing to find, or if something was found and precision is unknown.

    C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979, chapter 7, in the form with beta.

    >>> round(float(f_beta(np.array([0.64]), np.array([0.99]), 2)[0]), 2)
    0.89
    """
    weight = beta * beta
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (1 + weight) * precision * recall / (weight * precision + recall)
    return np.where(recall == 0, 0.0, mean)


def _figure(values: Values) -> dict[str, Any]:
    """The first of some values, and the interval of the others; None if it is not a number."""
    if np.isnan(values[0]):
        return {"value": None, "interval": None}
    return {"value": float(values[0]), "interval": percentile_interval(values[1:])}


def _wider(one: tuple[float, float] | None, other: tuple[float, float] | None) -> tuple[float, float] | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])


_TAIL = (1 - 0.95) / 2
_DRAWN_AT_ONCE = 1 << 20  # conversations drawn in one step; bounds memory


def resampled_sums(counts: Counts, resamples: int, seed: int) -> Counts:
    """Column sums of ``resamples`` samples of as many rows, drawn with replacement.

    Equal seeds and counts give equal sums.

    Returns:
        One row per sample, with the columns of ``counts``.
    """
    total = len(counts)
    sums = np.zeros((resamples, counts.shape[1]), np.int64)
    if total == 0:
        return sums
    # Float products use BLAS; counts are far below 2^53, so they stay exact.
    values = counts.astype(np.float64)
    generator = np.random.default_rng(seed)
    step = max(1, _DRAWN_AT_ONCE // total)
    for start in range(0, resamples, step):
        samples = min(step, resamples - start)
        drawn = generator.integers(0, total, (samples, total))
        drawn += np.arange(samples)[:, np.newaxis] * total
        often = np.bincount(drawn.ravel(), minlength=samples * total).reshape(samples, total)
        sums[start : start + samples] = np.rint(often @ values)
    return sums


def percentile_interval(values: Values) -> tuple[float, float] | None:
    """The middle 95 % of resampled values; None if none is a number, or all are equal, which shows nothing."""
    known = values[~np.isnan(values)]
    if not len(known) or known.min() == known.max():
        return None
    low, high = np.quantile(known, [_TAIL, 1 - _TAIL])
    return float(low), float(high)


def compare(
    first: Sequence[Conversation], second: Sequence[Conversation], resamples: int, seed: int
) -> dict[str, Any]:
    """Compare the coverage of two configs on the same gold spans of core labels.

    Both have the matches of the same conversations.

    Returns:
        ``spans`` and ``conversations``: the numbers safe under ``both``, ``only_first``, ``only_second`` or
        ``neither``, and McNemar's ``p_value``. ``recall_difference``: second minus first, with an interval
        that allows for dependence between spans of one conversation; McNemar's test on spans does not.
    """
    covered, safe, columns = [], [], []
    for matches in (first, second):
        spans = (span for one in matches for span in one.spans if span.kind == "core")
        covered.append(np.array([span.covered_chars == span.chars for span in spans], np.bool_))
        counts = count(matches)
        safe.append(counts[counts[:, INDEX["sensitive"]] > 0, INDEX["leaked"]] == 0)
        columns += [counts[:, INDEX["spans"]], counts[:, INDEX["covered"]]]
    paired = np.stack(columns, axis=1)
    total, one, _, other = paired.sum(axis=0).tolist()
    drawn = resampled_sums(paired, resamples, seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        differences = (drawn[:, 3] - drawn[:, 1]) / drawn[:, 0]
    return {
        "spans": _mcnemar(*covered),
        "conversations": _mcnemar(*safe),
        "recall_difference": {
            "value": (other - one) / total if total else None,
            "interval": percentile_interval(differences),
        },
    }


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value of McNemar's test on the discordant pairs; 1 if there are none.

    Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
    Psychometrika 12(2), 1947; exact by the binomial distribution with probability one half.

    >>> mcnemar_exact(1, 5), mcnemar_exact(0, 0)
    (0.21875, 1.0)
    """
    pairs = only_first + only_second
    ways = tail = 1
    for k in range(min(only_first, only_second)):
        ways = ways * (pairs - k) // (k + 1)
        tail += ways
    # Integers until the last step: 2 ** pairs may exceed a float.
    return min(1.0, float(2 * tail / 2**pairs))


def _mcnemar(first: Flags, second: Flags) -> dict[str, Any]:
    both, only_first, only_second, neither = (
        int(((first == one) & (second == other)).sum()) for one, other in product((True, False), repeat=2)
    )
    alone = {"only_first": only_first, "only_second": only_second}
    return {"both": both, **alone, "neither": neither, "p_value": mcnemar_exact(only_first, only_second)}
