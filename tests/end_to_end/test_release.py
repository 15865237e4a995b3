"""Review and release: what people marked is bound to the corpus that they read; nothing else releases it."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.outcome import cli_main

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]
Words = Callable[..., int]

CONTEXTS = ("sales", "meetings")


def _calls(count: int = 60, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "conversation_id": f"c{i}",
            "context": CONTEXTS[i % 2],
            "turns": [
                {"speaker": "agent", "text": f"we talked about garden number {i} (and the weather)"},
                {"speaker": "caller", "text": "write to pam.beesly@example.com today"},
            ],
            **more,
        }
        for i in range(count)
    ]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Words:
    """Run a command; returns its exit code."""

    def run(*words: object) -> int:
        capsys.readouterr()
        return cli_main(cli.run, [str(word) for word in words])

    return run


@pytest.fixture
def out(tacenda: Tacenda, lines: Lines) -> Path:
    """An anonymised corpus that nobody has read yet."""
    run = tacenda("anonymize", "--input", lines(*_calls()), "--detector", "rules")
    assert run.code == 0, run.out
    assert (run.folder / "_UNREVIEWED").exists()
    assert not (run.folder / "_SUCCESS").exists()
    folder: Path = run.folder
    return folder


@pytest.fixture
def sample(out: Path, call: Words, tmp_path: Path) -> Path:
    file = tmp_path / "sample.jsonl"
    assert call("review", "sample", out, "--seed", 7, "--per-context", 20, "--output", file) == 0
    return file


def _with_mark(sample: Path, numbers: Sequence[int], tag: str = "[MISSED_PERSON_NAME]") -> Path:
    """The sample with the word ``garden`` marked in some of its lines."""
    records = [json.loads(line) for line in sample.read_text().splitlines()]
    for number in numbers:
        turn = records[number]["turns"][0]
        turn["text"] = turn["text"].replace("garden number", f"(garden number){tag}")
    file = sample.with_name("marked.jsonl")
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def _marker(out: Path) -> str:
    (marker,) = [path.name for path in out.iterdir() if path.name.startswith("_")]
    return marker


def _verdict(out: Path) -> Any:
    return json.loads((out / "manifest.json").read_text())["verdict"]


def test_a_clean_review_releases_and_is_bound(out: Path, sample: Path, call: Words) -> None:
    corpus = {path.name: path.read_bytes() for path in (out / "corpus").iterdir()}
    assert call("release", out, "--review", sample) == 0
    assert _marker(out) == "_SUCCESS"
    told = _verdict(out)
    assert (told["state"], told["evidence"], told["criterion"]) == ("released", "human", "upper_bound")
    statistics = json.loads((out / "statistics.json").read_text())["sources"]
    assert {source: figures["total"]["count"] for source, figures in statistics.items()} == {
        "human": 40, "model": 60,
    }  # fmt: skip
    assert statistics["human"]["total"]["unreviewed"] == 20
    assert statistics["human"]["contexts"]["sales"]["mu_plus_sigma_interval_95"][1] > 0
    assert {path.name: path.read_bytes() for path in (out / "corpus").iterdir()} == corpus
    assert call("verify", out) == 0


def test_what_reviewers_marked_holds_and_a_better_review_releases_again(
    out: Path, sample: Path, call: Words
) -> None:
    marked = _with_mark(sample, range(30))
    assert call("release", out, "--review", marked) == 3
    assert _marker(out) == "_HELD"
    assert not (out / "corpus").exists()
    assert (out / "held").exists()
    assert any("upper bound" in reason or "mean + std" in reason for reason in _verdict(out)["held_by"])
    assert call("verify", out) == 0
    assert call("release", out, "--review", sample) == 0
    assert _marker(out) == "_SUCCESS"
    assert not (out / "held").exists()
    assert call("verify", out) == 0


def test_the_upper_bound_counts_and_not_the_mean_alone(out: Path, sample: Path, call: Words) -> None:
    # Of 20 in a context, two score 5: mean + std is 2, and another sample might have had many more.
    marked = _with_mark(sample, [0, 1, 2, 3])
    call("release", out, "--review", marked)
    group = json.loads((out / "statistics.json").read_text())["sources"]["human"]["contexts"]
    figures = max(group.values(), key=lambda one: one["mean"])
    assert figures["mu_plus_sigma"] < figures["mu_plus_sigma_interval_95"][1]
    released = all(one["mu_plus_sigma_interval_95"][1] < 5 for one in group.values())
    assert _marker(out) == ("_SUCCESS" if released else "_HELD")


@pytest.mark.parametrize(
    "tag",
    [
        "[MISED_PERSON_NAME]",
        "{MISSED_PERSON_NAME}",
        "[PERSON_NAME]",
        "[MISSED_NO_SUCH]",
        "MISSED_PERSON_NAME",
    ],
)
def test_a_mark_gone_wrong_holds(out: Path, sample: Path, call: Words, tag: str) -> None:
    assert call("release", out, "--review", _with_mark(sample, [0], tag)) == 3
    assert _marker(out) == "_HELD"
    assert "cannot be taken" in json.dumps(_verdict(out)["held_by"])


def test_a_mark_as_the_paper_prints_it_counts(out: Path, sample: Path, call: Words) -> None:
    call("release", out, "--review", _with_mark(sample, [0], "[MISSED PERSON NAME]"))
    assert json.loads((out / "statistics.json").read_text())["sources"]["human"]["total"]["max"] == 5


@pytest.mark.parametrize("damage", ["duplicate", "no json", "wrong type", "left out", "changed", "not drawn"])
def test_a_review_that_is_not_whole_holds(out: Path, sample: Path, call: Words, damage: str) -> None:
    lines = sample.read_text().splitlines(keepends=True)
    if damage == "duplicate":
        lines.append(lines[0].replace("garden", "(garden)[MISSED_PERSON_NAME]"))
    elif damage == "no json":
        lines[3] = "{oops\n"
    elif damage == "wrong type":
        lines[3] = json.dumps({**json.loads(lines[3]), "turns": "x"}) + "\n"
    elif damage == "left out":
        del lines[3]
    elif damage == "changed":
        lines[3] = lines[3].replace("garden", "forest")
    else:
        drawn = {json.loads(line)["conversation_id"] for line in lines}
        other = next(i for i in range(60) if f"c{i}" not in drawn)
        text = lines[0].replace(json.loads(lines[0])["conversation_id"], f"c{other}")
        number = json.loads(lines[0])["turns"][0]["text"].split()[5]
        lines.append(text.replace(f"number {number} ", f"number {other} "))
    file = sample.with_name("damaged.jsonl")
    file.write_text("".join(lines))
    assert call("release", out, "--review", file) == 3
    assert _marker(out) == "_HELD"
    assert "the review: " in json.dumps(_verdict(out)["held_by"])


def test_a_review_that_nobody_drew_holds(out: Path, sample: Path, call: Words) -> None:
    for draw in (out / "review").iterdir():
        draw.unlink()
    assert call("release", out, "--review", sample) == 3
    assert "of no sample that was drawn by a seed" in json.dumps(_verdict(out)["held_by"])


def test_too_small_a_sample_holds(out: Path, call: Words, tmp_path: Path) -> None:
    file = tmp_path / "few.jsonl"
    assert call("review", "sample", out, "--seed", 1, "--per-context", 10, "--output", file) == 0
    assert call("release", out, "--review", file) == 3
    assert "10 scored conversations, 20 are needed" in json.dumps(_verdict(out)["held_by"])


def test_a_review_of_another_corpus_is_a_mistake_and_changes_nothing(
    out: Path, sample: Path, call: Words, tacenda: Tacenda, lines: Lines
) -> None:
    other = tacenda(
        "anonymize",
        "--input",
        lines(*[{**c, "conversation_id": f"x{c['conversation_id']}"} for c in _calls()]),
        "--detector",
        "rules",
    )
    before = other.files()
    assert call("release", other.folder, "--review", sample) == 2
    assert other.files() == before


def test_a_corpus_that_was_changed_is_not_released(out: Path, sample: Path, call: Words) -> None:
    (part,) = (out / "corpus").iterdir()
    part.write_bytes(part.read_bytes() + part.read_bytes())
    assert call("release", out, "--review", sample) == 2
    assert _marker(out) == "_UNREVIEWED"


def test_the_same_seed_draws_the_same(out: Path, sample: Path, call: Words, tmp_path: Path) -> None:
    again, other = tmp_path / "again.jsonl", tmp_path / "other.jsonl"
    call("review", "sample", out, "--seed", 7, "--per-context", 20, "--output", again)
    call("review", "sample", out, "--seed", 8, "--per-context", 20, "--output", other)
    assert again.read_bytes() == sample.read_bytes() != other.read_bytes()
    assert call("review", "sample", out, "--seed", 7, "--output", again) == 2  # it may be marked up


def test_gold_of_the_whole_corpus_releases_or_holds(out: Path, call: Words, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    assert call("review", "sample", out, "--seed", 1, "--per-context", 30, "--output", file) == 0
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(records) == 60
    for record in records:
        record["turns"][0]["spans"] = []
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert call("release", out, "--gold", gold) == 3
    assert '"gold": "complete"' in " ".join(_verdict(out)["held_by"])
    gold.write_text("".join(json.dumps({**record, "gold": "complete"}) + "\n" for record in records))
    assert call("release", out, "--gold", gold) == 0
    assert _verdict(out)["evidence"] == "gold"


@pytest.mark.parametrize("overrides", ["{PERSON_NAME: 0}", "{PERSON_NAME: {score: 1}}"])
def test_scores_that_were_lowered_need_a_reason(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path, overrides: str
) -> None:
    (tmp_path / "c.yaml").write_text(f"risk: {{overrides: {overrides}}}\n")
    run = tacenda(
        "anonymize", "--input", lines(*_calls()), "--detector", "rules", "--config", tmp_path / "c.yaml"
    )
    file = tmp_path / "s.jsonl"
    call("review", "sample", run.folder, "--seed", 7, "--output", file)
    assert call("release", run.folder, "--review", _with_mark(file, range(40))) == 3
    assert "PERSON_NAME scores" in json.dumps(_verdict(run.folder)["held_by"])
    assert call("release", run.folder, "--review", file, "--because", "names are public here") == 0
    grounds = _verdict(run.folder)["rests_on"]
    assert any(ground["weakens"] and "PERSON_NAME scores" in ground["what"] for ground in grounds)
    assert _verdict(run.folder)["because"] == "names are public here"


@pytest.mark.parametrize("shape", ["chat", "turns", "document", "parquet"])
def test_other_shapes_are_reviewed_alike(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path, shape: str
) -> None:
    calls = _calls(24)
    if shape == "chat":
        source = lines(
            *[
                {
                    "id": c["conversation_id"],
                    "messages": [{"role": "user", "content": t["text"]} for t in c["turns"]],
                }
                for c in calls
            ]
        )
    elif shape == "turns":
        source = lines(
            *[
                {"conversation_id": c["conversation_id"], "turn_index": n, **t}
                for c in calls
                for n, t in enumerate(c["turns"])
            ]
        )
    elif shape == "document":
        source = lines(*[{"text": c["turns"][0]["text"]} for c in calls])
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        source = tmp_path / "in.parquet"
        pq.write_table(pa.Table.from_pylist(calls), source)
    run = tacenda("anonymize", "--input", source, "--detector", "rules", "--unit-bytes", 600)
    assert run.code == 0, run.err
    file = tmp_path / "s.jsonl"
    assert call("review", "sample", run.folder, "--seed", 1, "--output", file) == 0
    assert call("release", run.folder, "--review", file) == 0, _verdict(run.folder)["held_by"]
    assert call("verify", run.folder) == 0


def test_a_review_does_not_overrule_gold(tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path) -> None:
    calls = _calls(gold="complete")
    for one in calls:
        one["turns"][0]["spans"] = [{"start": 0, "end": 9, "label": "PERSON_NAME"}]
    run = tacenda("anonymize", "--input", lines(*calls), "--detector", "rules")
    assert run.code == 3
    file = tmp_path / "s.jsonl"
    assert call("review", "sample", run.folder, "--seed", 1, "--output", file) == 0
    assert call("release", run.folder, "--review", file) == 3
    assert "gold, context sales" in json.dumps(_verdict(run.folder)["held_by"])
    assert call("verify", run.folder) == 0
    assert call("release", run.folder, "--gold", file) == 2


def test_what_holds_a_run_holds_it_whatever_a_review_says(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path
) -> None:
    run = tacenda(
        "anonymize", "--input", lines(*_calls()), "--detector", "rules", "--field", "context=nothing"
    )
    assert run.code == 3
    file = tmp_path / "s.jsonl"
    assert call("review", "sample", run.folder, "--seed", 1, "--output", file) == 0
    for _ in range(2):
        assert call("release", run.folder, "--review", file) == 3
        assert any("--field context=nothing" in reason for reason in _verdict(run.folder)["held_by"])


def test_a_review_may_clear_what_the_self_check_held(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path
) -> None:
    (tmp_path / "c.yaml").write_text("risk: {threshold: 0.5}\n")
    calls = [
        {**c, "turns": [*c["turns"], {"speaker": "caller", "text": "it is 10.1.2.3 or 555 0134"}]}
        for c in _calls()
    ]
    run = tacenda(
        "anonymize", "--input", lines(*calls), "--detector", "rules", "--config", tmp_path / "c.yaml"
    )
    file = tmp_path / "s.jsonl"
    assert call("review", "sample", run.folder, "--seed", 1, "--per-context", 30, "--output", file) == 0
    assert call("release", run.folder, "--review", file) == 0
    assert (run.folder / "corpus").exists()
