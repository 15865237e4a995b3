"""command_line"""

import argparse
import errno
import json
import logging
import re
import signal
import sys
import threading
from importlib.resources import files

import pytest

from tacenda.pipelines.anonymize import parser
from tacenda.pipelines.cli import COMMANDS, uses_of
from tacenda.pipelines.command_line import terminal
from tacenda.pipelines.command_line.arguments import Parser, positive, read_options, whole_number
from tacenda.pipelines.command_line.figures import figure, indented_json
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.command_line.terminal import SafeFormatter
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.recognise import SHAPES
from tacenda.transforms.storage.yaml_text import parse_yaml

NEEDED = ["--input", "a.jsonl", "--output", "out"]


def _parse(*more):
    return parser().parse_known_args([*NEEDED, *more])


def test_help_lists_all_shapes():
    told = parser().format_help()
    assert [name for name in SHAPES if name not in told] == []


def test_options_reach_the_reader():
    arguments, _ = _parse(
        "--shape",
        "turns",
        "--field",
        "text=said",
        "--field",
        "turns.text=a=b",
        "--keep",
        "channel",
        "--keep",
        "x",
    )
    options = read_options(arguments)
    assert options.shape == "turns"
    assert options.fields == {"text": "said", "turns.text": "a=b"}
    assert options.keep == ("channel", "x")


@pytest.mark.parametrize("pair", ["text", "text=", "=said", "="])
def test_an_incomplete_field_option_is_a_user_error(pair):
    with pytest.raises(UserError, match="NAME=YOURS"):
        read_options(_parse("--field", pair)[0])


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", ""])
def test_a_count_is_a_whole_number_above_zero(text):
    with pytest.raises(argparse.ArgumentTypeError):
        positive(text)
    with pytest.raises(UserError, match="--workers"):
        _parse(f"--workers={text}")


def test_a_count_that_may_be_nothing_says_so():
    assert whole_number("0") == 0
    with pytest.raises(argparse.ArgumentTypeError, match="'-1' is not a whole number of at least 0"):
        whole_number("-1")


def test_options_cannot_be_abbreviated():
    _, extra = _parse("--over")
    assert extra == ["--over"]


def test_a_day_is_written_in_one_way():
    assert _parse("--date", "2024-02-29")[0].date == "2024-02-29"
    assert _parse()[0].date is None


@pytest.mark.parametrize(
    "text", ["", "20240229", "2024-W01-1", "2023-02-29", "29.2.2024", "2024-02-29T00:00"]
)
def test_another_form_of_a_day_is_refused(text):
    with pytest.raises(UserError, match="is not a date; write it as 2024-03-21"):
        _parse("--date", text)


@pytest.mark.parametrize("package", ["tacenda.pipelines.command_line", "tacenda.pipelines.lab"])
def test_every_option_of_a_table_is_one_of_a_command(package):
    table = parse_yaml(files(package).joinpath("options.yaml").read_text("utf-8"))
    named = {
        name
        for command in COMMANDS
        for use in uses_of(command).values()
        for options in (
            [use.options] if isinstance(use.options, str) else [step.options for step in use.options.values()]
        )
        for name in options.split()
    }
    assert set(table) <= named


def test_a_figure_that_is_not_there_is_a_dash():
    assert [figure(0.12345), figure(0.0), figure(None)] == ["0.123", "0.000", "–"]


def test_a_document_is_indented_and_ends_with_a_line_feed():
    assert indented_json({"a": [1]}) == b'{\n  "a": [\n    1\n  ]\n}\n'


def line(name, message, *arguments, exc_info=None):
    record = logging.LogRecord(name, logging.ERROR, "x.py", 1, message, arguments, exc_info)  # type: ignore[arg-type]
    return SafeFormatter().format(record)


@pytest.mark.parametrize("name", ["aiobotocore.session", "asyncio", "root", "tacendas.other"])
def test_what_a_library_logs_is_not_reported(name):
    try:
        raise ValueError("call Pam")
    except ValueError:
        told = line(name, "cannot send %s to https://h/?sig=secret", "Pam's text", exc_info=sys.exc_info())
    assert told.startswith(f"ERROR {name}: ")
    assert "\n" not in told
    assert "Pam" not in told
    assert "secret" not in told


def test_our_own_messages_are_reported_without_credentials():
    told = line("tacenda.pipelines.x", "cannot reach %s\nnow", "http://pam:secret@host/a")
    assert told == "ERROR tacenda.pipelines.x: cannot reach http://host/a now"


def _raising(error):
    def run(_):
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
def test_each_outcome_has_an_exit_code_and_one_line(capsys, error, code, told):
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
def test_a_job_that_ended_elsewhere_is_reported(capsys, error, told):
    assert cli_main(_raising(error), []) == 1
    said = capsys.readouterr().err
    assert said.startswith(told)
    assert said.count("\n") == 1


@pytest.mark.parametrize("error", [ValueError("call me, Pam"), _FarError("Pam's bucket"), RecursionError()])
def test_the_message_of_an_unknown_error_is_not_shown(capsys, monkeypatch, error):
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
def test_an_unusable_path_is_named(capsys, monkeypatch, error, code, told):
    monkeypatch.delenv("TACENDA_DEBUG", raising=False)
    assert cli_main(_raising(error), []) == code
    said = capsys.readouterr().err
    assert said.startswith(told)
    assert said.count("\n") == 1
    assert "Pam" not in said


def test_a_traceback_is_shown_on_request_only(monkeypatch):
    monkeypatch.setenv("TACENDA_DEBUG", "1")
    with pytest.raises(ValueError, match="Pam"):
        cli_main(_raising(ValueError("Pam")), [])


def test_an_argument_that_is_no_text_is_refused(capsys):
    assert cli_main(_raising(AssertionError()), ["--input", "in\udcff.jsonl"]) == 2
    assert "not UTF-8" in capsys.readouterr().err


BOTH = (signal.SIGINT, signal.SIGTERM)


@pytest.fixture
def heard():
    """Enable a signal: whoever runs the tests may ignore it."""
    before = [signal.signal(each, signal.SIG_DFL) for each in BOTH]
    yield
    for each, handler in zip(BOTH, before, strict=True):
        signal.signal(each, handler)


@pytest.mark.usefixtures("heard")
def test_an_ignored_signal_stays_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def run(_):
        signal.raise_signal(signal.SIGINT)
        return 0

    assert cli_main(run, []) == 0
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("number", BOTH)
def test_a_signal_stops_the_command_and_a_second_one_the_process(capsys, number):
    before = [signal.getsignal(each) for each in BOTH]
    cleaned: list[object] = []

    def run(_):
        try:
            signal.raise_signal(number)
        finally:
            cleaned.extend(signal.getsignal(each) for each in BOTH)
        return 0

    assert cli_main(run, []) == 130
    assert capsys.readouterr() == ("", "tacenda: stopped; the same command resumes where it stopped\n")
    assert cleaned == [signal.SIG_DFL, signal.SIG_DFL]
    assert [signal.getsignal(each) for each in BOTH] == before


def test_a_command_in_a_thread_leaves_signals_alone():
    before = signal.getsignal(signal.SIGTERM)
    seen: list[object] = []

    def run(_):
        seen.append(signal.getsignal(signal.SIGTERM))
        return 0

    thread = threading.Thread(target=cli_main, args=(run, []))
    thread.start()
    thread.join()
    assert seen == [before]


@pytest.fixture(autouse=True)
def _as_before():
    yield
    terminal.open_terminal()


def say_everything():
    terminal.say("a\nb")
    terminal.remark("odd")
    terminal.report_figures("step 1")
    terminal.answer(json.dumps({"a": 1}))
    terminal.complain("x: no such file")


def test_messages_go_to_stderr_and_answers_to_stdout(capsys):
    say_everything()
    assert capsys.readouterr() == (
        'a\nb\n{"a": 1}\n',
        "tacenda: note: odd\nstep 1\ntacenda: x: no such file\n",
    )


def test_quiet_keeps_errors_and_answers(capsys):
    terminal.open_terminal(quiet=True)
    say_everything()
    assert capsys.readouterr() == ('{"a": 1}\n', "tacenda: x: no such file\n")


def test_the_log_file_has_every_line_with_its_time(tmp_path):
    log = tmp_path / "run.log"
    log.write_text("before\n")
    terminal.open_terminal(quiet=True, log_file=str(log))
    say_everything()
    terminal.complain("s3://key:secret@bucket/a: no such file")
    terminal.open_terminal()
    terminal.complain("of another command")
    before, *lines = log.read_text().splitlines()
    assert before == "before"
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [A-Z]+ tacenda", line) for line in lines)
    assert [line.split(": ", 1)[1] for line in lines] == [
        "a",
        "b",
        "odd",
        "step 1",
        "x: no such file",
        "s3://bucket/a: no such file",
    ]


def test_a_log_file_that_cannot_be_written_is_a_mistake(tmp_path):
    with pytest.raises(UserError, match=r"--log-file .*: cannot be written \(FileNotFoundError\)"):
        terminal.open_terminal(log_file=str(tmp_path / "nowhere" / "run.log"))


def test_every_parser_takes_the_options_of_the_terminal(tmp_path):
    log = tmp_path / "run.log"
    Parser("tacenda x").parse_args(["--quiet", "--log-file", str(log)])
    assert terminal.is_quiet()
    assert log.read_text().endswith(f": tacenda x --quiet --log-file {log}\n")
