"""The summary of an evaluation as plain data, for ``--json`` and the tables.

The fields by which an evaluation can be sliced.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.evaluating.counting import SEVERITIES, Counts, count_all, count_core, totals
from tacenda.transforms.evaluating.gold_reading import GoldLabels
from tacenda.transforms.evaluating.matches import Matches
from tacenda.transforms.evaluating.metrics import measure
from tacenda.transforms.scoring.score_table import ScoreTable

SPEAKER = "speaker"
SLICES = ("context", "lang", "source", SPEAKER)
"""Values of ``--slice``; files are always shown separately."""


_OF_LABELS = (
    "recall",
    "partial",
    "typed_recall",
    "strict_recall",
    "exact_boundary_rate",
    "mean_excess_chars",
    "consistent_detection",
)
"""The ratios of :func:`measure` that are shown for each label."""


@dataclass(frozen=True)
class Settings:
    """Settings of the figures: betas of F-beta, bootstrap resamples (0: none), and seed."""

    betas: tuple[float, ...] = (1.0, 2.0)
    resamples: int = 1000
    seed: int = 1


def summarise(
    matches: Matches, labels: GoldLabels, table: ScoreTable, settings: Settings, slices: Sequence[str]
) -> dict[str, Any]:
    """Figures in total, by file and by slice.

    Args:
        matches: those of all conversations.
        labels: the rules with which ``matches`` were made.
        table: the score table; together with the rules, it defines which labels are known.
        settings: of the figures.
        slices: fields of ``SLICES``.

    Returns:
        ``total``; ``files`` and ``slices`` by value; ``labels`` says how each label was counted.
    """
    seen = _values(matches.spans["label"])
    counts = count_core(matches)
    files = {
        name: {**_figures(part, of_part, settings), **_by_type(part, settings)}
        for name, part, of_part in _parts(matches, counts, "file")
    }
    # A single file equals the total; its figures need not be computed twice.
    total = (
        {**_figures(matches, counts, settings), **_by_type(matches, settings)} if len(files) != 1 else None
    )
    return {
        "total": total or next(iter(files.values())),
        "files": files,
        "slices": {
            field: {
                value: _figures(part, of_part, settings)
                for value, part, of_part in _parts(matches, counts, field)
            }
            for field in slices
        },
        "labels": {
            kind: {label: n for label, n in seen.items() if labels.kind(label) == kind}
            for kind in ("core", "quasi", "dont_care")
        },
        "unknown_labels": [label for label in seen if not labels.is_known(label, table)],
    }


def errors(matches: Matches) -> Iterator[dict[str, Any]]:
    """All errors, by position and without text.

    Gold spans that are ``missed``, ``partial`` or covered under a ``wrong_type``, then findings that are a
    ``false_positive``. ``label`` is the gold's, ``info_type`` the finding's.
    """
    ids, files = (matches.conversations[name].to_pylist() for name in ("id", "file"))

    def error(row: dict[str, Any], kind: str, label: str | None, info_type: str | None) -> dict[str, Any]:
        return {
            "file": files[row["conversation"]],
            "conversation_id": ids[row["conversation"]],
            **{name: row[name] for name in ("turn", "start", "end")},
            "error": kind,
            "label": label,
            "info_type": info_type,
        }

    for row in matches.spans.filter(pc.not_equal(matches.spans["kind"], "dont_care")).to_pylist():
        if row["covered_chars"] < row["chars"]:
            yield error(row, "partial" if row["covered_chars"] else "missed", row["label"], row["found"])
        elif row["chars"] and not row["typed"]:
            yield error(row, "wrong_type", row["label"], row["found"])
    is_wrong = pc.and_(matches.findings["judged"], pc.invert(matches.findings["touched"]))
    for row in matches.findings.filter(is_wrong).to_pylist():
        yield error(row, "false_positive", None, row["info_type"])


def _parts(matches: Matches, counts: Counts, field: str) -> Iterator[tuple[str, Matches, Counts]]:
    """The values of a field in order, each with its matches and counts."""
    if field == SPEAKER:
        for role in sorted({*_values(matches.spans[field]), *_values(matches.findings[field])}):
            part = matches.of(field, role)
            yield role, part, count_core(part)
        return
    column = matches.conversations[field]
    for value in sorted(_values(column)):
        chosen: npt.NDArray[np.bool_] = pc.equal(column, value).to_numpy()
        yield value, matches.of_conversations(chosen), counts[chosen]


def _figures(matches: Matches, counts: Counts, settings: Settings) -> dict[str, Any]:
    """Figures of some conversations over all types of data."""
    sums = totals(counts)
    told = matches.conversations
    return {
        "conversations": told.num_rows,
        "conversations_with_pii": sums["sensitive"],
        "rejected": int(pc.sum(told["rejected"]).as_py() or 0),
        "gold": _values(told["gold"]),
        "languages": _values(told["lang"]),
        "gold_spans": sums["spans"],
        "linked_mentions": sums["linked_mentions"],
        "findings": sums["findings"],
        "findings_judged": sums["judged"],
        "false_positives": sums["false_positives"],
        **measure(counts, settings.betas, settings.resamples, settings.seed),
        "worst_of_conversation": {severity: sums[f"worst_{severity}"] for severity in SEVERITIES},
    }


def _by_type(matches: Matches, settings: Settings) -> dict[str, Any]:
    return {"per_label": _per_label(matches, settings), "per_info_type": _per_info_type(matches)}


def _per_label(matches: Matches, settings: Settings) -> dict[str, Any]:
    """Recall by gold label, most frequent first; don't-care labels are left out."""
    spans = matches.spans.filter(pc.not_equal(matches.spans["kind"], "dont_care"))
    rows = {}
    for label, support in _values(spans["label"]).items():
        part = matches.of("label", label)
        measured = measure(count_all(part), (), settings.resamples, settings.seed)
        rows[label] = {
            "gold": support,
            "apart": part.spans["kind"][0].as_py() == "quasi",
            **{name: measured[name] for name in _OF_LABELS},
            "conversations": part.conversations.num_rows,
            "conversation_leak_rate": measured["conversation_leak_rate"],
        }
    return rows


def _per_info_type(matches: Matches) -> dict[str, Any]:
    """The precision of findings of each infoType, most frequent first."""
    rows = {}
    for info_type, number in _values(matches.findings["info_type"]).items():
        sums = totals(count_core(matches.of("info_type", info_type)))
        judged, chars = sums["judged"], sums["judged_chars"]
        rows[info_type] = {
            "findings": number,
            "judged": judged,
            "false_positives": sums["false_positives"],
            "char_precision": sums["right_chars"] / chars if chars else None,
            "typed_precision": sums["findings_typed"] / judged if judged else None,
        }
    return rows


def _values(column: pa.ChunkedArray) -> dict[str, int]:
    """The number of occurrences of each value, most frequent first, then by name."""
    counted = [(pair["values"], pair["counts"]) for pair in pc.value_counts(column).to_pylist()]
    return dict(sorted(counted, key=lambda pair: (-pair[1], pair[0])))
