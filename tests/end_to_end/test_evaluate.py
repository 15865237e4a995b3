"""``tacenda evaluate`` as a user runs it; its figures equal those of the reference measure."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cases import tabled
from tests.command import call as run_command
from tests.end_to_end.conftest import Run
from tests.talks import gold as one_turn

DATA = Path(os.environ.get("TACENDA_DATA") or Path(__file__).parents[3] / "shared" / "data")
SECRET = "xqzzyva"
MAIL = "ann.smith@example.com"


class Evaluation(Run):
    @property
    def summary(self):
        return self.json("figures.json")


@pytest.fixture
def evaluate(tmp_path, capsys):
    """``evaluate("--input", …)``: all figures as data, in a folder of its own."""
    counter = iter(range(100))

    def call(*words):
        (folder := tmp_path / f"figures{next(counter)}").mkdir()
        if "--detector" not in words:  # A network may or may not find what no rule does.
            words = (*words, "--detector", "rules")
        code, out, err = run_command(capsys, "evaluate", *words, "--json", folder / "figures.json")
        return Evaluation(code, folder, out, err)

    return call


def gold(name, *turns, **more):
    """A gold conversation; each turn is its text, and its marked values with labels."""
    said = (one_turn(name, text, *marked.items()) for text, marked in turns)
    return {"conversation_id": name, "turns": [turn for one in said for turn in one["turns"]], **more}


TALKS = [
    gold("a", (f"write to {MAIL} please", {MAIL: "EMAIL_ADDRESS"}), ("bye", {}), gold="complete", lang="en"),
    gold("b", (f"and {SECRET} qwertz", {SECRET: "PERSON_NAME", "qwertz": "ODD_LABEL"}), lang="en"),
    gold("c", ("ring 212-555-0147 or so", {"so": "TITLE"}), gold="complete", context="sales", lang="sv"),
]


def test_figures_of_a_small_corpus(evaluate, lines):
    run = evaluate("--input", lines(*TALKS, name="talks.jsonl"), "--slice", "lang", "--beta", "0.5")
    assert run.code == 0, run.err
    total = run.summary["total"]
    assert (total["conversations"], total["gold_spans"], total["recall"]["hits"]) == (3, 3, 1)
    assert total["char_precision"]["value"] == pytest.approx(18 / 28)
    assert list(total["f"]["strict"]) == ["0.5"]
    assert list(run.summary["slices"]["lang"]) == ["en", "sv"]
    assert run.summary["unknown_labels"] == ["ODD_LABEL"]
    assert all(what in run.out for what in ("ODD_LABEL", "0.333"))


def test_nothing_of_the_text_is_written(evaluate, lines, tmp_path):
    listed = tmp_path / "errors.jsonl"
    run = evaluate("--input", lines(*TALKS), "--errors", listed, "--per-label", "--slice", "speaker")
    rows = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines()]
    assert [(row["conversation_id"], row["error"], row["start"], row["end"]) for row in rows] == [
        ("b", "missed", 4, 11),
        ("b", "missed", 12, 18),
        ("c", "false_positive", 5, 17),
    ]
    assert listed.stat().st_mode & 0o077 == 0
    written = run.out + json.dumps(run.summary) + listed.read_text(encoding="utf-8")
    assert not [word for word in (SECRET, MAIL, "qwertz", "555") if word in written]


@pytest.mark.slow
def test_figures_do_not_depend_on_workers_units_or_formats(evaluate, lines, tmp_path):
    records = [
        {**talk, "conversation_id": f"{talk['conversation_id']}{i}"} for i in range(9) for talk in TALKS
    ]
    path = lines(*records, name="talks.jsonl")
    parquet = tmp_path / "apart" / "talks.parquet"
    parquet.parent.mkdir()
    pq.write_table(pa.Table.from_pylist(records), parquet, row_group_size=5)
    one = evaluate("--input", path)
    for other in (
        evaluate("--input", path, "--workers", 2, "--unit-bytes", 700),
        evaluate("--input", parquet, "--unit-bytes", 1),
    ):
        assert other.code == 0, other.err
        assert {**other.summary, "inputs": []} == {**one.summary, "inputs": []}
        assert other.out == one.out


def test_two_configs_are_compared(evaluate, lines, tmp_path):
    config = tmp_path / "names.yaml"
    config.write_text(
        "inspect:\n"
        "  custom_info_types:\n"
        "    - info_type: {name: PERSON_NAME}\n"
        f"      dictionary: {{word_list: {{words: [{SECRET}]}}}}\n"
    )
    run = evaluate("--input", lines(*TALKS), "--compare-config", config)
    assert run.code == 0, run.err
    compared = run.summary["comparison"]
    assert compared["spans"] == {
        "both": 1, "only_first": 0, "only_second": 1, "neither": 1, "p_value": 1.0,
    }  # fmt: skip
    assert compared["config_hash"] != run.summary["config_hash"]
    assert run.summary["total"]["recall"]["hits"] == 1
    assert SECRET not in run.out


def test_gold_that_does_not_say_so_can_be_called_complete(evaluate, lines):
    path = lines(gold("a", (f"{MAIL} and 212-555-0147", {MAIL: "EMAIL_ADDRESS"})))
    assert evaluate("--input", path).summary["total"]["char_precision"]["value"] is None
    complete = evaluate("--input", path, "--gold-complete").summary["total"]
    assert complete["char_precision"]["value"] == pytest.approx(18 / 28)


def test_numbers_are_compared_with_the_entities_of_the_gold(evaluate, lines):
    mails = ["ann@example.com", "ann@example.com", "bo@example.com"]
    talk = gold("a", *((f"it is {mail} then", {mail: "EMAIL_ADDRESS"}) for mail in mails))
    run = evaluate("--input", lines(talk, name="equal.jsonl"))
    assert run.summary["total"]["linking_f1"]["b_cubed"]["value"] == 1
    assert "CEAF-e" in run.out
    for turn in talk["turns"]:
        turn["spans"][0]["entity"] = "somebody"
    total = evaluate("--input", lines(talk, name="said.jsonl")).summary["total"]
    assert (total["pairwise_recall"]["hits"], total["pairwise_recall"]["of"]) == (1, 3)
    assert total["pairwise_precision"]["value"] == 1


def test_bad_records_are_counted_by_kind(evaluate, lines):
    unmarked = {"conversation_id": "d", "turns": [{"text": "hello"}]}
    run = evaluate("--input", lines(*TALKS, unmarked, b"{oops", {"conversation_id": "e"}))
    assert run.code == 0, run.err
    assert run.summary["unread"] == {"InvalidJson": 1, "MissingField": 1, "NoGold": 1}
    assert "1 left out: NoGold" in run.out


@tabled("arguments", "said")
def test_user_errors_are_one_line(evaluate, lines, tmp_path, arguments, said):
    places = {
        "talks": lines(*TALKS),
        "plain": lines({"conversation_id": "d", "turns": [{"text": "hello"}]}),
        "folder": tmp_path,
    }
    evaluate(*(word.format(**places) for word in arguments)).refused(said)


def test_the_module_is_the_command(lines, tmp_path):
    module = [sys.executable, "-m", "tacenda.pipelines.evaluate"]
    words = [*module, "--input", str(lines(*TALKS)), "--bootstrap", "0"]
    run = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "Worst of each conversation" in run.stdout


@pytest.mark.slow
@pytest.mark.skipif(
    not (DATA / "score.py").is_file(), reason="no gold corpora; set TACENDA_DATA to their folder"
)
def test_figures_agree_with_an_independent_computation(evaluate, tacenda, tmp_path):
    paths = sorted(DATA.glob("*.dev.jsonl.gz"))
    listed = ("--detector", "rules", "--detector", "gazetteer")
    config = tmp_path / "c.yaml"
    config.write_text("languages: {uncovered: hold}\n")
    inspected = tacenda("inspect", "--input", *paths, *listed, "--config", config)
    assert inspected.code == 0, inspected.err
    run = evaluate("--input", *paths, "--bootstrap", 0, *listed)
    assert run.code == 0, run.err
    assert len(run.summary["files"]) == len(paths)
    found = {}
    for row in inspected.findings():
        found.setdefault(row["conversation_id"], []).append(json.dumps(row, default=str))
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            ids = [str(json.loads(line)["id"]) for line in file]
        findings = tmp_path / "found.jsonl"
        findings.write_text("".join(f"{line}\n" for name in ids for line in found.get(name, ())))
        scorer = [sys.executable, str(DATA / "score.py"), str(path), str(findings), "--json"]
        scored = json.loads(subprocess.run(scorer, capture_output=True, check=True).stdout)
        name = path.name.removesuffix(".jsonl.gz")
        assert as_scored(run.summary["files"][name]) == scored, name


def as_scored(group):
    """The figures of a group with the names and precision of the reference measure."""

    def share(figure, digits=4):
        # Where there is nothing to find, the measure says 0; we say that there is no share of nothing.
        return 0.0 if figure["value"] is None else round(figure["value"], digits)

    return {
        "gold_spans": group["gold_spans"],
        "recall": share(group["recall"]),
        "partial": share(group["partial"]),
        "typed_recall": share(group["typed_recall"]),
        "char_precision": share(group["char_precision"]) if group["char_precision"]["of"] else None,
        "conversations_with_pii": group["conversations_with_pii"],
        "conversation_leak_rate": share(group["conversation_leak_rate"]),
        "findings": group["findings"],
        "per_label": {
            label: {
                "gold": row["gold"],
                "recall": share(row["recall"], 3),
                "partial": share(row["partial"], 3),
            }
            for label, row in group["per_label"].items()
        },
    }


def test_lists_are_heeded_as_in_a_run(evaluate, tmp_path):
    """What a list protects is not found, what it suppresses is; what matched nothing is told by its line."""
    text = f"{MAIL} at blue moon"
    spans = [
        {"start": 0, "end": len(MAIL), "label": "EMAIL_ADDRESS"},
        {"start": len(MAIL) + 4, "end": len(text), "label": "ORGANIZATION_NAME"},
    ]
    gold, decided, config = tmp_path / "g.jsonl", tmp_path / "decided.yaml", tmp_path / "config.yaml"
    turns = [{"speaker": "agent", "text": text, "spans": spans}]
    gold.write_text(json.dumps({"conversation_id": "a", "turns": turns}) + "\n")
    decided.write_text(
        f"- protect: {MAIL}\n- {{suppress: Blue Moon, info_type: ORGANIZATION_NAME}}\n- protect: x\n"
    )
    config.write_text(f"replacement: {{lists: [{decided}]}}\n")
    run = evaluate("--input", gold, "--config", config)
    assert run.code == 0, run.err
    assert run.summary["lists"] == [{"file": decided.name, "entries": 3, "matched_nothing": [3]}]
    assert "decided.yaml: 1 of 3 entries matched nothing: line 3" in run.err
    # One of the two spans, with a list and without it; but not the same one.
    assert run.summary["total"]["recall"]["hits"] == 1
    plain, listed = tmp_path / "plain.jsonl", tmp_path / "listed.jsonl"
    evaluate("--input", gold, "--errors", plain)
    evaluate("--input", gold, "--config", config, "--errors", listed)
    missed = [json.loads(path.read_text().splitlines()[0])["label"] for path in (plain, listed)]
    assert missed == ["ORGANIZATION_NAME", "EMAIL_ADDRESS"]
