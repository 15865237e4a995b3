"""Run a command as a shell would, and return what it prints."""

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main


def call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of ``tacenda`` with these words."""
    code = cli_main(cli.run, [str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err
