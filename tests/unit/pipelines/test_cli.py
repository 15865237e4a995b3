import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.cli import COMMANDS, parser_of, uses_of
from tacenda.pipelines.command_line import outcome
from tacenda.pipelines.lab import commands as lab_commands

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_command_and_options_do(name: str) -> None:
    parser = parser_of(name)
    description = parser.description or ""
    assert description[:1].isupper()
    assert "`" not in parser.format_help()
    assert [action.dest for action in parser._actions if not action.help] == []


class _Full:
    def flush(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("stream", "code"), [(None, 0), (_Full(), 1)])
def test_a_closed_or_full_stdout_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, stream: object, code: int
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(cli, "cli_main", lambda run, argv: 0)
    monkeypatch.setattr(outcome.os, "_exit", ended.append)
    monkeypatch.setattr(sys, "stdout", stream)
    cli.main()
    assert ended == [code]


def test_threads_are_limited_before_numpy_counts_cores() -> None:
    script = (
        "import os, sys\n"
        "from tacenda.pipelines import cli\n"
        "cli.cli_main = lambda run, argv: print('numpy' in sys.modules, os.environ['OMP_NUM_THREADS'],"
        " os.environ['OPENBLAS_NUM_THREADS'])\n"
        "cli.main()\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    said = subprocess.run(
        [sys.executable, "-c", script],
        env={**environment, "OMP_NUM_THREADS": "3"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert said.stdout.split() == ["False", "3", "1"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_use_has_its_function(name: str) -> None:
    for use in (lab_commands.USES if name == "lab" else uses_of(name)).values():
        module, function = use.run.split(":")
        file = (ROOT / module.replace(".", "/")).with_suffix(".py")
        assert function in {getattr(one, "name", "") for one in ast.parse(file.read_text("utf-8")).body}
