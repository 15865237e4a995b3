import traceback

import pytest

from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.pipelines.work.error_sanitizing import UnitFailedError, sanitize_errors, unwrap_worker_error
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.lease import LeaseLostError
from tacenda.transforms.storage.opening import StorageError


def _fail(error):
    with sanitize_errors("unit 00007"):
        raise error


def test_messages_of_library_errors_are_not_shown():
    error = ValueError("choked on: Pam")
    with pytest.raises(UnitFailedError) as caught:
        _fail(error)
    assert str(caught.value).startswith("unit 00007 failed: ValueError (test_error_sanitizing.py line ")
    assert "choked" not in "".join(traceback.format_exception(caught.value))


def test_what_the_system_says_is_reported_without_the_path():
    with pytest.raises(UnitFailedError, match="OSError, No space left on device") as caught:
        _fail(OSError(28, "No space", "/calls/of/Pam.jsonl"))
    assert "Pam" not in str(caught.value)


def test_our_own_words_to_the_user_stay():
    with pytest.raises(UserError, match="mend it so"):
        _fail(UserError("mend it so"))


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
    ],
)
def test_what_a_runner_reports_is_traced_back_to_our_own_error(error, expected):
    found = unwrap_worker_error(error)
    assert type(found) is type(expected)
    assert str(found) == str(expected)


def test_other_errors_are_unchanged():
    error = RuntimeError("no worker could be started")
    assert unwrap_worker_error(error) is error


def test_a_detector_that_cannot_be_asked_is_named():
    with pytest.raises(UnitFailedError, match=r"^a detector is unavailable \(cloud_dlp: NotFound\)$"):
        _fail(DetectorUnavailableError("cloud_dlp", "NotFound"))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (StorageError("s3://b/x: its storage cannot be reached"), "failed: s3://b/x: its storage cannot be"),
        (LeaseLostError(), "was not written: another run took over the output folder"),
    ],
)
def test_errors_during_a_run_are_not_user_errors(error, told):
    with pytest.raises(UnitFailedError, match=f"^unit 00007 {told}"):
        _fail(error)
