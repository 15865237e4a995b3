"""Compare two configs on the same gold: which is better, and whether the difference could be chance."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from tacenda.transforms.evaluating.bootstrap import percentile_interval, resampled_sums
from tacenda.transforms.evaluating.counting import INDEX, count_core
from tacenda.transforms.evaluating.matches import Matches
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding


class Step(NamedTuple):
    """A pass, and the findings of each cell after it."""

    name: str
    findings: Sequence[Sequence[Finding]]


def uncovered_letters(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], steps: Sequence[Step]
) -> Counter[str]:
    """Count letters and digits of gold that the first step covers and the last does not.

    Args:
        texts: the cells of one conversation.
        spans: the gold spans of each cell that count.
        steps: what detectors found, then the findings after each pass.

    Returns:
        The count by the name of the step that uncovered a letter last.
    """
    counts: Counter[str] = Counter()
    for cell, (text, of_cell) in enumerate(zip(texts, spans, strict=True)):
        letters = {k for span in of_cell for k in range(span.start, span.end) if text[k].isalnum()}
        lost = _covered(letters, steps[0].findings[cell]) if letters else letters
        lost -= _covered(lost, steps[-1].findings[cell])
        for before, step in zip(reversed(steps[:-1]), reversed(steps[1:]), strict=True):
            if lost:
                still = _covered(lost, before.findings[cell])
                counts[step.name] += len(still)
                lost -= still
    return counts


def _covered(letters: set[int], findings: Sequence[Finding]) -> set[int]:
    return {k for finding in findings for k in range(finding.start, finding.end) if k in letters}


def compare(first: Matches, second: Matches, resamples: int, seed: int) -> dict[str, Any]:
    """Compare the coverage of two configs on the same gold spans of core labels.

    Args:
        first: matches of the config.
        second: matches of the config to compare with, on the same conversations.
        resamples: number of samples of the paired bootstrap over conversations; 0 for none.
        seed: of the bootstrap.

    Returns:
        ``spans`` and ``conversations``: the numbers safe under ``both``, ``only_first``, ``only_second`` or
        ``neither``, and McNemar's ``p_value``. ``recall_difference``: second minus first, with an interval
        that allows for dependence between spans of one conversation; McNemar's test on spans does not.

    Raises:
        ValueError: the two were not matched against the same gold.
    """
    place = ("conversation", "turn", "start", "end", "label")
    spans = [m.spans.filter(pc.equal(m.spans["kind"], "core")) for m in (first, second)]
    if not spans[0].select(place).equals(spans[1].select(place)):
        raise ValueError("the two sets of matches are not of the same gold spans")
    covered = [pc.equal(table["chars"], table["covered_chars"]).to_numpy() for table in spans]
    counts = [count_core(matches) for matches in (first, second)]
    sensitive = counts[0][:, INDEX["sensitive"]] > 0
    safe = [(table[:, INDEX["leaked"]] == 0)[sensitive] for table in counts]
    paired = np.stack(
        [counts[0][:, INDEX["spans"]], *(table[:, INDEX["covered"]] for table in counts)], axis=1
    )
    total, one, other = paired.sum(axis=0).tolist()
    drawn = resampled_sums(paired, resamples, seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        differences = (drawn[:, 2] - drawn[:, 1]) / drawn[:, 0]
    return {
        "spans": _mcnemar(covered[0], covered[1]),
        "conversations": _mcnemar(safe[0], safe[1]),
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
    if only_first == only_second:
        return 1.0
    pairs = only_first + only_second
    ways, tail = 1, 1
    for k in range(min(only_first, only_second)):
        ways = ways * (pairs - k) // (k + 1)
        tail += ways
    # Integers until the last step: 2 ** pairs may exceed a float.
    p_value: float = 2 * tail / 2**pairs
    return min(1.0, p_value)


def _mcnemar(first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_]) -> dict[str, Any]:
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    return {
        "both": int((first & second).sum()),
        "only_first": only_first,
        "only_second": only_second,
        "neither": int((~first & ~second).sum()),
        "p_value": mcnemar_exact(only_first, only_second),
    }
