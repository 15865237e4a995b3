import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacenda.pipelines.command_line import terminal
from tacenda.pipelines.command_line.arguments import Parser
from tacenda.transforms.schema.errors import UserError


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    terminal.open_terminal()


def say_everything() -> None:
    terminal.say("a\nb")
    terminal.remark("odd")
    terminal.report_figures("step 1")
    terminal.answer(json.dumps({"a": 1}))
    terminal.complain("x: no such file")


def test_messages_go_to_stderr_and_answers_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    say_everything()
    assert capsys.readouterr() == (
        'a\nb\n{"a": 1}\n',
        "tacenda: note: odd\nstep 1\ntacenda: x: no such file\n",
    )


def test_quiet_keeps_errors_and_answers(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.open_terminal(quiet=True)
    say_everything()
    assert capsys.readouterr() == ('{"a": 1}\n', "tacenda: x: no such file\n")


def test_the_log_file_has_every_line_with_its_time(tmp_path: Path) -> None:
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


def test_a_log_file_that_cannot_be_written_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--log-file .*: cannot be written \(FileNotFoundError\)"):
        terminal.open_terminal(log_file=str(tmp_path / "nowhere" / "run.log"))


def test_every_parser_takes_the_options_of_the_terminal(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    Parser("tacenda x").parse_args(["--quiet", "--log-file", str(log)])
    assert terminal.is_quiet()
    assert log.read_text().endswith(f": tacenda x --quiet --log-file {log}\n")
