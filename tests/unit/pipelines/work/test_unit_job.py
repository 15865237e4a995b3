import errno
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.local import run_in_loop
from tacenda.pipelines.work import unit_job
from tacenda.pipelines.work.error_sanitizing import UnitFailedError
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.receipts import finished_units, load_receipt, run_folder
from tacenda.pipelines.work.unit_job import Source, finish_part, process
from tacenda.transforms.releasing.duplicates import id_hash, id_hashes
from tacenda.transforms.schema.url_redaction import source_name
from tacenda.transforms.storage.json_lines import read_lines
from tests.folders import files_in
from tests.talks import talk, write_lines

Prepared = Callable[..., tuple[Plan, JobSettings]]


@pytest.fixture
def source(tmp_path):
    first = talk("a", ("Pam", "ann@x.org, Pam"), context="sales")
    return write_lines(tmp_path / "in.jsonl", [first, talk("b", "ok", "no"), talk("a"), talk("d", None)])


def _processed(plan, job, repeated=frozenset()):
    (unit,) = plan.units()
    source = Source.of_unit(unit, job.shape, repeated)
    return source.finished(job) or process(source, job)


def _files(job):
    return files_in(Path(job.output))


def test_the_receipt_counts_what_was_done(prepared, source):
    plan, job = prepared("anonymize", source)
    receipt = _processed(plan, job)
    assert (receipt.rows_in, receipt.rows_out, receipt.rows_quarantined) == (4, 2, 2)
    assert receipt.quarantined == {"read/DuplicateConversationId": 1, "read/NullText": 1}
    assert (receipt.conversations, receipt.turns) == (2, 3)
    assert receipt.speakers_replaced == 1
    assert receipt.findings == {"EMAIL_ADDRESS": 1, "PERSON_NAME": 1}
    assert receipt.entities == {"EMAIL_ADDRESS": 1, "PERSON_NAME": 1}
    assert receipt.id_hashes == id_hashes(["a", "b"])
    assert receipt.sources == [
        {"url": source_name(str(source)), "start": 0, "stop": source.stat().st_size, "counts": "bytes"}
    ]
    part = finish_part("00000", [receipt.unit], job)
    assert {path: entry["rows"] for path, entry in part.files.items()} == {
        "corpus/part-00000.jsonl.gz": 2,
        "hashes/part-00000.parquet": 2,
        "risk/part-00000.parquet": 2,
        "quarantine/part-00000.jsonl": 2,
    }
    for path, entry in part.files.items():
        assert entry["bytes"] == (Path(job.output) / path).stat().st_size


def test_a_finished_unit_is_not_processed_again(prepared, source, monkeypatch):
    plan, job = prepared("anonymize", source)
    first = _processed(plan, job)

    def refuse(*_):
        raise AssertionError("read again")

    monkeypatch.setattr(unit_job, "read_unit", refuse)
    assert _processed(plan, job) == first


@pytest.mark.parametrize("lost", ["corpus/part-00000.jsonl.gz", "quarantine/part-00000.jsonl"])
def test_a_receipt_without_its_files_does_not_count(prepared, source, lost):
    plan, job = prepared("anonymize", source)
    unit = _processed(plan, job)
    finish_part("00000", [unit.unit], job)
    before = _files(job)
    assert load_receipt(job, unit.unit) == unit
    (Path(job.output) / lost).unlink()
    assert load_receipt(job, unit.unit) is None
    _processed(plan, job)
    finish_part("00000", [unit.unit], job)
    assert _files(job) == before


def test_an_attempt_that_breaks_leaves_no_receipt_and_no_file(prepared, source, monkeypatch):
    plan, job = prepared("anonymize", source)
    with monkeypatch.context() as patched:
        patched.setattr(unit_job, "_count", _disk_full)
        with pytest.raises(
            UnitFailedError, match=r"unit 00000\.00000 failed: OSError, No space left on device"
        ):
            _processed(plan, job)
    assert _files(job) == {}
    _processed(plan, job)
    name = "00000.00000"
    assert list(finished_units(job)) == [(name, f"{run_folder(job)}/units/00000/{name}")]


def _disk_full(*_):
    raise OSError(errno.ENOSPC, "while writing Pam")


def test_ids_that_an_earlier_unit_holds_are_rejected_also_after_a_receipt(prepared, source):
    plan, job = prepared("anonymize", source)
    _processed(plan, job)
    again = _processed(plan, job, frozenset({id_hash("b")}))
    assert (again.rows_in, again.rows_out, again.rows_quarantined) == (4, 1, 3)
    assert again.quarantined["read/DuplicateConversationId"] == 2
    assert again.id_hashes == id_hashes(["a"])
    assert load_receipt(job, "00000.00000") == again


def test_repeated_ids_match_a_review_once(prepared, source, tmp_path):
    spans = tmp_path / "spans.jsonl"
    spans.write_text('{"conversation_id": "a", "label": null}\n{"conversation_id": "zz", "label": null}\n')
    plan, job = prepared("score", source, "--spans", spans)
    receipt = _processed(plan, job)
    assert (job.reviews_given, receipt.reviews_matched) == (2, 1)


@pytest.mark.parametrize("command", ["anonymize", "inspect", "score"])
def test_a_unit_without_output_writes_empty_files(prepared, tmp_path, command):
    source = tmp_path / "bad.jsonl"
    source.write_text("{oops\n")
    plan, job = prepared(command, source, "--shape", "conversation")
    receipt = _processed(plan, job)
    assert (receipt.rows_in, receipt.rows_out, receipt.rows_quarantined) == (1, 0, 1)
    folders = {
        "anonymize": {"corpus", "hashes", "risk", "quarantine"},
        "inspect": {"findings", "findings-jsonl", "quarantine"},
        "score": {"risk", "quarantine"},
    }
    part = finish_part("00000", [receipt.unit], job)
    assert {path.split("/")[0] for path in part.files} == folders[command]
    assert [entry["rows"] for path, entry in part.files.items() if "quarantine" not in path] == [0] * (
        len(part.files) - 1
    )


def test_receipts_hold_no_text(prepared, source):
    plan, job = prepared("anonymize", source)
    _processed(plan, job)
    finish_part("00000", ["00000.00000"], job)
    told = (Path(run_folder(job)) / "parts" / "00000.json").read_text()
    assert "Pam" not in told
    assert "x.org" not in told
    assert json.loads(told)["part"]["unit"] == "00000"


def test_turns_of_parquet_and_of_json_lines_are_written_together(prepared, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    rows = [{"conversation_id": "a", "start": datetime(2025, 1, 1, 12), "speaker": "agent", "text": "one"}]
    pq.write_table(pa.Table.from_pylist(rows), folder / "1.parquet")
    later = {"conversation_id": "a", "start": "2025-01-01T13:00:00Z", "speaker": "agent", "text": "two"}
    (folder / "2.jsonl").write_text(json.dumps(later) + "\n")
    plan, job = prepared("anonymize", folder, "--detector", "rules")
    assert run_in_loop(plan, job)
    (part,) = (Path(job.output) / "corpus").iterdir()
    written = [json.loads(line) for block in read_lines(str(part), "gzip") for line in block.lines]
    assert len({row.pop("conversation_id") for row in written}) == 1
    said = [{**rows[0], "start": "2025-01-01T12:00:00"}, later]
    assert written == [{key: row[key] for key in row if key != "conversation_id"} for row in said]
