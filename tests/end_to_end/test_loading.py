"""A corpus loads as it is, in what people train with."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

LOCAL = ("--workers", "1", "--detector", "rules")
FORMATS = ("jsonl", "jsonl.gz", "parquet")

Corpus = Callable[..., Any]


@pytest.fixture
def corpus(tacenda: Any, lines: Callable[..., Path]) -> Corpus:
    """Twelve chats in two parts, written in some format."""

    def run(*words: str) -> Any:
        calls = [
            {
                "conversation_id": f"c{i}",
                "turns": [
                    {"speaker": "Customer", "text": f"Write to u{i}@example.com about garden {i}."},
                    {"speaker": "Agent", "text": "Certainly."},
                ],
            }
            for i in range(12)
        ]
        cut = ("--unit-bytes", "300", "--part-bytes", "900")
        finished = tacenda("anonymize", "--input", lines(*calls), *LOCAL, *cut, *words)
        assert finished.code == 0
        assert len(list((finished.folder / "corpus").iterdir())) > 1
        return finished

    return run


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Any]:
    """``datasets.load_dataset`` of a folder, without network and with a cache of its own."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)

    def load(folder: Path) -> Any:
        return datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))

    return load


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("to", ["conversation", "chat"])
def test_datasets_loads_the_corpus_and_nothing_else(
    corpus: Corpus, load: Callable[[Path], Any], form: str, to: str
) -> None:
    run = corpus("--format", form, "--to", to)
    for folder in (run.folder, run.folder / "corpus"):
        loaded = load(folder)
        assert list(loaded) == ["train"]
        rows = loaded["train"].to_list()
        assert [row["conversation_id"] for row in rows] == [f"c{i}" for i in range(12)]
        assert "[EMAIL_ADDRESS_1]" in json.dumps(rows[0])
    written = run.json("manifest.json")["written"]["features"]
    if written is not None:
        assert load(run.folder)["train"].features._to_yaml_list() == written


@pytest.mark.parametrize("form", FORMATS)
def test_data_frames_read_the_folder(corpus: Corpus, form: str) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    folder = corpus("--format", form).folder / "corpus"
    parts = f"{folder}/part-*"
    if form == "parquet":
        ids = [pandas.read_parquet(folder)["conversation_id"].tolist()]
        ids.append(polars.read_parquet(parts)["conversation_id"].to_list())
        query = f"select conversation_id from read_parquet('{parts}')"
    else:
        frames = [pandas.read_json(part, lines=True) for part in sorted(folder.iterdir())]
        ids = [pandas.concat(frames)["conversation_id"].tolist()]
        ids.append(
            polars.concat(map(polars.read_ndjson, sorted(folder.iterdir())))["conversation_id"].to_list()
        )
        query = f"select conversation_id from read_json('{parts}', format='newline_delimited')"
    ids.append([row[0] for row in duckdb.sql(query).fetchall()])
    assert [sorted(one) for one in ids] == [sorted(f"c{i}" for i in range(12))] * 3


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("trl"), reason="TRL, which needs torch, is not installed")
@pytest.mark.parametrize("to", ["chat", "prompt_completion"])
def test_trl_takes_the_rows_for_conversations(corpus: Corpus, load: Callable[[Path], Any], to: str) -> None:
    from trl.data_utils import is_conversational

    rows = load(corpus("--to", to).folder)["train"].to_list()
    assert all(map(is_conversational, rows))


def test_croissant_is_valid(corpus: Corpus) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    run = corpus("--format", "parquet")
    metadata = mlcroissant.Dataset(jsonld=str(run.folder / "croissant.json")).metadata
    assert not metadata.ctx.issues.errors
    files = {one.id: one.sha256 for one in metadata.distribution}
    assert files == {path: told for path, told in run.hashes().items() if path.startswith("corpus/")}
    assert "EMAIL_ADDRESS" in str(metadata.personal_sensitive_information)
    assert metadata.data_limitations


def test_the_tokens_are_those_of_the_corpus(corpus: Corpus) -> None:
    run = corpus()
    assert run.json("added_tokens.json") == ["[EMAIL_ADDRESS_1]"]
    assert run.json("manifest.json")["totals"]["tokens"] == {"[EMAIL_ADDRESS_1]": 12}


def test_cards_are_verified(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    run = corpus()
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0
    card = run.folder / "README.md"
    card.write_text(card.read_text().replace("self-check", "review"))
    (run.folder / "croissant.json").unlink()
    capsys.readouterr()
    assert cli_main(cli.run, ["verify", str(run.folder)]) != 0
    said = capsys.readouterr().out
    assert "README.md is not the one" in said
    assert "croissant.json is not the one" in said


def test_a_held_corpus_has_no_cards(tacenda: Any, lines: Callable[..., Path], tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("risk: {threshold: 1}\n")
    turn = {"speaker": "Agent", "text": "Hello.", "spans": [{"start": 0, "end": 5, "label": "PERSON_NAME"}]}
    source = lines({"conversation_id": "c", "turns": [turn]})
    run = tacenda("anonymize", "--input", source, *LOCAL, "--config", config)
    assert run.code == 3
    assert not {"README.md", "croissant.json", "added_tokens.json"} & set(run.files())
