"""Count matches, one row per conversation, so that any set of conversations can be summed.

Linking is counted as coreference, by pairs of mentions: those that gold has in one entity, those that were
linked to one, and those that are both.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from math import comb

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.gold_reading import Kind
from tacenda.transforms.evaluating.matches import MATCHES, Conversation

Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


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
        (``judged``) less those on don't-care spans alone, and letters and digits. Of the conversation: whether
        it has a span (``sensitive``), and one that is not covered (``leaked``).
    """
    spans = [span for span in conversation.spans if kind is None or span.kind == kind]
    findings = conversation.findings
    covered = [span for span in spans if span.covered_chars == span.chars]
    judged = [finding for finding in findings if finding.judged]
    # A finding that only touches don't-care spans is neither right nor wrong.
    decided = [finding for finding in judged if finding.how != {"touched"}]
    named = Counter(span.gold_entity for span in spans)
    safe = Counter(span.gold_entity for span in covered)
    repeated = [entity for entity, times in named.items() if times > 1]
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
        "linked_mentions": len(linked),
        "key_pairs": _pairs(entity for entity, _ in linked),
        "response_pairs": _pairs(entity for _, entity in linked),
        "common_pairs": _pairs(linked),
        "findings": len(findings),
        "judged": len(decided),
        "false_positives": sum(not finding.how for finding in judged),
        **{f"findings_{name}": sum(name in finding.how for finding in decided) for name in MATCHES},
        "judged_chars": sum(finding.chars for finding in judged),
        "right_chars": sum(finding.right_chars for finding in judged),
        "sensitive": bool(spans),
        "leaked": len(covered) < len(spans),
    }


def _pairs(of_mentions: Iterable[Hashable]) -> int:
    """The number of pairs of mentions that have the same."""
    return sum(comb(size, 2) for size in Counter(of_mentions).values())


COLUMNS = tuple(counts_of(Conversation("", "", "", "", "", "", False, [], []), None))
INDEX = {name: i for i, name in enumerate(COLUMNS)}
