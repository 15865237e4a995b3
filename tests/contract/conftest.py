"""One small run of each command, shared by the tests."""

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.talks import talk, write_lines

RECORDS = [
    talk(
        f"c{i}", ("Pam", f"This is Pam. Write to u{i}@example.com"), "ok", context="sales" if i % 2 else None
    )
    for i in range(48)
]


@dataclass(frozen=True)
class Finished:
    """The exit code and output folder of a run."""

    code: int
    folder: Path

    def json(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def source(tmp_path_factory):
    """Forty-eight good records and two bad ones."""
    path = tmp_path_factory.mktemp("contract") / "in.jsonl"
    return write_lines(path, [*RECORDS[:5], b"{oops", *RECORDS[5:], RECORDS[0]])


@pytest.fixture(scope="session")
def runs(source):
    words = {"anonymize": [], "inspect": [], "score": ["--reviewed"]}
    finished = {}
    for command, more in words.items():
        folder = source.parent / command
        places = ["--input", str(source), "--output", str(folder)]
        with contextlib.redirect_stdout(io.StringIO()):
            code = cli_main(cli.run, [command, *places, "--unit-bytes", "300", "--part-bytes", "600", *more])
        finished[command] = Finished(code, folder)
    return finished
