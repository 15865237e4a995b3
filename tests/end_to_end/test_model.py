"""A trained model in addition to the other detectors, as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.executors.local import run_in_loop
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.startup.launch import prepare
from tests.folders import files_in

TINY = Path(__file__).parents[1] / "golden" / "tiny_model"
MODEL = ["--detector", "model", "--model", str(TINY)]
TURNS = ["My name is Pam from New York", "mr zzyzx probably", "Call the Beet Farms, O'Brien!"]
CLEAN = ["My name is [PERSON_NAME_1] from [LOCATION_1]", "mr [PERSON_NAME_2]",
         "Call the [ORGANIZATION_NAME_1], [PERSON_NAME_3]!"]  # fmt: skip


def record(name: str, *texts: str) -> dict[str, Any]:
    return {"conversation_id": name, "turns": [{"speaker": "x", "text": text} for text in texts]}


def test_anonymises_by_the_model(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    run = tacenda("anonymize", "--input", lines(record("a", *TURNS)), *MODEL)
    assert [turn["text"] for turn in run.corpus()[0]["turns"]] == CLEAN
    detectors = run.json("manifest.json")["config"]["detectors"]
    (told,) = detectors["models"]
    assert detectors["names"] == ["model"]
    assert (told["name"], told["decision"]) == ("tiny", {"rule": "sum", "threshold": 0.2})
    assert len(told["fingerprint"]) == 64


def test_loop_and_beam_write_the_same_bytes(tmp_path: Path, tacenda: Callable[..., Any]) -> None:
    source = tmp_path / "in.jsonl"
    records = [record(f"c{i}", *TURNS[: 1 + i % 3], "Pam " * (i % 40), "hardly") for i in range(120)]
    source.write_text("".join(json.dumps(r) + "\n" for r in records))
    words = ["--input", source, "--unit-bytes", source.stat().st_size // 5, *MODEL]
    beam = tacenda("anonymize", *words, "--runner=FnApiRunner")
    folder = tmp_path / "loop"
    same = [*map(str, words), "--output", str(folder), "--keep-ids", "tests name their conversations"]
    plan, job = prepare("anonymize", parser_of("anonymize").parse_args(same))
    assert len(list(plan.units())) > 2
    prepare_output(job, overwrite=False)
    run_in_loop(plan, job)
    assert files_in(folder) == beam.files()


def test_unites_with_the_default_detectors(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    config = tmp_path / "c.yaml"
    config.write_text(f"models:\n  - path: {TINY}\n    decision: {{rule: each, threshold: 0.9}}\n")
    run = tacenda("inspect", "--input", lines(record("a", "oh zzyzx: ann@example.com")), "--config", config)
    found = {(row["info_type"], row["detector"]) for row in run.findings()}
    assert found == {("PERSON_NAME", "model"), ("EMAIL_ADDRESS", "rules")}


def test_a_conversation_on_which_the_model_fails_goes_to_quarantine_alone(
    tacenda: Callable[..., Any], lines: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tacenda.models.token_classifier import detector

    honest = detector.count_unseen
    monkeypatch.setattr(detector, "count_unseen", lambda c, e: (9, 1) if "poison" in c.text else honest(c, e))
    source = lines(record("a", "Pam"), record("b", "poison"), record("c", "Dwight"))
    run = tacenda("anonymize", "--input", source, *MODEL)
    assert [r["conversation_id"] for r in run.corpus()] == ["a", "c"]
    (rejected,) = run.quarantine()
    assert (rejected["stage"], rejected["error"]) == ("detect", "WordsUnseen")


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["--detector", "rules", "--model", str(TINY)], "--model: only applies to --detector model"),
        (["--model", "/no/where"], "model /no/where: no file package.json"),
    ],
)
def test_user_errors_are_one_line(
    tacenda: Callable[..., Any], lines: Callable[..., Path], arguments: list[str], wrong: str
) -> None:
    run = tacenda("anonymize", "--input", lines(record("a", "x")), *arguments)
    assert run.code == 2
    assert wrong in run.err
    assert len(run.err.strip().splitlines()) == 1


def test_evaluate_knows_the_model(
    tmp_path: Path, lines: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    gold = record("a", "a@example.com")
    gold["turns"][0]["spans"] = [{"start": 0, "end": 13, "label": "EMAIL_ADDRESS"}]
    for words, recall in (([], 1.0), (MODEL, 0.0)):
        out = tmp_path / "figures.json"
        asked = ["--input", str(lines(gold)), "--bootstrap", "0", "--json", str(out), *words]
        assert cli_main(cli.run, ["evaluate", *asked]) == 0
        assert json.loads(out.read_text())["total"]["recall"]["value"] == recall
