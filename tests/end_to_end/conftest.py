"""Run a command as a user does, but in this process: arguments in, exit code and output folder out."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.folders import files_in


@dataclass(frozen=True)
class Run:
    """A finished command."""

    code: int
    folder: Path
    out: str
    err: str

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def rows(self) -> dict[str, Any]:
        """What happened to the input rows, by the manifest."""
        rows: dict[str, Any] = self.json("manifest.json")["rows"]
        return rows

    def quarantine(self) -> list[dict[str, Any]]:
        return [
            json.loads(line) for path in self._parts("quarantine") for line in path.open(encoding="utf-8")
        ]

    def risk(self) -> list[dict[str, Any]]:
        return [row for path in self._parts("risk") for row in pq.read_table(path).to_pylist()]

    def corpus(self) -> list[dict[str, Any]]:
        """The anonymised corpus, held or not."""
        return [*self._rows("corpus"), *self._rows(".held")]

    def findings(self) -> list[dict[str, Any]]:
        return [
            row for path in self._parts("findings", "*.parquet") for row in pq.read_table(path).to_pylist()
        ]

    def hashes(self) -> dict[str, str]:
        """The manifest's entries for files, by path."""
        rows = pq.read_table(self.folder / "manifest-files.parquet").to_pylist()
        return {row["path"]: row["sha256"] for row in rows}

    def files(self) -> dict[str, bytes]:
        return files_in(self.folder)

    def _parts(self, folder: str, pattern: str = "*") -> list[Path]:
        return sorted((self.folder / folder).glob(pattern))

    def _rows(self, folder: str) -> Iterator[dict[str, Any]]:
        import pyarrow as pa

        for path in self._parts(folder):
            if path.suffix == ".parquet":
                yield from pq.read_table(path).to_pylist()
            else:
                with pa.input_stream(path) as stream:
                    for line in stream.read().splitlines():
                        yield json.loads(line)


@pytest.fixture
def tacenda(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """``tacenda("anonymize", "--input", …)``; the output folder is chosen if none is given.

    Ids stay, so that tests can name their conversations, unless ``keep_ids`` is False.
    """
    counter = iter(range(100))

    def call(command: str, *arguments: object, output: Path | None = None, keep_ids: bool = True) -> Run:
        folder = output or tmp_path / f"out{next(counter)}"
        if keep_ids and (command == "anonymize" or arguments[:1] == ("add",)):
            arguments = (*arguments, "--keep-ids", "tests name their conversations")
        words = [command, *map(str, arguments), "--output", str(folder)]
        code = cli_main(cli.run, words)
        captured = capsys.readouterr()
        return Run(code, folder, captured.out, captured.err)

    return call


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., int]:
    """``call("release", …)`` returns the exit code; what was printed before is forgotten."""

    def run(*words: object) -> int:
        capsys.readouterr()
        if words[0] == "anonymize" and "--keep-ids" not in words:
            words = (*words, "--keep-ids", "tests name their conversations")
        return cli_main(cli.run, [str(word) for word in words])

    return run


@pytest.fixture
def lines(tmp_path: Path) -> Callable[..., Path]:
    """Write records (or raw lines) as a JSON lines file."""
    counter = iter(range(100))

    def write(*records: object, name: str | None = None) -> Path:
        path = tmp_path / (name or f"in{next(counter)}.jsonl")
        path.write_bytes(
            b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in records)
        )
        return path

    return write
