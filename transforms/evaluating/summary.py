"""The summary of an evaluation as plain data, for ``--json`` and the tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tacenda.transforms.evaluating.counting import MEANINGS, Counts, count, totals
from tacenda.transforms.evaluating.gold_reading import GoldLabels
from tacenda.transforms.evaluating.matches import Conversation, FindingMatch, SpanMatch
from tacenda.transforms.evaluating.metrics import measure
from tacenda.transforms.scoring.score_table import ScoreTable

SPEAKER = "speaker"  # the one value of ``--slice`` that is a field of turns instead of conversations

_OF_LABELS = (  # ratios of :func:`measure` for each label
    *("recall", "partial", "typed_recall", "strict_recall", "exact_boundary_rate", "mean_excess_chars"),
    *("consistent_detection",),
)


@dataclass(frozen=True)
class Settings:
    """Settings of the figures: betas of F-beta, bootstrap resamples (0: none), and seed."""

    betas: tuple[float, ...] = (1.0, 2.0)
    resamples: int = 1000
    seed: int = 1


def summarise(
    matches: Sequence[Conversation],
    labels: GoldLabels,
    table: ScoreTable,
    settings: Settings,
    slices: Sequence[str],
) -> dict[str, Any]:
    """Figures in total, by file and by slice.

    ``labels`` are the rules with which ``matches`` were made; with the score table, they define which labels
    are known.

    Returns:
        ``total``; ``files`` and ``slices`` by value; ``labels`` says how each label was counted.
    """
    seen = _frequencies(span.label for one in matches for span in one.spans)
    counts = count(matches)

    def parts(field: str) -> Iterator[tuple[str, Sequence[Conversation], Counts]]:
        if field == SPEAKER:
            yield from ((role, part, count(part)) for role, part in sorted(having(matches, field).items()))
            return
        own: dict[str, list[int]] = {}
        for i, one in enumerate(matches):
            own.setdefault(getattr(one, field), []).append(i)
        for value, numbers in sorted(own.items()):
            yield value, [matches[i] for i in numbers], counts[numbers]

    def in_full(part: Sequence[Conversation], of_part: Counts) -> dict[str, Any]:
        by_type = {"per_label": _per_label(part, settings), "per_info_type": _per_info_type(part)}
        return {**_figures(part, of_part, settings), **by_type}

    files = {name: in_full(part, of_part) for name, part, of_part in parts("file")}
    return {
        # A single file equals the total; its figures need not be computed twice.
        "total": next(iter(files.values())) if len(files) == 1 else in_full(matches, counts),
        "files": files,
        "slices": {
            field: {value: _figures(part, of_part, settings) for value, part, of_part in parts(field)}
            for field in slices
        },
        "labels": {
            kind: {label: n for label, n in seen.items() if labels.kind(label) == kind}
            for kind in ("core", "quasi", "dont_care")
        },
        "unknown_labels": [label for label in seen if not labels.is_known(label, table)],
    }


def errors(matches: Sequence[Conversation]) -> Iterator[dict[str, Any]]:
    """All errors, by position and without text.

    Gold spans that are ``missed``, ``partial`` or covered under a ``wrong_type``, then findings that are a
    ``false_positive``. ``label`` is the gold's, ``info_type`` the finding's.
    """

    def error(
        of: Conversation, one: SpanMatch | FindingMatch, kind: str, *types: str | None
    ) -> dict[str, Any]:
        place = {"turn": one.turn, "start": one.start, "end": one.end}
        told = dict(zip(("label", "info_type"), types, strict=True))
        return {"file": of.file, "conversation_id": of.id, **place, "error": kind, **told}

    for of in matches:
        for span in of.spans:
            if span.kind == "dont_care":
                continue
            if span.covered_chars < span.chars:
                kind = "partial" if span.covered_chars else "missed"
                yield error(of, span, kind, span.label, span.found)
            elif span.chars and "typed" not in span.how:
                yield error(of, span, "wrong_type", span.label, span.found)
    for of in matches:
        for finding in of.findings:
            if finding.judged and not finding.how:
                yield error(of, finding, "false_positive", None, finding.info_type)


def having(matches: Iterable[Conversation], field: str) -> dict[str, list[Conversation]]:
    """By value of ``speaker``, ``label`` or ``info_type``, the conversations, with what has this value alone.

    There are no findings of a label, and no spans of an infoType; letters are of whole conversations alone.
    """
    groups: dict[str, list[Conversation]] = {}
    for one in matches:
        parts: dict[str, tuple[list[SpanMatch], list[FindingMatch]]] = {}
        for span in one.spans if field != "info_type" else ():
            parts.setdefault(getattr(span, field), ([], []))[0].append(span)
        for finding in one.findings if field != "label" else ():
            parts.setdefault(getattr(finding, field), ([], []))[1].append(finding)
        for value, (spans, findings) in parts.items():
            groups.setdefault(value, []).append(one._replace(chars=0, spans=spans, findings=findings))
    return groups


def _figures(matches: Sequence[Conversation], counts: Counts, settings: Settings) -> dict[str, Any]:
    sums = totals(counts)
    return {
        "conversations": len(matches),
        "conversations_with_pii": sums["sensitive"],
        "rejected": sum(one.rejected for one in matches),
        "gold": _frequencies(one.gold for one in matches),
        "languages": _frequencies(one.lang for one in matches),
        "gold_spans": sums["spans"],
        "linked_mentions": sums["linked_mentions"],
        "findings": sums["findings"],
        "findings_judged": sums["judged"],
        "false_positives": sums["false_positives"],
        **measure(counts, settings.betas, settings.resamples, settings.seed),
        "worst_of_conversation": {severity: sums[f"worst_{severity}"] for severity in MEANINGS},
    }


def _per_label(matches: Sequence[Conversation], settings: Settings) -> dict[str, Any]:
    """Recall by gold label, most frequent first; don't-care labels are left out."""
    parts = having(matches, "label")
    rows = {}
    counted = (s.label for one in matches for s in one.spans if s.kind != "dont_care")
    for label, support in _frequencies(counted).items():
        measured = measure(count(parts[label], None), (), settings.resamples, settings.seed)
        rows[label] = {
            "gold": support,
            "apart": parts[label][0].spans[0].kind == "quasi",
            **{name: measured[name] for name in _OF_LABELS},
            "conversations": len(parts[label]),
            "conversation_leak_rate": measured["conversation_leak_rate"],
        }
    return rows


def _per_info_type(matches: Sequence[Conversation]) -> dict[str, Any]:
    """The precision of findings of each infoType, most frequent first."""
    parts = having(matches, "info_type")
    rows = {}
    for info_type, number in _frequencies(f.info_type for one in matches for f in one.findings).items():
        sums = totals(count(parts[info_type]))
        judged, chars = sums["judged"], sums["judged_chars"]
        rows[info_type] = {
            "findings": number,
            "judged": judged,
            "false_positives": sums["false_positives"],
            "char_precision": sums["right_chars"] / chars if chars else None,
            "typed_precision": sums["findings_typed"] / judged if judged else None,
        }
    return rows


def _frequencies(values: Iterable[str]) -> dict[str, int]:
    """The number of occurrences of each value, most frequent first, then by name."""
    return dict(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))
