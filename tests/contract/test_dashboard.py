"""The dashboard is current, shows metrics that a job keeps, and lays no panel over another."""

import json
import sys
from pathlib import Path

import pytest

from tacenda.pipelines.ptransforms.metrics import COUNTERS

ROOT = Path(__file__).parents[2]

sys.path.append(str(ROOT / "infra" / "dashboard"))
import make  # noqa: E402

WRITTEN = make.FILE.read_text("utf-8")


def test_the_dashboard_is_up_to_date() -> None:
    assert json.loads(WRITTEN) == make.dashboard(), "run: python infra/dashboard/make.py"


def test_the_dashboard_shows_every_counter_and_no_other() -> None:
    queries = [target["expr"] for panel in make.dashboard()["panels"] for target in panel["targets"]]
    shown = set().union(*map(make.metrics_of, queries))
    assert shown - {"findings_", "rejected_"} == set(COUNTERS)
    with pytest.raises(ValueError, match="no counter rows"):
        make._metric("rows")


def test_panels_do_not_overlap() -> None:
    places = [panel["gridPos"] for panel in make.dashboard()["panels"]]
    assert len({(place["x"], place["y"]) for place in places}) == len(places)
    assert all(place["x"] + place["w"] <= 24 for place in places)


def test_the_page_names_every_counter() -> None:
    page = (make.FILE.parent / "README.md").read_text("utf-8")
    assert [name for name in COUNTERS if f"`{name}`" not in page] == []
