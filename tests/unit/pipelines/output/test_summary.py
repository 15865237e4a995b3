"""What a command prints at its end, in words and as JSON."""

from dataclasses import asdict, replace

import pytest

from tacenda.pipelines.output.summary import figures_in_words, next_steps, summary, summary_json
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.scoring.bounds import Reading
from tests.cases import tabled


def _manifest(rows=(), totals=(), fields=(), **verdict):
    counts = {"in": 1200, "out": 1199, "quarantined": 1, "dropped": 0, "not_read": 0, "balanced": True}
    found = {"quarantined": {"read/NullText": 1}, "findings": {"PERSON_NAME": 7, "URL": 1}}
    return {
        "rows": {**counts, **dict(rows)},
        "totals": {**asdict(Totals()), "conversations": 1199, "turns": 5000, **found, **dict(totals)},
        "fields": {"kept": [], "opaque": {}, "dropped": [], "dropped_unnamed": 0, **dict(fields)},
        "verdict": {"state": "released", "threshold": 5, "held_by": [], "next": [], **verdict},
    }


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


KEPT = {"kept": ["note"], "dropped": ["customer"], "dropped_unnamed": 2}
UNREAD = {"state": "unreviewed", "lacks": ["people have to read a sample of it"], "next": ["tacenda review"]}


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        (
            _manifest(fields=KEPT),
            "fields         dropped: customer and 2 more",
        ),
        (
            _manifest(state="held", held_by=["gold, context sales: too high"]),
            "verdict        HELD\n               gold, context sales: too high\n",
        ),
        (
            _manifest(**UNREAD),
            "UNREVIEWED: nobody has read it\n               people have to read a sample of it\n",
        ),
        (_manifest(**UNREAD), "\n               tacenda review"),
        (_manifest(rows={"dropped": 3}), "1,199 out + 1 quarantined + 3 dropped\n"),
        (
            _manifest(state="held", held_by=[f"gold, context {i}: x" for i in range(1030)]),
            "context 19: x\n               and 1,010 more, in manifest.json\noutput",
        ),
    ],
)
def test_what_is_told_of_a_run(job, manifest, told):
    assert told in summary(manifest, job)


def test_inspect_has_no_verdict_and_score_no_findings(job):
    assert "findings" not in summary(_manifest(), replace(job, command="score"))
    told = summary(_manifest(state="inspected"), replace(job, command="inspect"))
    heads = ["rows", "1", "conversations", "findings", "output", "next", "see"]
    assert [line.split()[0] for line in told.splitlines()] == heads


@tabled("command", "state", "steps")
def test_what_to_do_next_follows_the_outcome(job, command, state, steps):
    manifest = _manifest({"quarantined": 0}, state=state, held_by=["x"], next=["read OUT/risk, --overwrite"])
    told = list(next_steps(manifest, replace(job, command=command)))
    assert len(told) == len(steps)
    for step, start in zip(told, steps, strict=True):
        assert step.startswith(start.replace("{}", job.output))


def test_the_same_as_one_json_object(job):
    told = summary_json(_manifest(held_by=["x"]), job, ("chanel",))
    assert (told["state"], told["rows"]["in"]) == ("released", 1200)
    assert told["findings"] == {"PERSON_NAME": 7, "URL": 1}
    assert (told["output"], told["report"]) == (job.output, f"{job.output}/report.html")
    assert told["notes"][0].startswith("--keep chanel: not in the records sampled")
    assert f"note           {told['notes'][0]}" in summary(_manifest(), job, ("chanel",))
    assert told["next"] == list(next_steps(_manifest(), job))
    assert summary_json(_manifest(), replace(job, command="inspect"))["report"] is None


def test_the_figures_are_told_with_their_bounds():
    figures = Reading("human", 10_000, 300, 1, 30, read=310).to_json()
    assert list(figures_in_words({"figures": figures, "direct_identifiers_at_most": 0.02})) == [
        "read by people: 310 of 10,000 conversations",
        "a direct identifier readable: in 1, at most 1.55% of all (95 %); limit 2.00%",
        "somebody named: in 30, at most 13.26% of all (95 %)",
    ]
    assert not list(figures_in_words({"figures": None}))
