import errno
import signal
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.transforms.schema.errors import UserError


def _raising(error: BaseException) -> Callable[[Sequence[str]], int]:
    def run(_: Sequence[str]) -> int:
        raise error

    return run


class _FarError(Exception):
    __module__ = "botocore.exceptions"


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (UserError("x: no such file"), 2, "tacenda: x: no such file\n"),
        (UserError("a\nb.jsonl: no such file"), 2, "tacenda: a b.jsonl: no such file\n"),
        (UserError("x: http://pam:secret@host/a: empty"), 2, "tacenda: x: http://host/a: empty\n"),
        (KeyboardInterrupt(), 130, "tacenda: stopped; the same command resumes where it stopped\n"),
    ],
)
def test_each_outcome_has_an_exit_code_and_one_line(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, told: str
) -> None:
    assert cli_main(_raising(error), []) == code
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RunFailedError("it ended"), "tacenda: it ended; the same command resumes where it stopped\n"),
        (
            RunFailedError("it ended", goes_on=True),
            "tacenda: it ended; the job may still be running: cancel it",
        ),
        (RunFailedError("it ended", began=False), "tacenda: it ended; check the options of the runner"),
    ],
)
def test_a_job_that_ended_elsewhere_is_reported(
    capsys: pytest.CaptureFixture[str], error: Exception, told: str
) -> None:
    assert cli_main(_raising(error), []) == 1
    said = capsys.readouterr().err
    assert said.startswith(told)
    assert said.count("\n") == 1


@pytest.mark.parametrize("error", [ValueError("call me, Pam"), _FarError("Pam's bucket"), RecursionError()])
def test_the_message_of_an_unknown_error_is_not_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.delenv("TACENDA_DEBUG", raising=False)
    assert cli_main(_raising(error), []) == 1
    told = capsys.readouterr().err
    assert type(error).__name__ in told
    assert "Pam" not in told
    assert told.count("\n") == 1
    assert ("storage" in told) == isinstance(error, _FarError)


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (PermissionError(errno.EACCES, "no", "/a/b"), 2, "tacenda: /a/b: Permission denied; check the path"),
        (OSError(errno.ENOSPC, "Pam"), 1, "tacenda: No space left on device; check the path"),
        (OSError(errno.ESRCH, "Pam", "/a"), 1, "tacenda: internal error (ProcessLookupError)"),
    ],
)
def test_an_unusable_path_is_named(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    code: int,
    told: str,
) -> None:
    monkeypatch.delenv("TACENDA_DEBUG", raising=False)
    assert cli_main(_raising(error), []) == code
    said = capsys.readouterr().err
    assert said.startswith(told)
    assert said.count("\n") == 1
    assert "Pam" not in said


def test_a_traceback_is_shown_on_request_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACENDA_DEBUG", "1")
    with pytest.raises(ValueError, match="Pam"):
        cli_main(_raising(ValueError("Pam")), [])


def test_an_argument_that_is_no_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli_main(_raising(AssertionError()), ["--input", "in\udcff.jsonl"]) == 2
    assert "not UTF-8" in capsys.readouterr().err


BOTH = (signal.SIGINT, signal.SIGTERM)


@pytest.fixture
def heard() -> Iterator[None]:
    """Enable a signal: whoever runs the tests may ignore it."""
    before = [signal.signal(each, signal.SIG_DFL) for each in BOTH]
    yield
    for each, handler in zip(BOTH, before, strict=True):
        signal.signal(each, handler)


@pytest.mark.usefixtures("heard")
def test_an_ignored_signal_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def run(_: Sequence[str]) -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    assert cli_main(run, []) == 0
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("number", BOTH)
def test_a_signal_stops_the_command_and_a_second_one_the_process(
    capsys: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    before = [signal.getsignal(each) for each in BOTH]
    cleaned: list[object] = []

    def run(_: Sequence[str]) -> int:
        try:
            signal.raise_signal(number)
        finally:
            cleaned.extend(signal.getsignal(each) for each in BOTH)
        return 0

    assert cli_main(run, []) == 130
    assert capsys.readouterr() == ("", "tacenda: stopped; the same command resumes where it stopped\n")
    assert cleaned == [signal.SIG_DFL, signal.SIG_DFL]
    assert [signal.getsignal(each) for each in BOTH] == before


def test_a_command_in_a_thread_leaves_signals_alone() -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen: list[object] = []

    def run(_: Sequence[str]) -> int:
        seen.append(signal.getsignal(signal.SIGTERM))
        return 0

    thread = threading.Thread(target=cli_main, args=(run, []))
    thread.start()
    thread.join()
    assert seen == [before]
