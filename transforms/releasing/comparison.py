"""Compare a run with an earlier one: volumes, risk, findings, what was missed, quarantine, config and model.

A run is described by a snapshot, which follows from its manifest and statistics; the manifest of a run that is
compared holds the snapshot of the earlier one, so that its report can be made again from its folder alone.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tacenda.transforms.releasing.number_format import MISSING, decimal, percent, whole

_MOST_CONTEXTS, _MOST_ROWS, _LONGEST_VALUE = 100, 60, 200
_COUNTS = ("conversations", "turns", "characters", "speakers_replaced")
_VOLUMES = {name: name.replace("_", " ") for name in ("rows_in", "rows_out", *_COUNTS)} | {
    "rows_quarantined": "rows in quarantine",
    "rows_dropped": "rows dropped by request",
    "rows_not_read": "rows not read by request",
    "speakers_replaced": "speaker labels replaced",
}
_RISK: dict[str, tuple[str, Callable[[Any], str]]] = {
    "count": ("conversations scored", whole),
    "mean": ("mean", decimal),
    "std": ("standard deviation", decimal),
    "p95": ("P95", decimal),
    "mu_plus_sigma": ("μ + σ", decimal),
    "share_at_or_over_threshold": ("at or over the threshold", percent),
    "direct_identifiers": ("with a direct identifier", whole),
}
_SOURCES = {"human": "reviewed by people", "gold": "gold", "model": "suspected"}
_ABOUT = {"state": "verdict", "threshold": "threshold", "tacenda": "Tacenda", "models": "models"} | {
    "detectors": "detectors",
    "score_table": "score table",
    "shape": "input shape",
    "corpus": "corpus hash",
}
_COUNTED = {
    "findings": "Masked, by infoType",
    "missed": "Missed, by tag",
    "quarantined": "Quarantine, by stage and error",
}


class Row(NamedTuple):
    """A figure before and after, and their difference if both are numbers."""

    what: str
    before: str
    after: str
    change: str


def snapshot(manifest: Mapping[str, Any], statistics: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared of a run, given the contents of ``manifest.json`` and ``statistics.json``.

    Raises:
        ValueError: they are not those of a run that scored conversations.
    """
    try:
        totals, detectors = manifest["totals"], manifest["config"]["detectors"]
        rows = {f"rows_{name}": number for name, number in manifest["rows"].items() if name != "balanced"}
        told = {
            "state": manifest["verdict"]["state"],
            "threshold": statistics["threshold"],
            "tacenda": manifest["tacenda"],
            "models": ", ".join(f"{one['name']} {one['version']}" for one in detectors.get("models", ())),
            "detectors": ", ".join(detectors["names"]),
            "score_table": manifest["score_table"]["version"],
            "shape": manifest["shape"],
            "corpus": manifest.get("corpus", {}).get("sha256", ""),
            **rows,
            **{name: totals[name] for name in _COUNTS},
            **{name: dict(sorted(totals[name].items())) for name in ("findings", "missed", "quarantined")},
            "risk": {source: _contexts(told) for source, told in sorted(statistics["sources"].items())},
        }
        words = [value for name, value in told.items() if name in _ABOUT and name != "threshold"]
        numbers = [told[name] for name in (*rows, *_COUNTS, "threshold")]
        counts = [number for name in _COUNTED for number in told[name].values()]
        if all(isinstance(one, str) for one in words) and all(map(_is_number, (*numbers, *counts))):
            return told
    except (KeyError, TypeError, AttributeError):
        pass
    raise ValueError("not the manifest and statistics of a run")


def _contexts(figures: Mapping[str, Any]) -> dict[str, Any]:
    contexts = sorted(figures["contexts"].items()) if 1 < len(figures["contexts"]) <= _MOST_CONTEXTS else ()
    groups = [*contexts, ("all contexts", figures["total"])]
    return {name: {figure: group[figure] for figure in _RISK} for name, group in groups}


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def config_changes(before: Any, after: Any, path: str = "") -> list[dict[str, str]]:
    """The settings that differ between two configs: ``setting``, and its value ``before`` and ``after``.

    Lists are compared as sets of their entries. A setting that one config lacks is empty there.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        keys = sorted({*before, *after}, key=str)
        inner = ((before.get(key), after.get(key), f"{path}.{key}" if path else str(key)) for key in keys)
        return [change for both in inner for change in config_changes(*both)]
    pairs = [] if before == after else [(_shown(before), _shown(after))]
    if isinstance(before, list) and isinstance(after, list):
        one, other = set(map(_shown, before)), set(map(_shown, after))
        pairs = [(entry, "") for entry in sorted(one - other)] + [
            ("", entry) for entry in sorted(other - one)
        ]
    return [{"setting": path, "before": was, "after": now} for was, now in pairs]


def _shown(value: Any) -> str:
    """A value of a config in one short line; empty for none."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def compare(
    before: Mapping[str, Any], after: Mapping[str, Any], config: Iterable[Mapping[str, str]]
) -> dict[str, list[Row]]:
    """What differs between two snapshots, and between their configs, by kind."""
    kinds: dict[str, Iterable[Row]] = {
        "Verdict, versions and model": (
            _row(told, before[name], after[name], str) for name, told in _ABOUT.items()
        ),
        "Volumes": (_row(told, before[name], after[name], whole) for name, told in sorted(_VOLUMES.items())),
        "Risk": _risk(before["risk"], after["risk"]),
        **{title: _counted(before[name], after[name]) for name, title in _COUNTED.items()},
        "Config": (_row(one["setting"], one["before"], one["after"], str) for one in config),
    }
    changed = {
        title: [row for row in rows if row.before != row.after][:_MOST_ROWS] for title, rows in kinds.items()
    }
    return {title: rows for title, rows in changed.items() if rows}


def _risk(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Row]:
    for source in sorted({*before, *after}):
        one, other = before.get(source, {}), after.get(source, {})
        for context in sorted({*one, *other}):
            where = f"{_SOURCES.get(source, source)}, {context or '(none)'}"
            for name, (told, shown) in _RISK.items():
                before_it, after_it = (group.get(context, {}).get(name) for group in (one, other))
                yield _row(f"{where}: {told}", before_it, after_it, shown)


def _counted(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[Row]:
    rows = [(name, before.get(name, 0), after.get(name, 0)) for name in {*before, *after}]
    for name, one, other in sorted(rows, key=lambda row: (-abs(row[1] - row[2]), row[0])):
        yield _row(name, one, other, whole)


def _row(what: str, before: Any, after: Any, shown: Callable[[Any], str]) -> Row:
    change = ""
    if shown is not str and _is_number(before) and _is_number(after):
        if shown is percent:
            change = f"{100 * (after - before):+.1f} points".replace("-", "−")
        else:
            sign = "+" if after > before else "−" if after < before else "±"
            share = f" ({100 * (after - before) / before:+.1f} %)".replace("-", "−") if before else ""
            change = f"{sign}{shown(abs(after - before))}{share}"
    one, other = (MISSING if value in (None, "") else shown(value) for value in (before, after))
    return Row(what, one, other, change)
