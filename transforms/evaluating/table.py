"""The evaluation as tables for the terminal: figures and labels, never text of the data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tacenda.transforms.evaluating.counting import MEANINGS
from tacenda.transforms.evaluating.metrics import LINKINGS, MATCHINGS
from tacenda.transforms.schema.residual import counted

NONE = "–"

_LEAST_P_VALUE = 0.0001

_LINKING_NAMES = {"pairwise": "pairwise", "muc": "MUC", "b_cubed": "B³", "ceaf_e": "CEAF-e"}

Cells = Sequence[str]


def render(summary: Mapping[str, Any], every_label: bool = False) -> str:
    """All tables of a summary; ``every_label`` adds those by label for each file, and of infoTypes found."""
    total, files = summary["total"], summary["files"]
    betas = list(total["f"]["masking"])
    groups = {**files, "total": total} if len(files) > 1 else {**files}
    blocks = [
        *_section("By file", _groups("file", groups, betas)),
        *_section("By infoType of the gold", _labels(total)),
    ]
    if every_label and len(files) > 1:
        for name, group in files.items():
            blocks += _section(f"By infoType of the gold, {name}", _labels(group))
    if every_label:
        blocks += _section("By infoType found", _info_types(total))
    blocks += _section("What remains, and what was replaced needlessly", _amounts("file", groups))
    blocks += _section("Boundaries and entities", _entities("file", groups))
    blocks += _section("Linking of the mentions found", _linking(total))
    for field, values in summary["slices"].items():
        blocks += _section(f"By {field}", _groups(field, values, betas))
    blocks += _section("By way of matching", _matchings(total, betas))
    blocks += _section("Worst of each conversation", _worst(total))
    if "comparison" in summary:
        blocks += _section("Compared with the other config", _comparison(summary["comparison"]))
    return "\n".join([*blocks, *_notes(summary)])


def _section(title: str, rows: Sequence[Cells]) -> list[str]:
    return [title, *_aligned(rows), ""] if len(rows) > 1 else []


def _aligned(rows: Sequence[Cells]) -> Iterator[str]:
    """Columns of equal width; the first is left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *rest = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  " + "  ".join([first, *rest]).rstrip()


def _groups(name: str, groups: Mapping[str, Any], betas: Sequence[str]) -> list[Cells]:
    head = [name, "convs", "spans", "recall", "95 %", "typed", "char prec.", "95 %"]
    rows: list[Cells] = [[*head, *(f"F{beta}" for beta in betas), "leaking", "95 %"]]
    for value, group in groups.items():
        leak = group["conversation_leak_rate"]
        rows.append(
            [
                value,
                f"{group['conversations']:,}",
                f"{group['gold_spans']:,}",
                *_with_interval(group["recall"]),
                _share(group["typed_recall"]["value"]),
                *_with_interval(group["char_precision"]),
                *(_share(group["f"]["masking"][beta]["value"]) for beta in betas),
                *_with_interval(leak),
            ]
        )
    return rows


def _amounts(name: str, groups: Mapping[str, Any]) -> list[Cells]:
    """The shares of :func:`_groups` as amounts: letters and digits, and conversations."""
    rows: list[Cells] = [[name, "letters of gold", "left", "convs with gold", "leaking", "found", "wrong"]]
    for value, group in groups.items():
        letters, leak, right = (
            group[of] for of in ("char_recall", "conversation_leak_rate", "char_precision")
        )
        rows.append(
            [
                value,
                f"{letters['of']:,}",
                f"{letters['of'] - letters['hits']:,}",
                f"{leak['of']:,}",
                f"{leak['hits']:,}",
                f"{right['of']:,}",
                f"{right['of'] - right['hits']:,}",
            ]
        )
    return rows


def _entities(name: str, groups: Mapping[str, Any]) -> list[Cells]:
    head = [name, "touched", "exact edges", "95 %", "excess", "95 %"]
    rows: list[Cells] = [[*head, "entities", "consistent", "95 %", "named twice", "consistent", "95 %"]]
    for value, group in groups.items():
        exact, excess = group["exact_boundary_rate"], group["mean_excess_chars"]
        every, repeated = group["consistent_detection"], group["consistent_detection_repeated"]
        rows.append(
            [
                value,
                f"{exact['of']:,}",
                *_with_interval(exact),
                *_with_interval(excess),
                f"{every['of']:,}",
                *_with_interval(every),
                f"{repeated['of']:,}",
                *_with_interval(repeated),
            ]
        )
    return rows


def _linking(group: Mapping[str, Any]) -> list[Cells]:
    if not group["linked_mentions"]:
        return []
    rows: list[Cells] = [["measure", "recall", "95 %", "precision", "95 %", "F1", "95 %"]]
    rows.extend(
        [
            _LINKING_NAMES[measure],
            *_with_interval(group[recall]),
            *_with_interval(group[precision]),
            *_with_interval(group["linking_f1"][measure]),
        ]
        for measure, (recall, precision) in LINKINGS.items()
    )
    return rows


def _labels(group: Mapping[str, Any]) -> list[Cells]:
    rows: list[Cells] = [
        [
            *("infoType", "spans", "recall", "95 %", "typed", "partly", "strict"),
            *("exact edges", "excess", "consistent", "convs", "leaking"),
        ]
    ]
    for apart in (False, True):
        rows.extend(
            [
                label + " (apart)" * apart,
                f"{row['gold']:,}",
                *_with_interval(row["recall"]),
                _share(row["typed_recall"]["value"]),
                _share(row["partial"]["value"]),
                _share(row["strict_recall"]["value"]),
                _share(row["exact_boundary_rate"]["value"]),
                _share(row["mean_excess_chars"]["value"]),
                _share(row["consistent_detection"]["value"]),
                f"{row['conversations']:,}",
                _share(row["conversation_leak_rate"]["value"]),
            ]
            for label, row in group["per_label"].items()
            if row["apart"] is apart
        )
    return rows


def _info_types(group: Mapping[str, Any]) -> list[Cells]:
    rows: list[Cells] = [["infoType", "findings", "judged", "false positives", "char prec.", "typed prec."]]
    rows.extend(
        [
            info_type,
            f"{row['findings']:,}",
            f"{row['judged']:,}",
            f"{row['false_positives']:,}",
            _share(row["char_precision"]),
            _share(row["typed_precision"]),
        ]
        for info_type, row in group["per_info_type"].items()
    )
    return rows


def _matchings(group: Mapping[str, Any], betas: Sequence[str]) -> list[Cells]:
    head = ["matching", "recall", "95 %", "precision", "95 %"]
    rows: list[Cells] = [[*head, *(cell for beta in betas for cell in (f"F{beta}", "95 %"))]]
    for matching, (recall, precision) in MATCHINGS.items():
        scores = (group["f"][matching][beta] for beta in betas)
        rows.append(
            [
                matching,
                *_with_interval(group[recall]),
                *_with_interval(group[precision]),
                *(cell for score in scores for cell in _with_interval(score)),
            ]
        )
    return rows


def _worst(group: Mapping[str, Any]) -> list[Cells]:
    rows: list[Cells] = [["", "convs"]]
    rows.extend(
        [f"{severity}  {MEANINGS[severity]}", f"{number:,}"]
        for severity, number in group["worst_of_conversation"].items()
    )
    return rows


def _comparison(comparison: Mapping[str, Any]) -> list[Cells]:
    rows: list[Cells] = [["safe under", "both", "only the first", "only the other", "neither", "McNemar p"]]
    rows.extend(
        [
            what,
            *(f"{comparison[what][name]:,}" for name in ("both", "only_first", "only_second", "neither")),
            _p_value(comparison[what]["p_value"]),
        ]
        for what in ("spans", "conversations")
    )
    return rows


def _notes(summary: Mapping[str, Any]) -> Iterator[str]:
    total, labels = summary["total"], summary["labels"]
    gold = ", ".join(f"{number:,} {kind}" for kind, number in total["gold"].items())
    languages = ", ".join(f"{language} {number:,}" for language, number in total["languages"].items())
    yield f"{counted(total['conversations'], 'conversation')}: gold {gold}; languages {languages}"
    if "comparison" in summary:
        difference = summary["comparison"]["recall_difference"]
        yield "recall of the other config minus the first's: " + _signed(difference)
    yield (
        "recall: spans with every letter and digit covered by some finding, of any type; typed: touched by a "
        "finding of their class"
    )
    yield (
        "char prec.: gold share of the letters and digits covered by findings, where the gold is complete; "
        f"{total['findings_judged']:,} of {total['findings']:,} findings judged"
    )
    yield (
        "exact edges: share of the touched spans with a finding of the same limits, without titles and "
        "punctuation at the edges; excess: letters and digits of findings outside of any gold, per touched span"
    )
    yield "consistent: share of the entities with every mention covered"
    if total["linked_mentions"]:
        yield (
            f"linking: of {total['linked_mentions']:,} spans found whose entity is known: by the annotator's "
            "entities, else by equal values in one conversation"
        )
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


def _with_interval(figure: Mapping[str, Any]) -> tuple[str, str]:
    interval = figure["interval"]
    return _share(figure["value"]), NONE if interval is None else f"{interval[0]:.3f}-{interval[1]:.3f}"


def _signed(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return NONE
    interval = figure["interval"]
    limits = "" if interval is None else f" (95 %: {interval[0]:+.3f} to {interval[1]:+.3f})"
    return f"{figure['value']:+.3f}{limits}"


def _p_value(value: float) -> str:
    return f"{value:.4f}" if value >= _LEAST_P_VALUE else f"<{_LEAST_P_VALUE}"


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
