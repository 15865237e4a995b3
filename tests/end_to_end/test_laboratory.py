"""The laboratory's options in ``anonymize``, each end to end; and what is said without the extra."""

import importlib.metadata
import json
import shutil
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
import yaml

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

TINY = Path(__file__).parents[1] / "golden" / "tiny_masked_lm"
TALK = {
    "conversation_id": "a",
    "turns": [{"speaker": "Agent", "text": "hello Anna Svensson, may I call you Anna Svensson"}],
}


def _config(tmp_path: Path, **sections: Any) -> str:
    (tmp_path / "key").write_text("a secret of thirty-two letters!!")
    if "replacement" in sections:
        sections["replacement"] = {**sections["replacement"], "secret": f"file:{tmp_path / 'key'}"}
    file = tmp_path / "config.yaml"
    file.write_text(yaml.safe_dump(sections))
    return str(file)


def _masked_lm(tmp_path: Path) -> str:
    return str(shutil.copytree(TINY, tmp_path / "tiny"))


OPTIONS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "hidden_in_plain_sight": lambda _: {"replacement": {"default": "hidden_in_plain_sight"}},
    "random": lambda _: {"replacement": {"default": "random"}},
    "masked_lm": lambda folder: {
        "replacement": {"default": "masked_lm", "masked_lm": {"path": _masked_lm(folder)}}
    },
    "masked_lm_detector": lambda folder: {
        "models": [
            {
                "path": _masked_lm(folder),
                "languages": ["en"],
                "decision": {"rule": "binary", "threshold": 0.001, "info_type": "PERSON_NAME"},
            }
        ]
    },
    "reconcile": lambda _: {"entities": {"reconcile": "paper"}},
}


def _run(tmp_path: Path, name: str) -> int:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps(TALK) + "\n")
    words = ["--input", str(source), "--config", _config(tmp_path, **OPTIONS[name](tmp_path))]
    more = ["--detector", "gazetteer"] if name != "masked_lm_detector" else ["--detector", "model"]
    return cli_main(cli.run, ["anonymize", *words, *more, "--output", str(tmp_path / "out")])


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_is_usable_in_anonymize(name: str, tmp_path: Path) -> None:
    assert _run(tmp_path, name) in (0, 3)
    parts = [*(tmp_path / "out").rglob("part-*.jsonl.gz")]
    assert parts
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["rows"]["out"] == 1


@pytest.fixture
def _without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.metadata.distribution

    def distribution(name: str) -> importlib.metadata.Distribution:
        if name == "scipy":
            raise PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr("tacenda.pipelines.config.laboratory.distribution", distribution)


@pytest.mark.usefixtures("_without_the_extra")
@pytest.mark.parametrize("name", OPTIONS)
def test_without_the_extra_one_line_names_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(tmp_path, name) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"{name} is research and needs scipy: pip install 'tacenda[lab]'" in told


@pytest.mark.usefixtures("_without_the_extra")
def test_without_the_extra_so_does_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli_main(cli.run, ["lab", "bias", "report"]) == 2
    assert "pip install 'tacenda[lab]'" in capsys.readouterr().err
    assert cli_main(cli.run, ["--print-completion", "bash"]) == 0
