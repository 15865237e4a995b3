"""User names and passwords of storage URLs never appear in the output or messages of a run."""

import json

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.fakes import web_server

RECORD = '{"conversation_id": "a", "turns": [{"speaker": "agent", "text": "x"}]}\n'


@pytest.fixture
def host(tmp_path):
    """``localhost`` and the port of a server of the folder ``far``."""
    pytest.importorskip("aiohttp")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.jsonl").write_text(RECORD)

    with web_server.serving(tmp_path / "far") as address:
        yield address


def test_a_password_of_an_input_is_neither_written_nor_said(host, tmp_path, capsys):
    words = ["inspect", "--input", f"http://pam:beets4ever@{host}/a.jsonl", "--output", str(tmp_path / "out")]
    words += ["--detector", "rules"]
    assert cli_main(cli.run, [*words, "--dry-run"]) == 0
    assert cli_main(cli.run, words) == 0
    words[2] = words[2].replace("a.jsonl", "none.jsonl")
    assert cli_main(cli.run, words) == 2
    told = "".join(capsys.readouterr())
    files = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert f"http://{host}/none.jsonl" in told
    assert "beets4ever" not in told
    assert not any(b"beets4ever" in content for content in files)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["inputs"]["files"] == 1
    (unit,) = pq.read_table(tmp_path / "out" / "manifest-units.parquet").to_pylist()
    assert not [source for source in unit["sources"] if host in source["url"]]
