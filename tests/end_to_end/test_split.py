"""A split corpus: near-duplicates and people on one side, and everything that reads the folder knows of it."""

import json
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.work import unit_job as part_job
from tests.cases import cases
from tests.folders import files_in
from tests.halting import EndedError

LOCAL = ("--workers", "1", "--detector", "rules")
HALVES = ("--split", "train=.5,validation=.5")
_SUBJECTS = ["garden", "invoice", "printer", "holiday", "contract", "bicycle", "kitchen", "server"]
_VERBS = ["clean", "open", "check", "move", "sell", "close", "paint", "repair"]
_THINGS = [
    f"{one}{other}" for one in _SUBJECTS for other in ("door", "light", "book", "lock", "shelf", "plan")
]


def _sentence(draw: random.Random) -> str:
    pieces = (f"{draw.choice(_VERBS)} {draw.choice(_THINGS)} beside {draw.choice(_THINGS)}" for _ in range(8))
    return f"Please {' and '.join(pieces)}."


def _calls(count: int) -> list[dict[str, Any]]:
    """Each call has a copy with another address and another word, far from it in the file."""
    draw = random.Random(11)
    calls = [
        {
            "conversation_id": f"c{i}",
            "customer": f"P-{i % 7}" if i % 3 == 0 else None,
            "turns": [
                {
                    "speaker": "Customer",
                    "text": f"{_sentence(draw)} Write to u{i}@example.com. {_sentence(draw)}",
                },
                {"speaker": "Agent", "text": _sentence(draw)},
            ],
        }
        for i in range(count)
    ]
    copies = [
        {
            "conversation_id": f"d{i}",
            "turns": [
                {
                    "speaker": "Customer",
                    "text": call["turns"][0]["text"].replace(
                        f"u{i}@example.com", "somebody.else@example.org"
                    ),
                },
                {"speaker": "Agent", "text": call["turns"][1]["text"].replace("Please", "Kindly")},
            ],
        }
        for i, call in enumerate(calls)
    ]
    return calls + copies


def _sides(folder: Path) -> dict[str, str]:
    """The split of each conversation."""
    found = {}
    for path in sorted((folder / "corpus").rglob("part-*")):
        if path.suffix == ".parquet":
            rows = pq.read_table(path).to_pylist()
        else:
            with pa.input_stream(path) as stream:
                rows = list(map(json.loads, stream.read().splitlines()))
        for row in rows:
            assert row["conversation_id"] not in found
            found[row["conversation_id"]] = path.parent.name
            assert "customer" not in row
    return found


@pytest.mark.parametrize("more", [(), ("--format", "parquet"), ("--to", "chat", "--format", "jsonl")])
def test_near_duplicates_are_on_one_side(
    tacenda: Any, lines: Callable[..., Path], more: tuple[str, ...]
) -> None:
    run = tacenda("anonymize", "--input", lines(*_calls(30)), *LOCAL, *HALVES, *more)
    assert run.code == 0
    sides = _sides(run.folder)
    assert len(sides) == 60
    assert all(sides[f"c{i}"] == sides[f"d{i}"] for i in range(30))
    told = run.json("manifest.json")
    counts = told["split"]["conversations"]
    assert counts == {name: list(sides.values()).count(name) for name in ("train", "validation")}
    assert min(counts.values()) > 10
    assert told["split"]["groups"] == {"count": 30, "texts": 60, "largest": 2}
    assert f"split          train {counts['train']}" in run.out
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


def test_a_person_is_on_one_side(tacenda: Any, lines: Callable[..., Path]) -> None:
    calls = _calls(30)
    split = (*HALVES, "--split-by", "customer")
    run = tacenda("anonymize", "--input", lines(*calls), *LOCAL, *split)
    sides, of = _sides(run.folder), defaultdict(set)
    for call in calls:
        if call.get("customer"):
            of[call["customer"]].add(sides[call["conversation_id"]])
    assert len(of) == 7
    assert all(len(one) == 1 for one in of.values())
    assert set(sides.values()) == {"train", "validation"}
    # What is read for the split is not written, and the summary says so.
    assert "customer" in run.json("manifest.json")["fields"]["dropped"]


def test_split_by_a_column_that_is_kept_or_not_there(
    tacenda: Any, lines: Callable[..., Path], tmp_path: Path
) -> None:
    table = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(_calls(8)), table)
    run = tacenda("anonymize", "--input", table, *LOCAL, *HALVES, "--split-by", "customer")
    assert run.code == 0
    assert len(_sides(run.folder)) == 16
    for source in (table, lines(*_calls(2))):
        wrong = tacenda("anonymize", "--input", source, *LOCAL, *HALVES, "--split-by", "custommer")
        assert wrong.code == 2
        assert "--split-by custommer: " in wrong.err


def test_a_dropped_or_quarantined_conversation_is_in_no_split(
    tacenda: Any, lines: Callable[..., Path]
) -> None:
    calls = _calls(10)
    calls[0]["turns"][0]["spans"] = [{"start": 0, "end": 12, "label": "PERSON_NAME"}]
    calls.append({"conversation_id": "bad", "turns": [{"speaker": "A", "text": 7}]})
    run = tacenda("anonymize", "--input", lines(*calls), *LOCAL, *HALVES, "--drop-over", "2")
    rows = run.rows()
    assert (rows["in"], rows["out"], rows["quarantined"], rows["dropped"]) == (21, 19, 1, 1)
    assert len(_sides(run.folder)) == 19


def test_turn_rows_are_split_by_conversation(tacenda: Any, lines: Callable[..., Path]) -> None:
    rows = [
        {"conversation_id": call["conversation_id"], "turn_index": i, **turn}
        for call in _calls(10)
        for i, turn in enumerate(call["turns"])
    ]
    run = tacenda("anonymize", "--input", lines(*rows), *LOCAL, *HALVES)
    assert run.code == 0
    found = defaultdict(set)
    for path in (run.folder / "corpus").rglob("part-*"):
        with pa.input_stream(path) as stream:
            for line in stream.read().splitlines():
                found[json.loads(line)["conversation_id"]].add(path.parent.name)
    assert len(found) == 20
    assert all(len(sides) == 1 for sides in found.values())
    assert all(found[f"c{i}"] == found[f"d{i}"] for i in range(10))


def test_a_held_split_corpus_is_aside_and_released_by_a_review(
    tacenda: Any, lines: Callable[..., Path], tmp_path: Path
) -> None:
    config = tmp_path / "c.yaml"
    config.write_text(
        "risk: {threshold: 1, least_conversations: 1}\noutput: {split: {train: .5, validation: .5}}\n"
    )
    calls = _calls(6)
    calls[0]["turns"][0]["spans"] = [{"start": 0, "end": 12, "label": "PERSON_NAME"}]
    run = tacenda("anonymize", "--input", lines(*calls), *LOCAL, "--config", config)
    assert run.code == 3
    assert not (run.folder / "corpus").exists()
    assert {path.parent.name for path in (run.folder / ".held").rglob("part-*")} == {"train", "validation"}
    run = tacenda("anonymize", "--input", lines(*_calls(6)), *LOCAL, "--config", config)
    assert run.code == 0
    sample = tmp_path / "sample.jsonl"
    drawn = [
        "review",
        "sample",
        str(run.folder),
        "--read",
        "3",
        "--output",
        str(sample),
    ]
    assert cli_main(cli.run, drawn) == 0
    read = [{**json.loads(line), "reviewed_by": "Pam"} for line in sample.read_text().splitlines()]
    sample.write_text("".join(json.dumps(one) + "\n" for one in read))
    cli_main(cli.run, ["release", str(run.folder), "--review", str(sample)])
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


CUT = ("--unit-bytes", "3000", "--part-bytes", "9000")


@pytest.mark.parametrize("step", ["assemble", "save_part", "remove_staged"])
def test_a_run_that_ends_while_parts_are_written_resumes_to_the_same_split(
    tacenda: Any, lines: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    words = ("anonymize", "--input", lines(*_calls(20)), *LOCAL, *HALVES, *CUT)
    whole = tacenda(*words)
    assert len(list((whole.folder / "risk").iterdir())) > 3
    for finished in (0, 1, 3):
        folder = whole.folder.with_name(f"ended-{finished}")
        with monkeypatch.context() as patched:
            patched.setattr(part_job, step, _ending_after(finished, getattr(part_job, step)))
            with pytest.raises(EndedError):
                tacenda(*words, output=folder)
        assert not (folder / "manifest.json").exists()
        assert tacenda(*words, output=folder).code == 0
        assert files_in(folder) == whole.files()


def _ending_after(finished: int, step: Callable[..., Any]) -> Callable[..., Any]:
    left = iter(range(finished))

    def do_or_end(*given: Any, **named: Any) -> Any:
        if next(left, None) is None:
            raise EndedError
        return step(*given, **named)

    return do_or_end


@pytest.mark.slow
def test_datasets_finds_the_splits(
    tacenda: Any, lines: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    run = tacenda(
        "anonymize", "--input", lines(*_calls(20)), *LOCAL, "--split", "train=.6,validation=.3,test=.1"
    )
    for folder in (run.folder, run.folder / "corpus"):
        loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / folder.name))
        assert {name: rows.num_rows for name, rows in loaded.items()} == run.json("manifest.json")["split"][
            "conversations"
        ]
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    assert not mlcroissant.Dataset(jsonld=str(run.folder / "croissant.json")).metadata.ctx.issues.errors


def test_input_with_splits_keeps_them(tacenda: Any, tmp_path: Path) -> None:
    for name in ("train", "test"):
        (tmp_path / "set" / name).mkdir(parents=True)
        with pa.ipc.new_stream(
            tmp_path / "set" / name / "data.arrow", pa.schema([("text", pa.string())])
        ) as sink:
            sink.write_table(pa.table({"text": ["Hello there."]}))
    wrong = tacenda("anonymize", "--input", tmp_path / "set", *LOCAL, *HALVES)
    assert wrong.code == 2
    assert "--split: the input has splits" in wrong.err
    run = tacenda("anonymize", "--input", tmp_path / "set", *LOCAL)
    assert run.json("manifest.json")["written"]["splits"] == {"test": "part-*-test", "train": "part-*-train"}
    assert "split: test" in (run.folder / "README.md").read_text()


@pytest.mark.parametrize(("words", "said"), cases(__file__, "test_invalid_splits_are_rejected"))
def test_invalid_splits_are_rejected(
    tacenda: Any, lines: Callable[..., Path], words: tuple[str, ...], said: str
) -> None:
    run = tacenda("anonymize", "--input", lines(*_calls(1)), *LOCAL, *words)
    assert run.code == 2
    assert said in run.err
