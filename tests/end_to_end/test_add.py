"""``tacenda corpus add``: new files come to a corpus; what it has stays, and the whole is judged anew."""

import json
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.output import change as changing
from tacenda.pipelines.output.verification import verify
from tacenda.transforms.schema.url_redaction import source_name
from tests.end_to_end.conftest import Run
from tests.folders import files_in
from tests.halting import EndedError, ended_at_step

Command = Callable[..., Run]

WORDS = ["--detector", "rules", "--detector", "gazetteer", "--workers", "1"]
HARD = "i am qxzvt wlrmk ok, thank you very much for the help with my order of today"


def _conversation(number: int, text: str = "") -> dict[str, Any]:
    text = text or f"call +46 70 123 45 {number:02} or mail u{number}@example.com"
    return {
        "conversation_id": f"c{number:03}",
        "context": "sales" if number % 2 else "support",
        "turns": [{"speaker": "Pam", "text": text}, {"speaker": "Ann", "text": "thanks, Michael Scott"}],
    }


def _write(path: Path, numbers: range, **more: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({**_conversation(i), **more}) + "\n" for i in numbers))


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    _write(tmp_path / "calls" / "a.jsonl", range(30))
    return tmp_path / "calls"


def _add(tacenda: Command, calls: Path, output: Path, *more: object) -> Run:
    return tacenda("corpus", "add", "--input", calls, *WORDS, *more, output=output)


def _wrong(output: Path) -> list[str]:
    return [sentence for check in verify(str(output), version("tacenda")) for sentence in check.wrong]


def test_three_additions_have_the_figures_of_one_run(tacenda: Command, calls: Path, tmp_path: Path) -> None:
    grown, once = tmp_path / "grown", tmp_path / "once"
    before: dict[str, bytes] = {}
    for name, numbers in (("a", range(30)), ("b", range(30, 45)), ("c", range(45, 70))):
        _write(calls / f"{name}.jsonl", numbers)
        assert _add(tacenda, calls, grown).code == 0
        now = files_in(grown)
        assert {path for path in before if path.startswith(("corpus/", "risk/", "hashes/"))} <= {
            path for path, data in now.items() if before.get(path) == data
        }
        before = now
    assert _add(tacenda, calls, once).code == 0
    one, other = (json.loads((folder / "statistics.json").read_text()) for folder in (grown, once))
    assert one == other
    manifests = [json.loads((folder / "manifest.json").read_text()) for folder in (grown, once)]
    for key in ("rows", "totals", "inputs", "worst", "fields", "config", "settings_hash"):
        assert manifests[0][key] == manifests[1][key], key
    assert [entry["conversations"] for entry in manifests[0]["changes"]] == [15, 25]
    assert sorted(path for path in before if path.startswith("corpus/")) == [
        f"corpus/part-{i:05}.jsonl.gz" for i in range(3)
    ]
    assert not [path for path in before if path.startswith(".")]
    assert _wrong(grown) == []
    assert "nothing new" in _add(tacenda, calls, grown).out
    assert files_in(grown) == before


@pytest.mark.parametrize("runner", [[], ["--runner=FnApiRunner"]], ids=["loop", "FnApiRunner"])
def test_a_conversation_that_the_corpus_has_is_quarantined(
    tacenda: Command, calls: Path, tmp_path: Path, runner: list[str]
) -> None:
    out = tmp_path / "out"
    assert _add(tacenda, calls, out).code == 0
    _write(calls / "b.jsonl", range(29, 60))
    added = _add(tacenda, calls, out, *runner)
    assert added.code == 0
    assert added.rows() == {
        "in": 61,
        "out": 60,
        "quarantined": 1,
        "dropped": 0,
        "not_read": 0,
        "balanced": True,
    }
    assert {one["error"] for one in added.quarantine()} == {"DuplicateConversationId"}
    assert _wrong(out) == []


def test_files_of_one_name_in_two_folders_keep_their_records_apart(tacenda: Command, tmp_path: Path) -> None:
    for month in ("01", "02"):
        (tmp_path / "calls" / month).mkdir(parents=True)
        (tmp_path / "calls" / month / "day.jsonl").write_text('{"text": "mail me: u@example.com"}\n' * 3)
        added = _add(tacenda, tmp_path / "calls", tmp_path / "out")
        assert added.code == 0
    assert (added.rows()["out"], added.rows()["quarantined"]) == (6, 0)


def test_turn_rows_are_added_too(tacenda: Command, tmp_path: Path) -> None:
    source, out = tmp_path / "rows", tmp_path / "out"
    source.mkdir()
    for name, first in (("a", 0), ("b", 20)):
        rows = [
            {
                "conversation_id": first + i // 3,
                "turn_index": i % 3,
                "speaker": "Pam",
                "text": "u@example.com",
            }
            for i in range(60)
        ]
        (source / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        added = _add(tacenda, source, out)
        assert added.code == 0
    assert added.rows()["out"] == 120
    assert len(added.corpus()) == 120
    assert _wrong(out) == []


def test_parts_move_with_the_verdict_on_the_whole(tacenda: Command, calls: Path, tmp_path: Path) -> None:
    gold = [{"start": 5, "end": 16, "label": "PERSON_NAME"}]
    out = tmp_path / "out"

    def write(name: str, numbers: range, hard: bool) -> None:
        turn = {"speaker": "a", "text": HARD if hard else "nothing here", "spans": gold if hard else []}
        rows = [{"conversation_id": f"g{i}", "turns": [turn], "gold": "complete"} for i in numbers]
        (calls / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    (calls / "a.jsonl").unlink()
    write("a.jsonl", range(30), hard=False)
    assert _add(tacenda, calls, out).code == 0
    assert (out / "corpus").exists()
    write("b.jsonl", range(30, 90), hard=True)
    held = _add(tacenda, calls, out)
    assert held.code == 3
    assert (out / "_HELD").exists()
    assert not (out / "corpus").exists()
    assert len(list((out / ".held").iterdir())) == 2
    assert not (out / "README.md").exists()
    assert _wrong(out) == []
    write("c.jsonl", range(90, 4000), hard=False)
    assert _add(tacenda, calls, out).code == 0
    assert len(list((out / "corpus").iterdir())) == 3
    assert not (out / ".held").exists()
    assert _wrong(out) == []


def test_what_cannot_be_added_is_refused_in_one_line(tacenda: Command, calls: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert _add(tacenda, calls, out).code == 0
    before = files_in(out)
    _write(calls / "b.jsonl", range(30, 40))
    other = _add(tacenda, calls, out, "--drop-over", "50")
    assert (other.code, other.err.count("\n")) == (2, 1)
    assert "was written with another option or key" in other.err
    overwrite = _add(tacenda, calls, out, "--overwrite")
    assert (overwrite.code, overwrite.err.count("\n")) == (2, 1)
    rules = tacenda("corpus", "add", "--input", calls, "--detector", "rules", output=out)
    assert "another config" in rules.err
    text = (calls / "a.jsonl").read_text()
    (calls / "a.jsonl").write_text(text.replace("Michael", "Abigail"))
    changed = _add(tacenda, calls, out)
    assert (changed.code, changed.err.count("\n")) == (2, 1)
    assert "a.jsonl changed since" in changed.err
    assert files_in(out) == before


def test_a_file_that_vanished_is_told_and_stays(tacenda: Command, calls: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert _add(tacenda, calls, out).code == 0
    (calls / "a.jsonl").unlink()
    _write(calls / "b.jsonl", range(30, 40))
    added = _add(tacenda, calls, out)
    assert added.code == 0
    assert "1 file of the corpus is not in the input any more" in added.err
    assert added.rows()["out"] == 40
    inputs = pq.read_table(out / "manifest-inputs.parquet")["url"].to_pylist()
    names = {source_name(f"/{one}.jsonl").rpartition("/")[2] for one in "ab"}
    assert {url.rpartition("/")[2] for url in inputs} == names


@pytest.mark.parametrize("apart", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_an_addition_that_ends_anywhere_is_completed_by_the_next(
    tacenda: Command, calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    """It ends before each of the steps that put the new files in their place, as if killed there."""
    out = tmp_path / "out"
    assert _add(tacenda, calls, out).code == 0
    before = files_in(out)
    _write(calls / "b.jsonl", range(30, 40))
    assert _add(tacenda, calls, out).code == 0
    expected = files_in(out)
    for number in range(0, 100, apart):
        shutil.rmtree(out)
        for name, data in before.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(data)
        with monkeypatch.context() as patched:
            ended_at_step(number, changing, patched)
            try:
                added = _add(tacenda, calls, out)
            except EndedError:
                added = None
        if added is not None:
            break
        assert _add(tacenda, calls, out).code == 0
        assert files_in(out) == expected
    assert number > 20


def test_a_corpus_that_has_a_review_loses_it(tacenda: Command, calls: Path, tmp_path: Path) -> None:
    out, sample = tmp_path / "out", tmp_path / "sample.jsonl"
    assert _add(tacenda, calls, out).code == 0
    assert cli_main(cli.run, ["review", "sample", str(out), "--output", str(sample)]) == 0
    rows = [{**json.loads(line), "reviewed_by": "Pam"} for line in sample.read_text().splitlines()]
    sample.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli_main(cli.run, ["release", str(out), "--review", str(sample)]) == 0
    assert (out / "_SUCCESS").exists()
    _write(calls / "b.jsonl", range(30, 40))
    added = _add(tacenda, calls, out)
    assert "is taken off" in added.err
    assert (out / "_UNREVIEWED").exists()
    assert [path.name[:5] for path in (out / "review").iterdir()] == ["draw-"]
    assert _wrong(out) == []


def test_an_addition_to_a_corpus_that_failed_is_reported(
    tacenda: Command, calls: Path, tmp_path: Path
) -> None:
    def grounds() -> list[str]:
        verdict = json.loads((out / "manifest.json").read_text())["verdict"]
        return [ground["what"] for ground in verdict["rests_on"]]

    out = tmp_path / "out"
    clean = {"gold": "complete", "turns": [{"speaker": "Pam", "text": "hello there", "spans": []}]}
    left = {"start": 5, "end": 16, "label": "PERSON_NAME"}
    _write(calls / "a.jsonl", range(2), gold="complete", turns=[{"text": HARD, "spans": [left]}])
    assert _add(tacenda, calls, out).code == 3
    for name, numbers, told in (("b", range(30, 90), 60), ("c", range(100, 101), 61)):
        _write(calls / f"{name}.jsonl", numbers, **clean)
        _add(tacenda, calls, out)
        assert f"{told} conversations were added to a corpus that did not meet the criterion" in grounds()
    assert _wrong(out) == []


def test_an_addition_does_not_clear_a_bad_review(tacenda: Command, calls: Path, tmp_path: Path) -> None:
    def reviewed(seed: int, marked: bool) -> int:
        sample = tmp_path / f"sample{seed}.jsonl"
        words = ["review", "sample", str(out), "--read", str(26 + seed)]
        assert cli_main(cli.run, [*words, "--output", str(sample)]) == 0
        text = sample.read_text().replace('"reviewed_by":""', '"reviewed_by":"Pam"')
        sample.write_text(text.replace("thanks", "(thanks)[MISSED_PERSON_NAME]") if marked else text)
        return cli_main(cli.run, ["release", str(out), "--review", str(sample)])

    out, config = tmp_path / "out", tmp_path / "config.yaml"
    config.write_text("risk: {because: these are examples}\n")
    assert _add(tacenda, calls, out, "--config", config).code == 0
    assert reviewed(1, marked=True) == 3
    for number in (30, 31):
        _write(calls / f"{number}.jsonl", range(number, number + 1))
        assert _add(tacenda, calls, out, "--config", config).code in (0, 3)
        manifest = json.loads((out / "manifest.json").read_text())
        assert "review" not in manifest
        assert len(manifest["reviews_before"]["highest"]) == 27
    reviewed(3, marked=False)
    manifest = json.loads((out / "manifest.json").read_text())
    weakening = [one["what"] for one in manifest["verdict"]["rests_on"] if one["weakens"]]
    earlier = "conversations that scored higher in an earlier review: 27"
    assert [what for what in weakening if "earlier review" in what] == [earlier]
    assert _wrong(out) == []
    manifest["review"]["highest"] = {}
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert any("the highest scores of all reviews" in one for one in _wrong(out))


def test_a_signed_corpus_grows_and_shrinks_in_one_history(
    tacenda: Command, calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    monkeypatch.setenv("SIGNING", key.decode())
    out, words = tmp_path / "out", ("--signing-key", "env:SIGNING")
    assert _add(tacenda, calls, out, *words).code == 0
    _write(calls / "b.jsonl", range(30, 40))
    assert "has a signed history" in _add(tacenda, calls, out).err
    assert _add(tacenda, calls, out, *words).code == 0
    ids = tmp_path / "ids.txt"
    ids.write_text("c003\n")
    assert cli_main(cli.run, ["corpus", "erase", str(out), "--conversations", str(ids), *words]) == 0
    assert _wrong(out) == []
    lines = (out / "history.jsonl").read_bytes().splitlines()
    assert len(lines) == 3
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["changes"][0]["manifest_before_sha256"] = "0" * 64
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert any("the signed history does not have" in one for one in _wrong(out))
