"""The evaluation as tables for the terminal: figures and labels, never text of the data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from tacenda.transforms.evaluating.counting import MEANINGS
from tacenda.transforms.evaluating.metrics import LINKINGS, MATCHINGS
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.storage.yaml_text import data_file

NONE = "–"

_LEAST_P_VALUE = 0.0001

_LINKING_NAMES = {"pairwise": "pairwise", "muc": "MUC", "b_cubed": "B³", "ceaf_e": "CEAF-e"}

Cells = Sequence[str]
Columns = Sequence[tuple[str, str, str]]
"""For each column a heading, how the figure is shown (a key of ``_SHOWN``), and its name in the summary."""


@cache
def _columns(table: str) -> Columns:
    columns: Columns = data_file(__package__, "table.yaml")[table]
    return columns


def render(summary: Mapping[str, Any], every_label: bool = False) -> str:
    """All tables of a summary; ``every_label`` adds those by label for each file, and of infoTypes found."""
    total, files = summary["total"], summary["files"]
    betas = [f"F{beta}" for beta in total["f"]["masking"]]
    groups = {**files, "total": total} if len(files) > 1 else {**files}
    linking = _pairs(LINKINGS, total, total["linking_f1"], ["F1"]) if total["linked_mentions"] else {}
    several = files if every_label and len(files) > 1 else {}
    f_columns = [(beta, "interval", beta) for beta in betas]
    matchings = _pairs(MATCHINGS, total, total["f"], betas)
    worst = {f"{k}  {MEANINGS[k]}": {"n": n} for k, n in total["worst_of_conversation"].items()}
    sections = [
        ("By file", _groups("file", groups, betas)),
        ("By infoType of the gold", _labels(total)),
        *((f"By infoType of the gold, {name}", _labels(group)) for name, group in several.items()),
        (
            "By infoType found",
            _table("infoType", "info_types", (every_label and total["per_info_type"]) or {}),
        ),
        ("What remains, and what was replaced needlessly", _table("file", "amounts", groups)),
        ("Boundaries and entities", _table("file", "entities", groups)),
        ("Linking of the mentions found", _table("measure", "both", linking, [("F1", "interval", "F1")])),
        *((f"By {field}", _groups(field, values, betas)) for field, values in summary["slices"].items()),
        ("By way of matching", _table("matching", "both", matchings, f_columns)),
        ("Worst of each conversation", _table("", "worst", worst)),
    ]
    if "comparison" in summary:
        compared = {what: summary["comparison"][what] for what in ("spans", "conversations")}
        sections.append(("Compared with the other config", _table("safe under", "compared", compared)))
    shown = [line for title, rows in sections if len(rows) > 1 for line in (title, *_aligned(rows), "")]
    return "\n".join([*shown, *_notes(summary)])


def _aligned(rows: Sequence[Cells]) -> Iterator[str]:
    """Columns of equal width; the first is left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(n) for cell, n in zip(rest, widths[1:], strict=True))]
        yield "  " + "  ".join(cells).rstrip()


def _table(name: str, table: str, rows: Mapping[str, Mapping[str, Any]], more: Columns = ()) -> list[Cells]:
    """A heading and a row for each of the named figures; ``more`` are columns beside those of the table."""
    columns = [*_columns(table), *more]
    head = [cell for title, how, _ in columns for cell in ([title, "95 %"] if how == "interval" else [title])]
    cells = [
        [value, *(cell for _, how, key in columns for cell in _SHOWN[how](figures[key]))]
        for value, figures in rows.items()
    ]
    return [[name, *head], *cells]


def _groups(name: str, groups: Mapping[str, Any], betas: Sequence[str]) -> list[Cells]:
    rows = {
        value: {**group, **dict(zip(betas, group["f"]["masking"].values(), strict=True))}
        for value, group in groups.items()
    }
    scores = [(beta, "value", beta) for beta in betas]
    return _table(name, "by_file", rows, (*scores, *_columns("leaking")))


def _labels(group: Mapping[str, Any]) -> list[Cells]:
    in_order = sorted(group["per_label"].items(), key=lambda item: item[1]["apart"])
    return _table("infoType", "labels", {label + " (apart)" * row["apart"]: row for label, row in in_order})


def _pairs(
    pairs: Mapping[str, tuple[str, str]], group: Mapping[str, Any], f: Mapping[str, Any], names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Recall, precision and F of each kind of matching or measure of linking; ``names`` are those of the F."""
    return {
        _LINKING_NAMES.get(kind, kind): {
            "recall": group[recall],
            "precision": group[precision],
            **dict(zip(names, [f[kind]] if pairs is LINKINGS else f[kind].values(), strict=True)),
        }
        for kind, (recall, precision) in pairs.items()
    }


def _notes(summary: Mapping[str, Any]) -> Iterator[str]:
    total, labels = summary["total"], summary["labels"]
    gold = ", ".join(f"{number:,} {kind}" for kind, number in total["gold"].items())
    languages = ", ".join(f"{language} {number:,}" for language, number in total["languages"].items())
    yield f"{counted(total['conversations'], 'conversation')}: gold {gold}; languages {languages}"
    if "comparison" in summary:
        difference = summary["comparison"]["recall_difference"]
        yield "recall of the other config minus the first's: " + _signed(difference)
    yield "recall: spans wholly under findings, of any type; typed: touched by a finding of their class"
    yield "char prec.: gold share of the letters and digits under findings, where gold is complete"
    yield "over-masking: share of the letters and digits outside of complete gold that are under findings"
    yield f"{total['findings_judged']:,} of {total['findings']:,} findings judged"
    yield "exact edges: share of touched spans with a finding of the same limits, titles and signs aside"
    yield "excess: letters and digits of findings outside of any gold, per touched span"
    yield "consistent: share of the entities with every mention covered"
    if mentions := total["linked_mentions"]:
        yield f"linking: of {mentions:,} spans found whose entity the annotator tells, else equal values"
    yield "leaking: share of the conversations with personal data that stays readable in part or whole"
    yield "95 %: the wider of Wilson's interval and a bootstrap over conversations"
    for kind, what in (("quasi", "counted apart"), ("dont_care", "not counted")):
        if labels[kind]:
            yield f"{what}: " + ", ".join(f"{label} {number:,}" for label, number in labels[kind].items())
    if summary["unknown_labels"]:
        yield "unknown labels, counted all the same: " + ", ".join(summary["unknown_labels"])
    if total["rejected"]:
        rejected = counted(total["rejected"], "conversation")
        yield f"{rejected} could not be processed; all spans there count as missed"
    for error, number in summary.get("unread", {}).items():
        yield f"{number:,} left out: {error}"


def _range(interval: tuple[float, float] | None) -> str:
    return NONE if interval is None else f"{interval[0]:.3f}-{interval[1]:.3f}"


def _signed(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return NONE
    interval = figure["interval"]
    limits = "" if interval is None else f" (95 %: {interval[0]:+.3f} to {interval[1]:+.3f})"
    return f"{figure['value']:+.3f}{limits}"


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


_SHOWN: Mapping[str, Callable[[Any], Sequence[str]]] = {  # how figures become cells
    "count": lambda number: [f"{number:,}"],
    "of": lambda figure: [f"{figure['of']:,}"],
    "hits": lambda figure: [f"{figure['hits']:,}"],
    "rest": lambda figure: [f"{figure['of'] - figure['hits']:,}"],
    "share": lambda value: [_share(value)],
    "value": lambda figure: [_share(figure["value"])],
    "interval": lambda figure: [_share(figure["value"]), _range(figure["interval"])],
    "p_value": lambda value: [f"{value:.4f}" if value >= _LEAST_P_VALUE else f"<{_LEAST_P_VALUE}"],
}
