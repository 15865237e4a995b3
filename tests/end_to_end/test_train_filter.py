"""``tacenda train filter`` as a user runs it, and what a run reports about skipped turns."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tacenda.models.token_classifier.package import TURN_FILTER, read_package
from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

TINY = Path(__file__).parents[1] / "golden" / "tiny_model"
QUIET = ["it is the call", "hello", "the call is in", "my name", "hello my call", "is it"]


def _conversations(*texts: list[str]) -> str:
    turns = [[{"speaker": "a", "text": text, "spans": []} for text in one] for one in texts]
    return "".join(json.dumps({"conversation_id": str(i), "turns": t}) + "\n" for i, t in enumerate(turns))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TINY, tmp_path / "package"))


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    """Text by two makers, with people's names."""
    files = []
    for maker in ("one", "two"):
        path = tmp_path / f"{maker}-calls.jsonl"
        path.write_text(_conversations(*([*QUIET, "hello pam", "mr dwight"] for _ in range(40 + len(files)))))
        files.append(str(path))
    return files


def test_a_package_gets_a_filter_and_runs_say_what_it_left_out(
    package: Path, texts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_package(package).fingerprint
    assert cli_main(cli.run, ["train", "filter", "--model", str(package), "--text", *texts]) == 0
    assert "turns that skip the network" in capsys.readouterr().out
    assert read_package(package).fingerprint != before
    card = (package / "MODEL_CARD.md").read_text("utf-8")
    assert "## Turns that skip the network" in card
    assert "one-calls.jsonl" in (package / "turn_filter.json").read_text("utf-8")
    first = (package / TURN_FILTER).read_bytes()
    # Built again, it is the same; the card says it once.
    assert cli_main(cli.run, ["train", "filter", "--model", str(package), "--text", *texts]) == 0
    assert (package / TURN_FILTER).read_bytes() == first
    assert (package / "MODEL_CARD.md").read_text("utf-8") == card

    # A process reads a package once, and this one has read it as it was.
    package = Path(shutil.copytree(package, tmp_path / "filtered"))
    source = tmp_path / "in.jsonl"
    source.write_text(_conversations(*([*QUIET, f"hello pam {'my ' * i}"] * 3 for i in range(80))))
    told: dict[str, Any] = {}
    for name, config in (("skipping", {}), ("whole", {"skipping": False})):
        (tmp_path / "config.json").write_text(json.dumps({"models": [{"path": str(package), **config}]}))
        words = ["--input", str(source), "--output", str(tmp_path / name), "--config"]
        words += [str(tmp_path / "config.json"), "--detector", "model", "--workers", "1"]
        assert cli_main(cli.run, ["anonymize", *words]) in (0, 3)
        read = json.loads((tmp_path / name / "statistics.json").read_text())["skipping"]["turns"]
        manifest = json.loads((tmp_path / name / "manifest.json").read_text())
        assert manifest["config"]["detectors"]["models"][0]["skipping"] is (name == "skipping")
        counts = manifest["totals"]["sampling"]
        assert all(counts[f"turns/{key}"] == read[key] for key in ("all", "left_out", "sampled", "findings"))
        told[name] = read
    assert told["whole"]["left_out"] == 0
    assert told["skipping"]["left_out"] == 80 * 3 * len(QUIET)
    assert 0 < told["skipping"]["sampled"] < 0.05 * told["skipping"]["left_out"]
    assert told["skipping"]["share_missed"] == 0
    assert told["skipping"]["findings"] == told["whole"]["findings"] == 240
    for path in (tmp_path / "whole").glob("corpus/*"):
        assert path.read_bytes() == (tmp_path / "skipping" / "corpus" / path.name).read_bytes()


def test_text_of_one_maker_is_rejected(
    package: Path, texts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli_main(cli.run, ["train", "filter", "--model", str(package), "--text", texts[0]]) == 2
    assert "--text: all files have the same maker" in capsys.readouterr().err
    assert not (package / TURN_FILTER).exists()


def test_a_folder_that_is_no_package_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        cli_main(cli.run, ["train", "filter", "--model", str(tmp_path), "--text", "a.jsonl", "b.jsonl"]) == 2
    )
    assert str(tmp_path) in capsys.readouterr().err
