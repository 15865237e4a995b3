"""Any format and shape of the corpus holds the same, and is verified, reviewed and released alike."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.shapes.mapping import shipped
from tacenda.transforms.storage.layouts import rows_in
from tests.cases import cases
from tests.end_to_end.conftest import Run

EXPORTS = Path(__file__).parents[1] / "unit/shapes/exports"
ALONE = ("--workers", "1")
LOCAL = (*ALONE, "--detector", "rules")
FORMATS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")


def _calls(count: int = 45) -> list[dict[str, Any]]:
    return [
        {
            "conversation_id": f"c{i}",
            "context": "sales",
            "turns": [
                {"speaker": "Customer", "text": f"Write to u{i}@example.com about garden {i}."},
                {"speaker": "Agent", "text": "Certainly."},
            ],
        }
        for i in range(count)
    ]


def _rows() -> list[dict[str, Any]]:
    return [
        {"conversation_id": call["conversation_id"], "turn_index": i, **turn}
        for call in _calls(5)
        for i, turn in enumerate(call["turns"])
    ]


def test_a_token_in_the_place_of_a_kept_number_fits_its_column(
    tacenda: Any, lines: Callable[..., Path]
) -> None:
    calls = [{**call, "phone": 4_155_550_100 + i, "floor": i} for i, call in enumerate(_calls(3))]
    kept = ("--keep", "phone", "--keep", "floor", "--opaque", "floor=a count")
    words = ("anonymize", "--input", lines(*calls), *LOCAL, "--format", "parquet", *kept)
    run = tacenda(*words)
    assert run.code == 0
    assert [(row["phone"], row["floor"]) for row in run.corpus()] == [
        ("[PHONE_NUMBER_1]", i) for i in range(3)
    ]
    assert run.json("manifest.json")["fields"]["numbers_as_text"] == ["phone"]
    assert "numbers as text, which a token may replace: phone" in tacenda(*words, "--dry-run").out
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


def test_a_folder_of_all_exports_at_once_is_a_run_for_each_kind(tacenda: Any, tmp_path: Path) -> None:
    run = tacenda("anonymize", "--input", EXPORTS, *ALONE)
    assert run.code == 0
    assert {folder.name for folder in run.folder.iterdir()} == set(shipped())
    files = 0
    for kind in shipped():
        manifest = json.loads((run.folder / kind / "manifest.json").read_text())
        assert manifest["rows"]["balanced"]
        assert manifest["rows"]["quarantined"] == 0, kind
        files += manifest["inputs"]["files"]
        assert sum(manifest["inputs"]["other_kinds"].values()) == 28 - manifest["inputs"]["files"]
        written = Run(0, run.folder / kind, "", "").corpus()
        assert not re.search("Noor|Haddad|Priya|0018|@ex", json.dumps(written)), kind
    assert files == 28
    again = tacenda("anonymize", "--input", EXPORTS, *ALONE, output=run.folder)
    assert (again.code, again.out.count("already done")) == (0, len(shipped()))
    config = tmp_path / "config.yaml"
    config.write_text("inspect: {include_quote: true}\n")
    told = tacenda("inspect", "--input", EXPORTS, *LOCAL, "--json", "--config", config)
    assert len([json.loads(line) for line in told.out.splitlines()]) == len(shipped())
    assert told.err.count("include_quote has no effect") == 1
    one = tacenda("anonymize", "--input", EXPORTS, *ALONE, "--kind", "zendesk", "--to", "conversation")
    assert [turn["text"] for turn in one.corpus()[0]["turns"]][1:] == ["Thank you [PERSON_NAME_1]."]


@pytest.mark.parametrize("records", [_calls, _rows])
@pytest.mark.parametrize("of_tables", [False, True])
def test_every_format_has_the_same_content(
    tacenda: Any, lines: Callable[..., Path], tmp_path: Path, records: Any, of_tables: bool
) -> None:
    source = lines(*records())
    if of_tables:
        source = tmp_path / "in.parquet"
        pq.write_table(pa.Table.from_pylist(records()), source)
    default = tacenda("anonymize", "--input", source, *LOCAL)
    for form in FORMATS:
        run = tacenda("anonymize", "--input", source, *LOCAL, "--format", form, "--unit-bytes", 900)
        assert run.code == default.code == 0
        assert {path.name.partition(".")[2] for path in (run.folder / "corpus").glob("part-*")} == {form}
        assert sorted(map(str, run.corpus())) == sorted(map(str, default.corpus()))
        assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("to", ["chat", "sharegpt", "prompt_completion", "alpaca"])
def test_a_converted_corpus_is_reviewed_and_released(
    tacenda: Any, lines: Callable[..., Path], tmp_path: Path, to: str, form: str
) -> None:
    run = tacenda("anonymize", "--input", lines(*_calls()), *LOCAL, "--to", to, "--format", form)
    assert run.code == 0
    first = run.corpus()[0]
    assert first["conversation_id"] == "c0"
    assert "Write to [EMAIL_ADDRESS_1] about garden 0." in json.dumps(first)
    sample = tmp_path / "sample.jsonl"
    words = [
        "review",
        "sample",
        str(run.folder),
        "--read",
        "45",
        "--output",
        str(sample),
    ]
    assert cli_main(cli.run, words) == 0
    sample.write_text(sample.read_text().replace('"reviewed_by":""', '"reviewed_by":"Pam"'))
    assert cli_main(cli.run, ["release", str(run.folder), "--review", str(sample)]) == 0
    assert (run.folder / "_SUCCESS").exists()
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


def test_a_label_that_is_a_role_stays_on_request(tacenda: Any, lines: Callable[..., Path]) -> None:
    turns = [{"speaker": "Zookeeper", "text": "I feed the lions, as every Zookeeper does."}]
    source = lines({"conversation_id": "x", "turns": turns})
    (masked,) = tacenda("anonymize", "--input", source, *LOCAL).corpus()
    assert masked["turns"][0]["speaker"] == "[PERSON_NAME_1]"
    (kept,) = tacenda("anonymize", "--input", source, *LOCAL, "--role", "zookeeper").corpus()
    assert kept["turns"] == turns


EXPORTS = Path(__file__).parents[1] / "unit" / "shapes" / "exports"


@pytest.mark.parametrize(
    "name", ["intercom.jsonl", "chatgpt.json", "whatsapp.txt", "letters.mbox", "slack.json"]
)
def test_an_export_is_anonymised_and_verified(tacenda: Any, name: str) -> None:
    run = tacenda("anonymize", "--input", EXPORTS / name, *LOCAL)
    assert (run.code, run.quarantine()) == (0, [])
    left = json.dumps(run.corpus())
    assert not any(word in left for word in ("Lind", "Oskar", "Mina", "4111", "example.net", "example.org"))
    assert "admin" in left or name != "intercom.jsonl"
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


def test_subtitles_come_out_in_their_own_form_on_request(tacenda: Any) -> None:
    run = tacenda("anonymize", "--input", EXPORTS / "subtitles.vtt", *LOCAL, "--to", "source")
    (written,) = run.corpus()
    assert written["text"] == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.500 align:start\n"
        "<v [PERSON_NAME_1]>Hello, I am [PERSON_NAME_1].</v>\n\n"
        "c3f2/12-0\n00:00:03.000 --> 00:00:04.000\n<v [PERSON_NAME_2]>Hello [PERSON_NAME_1].</v>\n"
    )


def test_a_held_corpus_has_the_format_too(tacenda: Any, lines: Callable[..., Path], tmp_path: Path) -> None:
    config = tmp_path / "held.yaml"
    gold = [
        {**call, "turns": [{**call["turns"][0], "spans": [{"start": 0, "end": 5, "label": "PERSON_NAME"}]}]}
        for call in _calls(3)
    ]
    config.write_text("output: {format: parquet, to: chat}\nrisk: {threshold: 1}\n")
    run = tacenda("anonymize", "--input", lines(*gold), *LOCAL, "--config", config)
    assert run.code == 3
    assert [path.name for path in (run.folder / ".held").iterdir()] == ["part-00000.parquet"]
    assert len(run.corpus()) == 3
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


@pytest.mark.parametrize(("words", "said"), cases(__file__, "test_user_errors_are_one_line"))
def test_user_errors_are_one_line(
    tacenda: Any, lines: Callable[..., Path], words: tuple[str, ...], said: str
) -> None:
    run = tacenda("anonymize", "--input", lines(*_calls(1)), *words)
    assert run.code == 2
    assert said in run.err
    assert run.err.count("\n") == 1


def test_records_without_common_columns_cannot_be_parquet(tacenda: Any, lines: Callable[..., Path]) -> None:
    source = lines(
        {"messages": [{"role": "user", "content": "a"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "b"}]}]},
    )
    run = tacenda("anonymize", "--input", source, *LOCAL, "--format", "parquet")
    assert run.code == 2
    assert "use --format jsonl.gz" in run.err


_TABLE = (
    "\ufeffticket;text;channel\r\n"
    + "".join(
        f'T-{i};"Write to u{i}@example.com;\r\nor say ""no""";{"mail" if i % 2 else ""}\r\n'
        for i in range(12)
    )
).encode()
_KEPT = ("--keep", "ticket", "--opaque", "channel=two values")


@pytest.mark.parametrize("more", [(), ("--split", "train=.5,test=.5")])
def test_a_table_is_written_back_byte_for_byte_but_for_what_is_replaced(
    tacenda: Any, tmp_path: Path, more: tuple[str, ...]
) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(_TABLE)
    run = tacenda("anonymize", "--input", source, *LOCAL, "--format", "csv", *_KEPT, *more)
    assert run.code == 0
    expected = re.sub(rb"u\d+@example.com", b"[EMAIL_ADDRESS_1]", _TABLE)
    written = [path.read_bytes() for path in sorted((run.folder / "corpus").rglob("part-*"))]
    if not more:
        assert written == [expected]
    else:
        header, *rows = rows_in(expected, ";")
        found = [rows_in(data, ";") for data in written]
        assert len(found) == 1 or [one[0] for one in found] == [header] * 2
        assert sorted(row for one in found for row in one[1:]) == sorted(rows)
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0
    sample = ["--output", str(tmp_path / f"sample{len(more)}.jsonl")]
    assert cli_main(cli.run, ["review", "sample", str(run.folder), *sample]) == 0


def test_each_part_has_one_header_line(tacenda: Any, tmp_path: Path) -> None:
    sources = []
    for number in range(3):
        sources.append(tmp_path / f"in{number}.csv")
        sources[-1].write_bytes(_TABLE)
    run = tacenda("anonymize", "--input", *sources, *LOCAL, "--format", "tsv", "--unit-bytes", "300", *_KEPT)
    assert run.code == 0
    (part,) = (run.folder / "corpus").iterdir()
    assert part.name == "part-00000.tsv"
    assert part.read_bytes().count(b"ticket\ttext\tchannel\r\n") == 1
    assert len(rows_in(part.read_bytes(), "\t")) == 37


def test_only_tables_can_be_written_as_tables(
    tacenda: Any, lines: Callable[..., Path], tmp_path: Path
) -> None:
    wrong = tacenda("anonymize", "--input", lines(*_calls(1)), *LOCAL, "--format", "csv")
    assert wrong.code == 2
    assert "only what is read from CSV or TSV" in wrong.err
    one, other = tmp_path / "a.csv", tmp_path / "b.csv"
    one.write_text("text,note\nHello,a\n")
    other.write_text("note,text\na,Hello\n")
    wrong = tacenda("anonymize", "--input", one, other, *LOCAL, "--format", "csv")
    assert wrong.code == 2
    assert "has other columns than earlier files" in wrong.err
