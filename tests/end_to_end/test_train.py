"""``tacenda train detector`` as a user runs it, and its package as ``--model`` of another command."""

import importlib.util
import json

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.training import detector_training
from tests.cases import tabled
from tests.tiny_bert import gold, write_bert

TORCH = all(importlib.util.find_spec(name) for name in ("torch", "safetensors", "onnx"))
needs_torch = pytest.mark.skipif(not TORCH, reason="needs torch; pip install '.[train]'")
LABELS = 'classes: ["O", "PERSON_NAME", "LOCATION"]\n'


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in gold(120)))
    (tmp_path / "labels.yaml").write_text(LABELS)
    return [
        "train", "detector", "--gold", str(path), "--labels", str(tmp_path / "labels.yaml"),
        "--base", str(tmp_path / "base"), "--output", str(tmp_path / "out"), "--steps", "60",
        "--rate", "0.01", "--batch", "512", "--dev-share", "0.3",
        "--no-compile", "--threads", "1", "--max-places", "48",
    ]  # fmt: skip


@pytest.fixture
def base(tmp_path):
    return write_bert(tmp_path / "base", layers=1, seed=1)


@pytest.mark.slow
@needs_torch
def test_trains_a_detector_that_inspect_runs(words, base, tmp_path, capsys, tacenda, lines):
    assert cli_main(cli.run, words) == 0
    told = capsys.readouterr()
    assert "on development data: recall" in told.out
    assert "trained on raw gold" in told.out
    assert not any(value in told.out + told.err for value in ("Pam", "Dwight", "Scranton"))
    source = lines(
        {"conversation_id": "x", "turns": [{"speaker": "a", "text": "my name is Pam from Scranton"}]}
    )
    run = tacenda("inspect", "--input", source, "--detector", "model", "--model", tmp_path / "out")
    assert {(f["info_type"], f["start"]) for f in run.findings()} == {("PERSON_NAME", 11), ("LOCATION", 20)}
    (model,) = run.manifest["config"]["detectors"]["models"]
    assert model["trained_on_personal_data"] is True


@needs_torch
def test_a_smaller_network_learns_from_a_larger_one(words, base, tmp_path):
    assert cli_main(cli.run, words) == 0
    more = ["--teacher", str(tmp_path / "out"), "--inner", "16", "--output", str(tmp_path / "small")]
    assert cli_main(cli.run, [*words, *more]) == 0
    told = json.loads((tmp_path / "small" / "curve.json").read_text())
    assert told["facts"]["inner"] == 16
    before = json.loads((tmp_path / "out" / "curve.json").read_text())
    assert told["bytes"]["float32"] < before["bytes"]["float32"]
    assert told["figures"]["recall"] > 0.9


@needs_torch
@tabled("more", "wrong")
def test_user_errors_are_one_line(words, base, capsys, more, wrong):
    assert cli_main(cli.run, [*words, *more]) == 2
    told = capsys.readouterr().err
    assert wrong in told
    assert told.count("\n") == 1


@needs_torch
@pytest.mark.parametrize(
    ("labels", "wrong"),
    [
        ('classes: ["O", "PERSON_NAME", "SITE"]', "class SITE is not an infoType, so no run would find it"),
        ('classes: ["O", "SITE"]\nunreported: ["SITE"]', "no class is an infoType"),
    ],
)
def test_a_class_that_no_run_would_find_is_reported_before_the_training(
    words, tmp_path, capsys, labels, wrong
):
    (tmp_path / "labels.yaml").write_text(labels)
    assert cli_main(cli.run, words) == 2
    assert wrong in capsys.readouterr().err
    assert not (tmp_path / "out.training").exists()


@needs_torch
def test_corpora_that_are_never_drawn_from_are_reported_before_the_training(words, base, tmp_path, capsys):
    (tmp_path / "labels.yaml").write_text(LABELS + 'corpora: {office: {annotates: ["*"], weight: 0}}\n')
    assert cli_main(cli.run, words) == 2
    told = capsys.readouterr().err
    assert "no conversation of a corpus whose 'weight' is above 0" in told
    assert told.count("\n") == 1


@needs_torch
def test_the_output_can_be_the_current_folder(words, base, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert cli_main(cli.run, [*words, "--steps", "4", "--output", "."]) == 0
    assert (tmp_path / "here" / "package.json").is_file()
    assert (tmp_path / "here.training" / "run.json").is_file()


def test_without_torch_one_line_says_what_to_install(words, capsys, monkeypatch):
    monkeypatch.setattr(detector_training, "find_spec", lambda name: None)
    assert cli_main(cli.run, words) == 2
    told = capsys.readouterr().err
    assert told == "tacenda: torch, safetensors, onnx not installed; pip install '.[train]'\n"
