import sys

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line import outcome


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
