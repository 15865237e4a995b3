"""conclusion"""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.local import finish
from tacenda.pipelines.output.summary import figures_in_words
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.receipts import FinishedPart, announce, save_part
from tacenda.transforms.releasing.manifest import corpus_hash
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.url_redaction import source_name
from tacenda.transforms.scoring.bounds import Reading
from tacenda.transforms.scoring.statistics import RiskSketch

FILE = {"sha256": "hash", "rows": 1, "bytes": 2}

MANIFEST = {"manifest.json", "manifest-units.parquet", "manifest-files.parquet", "manifest-inputs.parquet"}

Prepared = Callable[..., tuple[Plan, JobSettings]]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"conversation_id": "a", "turns": [{"speaker": "agent", "text": "x"}]}\n')
    return path


@pytest.fixture
def job(prepared, source):
    return prepared("anonymize", source)[1]


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


def _units(job):
    table = pq.read_table(Path(job.output) / "manifest-units.parquet")
    return [str(name) for name in table["unit"].to_pylist()]


def _told(job, name):
    return json.loads((Path(job.output) / name).read_text(encoding="utf-8"))


def _written(job):
    return {path.name for path in Path(job.output).iterdir()}


def test_what_nobody_read_is_unreviewed(job):
    assert _conclude([_receipt("00000", 0, 1), _receipt("00001", 2)], job) is State.UNREVIEWED
    assert _written(job) == {"_UNREVIEWED", "report.html", "statistics.json", *MANIFEST}
    told = _told(job, "_UNREVIEWED")
    assert (told["state"], told["released"], told["held_by"], told["evidence"]) == (
        "unreviewed",
        False,
        [],
        None,
    )
    assert told["lacks"] == ["nobody reviewed it"]
    assert any("tacenda release" in step for step in told["next"])
    assert _told(job, "statistics.json")["sources"]["model"]["total"]["mean"] == 1


def test_what_was_left_out_and_sampled_is_reported(job):
    counts = {"places/all": 40, "places/left_out": 20, "places/sampled": 1, "places/findings": 9}
    receipts = [_receipt("00000", 0), _receipt("00001", 0)]
    receipts[0].sampling, receipts[1].sampling = dict(counts), {**counts, "places/findings_in_sampled": 1}
    _conclude(receipts, job)
    told = _told(job, "statistics.json")["skipping"]["places"]
    assert (told["all"], told["left_out"], told["sampled"], told["findings"]) == (80, 40, 2, 18)
    assert told["share_missed"] == 19 / 37
    assert _told(job, "manifest.json")["totals"]["sampling"]["places/left_out"] == 40
    assert "A model skipped 40 of 80 places" in (Path(job.output) / "report.html").read_text(encoding="utf-8")


def test_models_that_found_nothing_at_all_are_reported(job):
    for turns, findings, told in ((200, 0, True), (199, 0, False), (200, 1, False)):
        receipt = _receipt("00000", 0)
        receipt.turns, receipt.sampling = turns, {"places/all": 9_000, "places/findings": findings}
        _conclude([receipt], job)
        grounds = [ground["what"] for ground in _told(job, "_UNREVIEWED")["rests_on"]]
        assert told == ("no model found anything in 200 turns, so nothing shows that it works" in grounds)


def test_thousands_are_separated_in_counts_of_rows_and_conversations(job):
    _conclude([_receipt("00000", *[0] * 1200, rows_in=3200, rows_not_read=2000, wordless=1100)], job)
    grounds = [ground["what"] for ground in _told(job, "_UNREVIEWED")["rests_on"]]
    assert "1,200 of 3,200 rows: the rest was not read, by request (--limit)" in grounds
    assert "conversations without a word, which score 0: 1,100 of 1,200" in grounds


def test_high_scores_of_gold_are_held_and_the_marker_says_where(job):
    assert _conclude([_receipt("00000", 9, 9, source="gold", annotations={"gold": 2})], job) is State.HELD
    assert "_HELD" in _written(job)
    assert not {"_SUCCESS", "_UNREVIEWED"} & _written(job)
    assert any("sales" in reason for reason in _told(job, "_HELD")["held_by"])
    assert _told(job, "manifest.json")["verdict"] == _told(job, "_HELD")


def test_a_release_by_hand_is_against_the_criterion_and_has_a_reason(job):
    by_hand = replace(job, release_anyway="a test")
    for score in (9, 0):
        assert _conclude([_receipt("00000", score, source="gold")], by_hand) is State.RELEASED
        told = _told(job, "_SUCCESS")
        assert (told["evidence"], told["released_anyway"]) == ("by_hand", "a test")
        assert bool(told["held_by"]) == (score == 9)


def test_rows_that_do_not_balance_are_held_without_override(job):
    lost = _receipt("00000", 0, 0, rows_in=3)
    assert State.HELD is _conclude([lost], replace(job, release_anyway="a test"))
    assert _told(job, "_HELD")["held_by"] == ["rows do not balance: 3 in ≠ 2 out + 0 quarantined"]
    assert not _told(job, "manifest.json")["rows"]["balanced"]
    assert "rows do not balance" in (Path(job.output) / "report.html").read_text(encoding="utf-8")


def test_parts_that_the_run_no_longer_writes_are_removed_and_nothing_else_is(job):
    corpus = Path(job.output) / "corpus"
    corpus.mkdir(parents=True)
    for name in ("part-h00000", "part-h00001", "letters"):
        (corpus / name).touch()
    before = [_receipt(name, 0, files={f"corpus/part-{name}": FILE}) for name in ("h00000", "h00001")]
    _conclude(before, job)
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
    assert State.HELD is _conclude([_receipt("00000", 0)], replace(job, release_anyway="a test"))
    assert _told(job, "_HELD")["held_by"] == [
        "input files that were modified while the run read them: 1; run again"
    ]


def test_files_that_are_cut_off_are_held_without_override(job):
    counts = {"rows_in": 31, "rows_quarantined": 1, "quarantined": {"read/TruncatedStream": 1}}
    cut = _receipt("00000", *[0] * 30, **counts)
    assert State.HELD is _conclude([cut], replace(job, release_anyway="a test"))
    (reason,) = _told(job, "_HELD")["held_by"]
    assert reason.startswith("truncated or damaged input files: 1; the number of lost rows is unknown")
    other = _receipt("00000", *[0] * 30, rows_in=31, rows_quarantined=1, quarantined={"read/InvalidJson": 1})
    assert _conclude([other], job) is State.UNREVIEWED


def test_reviews_of_conversations_that_are_not_in_the_input_are_held(prepared, source, tmp_path):
    spans = tmp_path / "spans.jsonl"
    spans.write_text('{"conversation_id": "zz", "label": null}\n')
    _, job = prepared("score", source, "--spans", spans, "--release-anyway", "a test")
    assert State.HELD is _conclude([_receipt("00000", 0, source="human")], job)
    assert _told(job, "_HELD")["held_by"] == [
        "1 conversation is reviewed in the spans files, 0 of them in the input"
    ]
    assert _conclude([_receipt("00000", 0, source="human", reviews_matched=1)], job) is State.SCORED


@pytest.mark.parametrize(
    "error", ["score/MalformedMarkup", "read/BadSpan", "read/DuplicateConversationId", "read/InvalidJson"]
)
def test_a_sample_without_those_that_could_not_be_scored_is_held(prepared, source, error):
    _, job = prepared("score", source, "--reviewed")
    counts = {"rows_in": 41, "rows_quarantined": 1, "quarantined": {error: 1}}
    left_out = _receipt("00000", *[0] * 40, source="human", **counts)
    assert State.HELD is _conclude([left_out], job)
    (reason,) = _told(job, "_HELD")["held_by"]
    assert reason.startswith("1 reviewed row is in quarantine")


def test_nothing_scored_is_held(prepared, source):
    _, job = prepared("score", source)
    assert State.HELD is _conclude([_receipt("00000")], job)
    assert _told(job, "_HELD")["held_by"] == ["no conversation was scored"]


def test_inspect_has_no_criterion(prepared, source):
    _, job = prepared("inspect", source)
    assert _conclude([_receipt("00000")], job) is State.INSPECTED
    assert _written(job) == {"_SUCCESS", *MANIFEST} - {"manifest-inputs.parquet"}
    assert _told(job, "_SUCCESS") == {"state": "inspected", "released": False, "held_by": []}
    assert State.HELD is _conclude([_receipt("00000", rows_in=1)], job)


def test_units_are_in_the_order_of_the_plan(job):
    receipts = [_receipt("00001", 1), _receipt("00000", 2)]
    _conclude(receipts, job)
    before = {path: (Path(job.output) / path).read_bytes() for path in _written(job)}
    _conclude(receipts[::-1], job)
    assert {path: (Path(job.output) / path).read_bytes() for path in _written(job)} == before
    assert _units(job) == ["00000", "00001"]


def test_work_files_are_removed_at_the_end(job):
    root = Path(job.output)
    (root / "corpus").mkdir(parents=True)
    unfinished = f".part-00000.jsonl.zst.{'0' * 32}.tmp"
    (root / "corpus" / unfinished).touch()
    (root / f".manifest.json.{'a' * 32}.tmp").touch()
    (root / ".keep.tmp").touch()
    _conclude([_receipt("00000", 0)], job)
    assert _written(job) == {
        "_UNREVIEWED",
        *MANIFEST,
        "report.html",
        "statistics.json",
        "corpus",
        ".keep.tmp",
    }
    assert not list((root / "corpus").iterdir())


def test_the_manifest_says_who_ran_what_when_and_which_corpus_came_of_it(job):
    told = replace(job, date="2024-03-21", operator="Pam Beesly")
    worst = {"model": [{"score": 6, "direct_identifier": True, "context": "sales", "conversation_id": "a"}]}
    part = _receipt("00000", 6, files={"corpus/part-00000.jsonl": FILE, "risk/part-00000.parquet": FILE})
    part.worst = worst
    for path in part.files:
        (Path(job.output) / path).parent.mkdir(parents=True)
        (Path(job.output) / path).write_bytes(b"{}")
    _conclude([part], told)
    manifest = _told(job, "manifest.json")
    assert manifest["run"] == {
        "input": list(map(source_name, job.input_urls)),
        "fields": {},
        "date": "2024-03-21",
        "operator": "Pam Beesly",
        "reviewer": None,
        "reviews_given": 0,
        "drop_over": None,
    }
    assert manifest["corpus"] == {"files": 1, "sha256": corpus_hash({"part-00000.jsonl": "hash"})}
    assert manifest["worst"] == worst
    page = " ".join((Path(job.output) / "report.html").read_text(encoding="utf-8").split())
    for shown in ("2024-03-21", "Pam Beesly", manifest["corpus"]["sha256"], "<bdi>a</bdi>"):
        assert shown in page


def test_the_report_says_what_was_not_looked_at(job):
    part = _receipt(
        "00000",
        0,
        unscored={"DATE": 4},
        sampling={"places/all": 10, "places/left_out": 4},
    )
    _conclude([part], job)
    page = (Path(job.output) / "report.html").read_text(encoding="utf-8")
    for told in (
        "A model skipped 4 of 10 places in which it expected nothing; the other detectors did not.",
        "Readable places of kinds that add nothing to a score: DATE.",
    ):
        assert f"<li>{told}</li>" in page


def test_a_name_that_stands_out_among_surrogates_weakens_the_verdict_and_is_reported(job):
    annotations = {"annotations": {"gold": 20}}
    hidden = {"conversations": 20, "name_shown": 0, "name_suspected": 3}
    gold = _receipt("00000", *[0] * 20, source="gold", hidden=hidden, **annotations)
    assert _conclude([gold], job) is State.RELEASED
    rests_on = json.dumps(_told(job, "_SUCCESS")["rests_on"])
    assert (
        "words that may be names repeat more often than surrogates do, in 3 of 20 conversations" in rests_on
    )
    standing = replace(gold, hidden={**hidden, "name_shown": 2})
    assert _conclude([standing], job) is State.UNREVIEWED
    told = json.dumps(_told(job, "_UNREVIEWED"))
    assert "stands out among surrogates in 2 of 20 conversations" in told
    assert "risk.because" in told
    assert "stands out among surrogates in 2 of 20" in (Path(job.output) / "report.html").read_text("utf-8")
    reasoned = replace(job, risk=replace(job.risk, because="The name is a public one."))
    assert _conclude([standing], reasoned) is State.RELEASED


def test_the_figures_are_told_with_their_bounds():
    figures = Reading("human", 10_000, 300, 1, 30, read=310).to_json()
    lines = list(figures_in_words({"figures": figures, "direct_identifiers_at_most": 0.02}))
    assert lines == [
        "read by people: 310 of 10,000 conversations",
        "a direct identifier readable: in 1, at most 1.55% of all (95 %); limit 0.02",
        "somebody named: in 30, at most 13.26% of all (95 %)",
    ]
    assert not list(figures_in_words({"figures": None}))
