"""Commands and exit codes: 0 done, 3 held, 2 user errors, 130 interrupted, 1 other errors."""

import json
import subprocess
import sys

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import ExitCode, cli_main
from tacenda.transforms.schema.url_redaction import source_name
from tests.cases import tabled


def test_exit_code_is_0_if_the_criterion_is_met_and_3_if_not(runs):
    """A review with rows in quarantine does not meet it."""
    assert {command: run.code for command, run in runs.items()} == {"anonymize": 0, "inspect": 0, "score": 3}


@tabled("words")
def test_exit_code_is_2_and_one_line_for_user_errors(words, capsys):
    assert cli_main(cli.run, words) == 2
    told = capsys.readouterr().err
    assert told.startswith("tacenda: ")
    assert told.count("\n") == 1


@tabled("word", "told")
def test_an_unknown_command_suggests_the_nearest(word, told, capsys):
    assert cli_main(cli.run, [word]) == 2
    assert told in capsys.readouterr().err


def test_a_dry_run_writes_nothing(source, tmp_path, capsys):
    out = tmp_path / "out"
    words = ["anonymize", "--input", str(source), "--output", str(out), "--dry-run"]
    assert cli_main(cli.run, words) == 0
    assert not out.exists()
    assert "conversation" in capsys.readouterr().out


def test_quiet_still_prints_the_json_summary(source, tmp_path, capsys):
    words = ["inspect", "--input", str(source), "--output", str(tmp_path / "out"), "--json", "--quiet"]
    assert cli_main(cli.run, [*words, "--dry-run"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["files"] == 1
    assert plan["parts"][0]["ranges"][0]["url"] == source_name(str(source))
    assert cli_main(cli.run, words) == 0
    done = capsys.readouterr()
    assert done.err == ""
    told = json.loads(done.out)
    assert told["rows"]["in"] == told["rows"]["out"] + told["rows"]["quarantined"]
    assert told["output"] == str(tmp_path / "out")
    assert cli_main(cli.run, [word for word in words if word != "--json"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--output", "out", "--runner=NoSuch"], "is no runner for these jobs"),
        (["--output", "link/out"], "cannot be used (FileNotFoundError)"),
    ],
)
def test_a_dry_run_checks_runner_and_output_as_the_run_does(
    source, tmp_path, monkeypatch, capsys, more, told
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("nowhere/at/all")
    before = set(tmp_path.rglob("*"))
    assert cli_main(cli.run, ["inspect", "--input", str(source), *more, "--dry-run"]) == 2
    assert told in capsys.readouterr().err
    assert set(tmp_path.rglob("*")) == before


def test_a_dry_run_refuses_what_the_run_would_refuse(runs, source):
    out = str(runs["inspect"].folder)
    assert cli_main(cli.run, ["anonymize", "--input", str(source), "--output", out, "--dry-run"]) == 2


def test_help_lists_every_exit_code(capsys):
    assert cli_main(cli.run, ["--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n  {code:<11d} " in told for code in ExitCode)
    assert max(map(len, told.splitlines())) <= 80


@tabled("words", "unneeded")
def test_help_and_version_import_no_slow_library(words, unneeded):
    """``unneeded`` is one of the slowest imports; it is blocked, so importing it would end the command."""
    script = f"import sys; sys.modules[{unneeded!r}] = None; from tacenda.pipelines.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script, *words.split()], capture_output=True, text=True)
    assert done.returncode == (2 if "--colour" in words else 0), done.stderr


UNNEEDED = ("apache_beam", "grpc", "google.cloud", "google.protobuf", "torch", "transformers", "boto3")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["anonymize", "inspect", "score"])
def test_one_conversation_needs_neither_beam_nor_the_cloud(command, tmp_path):
    source = tmp_path / "in.jsonl"
    turns = [{"speaker": "Pam", "text": "Pam Beesly, call 415-555-0132 or write to pam@example.com"}]
    source.write_text(json.dumps({"conversation_id": "a", "turns": turns}) + "\n")
    blocked = f"import sys; sys.modules.update(dict.fromkeys({UNNEEDED}))"
    script = f"{blocked}; from tacenda.pipelines.cli import main; main()"
    words = [command, "--input", source, "--output", tmp_path / "out"]
    done = subprocess.run([sys.executable, "-c", script, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    assert done.stderr == ""
    assert "conversations  1 " in done.stdout
