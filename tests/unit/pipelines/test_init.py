import re
from pathlib import Path

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.reference.starter import starter


def test_what_is_written_is_valid_and_means_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["config", "init"]) == 0
    assert load_config("tacenda.yaml").data == {
        "inspect": {"min_likelihood": "POSSIBLE"},
        "risk": {"preset": "appendix", "threshold": 5},
    }
    assert cli_main(cli.run, ["config", "check", "tacenda.yaml"]) == 0


def test_every_setting_that_is_commented_out_is_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.yaml"
    lines = [line for line in starter().splitlines() if not line.lstrip().startswith("##")]
    path.write_text("\n".join(re.sub("^#", "", line) for line in lines))
    assert cli_main(cli.run, ["config", "check", str(path)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "TICKET_NUMBER, by a pattern" in told.out


def test_a_dash_is_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["config", "init", "-"]) == 0
    assert capsys.readouterr().out == starter()


@pytest.mark.parametrize(
    ("name", "told"),
    [("there.yaml", "there.yaml: already exists"), ("x.json", "x.json: the config is YAML")],
)
def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.yaml").write_text("mine\n")
    assert cli_main(cli.run, ["config", "init", name]) == 2
    assert told in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["there.yaml"]
    assert Path("there.yaml").read_text() == "mine\n"
