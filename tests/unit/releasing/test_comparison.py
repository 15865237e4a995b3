import json

import pytest

from tacenda.transforms.releasing.comparison import Row, compare, config_changes, snapshot
from tacenda.transforms.scoring.statistics import RiskSketch

CONFIG = {"detectors": {"names": ["rules", "model"], "models": [{"name": "minilm", "version": "8"}]}}


def manifest(**changed):
    told = {
        "verdict": {"state": "held"},
        "tacenda": "0.1.0",
        "config": CONFIG,
        "score_table": {"version": "2"},
        "shape": "chat",
        "rows": {"in": 100, "out": 98, "quarantined": 2, "dropped": 0, "not_read": 0, "balanced": True},
        "totals": {
            "conversations": 98,
            "turns": 500,
            "characters": 12_000,
            "speakers_replaced": 3,
            "findings": {"AGE": 10, "PERSON_NAME": 400},
            "missed": {"AGE": 2},
            "quarantined": {"read/InvalidJson": 2},
        },
    }
    return told | changed


def statistics(*scores, sales=()):
    sketch = RiskSketch()
    for context, of in (("support", scores), ("sales", sales)):
        for score in of:
            sketch.add("model", context, score)
    return sketch.compute().to_json()


def changed(before, after, config=()):
    return {kind.title: kind for kind in compare(before, after, config)}


def test_equal_runs_have_no_changes():
    one = snapshot(manifest(), statistics(0, 0, 5))
    found = changed(one, json.loads(json.dumps(one)))
    assert not any(kind.rows for kind in found.values())
    assert found["Masked, by infoType"].equal == 2


def test_each_figure_that_changed_is_listed_with_its_difference():
    totals = manifest()["totals"] | {"findings": {"PERSON_NAME": 500, "URL": 1}, "conversations": 49}
    found = changed(
        snapshot(manifest(), statistics(0, 0, 5)), snapshot(manifest(totals=totals), statistics(0, 0, 0))
    )
    assert found["Masked, by infoType"].rows == (
        Row("PERSON_NAME", "400", "500", "+100 (+25.0 %)"),
        Row("AGE", "10", "0", "−10 (−100.0 %)"),
        Row("URL", "0", "1", "+1"),
    )
    assert found["Volumes"].rows == (Row("conversations", "98", "49", "−49 (−50.0 %)"),)
    risk = {row.what: row for row in found["Risk"].rows}
    assert risk["suspected, all contexts: mean"].before == "1.67"
    assert risk["suspected, all contexts: at or over the threshold"].change == "−33.3 points"


def test_contexts_that_one_run_lacks_are_shown_as_missing():
    found = changed(snapshot(manifest(), statistics(0, 1)), snapshot(manifest(), statistics(0, 1, sales=[2])))
    rows = {row.what: row for row in found["Risk"].rows}
    assert rows["suspected, sales: mean"] == Row("suspected, sales: mean", "–", "2.00", "")


def test_settings_are_compared_by_their_paths():
    before = {"risk": {"threshold": 5, "because": None}, "inspect": {"info_types": [{"name": "AGE"}]}}
    after = {"risk": {"threshold": 4, "because": None}, "inspect": {"info_types": [{"name": "URL"}]}, "x": {}}
    assert config_changes(before, after) == [
        {"setting": "inspect.info_types", "before": '{"name": "AGE"}', "after": ""},
        {"setting": "inspect.info_types", "before": "", "after": '{"name": "URL"}'},
        {"setting": "risk.threshold", "before": "5", "after": "4"},
        {"setting": "x", "before": "", "after": "{}"},
    ]


def test_many_changes_are_cut_and_counted():
    totals = manifest()["totals"] | {"findings": {f"KIND_{i:03}": i + 1 for i in range(200)}}
    found = changed(snapshot(manifest(), statistics(0)), snapshot(manifest(totals=totals), statistics(0)))
    kind = found["Masked, by infoType"]
    assert (len(kind.rows), kind.more, kind.equal) == (60, 142, 0)
    assert kind.rows[0].what == "PERSON_NAME"


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"verdict": None},
        manifest(totals={}),
        manifest(shape=3),
        manifest(rows={"in": "many"}),
        manifest(config={"detectors": {"names": "rules", "models": [3]}}),
    ],
)
def test_what_is_no_manifest_is_refused(broken):
    with pytest.raises(ValueError, match="not the manifest"):
        snapshot(broken, statistics(0))
    with pytest.raises(ValueError, match="not the manifest"):
        snapshot(manifest(), {})
