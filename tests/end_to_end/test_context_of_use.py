"""``--context``: answers on the context of use are in manifest and report."""

from pathlib import Path
from typing import Any

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

TALK = {"conversation_id": "c1", "turns": [{"speaker": "a", "text": "hello"}]}


def test_a_filled_in_form_is_printed(tacenda: Any, lines: Any, tmp_path: Path) -> None:
    form = tmp_path / "context.yaml"
    assert cli_main(cli.run, ["config", "init", "--context-form", str(form)]) == 0
    form.write_text(form.read_text("utf-8").replace('purpose: ""', 'purpose: "An assistant."'), "utf-8")
    run = tacenda("anonymize", "--input", lines(TALK), "--detector", "rules", "--context", form)
    assert run.json("manifest.json")["context"] == {"purpose": "An assistant."}
    page = (run.folder / "report.html").read_text("utf-8")
    assert "<dd><bdi>An assistant.</bdi></dd>" in page
    assert page.count("<dd><bdi>") == 1
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


def test_another_file_is_refused_before_anything_is_read(tacenda: Any, lines: Any, tmp_path: Path) -> None:
    form = tmp_path / "context.yaml"
    form.write_text("purpos: x\n", "utf-8")
    run = tacenda("anonymize", "--input", lines(TALK), "--detector", "rules", "--context", form)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert "has no question 'purpos'" in run.err
    assert not run.folder.exists()
