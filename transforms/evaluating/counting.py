"""Count matches, one row per conversation, so that any set of conversations can be summed.

Linking is counted as coreference, as in the scorer of the CoNLL shared tasks (S. Pradhan et al., ACL 2014). Key
and response cluster the same mentions, so everything follows from how many each pair of clusters shares:

- Pairwise: pairs of mentions in one cluster.
- MUC: links that would join a cluster again (M. Vilain et al., MUC-6, 1995).
- B³: for each mention, the share of its cluster that the other side has in its cluster, too (A. Bagga and B.
  Baldwin, LREC 1998).
- CEAF-e: similarity of clusters under their best alignment, by φ4 (X. Luo, HLT/EMNLP 2005).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.gold_reading import Kind
from tacenda.transforms.evaluating.matches import MATCHES, Conversation

MEANINGS = {  # how bad a conversation is, worst first
    "B": "something missed",
    "A": "else a false positive",
    "C": "else a wrong type",
    "D": "else all correct",
    "E": "else only don't-care data found",
    "F": "nothing to find, nothing found",
}

RIGHT = ("C", "D", "E")  # true positives for recall and precision per conversation

Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

UNIT = 1_000_000  # fractions are counted in millionths: integers, whose sums do not depend on the order


def count(matches: Iterable[Conversation], kind: Kind | None = "core") -> Counts:
    """Counts of every conversation, with the columns ``COLUMNS``, over gold spans of one kind, None for all."""
    rows = [list(counts_of(conversation, kind).values()) for conversation in matches]
    return np.array(rows, np.int64).reshape(-1, len(COLUMNS))


def totals(counts: Counts) -> dict[str, int]:
    """Sums over all conversations by column name."""
    return dict(zip(COLUMNS, counts.sum(axis=0).tolist(), strict=True))


def counts_of(conversation: Conversation, kind: Kind | None) -> dict[str, int]:
    """The counts of a conversation.

    Returns:
        Of gold spans: how many, how many of them ``covered`` or ``partial``, matches, letters and digits. Of
        what they mean, each counted once: all ``entities``, those named twice or more (``repeated``), and of
        both those with every mention covered. Of findings: all, those whose class the gold is complete for
        (``judged``) less those on don't-care spans alone, letters and digits, of these the ``hidden``
        outside of complete gold, and all outside (``harmless``). Of the conversation: whether it has a span
        (``sensitive``), one that is not covered, and the worst in it.
    """
    spans = [span for span in conversation.spans if kind is None or span.kind == kind]
    findings = conversation.findings
    covered = [span for span in spans if span.covered_chars == span.chars]
    judged = [finding for finding in findings if finding.judged]
    wrong = [finding for finding in judged if not finding.how]
    # A finding that only touches don't-care spans is neither right nor wrong.
    decided = [finding for finding in judged if finding.how != {"touched"}]
    named = Counter(span.gold_entity for span in spans)
    safe = Counter(span.gold_entity for span in covered)
    repeated = [entity for entity, times in named.items() if times > 1]
    leaked = len(covered) < len(spans)
    wrong_type = any(span.chars and "typed" not in span.how for span in covered)
    found = spans or any("overlapped" in finding.how for finding in findings)
    holds = leaked, wrong, wrong_type, found, any(finding.how == {"touched"} for finding in findings), True
    worst = next(name for name, applies in zip(MEANINGS, holds, strict=True) if applies)
    # It must be certain what a mention means, and it must be found.
    linked = [(one.gold_entity, one.entity) for one in spans if one.certain and one.entity is not None]
    return {
        "spans": len(spans),
        "covered": len(covered),
        "partial": sum(0 < span.covered_chars < span.chars for span in spans),
        **{f"spans_{name}": sum(name in span.how for span in spans) for name in (*MATCHES, "fitted")},
        "excess_chars": sum(span.excess_chars for span in spans),
        "gold_chars": sum(span.chars for span in spans),
        "covered_chars": sum(span.covered_chars for span in spans),
        "entities": len(named),
        "consistent": sum(safe[entity] == times for entity, times in named.items()),
        "repeated": len(repeated),
        "repeated_consistent": sum(safe[entity] == named[entity] for entity in repeated),
        **count_clusters(linked),
        "findings": len(findings),
        "judged": len(decided),
        "false_positives": len(wrong),
        **{f"findings_{name}": sum(name in finding.how for finding in decided) for name in MATCHES},
        "judged_chars": sum(finding.chars for finding in judged),
        "right_chars": sum(finding.right_chars for finding in judged),
        "harmless_chars": max(conversation.chars - sum(span.chars for span in conversation.spans), 0),
        "hidden_chars": sum(one.chars - one.right_chars for one in judged if conversation.chars),
        "sensitive": bool(spans),
        "leaked": leaked,
        **{f"worst_{name}": name == worst for name in MEANINGS},
        "right": worst in RIGHT,
        "judged_right": worst in RIGHT and conversation.judged,
    }


def count_clusters(mentions: Sequence[tuple[int, int]]) -> dict[str, int]:
    """The counts of linking, from the true and the predicted cluster of each mention of a conversation."""
    shared = Counter(mentions)
    keys, responses = Counter(key for key, _ in mentions), Counter(response for _, response in mentions)
    in_order = [(*cell, number) for cell, number in sorted(shared.items())]
    rows, columns = ({cluster: i for i, cluster in enumerate(side)} for side in (keys, responses))
    similarity = np.zeros((len(keys), len(responses)))
    for key, response, number in in_order:
        of_both = keys[key] + responses[response]
        similarity[rows[key], columns[response]] = UNIT * 2 * number / of_both
    return {
        "linked_mentions": len(mentions),
        "key_clusters": len(keys),
        "response_clusters": len(responses),
        "key_pairs": _pairs(keys.values()),
        "response_pairs": _pairs(responses.values()),
        "common_pairs": _pairs(shared.values()),
        "key_links": len(mentions) - len(keys),
        "response_links": len(mentions) - len(responses),
        "common_links": len(mentions) - len(shared),
        "b_cubed_recall": round(sum(UNIT * number**2 / keys[key] for key, _, number in in_order)),
        "b_cubed_precision": round(sum(UNIT * number**2 / responses[other] for _, other, number in in_order)),
        "cluster_similarity": round(best_total(similarity)) if mentions else 0,
    }


def _pairs(sizes: Iterable[int]) -> int:
    return sum(comb(size, 2) for size in sizes)


def best_total(weights: npt.NDArray[np.float64]) -> float:
    """The greatest sum of weights with each row and each column used at most once (the Hungarian method).

    Weights are not negative. Time is proportional to n²·m, where n is the smaller side and m the greater.

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
        while row_of[column]:
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
        while column:
            row_of[column] = row_of[before[column]]
            column = int(before[column])
    taken = np.flatnonzero(row_of[1:])
    return float(weights[row_of[1:][taken] - 1, taken].sum())


COLUMNS = tuple(counts_of(Conversation("", "", "", "", "", "", False, False, 0, [], []), None))
INDEX = {name: i for i, name in enumerate(COLUMNS)}
