"""Bad input of every kind: it is recorded, rows balance, and there is never a traceback."""

import gzip
import json
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.schema.url_redaction import source_name
from tests.cases import cases, tabled
from tests.end_to_end.conftest import counts
from tests.talks import as_lines, talk, talks

GOOD = talk("good", "hello")


@pytest.mark.parametrize(
    ("record", "error"),
    [
        (b"{broken", "InvalidJson"),
        (b'{"conversation_id": "\xff\xfe", "turns": []}', "InvalidUtf8"),
        (talk("bad", None), "NullText"),
        (talk("bad", "x" * 101), "TurnTooLong"),
        (talk("good", "again"), "DuplicateConversationId"),
    ],
)
def test_a_bad_record_is_quarantined_alone(tacenda, lines, record, error):
    good = [GOOD, *(talk(f"good{i}", "hello") for i in range(19))]
    source = lines(*good, record)
    run = tacenda("anonymize", "--input", source, "--max-turn-chars", "100")
    assert run.code == 0, run.err
    assert [r["conversation_id"] for r in run.corpus()] == [one["conversation_id"] for one in good]
    assert run.quarantine() == [
        {
            "unit": "00000.00000",
            "file": source_name(str(source)),
            "position": sum(len(json.dumps(one)) + 1 for one in good),
            "stage": "read",
            "error": error,
            "rows": 1,
        }
    ]
    assert run.manifest["rows"] == counts(21, 20, quarantined=1)


@pytest.mark.slow
@pytest.mark.parametrize("words", [200_001, 10_000_000])
def test_a_turn_of_more_than_a_million_characters_is_quarantined(tacenda, lines, words):
    run = tacenda("anonymize", "--input", lines(GOOD, talk("bad", "word " * words)), "--detector", "rules")
    assert [q["error"] for q in run.quarantine()] == ["TurnTooLong"]
    assert [r["conversation_id"] for r in run.corpus()] == ["good"]


def test_ids_that_repeat_in_another_file_are_quarantined_in_the_later_one(tacenda, lines):
    other = talk("other", "x")
    files = [lines(GOOD, name="a.jsonl"), lines(other, GOOD, name="b.jsonl"), lines(GOOD, name="c.jsonl")]
    run = tacenda("anonymize", "--input", *files)
    assert [r["conversation_id"] for r in run.corpus()] == ["good", "other"]
    assert [(q["file"], q["error"]) for q in run.quarantine()] == [
        (source_name(str(files[1])), "DuplicateConversationId"),
        (source_name(str(files[2])), "DuplicateConversationId"),
    ]
    assert run.manifest["rows"]["balanced"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffix", "compress"), [("gz", gzip.compress), ("zst", partial(pa.compress, codec="zstd", asbytes=True))]
)
@pytest.mark.parametrize("damage", ["cut off", "garbled"])
@pytest.mark.parametrize("shape", ["conversation", "turns"])
def test_a_truncated_stream_is_read_up_to_the_damage_and_holds_the_run(
    tacenda, tmp_path, suffix, compress, damage, shape
):
    records = [
        talk(f"c{i}", "hello", note=f"{i * 7919}")
        if shape == "conversation"
        else {"conversation_id": f"c{i}", "turn_index": 0, "text": f"hello {i * 7919}"}
        for i in range(60_000)
    ]
    whole = compress(as_lines(records))
    half = len(whole) // 2
    rest = b"" if damage == "cut off" else bytes(byte ^ 0xFF for byte in whole[half:])
    (tmp_path / f"bad.jsonl.{suffix}").write_bytes(whole[:half] + rest)
    words = ["--input", tmp_path / f"bad.jsonl.{suffix}", "--detector", "rules"]
    run = tacenda("anonymize", *words)
    assert run.code == 3
    assert 0 < len(run.corpus()) < 60_000
    assert [q["error"] for q in run.quarantine()][-1] == "TruncatedStream"
    assert run.manifest["rows"]["balanced"]
    (reason,) = run.json("_HELD")["held_by"]
    assert reason.startswith("truncated or damaged input files: 1; the number of lost rows is unknown")
    assert reason in run.out
    assert reason in run.report
    assert (run.folder / "_HELD").exists()


@pytest.mark.parametrize("name", ["in.json", "in.json.gz"])
def test_what_is_behind_an_array_is_quarantined_alone(tacenda, tmp_path, name):
    array, path = json.dumps([GOOD, talk("last", "hello")]).encode(), tmp_path / name
    path.write_bytes((gzip.compress(array) if name.endswith(".gz") else array) + b"\n, hello]")
    run = tacenda("anonymize", "--input", path, "--detector", "rules")
    assert (run.code, run.ids()) == (3, ["good", "last"])
    assert run.manifest["rows"] == counts(3, 2, quarantined=1)
    (lost,) = run.quarantine()
    assert (lost["error"], lost["rows"]) == ("TruncatedStream", 1)
    assert lost["position"] > len(array)


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "whole.parquet"
    pq.write_table(pa.Table.from_pylist(talks(1000, "hello")), path)
    return path


def _with_mistakes(folder, parquet):
    (folder / "cut.parquet").write_bytes(parquet.read_bytes()[:-100])
    (folder / "latin.csv").write_bytes("id,text,größe\n".encode("latin-1"))
    (folder / "empty").mkdir()
    for name, text in cases(__file__, "files").items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def test_user_errors_are_one_clear_line(tacenda, tmp_path, parquet):
    _with_mistakes(tmp_path, parquet)
    for name, words, told in cases(__file__, "test_user_errors_are_one_clear_line"):
        arguments = [word.format(folder=tmp_path) for word in words]
        run = tacenda("anonymize", *arguments)
        assert run.code == 2, (name, run.err)
        assert run.err.startswith("tacenda: "), name
        assert run.err.count("\n") == 1, run.err
        assert told in run.err, (name, run.err)
        assert not run.folder.exists() or not any(run.folder.iterdir()), name


@tabled("url")
@pytest.mark.parametrize("option", ["--input", "--config", "--output", "--spans"])
def test_credentials_in_a_url_are_not_reported(tacenda, lines, url, option):
    command = "score" if option == "--spans" else "anonymize"
    given = {"--input": lines(GOOD), option: url}
    run = tacenda(command, "--dry-run", *(word for pair in given.items() for word in pair))
    assert "KEY" not in run.out + run.err
    assert "RET" not in run.out + run.err


@pytest.mark.parametrize("output", ["ftp://127.0.0.1:9/out", "github://nowhere/out", "data://out"])
def test_an_output_that_cannot_be_reached_is_one_clear_line(lines, capsys, output):
    assert cli_main(cli.run, ["anonymize", "--input", str(lines(GOOD)), "--output", output]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"tacenda: {output}")
    assert told.count("\n") == 1
