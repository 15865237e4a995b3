"""The main job on a real Flink cluster: the same bytes as in a plain loop, for every kind of input."""

import json

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.executors.local import run_in_loop
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.startup.launch import prepare
from tests.folders import files_in

pytestmark = pytest.mark.flink


def _loop(words, output):
    arguments = parser_of("anonymize").parse_args([*words, "--output", str(output)])
    plan, job = prepare("anonymize", arguments)
    prepare_output(job, overwrite=False)
    run_in_loop(plan, job)
    return files_in(output)


def _flink(words, output, options):
    code = cli_main(cli.run, ["corpus", "add", *words, "--output", str(output), *options])
    assert code in (0, 3)
    return files_in(output)


@pytest.fixture
def sample(tmp_path):
    assert cli_main(cli.run, ["sample", "--conversations", "200", "--output", str(tmp_path / "sample")]) == 0
    return tmp_path / "sample"


def test_conversations_come_out_with_the_same_bytes(sample, tmp_path, flink_options):
    (sample / "conversations" / "again.jsonl").write_bytes(
        # Ids that repeat in another file are repaired in a second pass; it must survive a cluster too.
        b"".join((sample / "conversations" / "part-00000.jsonl").read_bytes().splitlines(keepends=True)[:3])
        + b"{broken\n"
    )
    words = ["--input", str(sample / "conversations"), "--config", str(sample / "config.yaml")]
    words += ["--unit-bytes", "100000"]
    flink = _flink(words, tmp_path / "flink", flink_options)
    assert flink == _loop(words, tmp_path / "loop")
    manifest = json.loads(flink["manifest.json"])
    assert manifest["rows"]["quarantined"] == 4
    assert manifest["units"]["rows"] > 5


def test_turn_rows_are_regrouped_with_the_same_bytes(sample, tmp_path, flink_options):
    rows = [
        json.dumps({"conversation_id": c["conversation_id"], "turn_index": i, **t, "spans": None})
        for c in map(json.loads, (sample / "conversations" / "part-00000.jsonl").open(encoding="utf-8"))
        for i, t in enumerate(c["turns"])
    ]
    (tmp_path / "rows").mkdir()
    for part in range(3):
        (tmp_path / "rows" / f"{part}.jsonl").write_text("\n".join(rows[part::3]) + "\n", encoding="utf-8")
    words = ["--input", str(tmp_path / "rows"), "--shape", "turns", "--unit-bytes", "200000"]
    assert _flink(words, tmp_path / "flink", flink_options) == _loop(words, tmp_path / "loop")


def test_files_are_added_and_conversations_erased_with_the_same_bytes(tmp_path, flink_options):
    source, ids = tmp_path / "calls", tmp_path / "ids.txt"
    source.mkdir()
    ids.write_text("c0-3\nc1-4\n")
    outputs = {"flink": flink_options, "here": ["--workers", "1"]}
    for number in range(2):
        turns = [{"speaker": "Pam", "text": "write to pam@example.com"}]
        records = [{"conversation_id": f"c{number}-{i}", "turns": turns} for i in range(50)]
        (source / f"{number}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        for name, options in outputs.items():
            words = ["--input", str(source), "--output", str(tmp_path / name), "--detector", "rules"]
            assert cli_main(cli.run, ["corpus", "add", *words, *options]) == 0
    for name in outputs:
        assert cli_main(cli.run, ["corpus", "erase", str(tmp_path / name), "--conversations", str(ids)]) == 0
    assert files_in(tmp_path / "flink") == files_in(tmp_path / "here")
