"""The end of a run: receipts become statistics, manifest, report and, last, the marker."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.executors.local import finish
from tacenda.pipelines.work.receipts import FinishedPart, announce, save_part
from tacenda.transforms.releasing.manifest import corpus_hash
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.url_redaction import source_name
from tacenda.transforms.scoring.statistics import RiskSketch

FILE = {"sha256": "hash", "rows": 1, "bytes": 2}
MANIFEST = {"manifest.json", "manifest-units.parquet", "manifest-files.parquet", "manifest-inputs.parquet"}


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


def _held_by(parts, job):
    """What holds a run, whatever a person says."""
    assert _conclude(parts, replace(job, release_anyway="a test")) is State.HELD
    return _told(job, "_HELD")["held_by"]


def _units(job):
    table = pq.read_table(Path(job.output) / "manifest-units.parquet")
    return [str(name) for name in table["unit"].to_pylist()]


def _told(job, name):
    return json.loads((Path(job.output) / name).read_text(encoding="utf-8"))


def _grounds(job, marker="_UNREVIEWED"):
    return [ground["what"] for ground in _told(job, marker)["rests_on"]]


def _page(job):
    return " ".join((Path(job.output) / "report.html").read_text(encoding="utf-8").split())


def _written(job):
    return {path.name for path in Path(job.output).iterdir()}


def test_what_nobody_read_is_unreviewed(job):
    assert _conclude([_receipt("00000", 0, 1), _receipt("00001", 2)], job) is State.UNREVIEWED
    assert _written(job) == {"_UNREVIEWED", "report.html", "statistics.json", *MANIFEST}
    told = _told(job, "_UNREVIEWED")
    expected = {"state": "unreviewed", "released": False, "held_by": [], "evidence": None}
    assert told.items() >= {**expected, "lacks": ["nobody reviewed it"]}.items()
    assert any("tacenda release" in step for step in told["next"])
    assert _told(job, "statistics.json")["sources"]["model"]["total"]["mean"] == 1


def test_what_was_left_out_and_sampled_is_reported(job):
    counts = {"places/all": 40, "places/left_out": 20, "places/sampled": 1, "places/findings": 9}
    more = {**counts, "places/findings_in_sampled": 1}
    _conclude([_receipt("00000", 0, sampling=counts), _receipt("00001", 0, sampling=more)], job)
    told = _told(job, "statistics.json")["skipping"]["places"]
    assert (told["all"], told["left_out"], told["sampled"], told["findings"]) == (80, 40, 2, 18)
    assert told["share_missed"] == 19 / 37
    assert _told(job, "manifest.json")["totals"]["sampling"]["places/left_out"] == 40
    assert "A model skipped 40 of 80 places" in _page(job)


def test_models_that_found_nothing_at_all_are_reported(job):
    for turns, findings, told in ((200, 0, True), (199, 0, False), (200, 1, False)):
        sampling = {"places/all": 9_000, "places/findings": findings}
        _conclude([_receipt("00000", 0, turns=turns, sampling=sampling)], job)
        nothing = "no model found anything in 200 turns, so nothing shows that it works"
        assert told == (nothing in _grounds(job))


def test_thousands_are_separated_in_counts_of_rows_and_conversations(job):
    _conclude([_receipt("00000", *[0] * 1200, rows_in=3200, rows_not_read=2000, wordless=1100)], job)
    assert {
        "1,200 of 3,200 rows: the rest was not read, by request (--limit)",
        "conversations without a word, which score 0: 1,100 of 1,200",
    } <= set(_grounds(job))


def test_a_release_by_hand_is_against_the_criterion_and_has_a_reason(job):
    by_hand = replace(job, release_anyway="a test")
    for score in (9, 0):
        assert _conclude([_receipt("00000", score, source="gold")], by_hand) is State.RELEASED
        told = _told(job, "_SUCCESS")
        assert (told["evidence"], told["released_anyway"]) == ("by_hand", "a test")
        assert bool(told["held_by"]) == (score == 9)


def test_rows_that_do_not_balance_are_held_without_override(job):
    why = "rows do not balance: 3 in ≠ 2 out + 0 quarantined"
    assert _held_by([_receipt("00000", 0, 0, rows_in=3)], job) == [why]
    assert not _told(job, "manifest.json")["rows"]["balanced"]
    assert why in _page(job)


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
    why = "input files that were modified while the run read them: 1; run again"
    assert _held_by([_receipt("00000", 0)], job) == [why]


def test_files_that_are_cut_off_are_held_without_override(job):
    def lost(error):
        counts = {"rows_in": 31, "rows_quarantined": 1, "quarantined": {error: 1}}
        return [_receipt("00000", *[0] * 30, **counts)]

    (reason,) = _held_by(lost("read/TruncatedStream"), job)
    assert reason.startswith("truncated or damaged input files: 1; the number of lost rows is unknown")
    assert _conclude(lost("read/InvalidJson"), job) is State.UNREVIEWED


def test_reviews_of_conversations_that_are_not_in_the_input_are_held(prepared, source, tmp_path):
    spans = tmp_path / "spans.jsonl"
    spans.write_text('{"conversation_id": "zz", "label": null}\n')
    job = prepared("score", source, "--spans", spans)[1]
    why = "1 conversation is reviewed in the spans files, 0 of them in the input"
    assert _held_by([_receipt("00000", 0, source="human")], job) == [why]
    assert _conclude([_receipt("00000", 0, source="human", reviews_matched=1)], job) is State.SCORED


@pytest.mark.parametrize(
    "error", ["score/MalformedMarkup", "read/BadSpan", "read/DuplicateConversationId", "read/InvalidJson"]
)
def test_a_sample_without_those_that_could_not_be_scored_is_held(prepared, source, error):
    counts = {"rows_in": 41, "rows_quarantined": 1, "quarantined": {error: 1}}
    left_out = _receipt("00000", *[0] * 40, source="human", **counts)
    (reason,) = _held_by([left_out], prepared("score", source, "--reviewed")[1])
    assert reason.startswith("1 reviewed row is in quarantine")


def test_nothing_scored_is_held(prepared, source):
    assert _held_by([_receipt("00000")], prepared("score", source)[1]) == ["no conversation was scored"]


def test_inspect_has_no_criterion(prepared, source):
    job = prepared("inspect", source)[1]
    assert _conclude([_receipt("00000")], job) is State.INSPECTED
    assert _written(job) == {"_SUCCESS", *MANIFEST} - {"manifest-inputs.parquet"}
    assert _told(job, "_SUCCESS") == {"state": "inspected", "released": False, "held_by": []}
    assert _conclude([_receipt("00000", rows_in=1)], job) is State.HELD


def test_units_are_in_the_order_of_the_plan(job):
    receipts = [_receipt("00001", 1), _receipt("00000", 2)]
    written = []
    for order in (receipts, receipts[::-1]):
        _conclude(order, job)
        written.append({path: (Path(job.output) / path).read_bytes() for path in _written(job)})
    assert written[0] == written[1]
    assert _units(job) == ["00000", "00001"]


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


def test_the_manifest_says_who_ran_what_when_and_which_corpus_came_of_it(job):
    told = replace(job, date="2024-03-21", operator="Pam Beesly")
    worst = {"model": [{"score": 6, "direct_identifier": True, "context": "sales", "conversation_id": "a"}]}
    files = {"corpus/part-00000.jsonl": FILE, "risk/part-00000.parquet": FILE}
    for path in files:
        (Path(job.output) / path).parent.mkdir(parents=True)
        (Path(job.output) / path).write_bytes(b"{}")
    _conclude([_receipt("00000", 6, files=files, worst=worst)], told)
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
    for shown in ("2024-03-21", "Pam Beesly", manifest["corpus"]["sha256"], "<bdi>a</bdi>"):
        assert shown in _page(job)


def test_the_report_says_what_was_not_looked_at(job):
    sampling = {"places/all": 10, "places/left_out": 4}
    _conclude([_receipt("00000", 0, unscored={"DATE": 4, "AN_ID": 1}, sampling=sampling)], job)
    skipped = "A model skipped 4 of 10 places in which it expected nothing; the other detectors did not."
    for told in (skipped, "Readable places of kinds that add nothing to a score: AN_ID, DATE."):
        assert f"<li>{told}</li>" in _page(job)


def test_a_name_that_stands_out_among_surrogates_weakens_the_verdict_and_is_reported(job):
    hidden = {"conversations": 20, "name_shown": 0, "name_suspected": 3}
    gold = _receipt("00000", *[0] * 20, source="gold", hidden=hidden, annotations={"gold": 20})
    assert _conclude([gold], job) is State.RELEASED
    suspected = "words that may be names repeat more often than surrogates do, in 3 of 20 conversations"
    assert suspected in _grounds(job, "_SUCCESS")
    standing = replace(gold, hidden={**hidden, "name_shown": 2})
    assert _conclude([standing], job) is State.UNREVIEWED
    told = json.dumps(_told(job, "_UNREVIEWED"))
    for page in (told, _page(job)):
        assert "stands out among surrogates in 2 of 20 conversations" in page
    assert "risk.because" in told
    reasoned = replace(job, risk=replace(job.risk, because="The name is a public one."))
    assert _conclude([standing], reasoned) is State.RELEASED
