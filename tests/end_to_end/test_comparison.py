"""``--compare-to``: the report of a run lists what has changed since an earlier one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

MAIL = "ann.smith@example.com"


@pytest.fixture
def anonymize(tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path) -> Callable[..., Any]:
    """``anonymize(texts, name, …)``: by rules alone, into a folder of that name."""

    def run(texts: list[str], name: str, *more: object) -> Any:
        talks = [
            {"conversation_id": f"c{i}", "context": "sales", "turns": [{"speaker": "a", "text": text}]}
            for i, text in enumerate(texts)
        ]
        words = ["--input", lines(*talks, name=f"{name}.jsonl"), "--detector", "rules"]
        return tacenda("anonymize", *words, *more, output=tmp_path / name)

    return run


def test_what_has_changed_is_in_the_report_which_stays_true(anonymize: Any, tmp_path: Path) -> None:
    anonymize([MAIL, "hello"], "before")
    (tmp_path / "c.yaml").write_text("risk: {threshold: 4, because: a trial}\n", "utf-8")
    run = anonymize(
        [MAIL, MAIL, "hello"], "after", "--config", tmp_path / "c.yaml", "--compare-to", tmp_path / "before"
    )
    told = run.json("manifest.json")["compared_with"]
    assert told["folder"] == str(tmp_path / "before")
    assert told["earlier"]["findings"] == {"EMAIL_ADDRESS": 1}
    assert {"setting": "risk.threshold", "before": "5", "after": "4"} in told["config"]
    page = (run.folder / "report.html").read_text("utf-8")
    assert "conversations</th><td>2</td><td>3</td><td>+1 (+50.0" in page
    assert "EMAIL_ADDRESS</th><td>1</td><td>2</td>" in page
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


def test_without_an_earlier_run_there_are_no_changes(anonymize: Any) -> None:
    assert 'id="changes"' not in (anonymize(["hello"], "one").folder / "report.html").read_text("utf-8")


@pytest.mark.parametrize("what", ["nothing", "no manifest", "another command", "another form"])
def test_a_folder_that_is_no_output_is_refused_in_a_line(
    what: str, anonymize: Any, tacenda: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "before"
    if what == "no manifest":
        folder.mkdir()
        (folder / "_SUCCESS").write_text("{}", "utf-8")
    elif what == "another command":
        (tmp_path / "in.jsonl").write_text('{"conversation_id": "c", "turns": []}', "utf-8")
        tacenda("inspect", "--input", tmp_path / "in.jsonl", "--detector", "rules", output=folder)
    elif what == "another form":
        anonymize(["hello"], "before")
        (folder / "manifest.json").write_text('{"command": "anonymize"}', "utf-8")
    run = anonymize(["hello"], "after", "--compare-to", folder)
    assert run.code == 2
    assert run.err.count("\n") == 1
    assert f"--compare-to {folder}: no " in run.err
    assert not (tmp_path / "after").exists()
