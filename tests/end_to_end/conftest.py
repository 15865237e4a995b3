"""Run a command as a user does, but in this process: arguments in, exit code and output folder out."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.browser import CHROMIUM, Browser, browsing
from tests.folders import files_in
from tests.talks import write_lines


def counts(rows: int, out: int, **more: int) -> dict[str, Any]:
    """What a manifest says of rows that balance."""
    none = {"quarantined": 0, "dropped": 0, "not_read": 0}
    return {"in": rows, "out": out, **none, **more, "balanced": True}


def signing_keys(folder: Path, seed: int = 1) -> tuple[str, str]:
    """A private and a public key in files, as options name them."""
    key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    private, public = folder / f"{seed}.pem", folder / f"{seed}.pub"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return f"file:{private}", f"file:{public}"


@dataclass(frozen=True)
class Run:
    code: int
    folder: Path
    out: str
    err: str

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    @property
    def manifest(self) -> Any:
        return self.json("manifest.json")

    @property
    def state(self) -> Any:
        """The verdict, which marker, folders and exit code agree with."""
        state = self.manifest["verdict"]["state"]
        markers = {path.name for path in self.folder.iterdir() if path.name.startswith("_")}
        assert markers == {{"released": "_SUCCESS"}.get(state, f"_{state.upper()}")}
        assert (self.folder / "corpus").exists() == (state != "held")
        assert self.code == (3 if state == "held" else 0)
        return state

    @property
    def why(self) -> str:
        """What holds the run, and what it lacks."""
        told = self.manifest["verdict"]
        return json.dumps([told["held_by"], told["lacks"]], ensure_ascii=False)

    @property
    def report(self) -> str:
        return (self.folder / "report.html").read_text(encoding="utf-8")

    def grounds(self, *, weakening: bool = False) -> list[str]:
        """What the verdict rests on, or of it what weakens the gate."""
        rests_on = self.manifest["verdict"]["rests_on"]
        return [ground["what"] for ground in rests_on if ground["weakens"] or not weakening]

    def rows(self) -> dict[str, Any]:
        """What happened to the input rows, by the manifest."""
        rows: dict[str, Any] = self.manifest["rows"]
        return rows

    def quarantine(self) -> list[dict[str, Any]]:
        return [
            json.loads(line) for path in self._parts("quarantine") for line in path.open(encoding="utf-8")
        ]

    def errors(self) -> list[str]:
        return [row["error"] for row in self.quarantine()]

    def risk(self) -> list[dict[str, Any]]:
        return [row for path in self._parts("risk") for row in pq.read_table(path).to_pylist()]

    def corpus(self) -> list[dict[str, Any]]:
        return [*self._rows("corpus"), *self._rows(".held")]

    def ids(self) -> list[Any]:
        return [record["conversation_id"] for record in self.corpus()]

    def texts(self) -> list[str]:
        return [turn["text"] for record in self.corpus() for turn in record["turns"]]

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

    def holds(self, *words: str) -> list[str]:
        """The files with one of these words, the corpus aside, and what was printed if it has one."""
        files = {
            name: data for name, data in self.files().items() if not name.startswith(("corpus/", ".held/"))
        }
        told = {**files, "printed": (self.out + self.err + json.dumps(self.risk())).encode()}
        return [name for name, data in told.items() for word in words if word.encode() in data]

    def refused(self, *told: str) -> bool:
        """Whether the command told the user's mistake in one clear line."""
        assert (self.code, self.err.count("\n")) == (2, 1), self.err
        assert self.err.startswith("tacenda: ")
        assert [words for words in told if words not in self.err] == [], self.err
        return True

    def _parts(self, folder: str, pattern: str = "*") -> list[Path]:
        return sorted((self.folder / folder).glob(pattern))

    def _rows(self, folder: str) -> Iterator[dict[str, Any]]:
        for path in self._parts(folder):
            if path.suffix == ".parquet":
                yield from pq.read_table(path).to_pylist()
            else:
                with pa.input_stream(path) as stream:
                    yield from map(json.loads, stream.read().splitlines())


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
        return write_lines(tmp_path / (name or f"in{next(counter)}.jsonl"), records)

    return write


@pytest.fixture
def anonymize(tacenda: Any, lines: Any, tmp_path: Path) -> Callable[..., Run]:
    """``anonymize(records, …, config={…})``: records or a path, by rules alone unless a detector is named."""

    def run(records: Any, *words: object, config: Any = None, **options: Any) -> Run:
        source = records if isinstance(records, Path) else lines(*records)
        if config is not None:
            file = tmp_path / "config.yaml"
            file.write_text(config if isinstance(config, str) else json.dumps(config))
            words = (*words, "--config", file)
        if "--detector" not in words:
            words = (*words, "--detector", "rules")
        return tacenda("anonymize", "--input", source, *words, **options)

    return run


@pytest.fixture
def reviewed(call: Any, tmp_path: Path) -> Callable[..., int]:
    """``reviewed(folder)``: draw a sample that Pam reads and finds clean, and release by it; the exit code.

    ``mark`` is a word that she marks wherever it stands.
    """
    counter = iter(range(100))

    def run(folder: Path, *words: object, mark: str = "") -> int:
        sample = tmp_path / f"sample{next(counter)}.jsonl"
        assert call("review", "sample", folder, *words, "--output", sample) == 0
        text = sample.read_text().replace('"reviewed_by":""', '"reviewed_by":"Pam"')
        sample.write_text(text.replace(mark, f"({mark})[MISSED_PERSON_NAME]") if mark else text)
        return call("release", folder, "--review", sample)

    return run


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A real browser, where this machine has one."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with browsing(tmp_path_factory.mktemp("browser")) as running:
        yield running
