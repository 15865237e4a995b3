"""The command line: arguments, what is printed where, and how a command ends."""

import argparse
import ast
import errno
import importlib.util
import json
import logging
import os
import re
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.cli import COMMANDS, parser_of
from tacenda.pipelines.command_line import outcome, terminal
from tacenda.pipelines.command_line.arguments import Parser, positive, read_options, whole_number
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.command_line.terminal import SafeFormatter, figure, indented_json
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.recognise import SHAPES
from tacenda.transforms.storage.yaml_text import parse_yaml

NEEDED = ["--input", "a.jsonl", "--output", "out"]


def _parse(*more):
    return parser_of("anonymize").parse_known_args([*NEEDED, *more])


def _with_uses(parser):
    yield parser
    for action in parser._actions:
        for use in action.choices.values() if isinstance(action.choices, dict) else ():
            yield from _with_uses(use)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_command_and_options_do(name):
    parser = parser_of(name)
    description = parser.description or ""
    assert description[:1].isupper()
    assert "`" not in parser.format_help()
    assert [action.dest for action in parser._actions if not action.help] == []
    for run in filter(None, (use.get_default("run") for use in _with_uses(parser))):
        module, _, function = run.partition(":")
        spec = importlib.util.find_spec(f"tacenda.{module}")
        assert spec is not None
        source = ast.parse(Path(str(spec.origin)).read_text("utf-8"))
        assert function in {node.name for node in source.body if isinstance(node, ast.FunctionDef)}


def test_help_lists_all_shapes():
    told = parser_of("anonymize").format_help()
    assert [name for name in SHAPES if name not in told] == []


@pytest.mark.parametrize("package", ["tacenda.pipelines.command_line", "tacenda.pipelines.lab"])
def test_every_option_of_a_table_is_one_of_a_command(package):
    table = parse_yaml(files(package).joinpath("options.yaml").read_text("utf-8"))
    rooms = ("tacenda.pipelines", "tacenda.pipelines.lab")
    named = " ".join(files(room).joinpath("uses.yaml").read_text("utf-8") for room in rooms).split()
    assert set(table) <= set(named)


def test_options_reach_the_reader():
    words = "--shape turns --field text=said --field turns.text=a=b --keep channel --keep x"
    options = read_options(_parse(*words.split())[0])
    assert options.shape == "turns"
    assert options.fields == {"text": "said", "turns.text": "a=b"}
    assert options.keep == ("channel", "x")


@pytest.mark.parametrize("pair", ["text", "text=", "=said", "="])
def test_an_incomplete_field_option_is_a_user_error(pair):
    with pytest.raises(UserError, match="NAME=YOURS"):
        read_options(_parse("--field", pair)[0])


@pytest.mark.parametrize(
    ("text", "smallest"), [("0", 0), ("-1", None), ("1.5", None), ("many", None), ("", None), ("1", 1)]
)
def test_counts(text, smallest):
    for kind, least in ((positive, 1), (whole_number, 0)):
        if smallest is not None and smallest >= least:
            assert kind(text) == smallest
        else:
            with pytest.raises(argparse.ArgumentTypeError, match=f"'{text}' is not a whole number"):
                kind(text)


def test_options_cannot_be_abbreviated():
    assert _parse("--over")[1] == ["--over"]


def test_a_day_is_written_in_one_way():
    assert _parse("--date", "2024-02-29")[0].date == "2024-02-29"
    for text in ("", "20240229", "2024-W01-1", "2023-02-29", "29.2.2024", "2024-02-29T00:00"):
        with pytest.raises(UserError, match="is not a date; write it as 2024-03-21"):
            _parse("--date", text)


def test_figures():
    assert [figure(0.12345), figure(0.0), figure(None)] == ["0.123", "0.000", "–"]
    assert indented_json({"a": [1]}) == b'{\n  "a": [\n    1\n  ]\n}\n'


class _Full:
    def flush(self):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("stream", "code"), [(None, 0), (_Full(), 1)])
def test_a_closed_or_full_stdout_is_no_traceback(monkeypatch, stream, code):
    ended: list[int] = []
    monkeypatch.setattr(cli, "cli_main", lambda run, argv: 0)
    monkeypatch.setattr(outcome.os, "_exit", ended.append)
    monkeypatch.setattr(sys, "stdout", stream)
    cli.main()
    assert ended == [code]


def test_threads_are_limited_before_numpy_counts_cores():
    script = (
        "import os, sys\n"
        "from tacenda.pipelines import cli\n"
        "cli.cli_main = lambda run, argv: print('numpy' in sys.modules, os.environ['OMP_NUM_THREADS'],"
        " os.environ['OPENBLAS_NUM_THREADS'])\n"
        "cli.main()\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    environment["OMP_NUM_THREADS"] = "3"
    said = subprocess.run([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True)
    assert said.stdout.split() == ["False", "3", "1"]


def _line(name, message, *arguments, exc_info=None):
    record = logging.LogRecord(name, logging.ERROR, "x.py", 1, message, arguments, exc_info)  # type: ignore[arg-type]
    return SafeFormatter().format(record)


@pytest.mark.parametrize("name", ["aiobotocore.session", "root", "tacendas.other"])
def test_what_a_library_logs_is_not_reported(name):
    try:
        raise ValueError("call Pam")
    except ValueError:
        told = _line(name, "cannot send %s to https://h/?sig=secret", "Pam's text", exc_info=sys.exc_info())
    assert told.startswith(f"ERROR {name}: ")
    assert not re.search("\n|Pam|secret", told)


def test_our_own_messages_are_reported_without_credentials():
    told = _line("tacenda.pipelines.x", "cannot reach %s\nnow", "http://pam:secret@host/a")
    assert told == "ERROR tacenda.pipelines.x: cannot reach http://host/a now"


def _raising(error):
    def run(_):
        raise error

    return run


class _FarError(Exception):
    __module__ = "botocore.exceptions"


AGAIN = "the same command resumes where it stopped\n"


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (UserError("x: no such file"), 2, "x: no such file\n"),
        (UserError("a\nb.jsonl: no such file"), 2, "a b.jsonl: no such file\n"),
        (UserError("x: http://pam:secret@host/a: empty"), 2, "x: http://host/a: empty\n"),
        (KeyboardInterrupt(), 130, f"stopped; {AGAIN}"),
        (RunFailedError("it ended"), 1, f"it ended; {AGAIN}"),
        (RunFailedError("it ended", goes_on=True), 1, "it ended; the job may still be running: cancel it"),
        (RunFailedError("it ended", began=False), 1, "it ended; check the options of the runner"),
        (ValueError("call me, Pam"), 1, "internal error (ValueError); set TACENDA_DEBUG=1"),
        (RecursionError(), 1, "internal error (RecursionError)"),
        (_FarError("Pam's bucket"), 1, "object storage error (_FarError); check credentials"),
        (PermissionError(errno.EACCES, "no", "/a/b"), 2, "/a/b: Permission denied; check the path"),
        (OSError(errno.ENOSPC, "Pam"), 1, "No space left on device; check the path"),
        (OSError(errno.ESRCH, "Pam", "/a"), 1, "internal error (ProcessLookupError)"),
    ],
)
def test_each_outcome_has_an_exit_code_and_one_line_without_data(capsys, monkeypatch, error, code, told):
    monkeypatch.delenv("TACENDA_DEBUG", raising=False)
    assert cli_main(_raising(error), []) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"tacenda: {told}")
    assert said.err.count("\n") == 1
    assert "Pam" not in said.err


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
    assert cli_main(lambda _: signal.raise_signal(signal.SIGINT) or 0, []) == 0
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("number", BOTH)
def test_a_signal_stops_the_command_and_a_second_one_the_process(capsys, number):
    cleaned: list[object] = []

    def run(_):
        try:
            signal.raise_signal(number)
        finally:
            cleaned.extend(signal.getsignal(each) for each in BOTH)
        return 0

    assert cli_main(run, []) == 130
    assert capsys.readouterr() == ("", f"tacenda: stopped; {AGAIN}")
    assert cleaned == [signal.SIG_DFL, signal.SIG_DFL]


@pytest.fixture(autouse=True)
def _as_before():
    yield
    terminal.be_quiet(False)


@pytest.mark.parametrize(
    ("quiet", "out", "err"),
    [
        (False, 'a\nb\n{"a": 1}\n', "tacenda: note: odd\nstep 1\ntacenda: x: no such file\n"),
        (True, '{"a": 1}\n', "tacenda: x: no such file\n"),
    ],
)
def test_messages_go_to_stderr_and_answers_to_stdout(capsys, quiet, out, err):
    Parser("tacenda x").parse_args(["--quiet"] * quiet)
    terminal.say("a\nb")
    terminal.remark("odd")
    terminal.report_figures("step 1")
    terminal.answer(json.dumps({"a": 1}))
    terminal.complain("x: no such file")
    assert capsys.readouterr() == (out, err)
