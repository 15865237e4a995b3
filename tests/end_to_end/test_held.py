"""A held run: no folder named corpus; high scores can be dropped, and the rest is judged again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.output.erasing import erase
from tacenda.transforms.storage import json_lines
from tacenda.transforms.storage.opening import open_read

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]

TEXT = "the weather is fine today and we talked about the garden for a while"


def _calls(count: int = 60, high: int = 20) -> list[dict[str, Any]]:
    """Conversations with gold that no detector finds: ``high`` of them score 5, the others nothing."""
    spans = [{"start": 4, "end": 18, "label": "PERSON_NAME"}]
    return [
        {
            "conversation_id": f"c{i}",
            "gold": "complete",
            "turns": [{"speaker": "agent", "text": TEXT, "spans": spans if i < high else []}],
        }
        for i in range(count)
    ]


@pytest.fixture
def words(lines: Lines, tmp_path: Path) -> list[object]:
    (tmp_path / "c.yaml").write_text("risk: {threshold: 3}\n")
    return ["--input", lines(*_calls()), "--detector", "rules", "--config", tmp_path / "c.yaml"]


def test_a_held_run_leaves_no_corpus_and_says_what_to_do(tacenda: Tacenda, words: list[object]) -> None:
    run = tacenda("anonymize", *words)
    assert run.code == 3
    assert not (run.folder / "corpus").exists()
    assert [path.name for path in (run.folder / ".held").iterdir()] == ["part-00000.jsonl.gz"]
    assert len(run.corpus()) == 60
    assert ".held/part-00000.jsonl.gz" in run.hashes()
    assert not [path for path in run.hashes() if path.startswith("corpus/")]
    assert any("do not train on it" in step for step in run.json("_HELD")["next"])
    assert "do not train on it" in run.out
    before = run.files()
    again = tacenda("anonymize", *words, output=run.folder)
    assert (again.code, again.files()) == (3, before)
    assert "already done" in again.out


@pytest.mark.parametrize("lost", [".held/part-00000.jsonl.gz", "report.html", "_HELD"])
def test_an_incomplete_held_run_is_repeated(tacenda: Tacenda, words: list[object], lost: str) -> None:
    run = tacenda("anonymize", *words)
    before = run.files()
    (run.folder / lost).unlink()
    again = tacenda("anonymize", *words, output=run.folder)
    assert (again.code, again.files()) == (3, before)


def test_a_held_corpus_can_be_discarded(tacenda: Tacenda, words: list[object], tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("risk: {threshold: 3}\noutput: {held: discard}\n")
    run = tacenda("anonymize", *words)
    assert run.code == 3
    assert not {"corpus", ".held"} & {path.name for path in run.folder.iterdir()}
    assert len(run.risk()) == 60
    assert tacenda("anonymize", *words, output=run.folder).code == 3


def test_high_scoring_conversations_are_dropped_and_the_rest_judged(
    tacenda: Tacenda, words: list[object], tmp_path: Path
) -> None:
    (tmp_path / "c.yaml").write_text("risk: {threshold: 3, least_conversations: 20}\n")
    run = tacenda("anonymize", *words, "--drop-over", 5)
    assert run.code == 0, run.out
    assert (run.folder / "_SUCCESS").exists()
    assert run.json("manifest.json")["rows"] == {
        "in": 60, "out": 40, "quarantined": 0, "dropped": 20, "not_read": 0, "balanced": True,
    }  # fmt: skip
    assert {row["conversation_id"] for row in run.corpus()} == {f"c{i}" for i in range(20, 60)}
    dropped = pq.read_table(run.folder / "dropped").to_pylist()
    assert {row["conversation_id"] for row in dropped} == {f"c{i}" for i in range(20)}
    assert {row["score"] for row in dropped} == {5}
    statistics = run.json("statistics.json")
    assert statistics["sources"]["gold"]["total"]["max"] == 0
    told = json.dumps(run.json("manifest.json")["verdict"]["rests_on"])
    assert "20 conversations that scored 5 or more were dropped by request" in told


def test_erasing_what_scores_high_is_reported_and_needs_a_reason(
    tacenda: Tacenda, words: list[object]
) -> None:
    run = tacenda("anonymize", *words)
    assert (run.folder / "_HELD").exists()
    erase(str(run.folder), {f"c{i}" for i in range(20)})
    told = "20 conversations were erased after the run, before which the criterion was not met"
    verdict = run.json("_UNREVIEWED")
    assert {"what": told, "weakens": True} in verdict["rests_on"]
    assert any("settings weaken the gate" in one and told in one for one in verdict["lacks"])
    assert told in (run.folder / "report.html").read_text()
    assert erase(str(run.folder), {"c20"}).conversations == 1
    assert any("21 conversations were erased" in one for one in run.json("_UNREVIEWED")["lacks"])


def test_an_erasure_from_a_corpus_that_met_the_criterion_is_reported(tacenda: Tacenda, lines: Lines) -> None:
    run = tacenda("anonymize", "--input", lines(*_calls(high=0)), "--detector", "rules")
    erase(str(run.folder), {"c3", "c4"})
    told = {"what": "2 conversations were erased after the run", "weakens": False}
    assert told in run.json("_SUCCESS")["rests_on"]


def test_dropping_reads_the_input_once(
    tacenda: Tacenda, words: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def counted(url: str) -> Any:
        opened.extend([url] if url.endswith(".jsonl") else [])  # not the corpus, whose fields are described
        return open_read(url)

    monkeypatch.setattr(json_lines, "open_read", counted)
    times = []
    for more in ([], ["--drop-over", 5]):
        opened.clear()
        assert tacenda("anonymize", *words, "--workers", 1, *more).code == (0 if more else 3)
        times.append(len(opened))
    assert times[0] == times[1] > 0


def test_a_held_corpus_that_was_not_kept_is_not_released(
    tacenda: Tacenda, words: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tacenda("anonymize", *words)
    file = tmp_path / "all.jsonl"
    drawn = [
        "review",
        "sample",
        str(kept.folder),
        "--read",
        "60",
        "--output",
        str(file),
    ]
    assert cli_main(cli.run, drawn) == 0
    file.write_text(file.read_text().replace('"reviewed_by":""', '"reviewed_by":"Pam"'))
    (tmp_path / "c.yaml").write_text("risk: {threshold: 3}\noutput: {held: discard}\n")
    gone = tacenda("anonymize", *words)
    assert cli_main(cli.run, ["release", str(gone.folder), "--review", str(file)]) == 2
    assert "was held and not kept" in capsys.readouterr().err
    assert (gone.folder / "_HELD").exists()


@pytest.mark.parametrize("more", [["--workers", "2"], ["--runner=FnApiRunner"]])
def test_held_output_is_the_same_on_every_runner(
    tacenda: Tacenda, words: list[object], more: list[str]
) -> None:
    words = [*words, "--unit-bytes", "1000", "--part-bytes", "3000", "--drop-over", "6"]
    alone, other = tacenda("anonymize", *words), tacenda("anonymize", *words, *more)
    assert alone.code == other.code == 3
    assert alone.files() == other.files()
    assert len([path for path in alone.files() if path.startswith(".held/")]) > 1
