"""The main job on small inputs: its output, and that it fulfils the contract."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

MAIL = "write to ann.smith@example.com please"


def talk(conversation_id: str, *texts: str, **more: Any) -> dict[str, Any]:
    turns = [{"speaker": "agent", "text": text} for text in texts]
    return {"conversation_id": conversation_id, "turns": turns, **more}


def gold(conversation_id: str, text: str, *found: tuple[str, str], **more: Any) -> dict[str, Any]:
    spans = [
        {"start": text.index(value), "end": text.index(value) + len(value), "label": label}
        for value, label in found
    ]
    turns = [{"speaker": "agent", "text": text, "spans": spans}]
    return {"conversation_id": conversation_id, "turns": turns, **more}


def test_all_files_of_the_contract_are_written(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    run = tacenda("anonymize", "--input", lines(talk("a", MAIL, context="sales"), talk("b", "hello")))
    assert run.code == 0, run.err
    assert sorted(run.files()) == [
        "README.md",
        "_UNREVIEWED",
        "added_tokens.json",
        "corpus/part-00000.jsonl.gz",
        "croissant.json",
        "hashes/part-00000.parquet",
        "manifest-files.parquet",
        "manifest-inputs.parquet",
        "manifest-units.parquet",
        "manifest.json",
        "quarantine/part-00000.jsonl",
        "report.html",
        "risk/part-00000.parquet",
        "statistics.json",
    ]
    assert [r["turns"][0]["text"] for r in run.corpus()] == ["write to [EMAIL_ADDRESS_1] please", "hello"]
    assert [(r["conversation_id"], r["source"], r["score"]) for r in run.risk()] == [
        ("a", "model", 0),
        ("b", "model", 0),
    ]
    assert "verdict        UNREVIEWED: nobody has read it" in run.out
    assert str(run.folder) in run.out


def test_the_manifest_balances_and_its_hashes_are_those_of_the_files(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    run = tacenda("anonymize", "--input", lines(talk("a", MAIL), b"{oops", talk("c", "x")))
    assert run.code == 3
    manifest = run.json("manifest.json")
    assert manifest["rows"] == {
        "in": 3,
        "out": 2,
        "quarantined": 1,
        "dropped": 0,
        "not_read": 0,
        "balanced": True,
    }
    written = {
        path: hashlib.sha256(data).hexdigest()
        for path, data in run.files().items()
        if path.startswith((".held/", "hashes/", "risk/", "quarantine/"))
    }
    assert run.hashes() == written


def test_table_1_of_the_paper(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    config = tmp_path / "dictionary.json"
    config.write_text(
        json.dumps(
            {
                "inspect": {
                    "customInfoTypes": [
                        {
                            "infoType": {"name": name},
                            "likelihood": "LIKELY",
                            "dictionary": {"wordList": {"words": words}},
                        }
                        for name, words in (
                            ("PERSON_NAME", ["Jim"]),
                            ("ORGANIZATION_NAME", ["Dunder Mifflin"]),
                        )
                    ]
                }
            }
        )
    )
    text = "This is Pam calling from Dunder Mifflin, may I speak to Jim?"
    record = {"conversation_id": "1", "turns": [{"speaker": "Pam", "text": text}]}
    run = tacenda("anonymize", "--input", lines(record), "--config", config)
    (turn,) = run.corpus()[0]["turns"]
    assert f"{turn['speaker']}: {turn['text']}" == (
        "[PERSON_NAME_1]: This is [PERSON_NAME_1] calling from [ORGANIZATION_NAME_1], "
        "may I speak to [PERSON_NAME_2]?"
    )


def test_nothing_is_kept_across_conversations(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    other = MAIL.replace("ann.smith", "bo.berg")
    run = tacenda("anonymize", "--input", lines(talk("a", other, MAIL), talk("b", MAIL)))
    texts = [[t["text"] for t in r["turns"]] for r in run.corpus()]
    assert texts[0] == ["write to [EMAIL_ADDRESS_1] please", "write to [EMAIL_ADDRESS_2] please"]
    assert texts[1] == ["write to [EMAIL_ADDRESS_1] please"]


def test_parquet_comes_out_as_parquet_of_the_same_shape(tacenda: Callable[..., Any], tmp_path: Path) -> None:
    rows = [talk(f"c{i}", MAIL, context="sales") for i in range(50)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet", row_group_size=10)
    run = tacenda("anonymize", "--input", tmp_path / "in.parquet", "--unit-bytes", "1", "--part-bytes", "1")
    assert len(list((run.folder / "corpus").glob("*.parquet"))) == 50
    assert [r["conversation_id"] for r in run.corpus()] == [r["conversation_id"] for r in rows]
    assert run.corpus()[7]["turns"] == [{"speaker": "agent", "text": "write to [EMAIL_ADDRESS_1] please"}]


def test_undeclared_fields_are_dropped_unless_named(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    source = lines(talk("a", "hi", customer_mail="ann@example.com", channel="voice"))
    assert "customer_mail" not in tacenda("anonymize", "--input", source).corpus()[0]
    kept = tacenda("anonymize", "--input", source, "--keep", "channel").corpus()[0]
    assert kept["channel"] == "voice"
    assert "customer_mail" not in kept


def test_gold_spans_are_scored_and_do_not_reach_the_corpus(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    text = "Xqzzy Vorple lives near ann.smith@example.com"
    found = [("Xqzzy Vorple", "PERSON_NAME"), ("ann.smith@example.com", "EMAIL_ADDRESS")]
    run = tacenda("anonymize", "--input", lines(gold("a", text, *found)), "--detector", "rules")
    (risk,) = run.risk()
    assert (risk["source"], risk["score"], risk["direct_identifier"]) == ("gold", 5, True)
    assert risk["tags"] == [{"tag": "PERSON_NAME", "partial": False, "entities": 1, "score": 5}]
    assert "spans" not in run.corpus()[0]["turns"][0]
    assert run.code == 3
    assert run.json("_HELD")["held_by"]
    assert not (run.folder / "_SUCCESS").exists()


def test_an_unknown_gold_label_is_quarantined_and_not_scored_as_zero(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    source = lines(gold("a", "the Foo", ("Foo", "NO_SUCH_THING")), gold("b", "x y", ("x", "DATE")))
    run = tacenda("anonymize", "--input", source, "--detector", "rules")
    assert [r["conversation_id"] for r in run.corpus()] == ["b"]
    assert [(q["stage"], q["error"]) for q in run.quarantine()] == [("score", "UnknownTag")]


def test_release_anyway_writes_the_reason(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    source = lines(gold("a", "Xqzzy Vorple", ("Xqzzy Vorple", "PERSON_NAME")))
    run = tacenda(
        "anonymize", "--input", source, "--detector", "rules", "--release-anyway", "internal test only"
    )
    assert run.code == 0
    assert run.json("manifest.json")["verdict"]["released_anyway"] == "internal test only"
    assert "internal test only" in (run.folder / "report.html").read_text(encoding="utf-8")
    assert tacenda("anonymize", "--input", source, "--release-anyway", "  ").code == 2


def test_the_same_run_again_writes_the_same_bytes(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    source = lines(*(talk(f"c{i}", MAIL, f"call 555-0{100 + i}") for i in range(30)))
    first = tacenda("anonymize", "--input", source)
    before = first.files()
    again = tacenda("anonymize", "--input", source, output=first.folder)
    assert again.code == first.code
    assert again.files() == before
    elsewhere = tacenda("anonymize", "--input", source)
    assert elsewhere.files() == before


@pytest.mark.parametrize("sharding", [1, 3])
def test_figures_do_not_depend_on_sharding(
    tacenda: Callable[..., Any], lines: Callable[..., Path], sharding: int
) -> None:
    records = [gold(f"c{i}", "Xqzzy Vorple", ("Xqzzy Vorple"[: 5 + i % 8], "PERSON_NAME")) for i in range(30)]
    source = lines(*records)
    size = str(source.stat().st_size // sharding)
    run = tacenda("anonymize", "--input", source, "--unit-bytes", size, "--detector", "rules")
    assert run.json("manifest.json")["units"]["rows"] >= sharding
    statistics = run.json("statistics.json")["sources"]["gold"]["total"]
    lone = 8  # of so many only the first word is marked
    mean = (5 * (30 - lone) + 3 * lone) / 30
    assert (statistics["count"], statistics["mean"], statistics["max"]) == (30, mean, 5)


def test_only_the_corpus_contains_text(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    secret = "zanzibarqueen77@example.com"
    source = lines(talk("a", f"mail {secret}"), talk("b", None), b'{"' + secret.encode(), talk("d", secret))  # type: ignore[arg-type]
    run = tacenda("anonymize", "--input", source)
    for path, data in run.files().items():
        if not path.endswith((".parquet", ".zst")):
            assert b"zanzibar" not in data, path
    assert "zanzibar" not in run.out + run.err
    assert "zanzibar" not in json.dumps(run.risk())
