"""``tacenda corpus erase``: conversations leave a corpus, with everything that is kept of them."""

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.output import change as changing
from tacenda.pipelines.output.erasing import Erased, erase
from tacenda.pipelines.output.verification import verify
from tests.end_to_end.conftest import Run
from tests.folders import files_in
from tests.halting import EndedError, ended_at_step
from tests.halting import tacenda as command_line

Command = Callable[..., Run]

WORDS = ["--detector", "rules", "--detector", "gazetteer", "--workers", "1"]


def _conversation(number: int) -> dict[str, Any]:
    return {
        "conversation_id": f"call-{number:03}",
        "context": "sales" if number % 2 else "support",
        "turns": [
            {"speaker": "Pam", "text": f"call +46 70 123 45 {number:02} or u{number}@example.com"},
            {"speaker": "Ann", "text": f"thanks for number {number % 3}, Michael Scott"},
        ],
    }


RECORDS = [_conversation(i) for i in range(60)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return path


def _wrong(output: Path) -> list[str]:
    return [sentence for check in verify(str(output), version("tacenda")) for sentence in check.wrong]


def _everything(folder: Path) -> bytes:
    """All bytes of a folder, unpacked."""
    found = b""
    for name, data in files_in(folder).items():
        if name.endswith(".gz"):
            data = gzip.decompress(data)
        elif name.endswith(".parquet"):
            data = json.dumps(pq.read_table(folder / name).to_pylist(), default=str).encode()
        found += data
    return found


def _erase(output: Path, *ids: str, words: tuple[str, ...] = ()) -> "subprocess.CompletedProcess[str]":
    command = command_line("corpus", "erase", output, "--conversations", "-", *words)
    return subprocess.run(
        command, input="".join(f"{one}\n" for one in ids), capture_output=True, text=True, check=False
    )


def test_nothing_is_left_of_an_erased_conversation(tacenda: Command, source: Path, tmp_path: Path) -> None:
    standoff = tmp_path / "positions"
    run = tacenda(
        "anonymize",
        "--input",
        source,
        *WORDS,
        "--standoff",
        standoff,
        "--part-bytes",
        2000,
        "--unit-bytes",
        900,
    )
    before = run.files()
    assert tacenda("review", "sample", run.folder, "--output", tmp_path / "s.jsonl").code in (
        0,
        2,
    )
    done = _erase(run.folder, "call-007", "call-033", "nobody", words=("--json",))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {key: told[key] for key in ("conversations", "rows", "not_found", "state")} == {
        "conversations": 2,
        "rows": 2,
        "not_found": 1,
        "state": "unreviewed",
    }
    assert b"call-007" not in _everything(run.folder) + _everything(standoff)
    assert b"call-033" not in _everything(run.folder) + _everything(standoff)
    assert len(run.corpus()) == 58
    assert run.rows() == {
        "in": 60, "out": 58, "quarantined": 0, "dropped": 0, "not_read": 0, "erased": 2, "balanced": True
    }  # fmt: skip
    (entry,) = run.json("manifest.json")["changes"]
    assert (entry["change"], entry["conversations"], entry["rows"], entry["digests"]) == ("erased", 2, 2, [])
    assert _wrong(run.folder) == []
    after = run.files()
    same = [name for name, data in before.items() if name.startswith("corpus/") and after[name] == data]
    assert len(same) == len([name for name in before if name.startswith("corpus/")]) - 2
    again = _erase(run.folder, "call-007")
    assert (again.returncode, run.files()) == (0, after)


def test_figures_are_those_of_a_run_without_it(tacenda: Command, source: Path, tmp_path: Path) -> None:
    whole = tacenda("anonymize", "--input", source, *WORDS)
    assert erase(str(whole.folder), ["call-000", "call-059"]) == Erased(2, 2)
    source.write_text("".join(json.dumps(record) + "\n" for record in RECORDS[1:-1]))
    without = tacenda("anonymize", "--input", source, *WORDS)
    figures, expected = (run.json("statistics.json") for run in (whole, without))
    # The languages are counted by what the run read.
    assert figures["sources"] == expected["sources"]
    assert whole.json("manifest.json")["worst"] == without.json("manifest.json")["worst"]
    assert whole.corpus() == without.corpus()


@pytest.mark.parametrize(
    "form", ["parquet", "csv", "jsonl", "documents", "turns", "turn table", "converted", "split"]
)
def test_every_form_of_a_corpus(tacenda: Command, tmp_path: Path, form: str) -> None:
    path, words = tmp_path / "in.jsonl", list(WORDS)
    records: list[dict[str, Any]] = RECORDS
    if form in ("parquet", "turn table"):
        path = path.with_suffix(".parquet")
    if form in ("csv", "documents"):
        # The same text more than once, and in documents no id at all.
        records = [{"text": f"mail u{i}@example.com number {i % 5}"} for i in range(60)]
    if form == "csv":
        path = path.with_suffix(".csv")
        words += ["--format", "csv"]
    if form in ("turns", "turn table"):
        records = [
            {"conversation_id": i // 3, "turn_index": i % 3, "speaker": "Pam", "text": f"u{i}@example.com"}
            for i in range(60)
        ]
    words += {
        "converted": ["--to", "chat", "--role", "Pam=user", "--role", "Ann=assistant"],
        "split": ["--split", "train=.7,validation=.3"],
    }.get(form, [])
    words += ["--format", "jsonl"] if form == "jsonl" else []
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), path)
    elif path.suffix == ".csv":
        path.write_text("text\n" + "".join(record["text"] + "\n" for record in records))
    else:
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    run = tacenda("anonymize", "--input", path, *words)
    assert run.code == 0, run.err
    hashes = pq.read_table(sorted((run.folder / "hashes").iterdir())[0]).to_pylist()
    before = run.corpus() if form not in ("split", "csv") else []
    chosen = hashes[11]["conversation_id"]
    done = erase(str(run.folder), [chosen])
    assert (done.conversations, done.rows) == (1, 3 if form.startswith("turn") else 1)
    assert _wrong(run.folder) == []
    if form.startswith("turn"):
        assert run.corpus() == [row for row in before if str(row["conversation_id"]) != chosen]
    elif form not in ("split", "csv"):
        assert run.corpus() == [*before[:11], *before[12:]]
    left = pq.read_table(sorted((run.folder / "hashes").iterdir())[0]).to_pylist()
    assert left == [*hashes[:11], *hashes[12:]]


def test_a_dropped_conversation_and_a_keyed_digest(tacenda: Command, tmp_path: Path) -> None:
    gold = [{"start": 5, "end": 16, "label": "PERSON_NAME"}]
    text = "i am qxzvt wlrmk ok, thank you very much for the help with my order of today"
    turn = {"speaker": "a", "text": text, "spans": gold}
    rows = [
        {
            "conversation_id": f"g{i}",
            "turns": [turn if i < 2 else {"speaker": "a", "text": "hello", "spans": []}],
        }
        for i in range(40)
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps({**row, "gold": "complete"}) + "\n" for row in rows))
    run = tacenda("anonymize", "--input", path, *WORDS, "--drop-over", 3)
    assert run.json("manifest.json")["totals"]["dropped"] == 2
    done = erase(str(run.folder), ["g0", "g9"], digest_key=b"a secret of sixteen bytes or more")
    assert (done.conversations, done.dropped) == (1, 1)
    assert _wrong(run.folder) == []
    (entry,) = run.json("manifest.json")["changes"]
    assert len(entry["digests"]) == 2
    assert {len(one) for one in entry["digests"]} == {64}


def test_the_verdict_is_given_anew(tacenda: Command, tmp_path: Path) -> None:
    turn = {"speaker": "a", "text": "nothing here", "spans": []}
    path = tmp_path / "gold.jsonl"
    rows = [{"conversation_id": f"g{i}", "turns": [turn], "gold": "complete"} for i in range(20)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = tacenda("anonymize", "--input", path, *WORDS)
    assert (run.folder / "_SUCCESS").exists()
    done = _erase(run.folder, "g3")
    assert done.returncode == 0
    assert (run.folder / "_SUCCESS").exists()
    assert run.json("_SUCCESS")["figures"]["conversations"] == 19
    assert _wrong(run.folder) == []


@pytest.mark.parametrize("apart", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_an_erasure_that_ends_anywhere_is_completed_by_the_next(
    tacenda: Command, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    """It ends before each of its steps in turn, as if killed there; the same call then does the rest."""
    run = tacenda("anonymize", "--input", source, *WORDS, "--part-bytes", 4000, "--unit-bytes", 2000)
    before = run.files()
    ids = ["call-004", "call-055"]
    expected: dict[str, bytes] | None = None
    for number in range(0, 200, apart):
        shutil.rmtree(run.folder)
        for name, data in before.items():
            (run.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (run.folder / name).write_bytes(data)
        with monkeypatch.context() as patched:
            ended_at_step(number, changing, patched)
            with suppress(EndedError):
                erase(str(run.folder), ids)
                break
        erase(str(run.folder), ids)
        after = run.files()
        assert b"call-055" not in _everything(run.folder)
        expected = expected or after
        assert after == expected
    assert number > 20


def test_what_cannot_be_erased_is_refused_in_one_line(tacenda: Command, source: Path, tmp_path: Path) -> None:
    run = tacenda("anonymize", "--input", source, *WORDS)
    (run.folder / ".adding" / ".tacenda").mkdir(parents=True)
    (run.folder / ".adding" / ".tacenda" / "lease.json").write_text("{}")
    done = _erase(run.folder, "call-001")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "files are being added" in done.stderr
    for path in sorted((run.folder / ".adding").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    (run.folder / ".adding").rmdir()
    (run.folder / "corpus" / "part-00000.jsonl.gz").write_bytes(gzip.compress(b"{}\n"))
    done = _erase(run.folder, "call-001")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is not as the manifest says" in done.stderr
    assert "call-001" not in done.stderr
    assert _erase(tmp_path / "nothing", "x").returncode == 2
    assert "has no id" in _erase(run.folder).stderr


def test_a_review_stays_unless_an_erased_conversation_was_read(
    tacenda: Command, source: Path, tmp_path: Path
) -> None:
    run, sample = tacenda("anonymize", "--input", source, *WORDS), tmp_path / "sample.jsonl"
    assert cli_main(cli.run, ["review", "sample", str(run.folder), "--output", str(sample)]) == 0
    rows = [{**json.loads(line), "reviewed_by": "Pam"} for line in sample.read_text().splitlines()]
    sample.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli_main(cli.run, ["release", str(run.folder), "--review", str(sample)]) == 0
    read = {row["conversation_id"] for row in rows}
    others = [record["conversation_id"] for record in RECORDS if record["conversation_id"] not in read]
    assert erase(str(run.folder), others[:3]) == Erased(3, 3)
    assert (run.folder / "_SUCCESS").exists()
    assert sum(run.json("manifest.json")["review"]["populations"].values()) == 57
    assert run.json("statistics.json")["sources"]["human"]["total"]["unreviewed"] == 57 - len(read)
    assert _wrong(run.folder) == []
    assert erase(str(run.folder), sorted(read)[:1]) == Erased(1, 1, review_taken_off=True)
    assert (run.folder / "_UNREVIEWED").exists()
    assert [path.name[:5] for path in (run.folder / "review").iterdir()] == ["draw-"]
    assert _wrong(run.folder) == []
