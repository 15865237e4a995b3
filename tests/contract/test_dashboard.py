"""The dashboard shows the counters that a job keeps, and lays no panel over another."""

import json
import re
from pathlib import Path

from tacenda.pipelines.ptransforms.metrics import NAMESPACE

FOLDER = Path(__file__).parents[2] / "infra" / "dashboard"
PANELS = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))["panels"]
METRIC = re.compile(rf"flink_taskmanager_job_task_operator_{NAMESPACE}_(\w+)")
"""As Flink names Beam's counters for Prometheus: the scope of an operator, the namespace and the name."""

PAGE = (FOLDER / "README.md").read_text("utf-8").partition("|---|")[2].partition("\n\n")[0]
COUNTERS = set(re.findall("`([a-z_]+)`", PAGE))


def test_the_dashboard_shows_every_counter_and_no_other():
    queries = [target["expr"] for panel in PANELS for target in panel["targets"]]
    shown = {name for query in queries for name in METRIC.findall(query)}
    assert {name for name in shown if not name.startswith(("findings_", "rejected_"))} == COUNTERS


def test_panels_do_not_overlap():
    places = [panel["gridPos"] for panel in PANELS]
    assert len({(place["x"], place["y"]) for place in places}) == len(places)
    assert all(place["x"] + place["w"] <= 24 for place in places)
