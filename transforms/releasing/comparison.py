"""Compare a run with an earlier one: volumes, risk, findings, what was missed, quarantine, config and model.

A run is described by a snapshot, which follows from its manifest and statistics; the manifest of a run that is
compared holds the snapshot of the earlier one, so that its report can be made again from its folder alone.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tacenda.transforms.releasing.number_format import MISSING, decimal, percent, whole

_MOST_CONTEXTS, _MOST_ROWS = 100, 60
_COUNTS = ("conversations", "turns", "characters", "speakers_replaced")
_FIGURES = (
    "count",
    "mean",
    "std",
    "p95",
    "mu_plus_sigma",
    "share_at_or_over_threshold",
    "direct_identifiers",
)
_LONGEST_VALUE = 200

_VOLUMES = {
    "rows_in": "rows in",
    "rows_out": "rows out",
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
_ABOUT = {
    "state": "verdict",
    "threshold": "threshold",
    "tacenda": "Tacenda",
    "models": "models",
    "detectors": "detectors",
    "score_table": "score table",
    "shape": "input shape",
    "corpus": "corpus hash",
}


class Row(NamedTuple):
    """A figure before and after, and their difference if both are numbers."""

    what: str
    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed of one kind, figures or ``words``; ``equal`` others did not, and ``more`` do not fit."""

    title: str
    words: bool
    rows: tuple[Row, ...]
    equal: int
    more: int = 0


def snapshot(manifest: Mapping[str, Any], statistics: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared of a run, given the contents of ``manifest.json`` and ``statistics.json``.

    Raises:
        ValueError: they are not those of a run that scored conversations.
    """
    try:
        totals, detectors = manifest["totals"], manifest["config"]["detectors"]
        return {
            "state": _text(manifest["verdict"]["state"]),
            "threshold": _number(statistics["threshold"]),
            "tacenda": _text(manifest["tacenda"]),
            "models": ", ".join(
                f"{_text(m['name'])} {_text(m['version'])}" for m in detectors.get("models", ())
            ),
            "detectors": ", ".join(map(_text, detectors["names"])),
            "score_table": _text(manifest["score_table"]["version"]),
            "shape": _text(manifest["shape"]),
            "corpus": _text(manifest.get("corpus", {}).get("sha256", "")),
            **{
                f"rows_{name}": _number(rows) for name, rows in manifest["rows"].items() if name != "balanced"
            },
            **{name: _number(totals[name]) for name in _COUNTS},
            **{name: _counts(totals[name]) for name in ("findings", "missed", "quarantined")},
            "risk": {
                _text(source): _contexts(figures) for source, figures in sorted(statistics["sources"].items())
            },
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not the manifest and statistics of a run") from error


def config_changes(before: Any, after: Any, path: str = "") -> list[dict[str, str]]:
    """The settings that differ between two configs: ``setting``, and its value ``before`` and ``after``.

    Lists are compared as sets of their entries. A setting that one config lacks is empty there.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        found: list[dict[str, str]] = []
        for key in sorted({*before, *after}, key=str):
            found += config_changes(before.get(key), after.get(key), f"{path}.{key}" if path else str(key))
        return found
    if isinstance(before, list) and isinstance(after, list):
        one, other = set(map(_shown, before)), set(map(_shown, after))
        return [
            *({"setting": path, "before": entry, "after": ""} for entry in sorted(one - other)),
            *({"setting": path, "before": "", "after": entry} for entry in sorted(other - one)),
        ]
    if before == after:
        return []
    return [{"setting": path, "before": _shown(before), "after": _shown(after)}]


def compare(
    before: Mapping[str, Any], after: Mapping[str, Any], config: Iterable[Mapping[str, str]]
) -> tuple[Changes, ...]:
    """The changes between two snapshots, and those of the config, by kind."""
    named = {name: f"{name.removeprefix('rows_')}" for name in _COUNTS} | _VOLUMES
    kinds: tuple[tuple[str, bool, Iterable[Row]], ...] = (
        (
            "Verdict, versions and model",
            True,
            (_row(told, before[name], after[name], str) for name, told in _ABOUT.items()),
        ),
        ("Volumes", False, (_row(told, before[n], after[n], whole) for n, told in sorted(named.items()))),
        ("Risk", False, _risk(before["risk"], after["risk"])),
        ("Masked, by infoType", False, _counted(before["findings"], after["findings"])),
        ("Missed, by tag", False, _counted(before["missed"], after["missed"])),
        ("Quarantine, by stage and error", False, _counted(before["quarantined"], after["quarantined"])),
        ("Config", True, (_row(told["setting"], told["before"], told["after"], str) for told in config)),
    )
    return tuple(_limited(title, words, list(rows)) for title, words, rows in kinds)


def _limited(title: str, words: bool, rows: list[Row]) -> Changes:
    changed = [row for row in rows if row.before != row.after]
    more = max(0, len(changed) - _MOST_ROWS)
    return Changes(title, words, tuple(changed[:_MOST_ROWS]), len(rows) - len(changed), more)


def _risk(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Row]:
    for source in sorted({*before, *after}):
        one, other = before.get(source, {}), after.get(source, {})
        for context in sorted({*one, *other}, key=lambda name: (name is None, name)):
            where = f"{_SOURCES.get(source, source)}, {context or '(none)'}"
            for name, (told, shown) in _RISK.items():
                yield _row(
                    f"{where}: {told}",
                    one.get(context, {}).get(name),
                    other.get(context, {}).get(name),
                    shown,
                )


def _counted(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[Row]:
    rows = [(name, before.get(name, 0), after.get(name, 0)) for name in {*before, *after}]
    for name, one, other in sorted(rows, key=lambda row: (-abs(row[1] - row[2]), row[0])):
        yield _row(name, one, other, whole)


def _row(what: str, before: Any, after: Any, shown: Callable[[Any], str]) -> Row:
    numbers = all(type(value) in (int, float) for value in (before, after))
    change = ""
    if numbers and shown is percent:
        change = f"{100 * (after - before):+.1f} points".replace("-", "−")
    elif numbers and shown is not str:
        sign = "+" if after > before else "−" if after < before else "±"
        share = f" ({100 * (after - before) / before:+.1f} %)".replace("-", "−") if before else ""
        change = f"{sign}{shown(abs(after - before))}{share}"
    one, other = (MISSING if value in (None, "") else shown(value) for value in (before, after))
    return Row(what, one, other, change)


def _contexts(figures: Mapping[str, Any]) -> dict[str, Any]:
    contexts = figures["contexts"] if 1 < len(figures["contexts"]) <= _MOST_CONTEXTS else {}
    groups = {
        **{_text(name): group for name, group in sorted(contexts.items())},
        "all contexts": figures["total"],
    }
    return {
        name: {figure: None if group[figure] is None else _number(group[figure]) for figure in _FIGURES}
        for name, group in groups.items()
    }


def _counts(counts: Mapping[str, Any]) -> dict[str, Any]:
    return {_text(name): _number(count) for name, count in sorted(counts.items())}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: Any) -> Any:
    if type(value) not in (int, float):
        raise TypeError
    return value


def _shown(value: Any) -> str:
    """A value of a config in one short line; empty for none."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
