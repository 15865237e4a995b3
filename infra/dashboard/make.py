"""Write `dashboard.json`, a Grafana dashboard of a running job, from the counters that a job keeps.

    python infra/dashboard/make.py

The names are those under which Flink's Prometheus reporter gives Beam's counters: the scope of an operator, the
namespace and the name, with an underscore for every character that Prometheus does not take.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from tacenda.pipelines.ptransforms.metrics import COUNTERS, NAMESPACE

FILE = Path(__file__).parent / "dashboard.json"
PREFIX = f"flink_taskmanager_job_task_operator_{NAMESPACE}_"

_WIDTH, _HEIGHT, _COLUMNS = 8, 8, 3
_ROWS = ["rows_in", "rows_out", "rows_quarantined"]


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana imports it; the data source is chosen there."""
    panels = [
        _series("Rows a second", [(name, _rate(name)) for name in _ROWS], "rowsps"),
        _series("Conversations a second", [("conversations", _rate("conversations"))], "ops"),
        _series("Text a second", [("characters", _rate("characters"))], "short"),
        _series("Findings a second, by infoType", [("{{info_type}}", _by("findings", "info_type"))], "ops"),
        _series("Quarantined rows, by stage and class", [("{{error}}", _by("rejected", "error"))], "rowsps"),
        _stat("Share of rows in quarantine", _ratio("rows_quarantined", "rows_in"), "percentunit"),
        _stat("Units finished", _sum("units"), "short"),
        _stat("Seconds a unit", f"{_ratio('unit_milliseconds', 'units')} / 1000", "s"),
        _stat("Fill of the model's batches", _ratio("model_tokens", "model_places"), "percentunit"),
        _stat("Findings", _sum("findings"), "short"),
    ]
    for number, panel in enumerate(panels):
        row, column = divmod(number, _COLUMNS)
        panel["id"] = number + 1
        panel["gridPos"] = {"h": _HEIGHT, "w": _WIDTH, "x": column * _WIDTH, "y": row * _HEIGHT}
    return {
        "title": "Tacenda",
        "uid": "tacenda",
        "schemaVersion": 39,
        "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {
            "list": [
                {"name": "source", "label": "Data source", "type": "datasource", "query": "prometheus"},
                {
                    "name": "job",
                    "label": "Job",
                    "type": "query",
                    "datasource": _SOURCE,
                    "query": f"label_values({_metric('units')}, job_name)",
                    "refresh": 2,
                    "includeAll": True,
                    "multi": True,
                },
            ]
        },
        "panels": panels,
    }


def metrics_of(text: str) -> set[str]:
    """The names of our metrics in a query, without the prefix."""
    return set(re.findall(rf"{PREFIX}(\w+)", text))


_SOURCE = {"type": "prometheus", "uid": "${source}"}
_OF_THE_JOB = '{job_name=~"$job"}'


def _metric(name: str) -> str:
    if name not in COUNTERS:
        raise ValueError(f"no counter {name}")
    return PREFIX + name


def _sum(name: str) -> str:
    return f"sum({_metric(name)}{_OF_THE_JOB})"


def _rate(name: str) -> str:
    return f"sum(rate({_metric(name)}{_OF_THE_JOB}[5m]))"


def _ratio(part: str, whole: str) -> str:
    return f"{_sum(part)} / {_sum(whole)}"


def _by(prefix: str, label: str) -> str:
    """The rates of the counters under a prefix, with the rest of their names as a label."""
    names = f'{{__name__=~"{PREFIX}{prefix}_.+", job_name=~"$job"}}'
    # rate() drops the name, so that it becomes a label first.
    named = f'label_replace({names}, "{label}", "$1", "__name__", "{PREFIX}{prefix}_(.+)")'
    return f"sum by ({label}) (rate({named}[5m:30s]))"


def _series(title: str, queries: list[tuple[str, str]], unit: str) -> dict[str, Any]:
    return {**_panel(title, queries, unit), "type": "timeseries"}


def _stat(title: str, query: str, unit: str) -> dict[str, Any]:
    return {**_panel(title, [(title, query)], unit), "type": "stat"}


def _panel(title: str, queries: list[tuple[str, str]], unit: str) -> dict[str, Any]:
    targets = [
        {"refId": chr(ord("A") + i), "datasource": _SOURCE, "expr": query, "legendFormat": legend}
        for i, (legend, query) in enumerate(queries)
    ]
    return {
        "title": title,
        "datasource": _SOURCE,
        "targets": targets,
        "fieldConfig": {"defaults": {"unit": unit}, "overrides": []},
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(dashboard(), indent=1) + "\n", "utf-8")
    sys.stdout.write(f"{FILE}\n")
