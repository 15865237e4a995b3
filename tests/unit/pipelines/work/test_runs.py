import gc
import traceback
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.work.error_sanitizing import (
    RunFailedError,
    UnitFailedError,
    sanitize_errors,
    unwrap_worker_error,
)
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.pipelines.work.leasing import leased, refuse_held
from tacenda.pipelines.work.plan import make_plan, not_read_entry
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.lease import LeaseLostError, check
from tacenda.transforms.storage.opening import StorageError
from tests.talks import talk, write_lines

RECORD = {"id": "a", "meta": {"x": 1}, "turns": [{"text": "x", "start": 1}, {"text": "y", "end": 2}]}


def _plan(paths, *keep):
    return make_plan([str(path) for path in paths], ReadOptions(keep=keep))


def _parquet(path):
    pq.write_table(pa.Table.from_pylist([RECORD]), path)
    return path


def test_a_kept_field_may_occur_later_in_json_lines(tmp_path):
    late = [RECORD] * 5 + [{**RECORD, "channel": "phone"}]
    source = write_lines(tmp_path / "a.jsonl", late)
    assert _plan([source], "channel", "turns.end").unseen == ()
    assert _plan([source], "chanel", "turns.start", "turns.strat").unseen == ("chanel", "turns.strat")
    assert _plan([_parquet(tmp_path / "a.parquet"), source], "chanel").unseen == ("chanel",)


def test_the_columns_of_parquet_are_known(tmp_path):
    source = _parquet(tmp_path / "a.parquet")
    assert _plan([source], "meta", "turns.start").unseen == ()
    with pytest.raises(
        UserError, match=r"^--keep chanel: no input file has such a column; they have id, meta, "
    ):
        _plan([source], "meta", "chanel")


def test_empty_input_needs_no_kept_field(tmp_path):
    (tmp_path / "a.jsonl").touch()
    options = ReadOptions(shape="chat", keep=("chanel",))
    assert make_plan([str(tmp_path)], options).unseen == ("chanel",)


def test_files_that_are_not_read_are_counted_without_their_names():
    entry = not_read_entry(["/in/Ann Lee.xlsx", "/in/b.csv", "/in/c.CSV", "/in/d", "/in/e.12345678"])
    assert entry["suffixes"] == {".csv": 2, ".xlsx": 1, "none": 1, "other": 1}
    assert entry["files"] == 5
    assert not any("Ann" in name for name in entry["names"])


@pytest.fixture
def job(prepared, tmp_path):
    return prepared("inspect", write_lines(tmp_path / "in.jsonl", [talk("a")]))[1]


def _end(job, error, *, ends_with_driver):
    with leased(job, ends_with_driver=ends_with_driver) as held:
        prepare_output(held, overwrite=False)
        check(held.lease)
        raise error


def test_one_run_at_a_time(job):
    with leased(job, ends_with_driver=True):
        for ask in (lambda: refuse_held(job), lambda: leased(job, ends_with_driver=True).__enter__()):
            with pytest.raises(
                UserError, match=rf"^--output {job.output}: another run writes there \(inspect, run "
            ):
                ask()
    assert not (Path(job.output) / ".tacenda").exists()
    refuse_held(job)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError(), RunFailedError("cancelled")])
def test_a_finished_run_holds_no_lease(job, error):
    with pytest.raises(type(error)):
        _end(job, error, ends_with_driver=True)
    refuse_held(job)
    assert [path.name for path in (Path(job.output) / ".tacenda").iterdir()] != []


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RunFailedError("gone", goes_on=True)])
def test_a_job_that_goes_on_without_its_driver_keeps_its_output(job, error):
    with pytest.raises(type(error)):
        _end(job, error, ends_with_driver=False)
    with pytest.raises(UserError, match="another run writes there"):
        refuse_held(job)


def test_a_job_that_was_not_accepted_leaves_nothing(job):
    with pytest.raises(RunFailedError):
        _end(job, RunFailedError("refused", began=False), ends_with_driver=False)
    assert list(Path(job.output).iterdir()) == []


def test_overwriting_keeps_the_lease_of_the_run_that_does_it(job):
    with leased(job, ends_with_driver=True) as held:
        prepare_output(held, overwrite=True)
        check(held.lease)
        (Path(job.output) / ".tacenda" / "lease.json").unlink()
        with pytest.raises(LeaseLostError):
            check(held.lease)


def _fail(error):
    with sanitize_errors("unit 00007"):
        raise error


def test_messages_of_library_errors_are_not_shown():
    error = ValueError("choked on: Pam")
    with pytest.raises(UnitFailedError) as caught:
        _fail(error)
    assert str(caught.value).startswith("unit 00007 failed: ValueError (test_runs.py line ")
    assert "choked" not in "".join(traceback.format_exception(caught.value))


def test_the_original_error_is_available_for_debugging(monkeypatch):
    monkeypatch.setenv("TACENDA_DEBUG", "1")
    with pytest.raises(ValueError, match="Pam"):
        _fail(ValueError("Pam"))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            RuntimeError(
                "Traceback\npipelines.failure.UnitFailedError: unit 00001 failed: OSError (a.py line 1)\n\n"
                "During handling\npipelines.failure.UnitFailedError: unit 00001 failed: OSError (a.py line 1) "
                "[while running 'ProcessUnits']\n"
            ),
            UnitFailedError("unit 00001 failed: OSError (a.py line 1)"),
        ),
        (UserError("a.txt: no such file [while running 'x']"), UserError("a.txt: no such file")),
        (RuntimeError("x.errors.UserError: a.txt: no such file\n"), UserError("a.txt: no such file")),
        (RuntimeError("no worker could be started"), RuntimeError("no worker could be started")),
    ],
)
def test_what_a_runner_reports_is_traced_back_to_our_own_error(error, expected):
    found = unwrap_worker_error(error)
    assert type(found) is type(expected)
    assert str(found) == str(expected)


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (UserError("mend it so"), UserError, "mend it so"),
        (UnitFailedError("not consistent"), UnitFailedError, "not consistent"),
        (StorageError("s3://b/x: unreachable"), UnitFailedError, "unit 00007 failed: s3://b/x: unreachable"),
        (LeaseLostError("it was lost"), UnitFailedError, "unit 00007 was not written: it was lost"),
        (
            OSError(28, "No", "/Pam.jsonl"),
            UnitFailedError,
            "unit 00007 failed: OSError, No space left on device",
        ),
        (
            DetectorUnavailableError("cloud_dlp", "NotFound"),
            UnitFailedError,
            r"a detector is unavailable \(cloud_dlp: NotFound\)$",
        ),
    ],
)
def test_what_is_told_of_an_error_during_a_run(error, kind, told):
    with pytest.raises(kind, match=f"^{told}") as caught:
        _fail(error)
    assert "Pam" not in str(caught.value)


def test_pauses_of_garbage_collection_may_overlap_as_those_of_threads_do():
    first, second = gc_paused(), gc_paused()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
