"""The end of a run: receipts become statistics, manifest, report and, last, the marker."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.executors.local import finish
from tacenda.pipelines.output.output_folder import prepare_output, remove_unfinished
from tacenda.pipelines.work.receipts import FinishedPart, announce, remove_begun, run_folder, save_part
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.scoring.statistics import RiskSketch

FILE = {"sha256": "hash", "rows": 1, "bytes": 2}
MANIFEST = {"manifest.json", "manifest-units.parquet", "manifest-files.parquet", "manifest-inputs.parquet"}


def _receipt(unit="00000", *scores, source="model", **counts):
    sketch = RiskSketch()
    for score in scores:
        sketch.add(source, "sales", score)
    n = len(scores)
    return Receipt(unit, **{"rows_in": n, "rows_out": n, "conversations": n, **counts}, risk=sketch.to_json())


def _conclude(parts, job):
    """Conclude a run whose parts have these receipts, each of one unit."""
    announce(job)
    for part in parts:
        save_part(job, FinishedPart(part, [replace(part, files={})]))
    return finish(parts, job)


def _held_by(parts, job):
    """What holds a run."""
    assert _conclude(parts, job) is State.HELD
    return _told(job, "_HELD")["held_by"]


def _units(job):
    table = pq.read_table(Path(job.output) / "manifest-units.parquet")
    return [str(name) for name in table["unit"].to_pylist()]


def _told(job, name):
    return json.loads((Path(job.output) / name).read_text(encoding="utf-8"))


def _page(job):
    return " ".join((Path(job.output) / "report.html").read_text(encoding="utf-8").split())


def _written(job):
    return {path.name for path in Path(job.output).iterdir()}


def test_what_was_not_looked_at_is_reported(job):
    counts = {"places/all": 40, "places/left_out": 20, "places/sampled": 1, "places/findings": 9}
    more = {**counts, "places/findings_in_sampled": 1}
    unscored = {"DATE": 4, "AN_ID": 1}
    _conclude(
        [_receipt("00000", 0, sampling=counts, unscored=unscored), _receipt("00001", 0, sampling=more)], job
    )
    told = _told(job, "statistics.json")["skipping"]["places"]
    assert (told["all"], told["left_out"], told["sampled"], told["findings"]) == (80, 40, 2, 18)
    assert told["share_missed"] == 19 / 37
    assert _told(job, "manifest.json")["totals"]["sampling"]["places/left_out"] == 40
    for words in ("A model skipped 40 of 80 places", "kinds that add nothing to a score: AN_ID, DATE."):
        assert words in _page(job)


def _lost(error, **counts):
    return {"rows_in": 41, "rows_quarantined": 1, "quarantined": {error: 1}, **counts}


REVIEWED_IN_QUARANTINE = ("score/MalformedMarkup", "read/BadSpan", "read/DuplicateConversationId")
SPANS = {"conversation_id": "zz", "label": None}


@pytest.mark.parametrize(
    ("words", "counts", "told"),
    [
        (("anonymize",), {"rows_in": 43}, "rows do not balance: 43 in ≠ 40 out + 0 quarantined"),
        (
            ("anonymize",),
            _lost("read/TruncatedStream"),
            "truncated or damaged input files: 1; the number of lost rows is unknown",
        ),
        *(
            (("score", "--reviewed"), _lost(error, source="human"), "1 reviewed row is in quarantine")
            for error in REVIEWED_IN_QUARANTINE
        ),
        (
            ("score", "--spans"),
            {"source": "human"},
            "1 conversation is reviewed in the spans files, 0 of them in the input",
        ),
    ],
)
def test_problems_hold_a_run_whatever_a_person_says(prepared, source, tmp_path, words, counts, told):
    (tmp_path / "spans.jsonl").write_text(json.dumps(SPANS))
    command, *more = words
    files = [tmp_path / "spans.jsonl"] if "--spans" in more else []
    job = prepared(command, source, *more, *files)[1]
    (reason,) = _held_by([_receipt("00000", *[0] * 40, **counts)], job)
    assert reason.startswith(told)
    assert _told(job, "manifest.json")["rows"]["balanced"] == ("balance" not in told)
    assert told.partition(" ")[2] in _page(job)


def test_parts_that_the_run_no_longer_writes_are_removed_and_nothing_else_is(job):
    corpus = Path(job.output) / "corpus"
    corpus.mkdir(parents=True)
    for name in ("part-h00000", "part-h00001", "letters"):
        (corpus / name).touch()
    before = [_receipt(name, 0, files={f"corpus/part-{name}": FILE}) for name in ("h00000", "h00001")]
    _conclude(before, job)
    prepare_output(job, overwrite=False)
    (corpus / "part-h00000").touch()
    _conclude(before[:1], job)
    assert {path.name for path in corpus.iterdir()} == {"part-h00000", "letters"}
    assert _units(job) == ["h00000"]


@pytest.mark.parametrize("now", ["shorter", "other bytes", "gone"])
def test_input_that_is_written_while_it_is_read_is_held_without_override(job, source, now):
    assert _conclude([_receipt("00000", 0)], job) is State.UNREVIEWED
    if now == "gone":
        source.unlink()
    else:
        text = source.read_text()
        source.write_text(text[:-1] if now == "shorter" else text.replace('"x"', '"y"'))
        os.utime(source, ns=(1, 1))
    why = "input files that were modified while the run read them: 1; run again"
    assert _held_by([_receipt("00000", 0)], job) == [why]


def test_inspect_has_no_criterion(prepared, source):
    job = prepared("inspect", source)[1]
    assert _conclude([_receipt("00000")], job) is State.INSPECTED
    assert _written(job) == {"_SUCCESS", *MANIFEST} - {"manifest-inputs.parquet"}
    assert _told(job, "_SUCCESS") == {"state": "inspected", "released": False, "held_by": []}
    assert _conclude([_receipt("00000", rows_in=1)], job) is State.HELD


def test_work_files_are_removed_at_the_end(job):
    root = Path(job.output)
    (root / "corpus").mkdir(parents=True)
    unfinished = (f"corpus/.part-00000.jsonl.zst.{'0' * 32}.tmp", f".manifest.json.{'a' * 32}.tmp")
    for name in (*unfinished, ".keep.tmp"):
        (root / name).touch()
    _conclude([_receipt("00000", 0)], job)
    kept = {"report.html", "statistics.json", "corpus", ".keep.tmp"}
    assert _written(job) == {"_UNREVIEWED", *MANIFEST, *kept}
    assert not list((root / "corpus").iterdir())


def test_what_a_killed_worker_began_is_removed(job):
    units = Path(run_folder(job)) / "units/00000"
    units.mkdir(parents=True)
    begun = [units / f".00000.00003.{'0' * 32}.tmp", Path(job.output) / f".manifest.json.{'a' * 32}.tmp"]
    for path in (*begun, units / "00000.00002"):
        path.touch()
    remove_unfinished(job.output)
    remove_begun(job)
    assert [path.name for path in units.iterdir()] == ["00000.00002"]
    assert not begun[1].exists()
