from dataclasses import asdict, replace

import pytest

from tacenda.pipelines.output.summary import next_steps, summary, summary_json
from tacenda.transforms.schema.receipt import Totals


def _manifest(**verdict):
    return {
        "rows": {"in": 1200, "out": 1199, "quarantined": 1, "dropped": 0, "not_read": 0, "balanced": True},
        "totals": {
            **asdict(Totals()),
            "conversations": 1199,
            "turns": 5000,
            "quarantined": {"read/NullText": 1},
            "findings": {"PERSON_NAME": 7, "URL": 1},
        },
        "fields": {"kept": [], "opaque": {}, "dropped": [], "dropped_unnamed": 0},
        "verdict": {
            "state": "released",
            "threshold": 5,
            "held_by": [],
            "next": [],
            **verdict,
        },
    }


@pytest.fixture
def job(prepared, tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"conversation_id": "a", "turns": []}\n')
    return prepared("anonymize", source)[1]


def test_a_released_run(job):
    assert summary(_manifest(), job).splitlines() == [
        "rows           1,200 in = 1,199 out + 1 quarantined",
        "               1 quarantined: read, NullText",
        "conversations  1,199 with 5,000 turns",
        "findings       8 of 2 infoTypes",
        "verdict        released",
        f"output         {job.output}",
        f"report         {job.output}/report.html",
        f"next           correct the rows that were not processed: {job.output}/quarantine lists "
        "positions and errors",
        f"               give {job.output}/report.html to whoever decides; "
        f"the corpus is in {job.output}/corpus",
    ]


def test_what_was_dropped_and_what_is_valid_is_said(job):
    manifest = {**_manifest(), "written": {}, "shape": "chat"}
    manifest["fields"] = {"kept": ["note"], "opaque": {}, "dropped": ["customer"], "dropped_unnamed": 2}
    manifest["totals"]["rows_valid"] = 1199
    told = summary(manifest, job).splitlines()
    assert told[2:4] == [
        "               1,199 fit the JSON Schema of chat",
        "fields         dropped: customer and 2 more",
    ]
    assert summary_json(manifest, job)["rows_valid"] == 1199


def test_a_held_run_says_why(job):
    told = summary(_manifest(state="held", held_by=["gold, context sales: too high"]), job)
    assert "verdict        HELD" in told
    assert "               gold, context sales: too high\n" in told


def test_a_run_that_nobody_reviewed_says_what_it_lacks_and_what_to_do(job):
    told = summary(_manifest(state="unreviewed", lacks=["nobody reviewed it"], next=["tacenda review"]), job)
    assert "verdict        UNREVIEWED: nobody has read it" in told
    assert "               nobody reviewed it\n" in told
    assert told.endswith("\n               tacenda review")


def test_rows_that_were_dropped_are_counted(job):
    manifest = _manifest()
    manifest["rows"]["dropped"] = 3
    assert "1,199 out + 1 quarantined + 3 dropped\n" in summary(manifest, job)


def test_reasons_that_fill_the_screen_are_counted(job):
    told = summary(_manifest(state="held", held_by=[f"gold, context {i}: x" for i in range(1030)]), job)
    assert "context 19: x\n               and 1,010 more, in manifest.json\noutput" in told


def test_a_run_released_by_hand_says_so(job):
    assert "released by hand" in summary(_manifest(held_by=["x"], released_anyway="a test"), job)


def test_inspect_has_no_verdict_and_score_no_findings(job):
    manifest = _manifest()
    told = summary(manifest, replace(job, command="score"))
    assert "findings" not in told
    del manifest["verdict"]["threshold"]
    manifest["verdict"]["state"] = "inspected"
    told = summary(manifest, replace(job, command="inspect"))
    assert [line.split()[0] for line in told.splitlines()] == [
        "rows",
        "1",
        "conversations",
        "findings",
        "output",
        "next",
        "see",
    ]


def test_a_field_to_keep_that_was_not_met_is_noted(job):
    lines = summary(_manifest(), job, ("chanel",)).splitlines()
    assert any(line.startswith("note           --keep chanel: not in the records sampled") for line in lines)


def test_what_to_do_next_follows_the_outcome(job):
    whole = _manifest()
    whole["rows"]["quarantined"] = 0
    (released,) = next_steps(whole, job)
    assert released.startswith(f"give {job.output}/report.html to whoever decides")
    held = {**whole, "verdict": {**whole["verdict"], "state": "held", "next": ["read OUT/risk, --overwrite"]}}
    seen, mended = next_steps(held, job)
    assert f"{job.output}/report.html" in seen
    assert mended == f"read {job.output}/risk, --overwrite"
    (seen,) = next_steps(held, replace(job, command="score"))
    assert f"{job.output}/report.html" in seen
    inspected = {**whole, "verdict": {**whole["verdict"], "state": "inspected"}}
    (found,) = next_steps(inspected, replace(job, command="inspect"))
    assert f"{job.output}/findings" in found


def test_the_same_as_one_json_object(job):
    told = summary_json(_manifest(held_by=["x"], released_anyway="a test"), job, ("chanel",))
    assert told["state"] == "released by hand"
    assert told["rows"]["in"] == 1200
    assert told["findings"] == {"PERSON_NAME": 7, "URL": 1}
    assert (told["output"], told["report"]) == (job.output, f"{job.output}/report.html")
    assert told["notes"][0].startswith("--keep chanel")
    assert told["next"] == list(next_steps(_manifest(), job))
    assert summary_json(_manifest(), replace(job, command="inspect"))["report"] is None
