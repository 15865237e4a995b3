"""Review and release: people's marks are bound to the corpus that they read; nothing else releases it."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.output import change
from tacenda.pipelines.output.erasing import erase
from tests.folders import files_in

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
def out(tacenda: Tacenda, lines: Lines) -> Path:
    """An anonymised corpus that nobody has read."""
    run = tacenda("anonymize", "--input", lines(*_calls()), "--detector", "rules")
    assert run.code == 0, run.out
    assert (run.folder / "_UNREVIEWED").exists()
    assert not (run.folder / "_SUCCESS").exists()
    folder: Path = run.folder
    return folder


@pytest.fixture
def sample(out: Path, call: Words, tmp_path: Path) -> Path:
    file = tmp_path / "sample.jsonl"
    assert call("review", "sample", out, "--read", 50, "--output", file) == 0
    return file


def _read(sample: Path, by: str = "Pam Beesly", name: str = "read.jsonl") -> Path:
    """The sample as returned by a reader of all of it."""
    file = sample.with_name(name)
    file.write_text(sample.read_text().replace('"reviewed_by":""', f'"reviewed_by":{json.dumps(by)}'))
    return file


@pytest.fixture
def read(sample: Path) -> Path:
    return _read(sample)


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


def test_a_review_without_marks_releases_and_is_recorded(out: Path, read: Path, call: Words) -> None:
    corpus = {path.name: path.read_bytes() for path in (out / "corpus").iterdir()}
    assert call("release", out, "--review", read) == 0
    assert _marker(out) == "_SUCCESS"
    told = _verdict(out)
    assert any(
        ground["what"] == "a review of 50 conversations by Pam Beesly (50)" for ground in told["rests_on"]
    )
    assert (told["state"], told["evidence"], told["rule"]) == ("released", "human", 2)
    assert told["figures"]["direct_identifiers"] == {"found": 0, "at_most": 1 / 60}
    statistics = json.loads((out / "statistics.json").read_text())["sources"]
    assert {source: figures["total"]["count"] for source, figures in statistics.items()} == {
        "human": 50, "model": 60,
    }  # fmt: skip
    assert statistics["human"]["total"]["unreviewed"] == 10
    assert statistics["human"]["contexts"]["sales"]["mu_plus_sigma_interval_95"][1] > 0
    assert {path.name: path.read_bytes() for path in (out / "corpus").iterdir()} == corpus
    assert call("verify", out) == 0


def test_an_unread_sample_is_not_a_review(out: Path, sample: Path, call: Words) -> None:
    before = files_in(out)
    assert call("release", out, "--review", sample) == 2
    assert files_in(out) == before


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "-",
        "\u200b",
        "\u3164",
        None,
        7,
        ["Pam"],
        "TODO",
        "n/a",
        "not read",
        "nobody",
        "?1",
        "x",
        "reviewed_by",
    ],
)
def test_a_reader_needs_a_name(out: Path, sample: Path, call: Words, name: Any) -> None:
    file = sample.with_name("signed.jsonl")
    file.write_text(sample.read_text().replace('"reviewed_by":""', f'"reviewed_by":{json.dumps(name)}'))
    assert call("release", out, "--review", file) == 2
    assert _marker(out) == "_UNREVIEWED"


def test_conversations_without_a_reader_hold(out: Path, read: Path, call: Words) -> None:
    lines = read.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace("Pam Beesly", "")
    lines[5] = lines[5].replace('"reviewed_by":"Pam Beesly",', "")
    read.write_text("".join(lines))
    assert call("release", out, "--review", read) == 3
    assert (
        'the review: 2 conversations were not read: readers enter their names as "reviewed_by"'
        in (_verdict(out)["held_by"])
    )
    assert call("verify", out) == 0


def test_a_mark_without_a_reader_is_not_a_review(out: Path, sample: Path, call: Words) -> None:
    assert call("release", out, "--review", _with_mark(sample, range(40))) == 2


def test_gold_needs_a_name_too(out: Path, sample: Path, call: Words) -> None:
    records = [{**json.loads(line), "gold": "complete"} for line in sample.read_text().splitlines()]
    for record in records:
        record["turns"][0]["spans"] = []
    file = sample.with_name("gold.jsonl")
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert call("release", out, "--gold", file) == 2
    file.write_text("".join(json.dumps({**record, "reviewed_by": "Pam"}) + "\n" for record in records))
    assert call("release", out, "--gold", file) == 0
    assert "declared to cover all personal data by Pam (50)" in json.dumps(_verdict(out)["rests_on"])


def test_the_readers_stand_in_manifest_and_report(out: Path, read: Path, call: Words) -> None:
    read.write_text(read.read_text().replace("Pam Beesly", "Jim <b>Halpert</b>", 3))
    assert call("release", out, "--review", read) == 0
    told = json.loads((out / "manifest.json").read_text())["review"]
    assert told["readers"] == {"Jim <b>Halpert</b>": 3, "Pam Beesly": 47}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "by Pam Beesly (47) and Jim &lt;b&gt;Halpert&lt;/b&gt; (3)" in page


@pytest.mark.parametrize("what", ["readers", "conversations", "highest", "lowered", "reading", "rests_on"])
def test_a_changed_review_is_detected(out: Path, read: Path, call: Words, what: str) -> None:
    assert call("release", out, "--review", _with_mark(read, range(9))) == 3
    assert call("release", out, "--review", read, "--because", "no names") == 0
    assert call("verify", out) == 0
    manifest = json.loads((out / "manifest.json").read_text())
    review = manifest["review"]
    if what == "rests_on":
        manifest["verdict"]["rests_on"] = manifest["verdict"]["rests_on"][1:]
        (out / "_SUCCESS").write_text(json.dumps(manifest["verdict"]))
    else:
        less = {**review["reading"], "drawn": 60}
        changed = {"readers": {"Jim": 40}, "conversations": 41, "highest": {}, "lowered": 0, "reading": less}
        review[what] = changed[what]
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert call("verify", out) == 3


def test_a_part_of_what_was_drawn_is_no_review(out: Path, read: Path, call: Words, tmp_path: Path) -> None:
    """Nor is an earlier sample, once a larger one was drawn: the one that suits would be chosen."""
    more = tmp_path / "more.jsonl"
    assert call("review", "sample", out, "--read", 55, "--output", more) == 0
    assert len(more.read_text().splitlines()) == 5
    assert call("release", out, "--review", read) == 3
    assert "5 of 55 drawn conversations are missing" in json.dumps(_verdict(out)["held_by"])
    assert call("release", out, "--review", read, _read(more, name="rest.jsonl")) == 0
    told = json.loads((out / "manifest.json").read_text())["review"]
    assert [one["error"] for one in told["looks"]] == pytest.approx([0.04, 0.008])
    assert told["reading"]["error"] == pytest.approx(0.008)
    assert call("verify", out) == 0


def test_after_the_last_look_only_reading_everything_shows_more(
    out: Path, call: Words, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("review", "sample", out, "--read", 50, "--last", "--output", tmp_path / "a.jsonl") == 0
    assert call("review", "sample", out, "--read", 55, "--output", tmp_path / "b.jsonl") == 2
    assert "nothing of the error is left" in capsys.readouterr().err
    assert call("review", "sample", out, "--read", 60, "--output", tmp_path / "c.jsonl") == 0


def test_what_a_size_can_show_is_told_before_anybody_reads(
    out: Path, call: Words, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("review", "sample", out) == 0
    told = capsys.readouterr().out
    assert "60 conversations; released if at most 2.0% have a readable direct identifier" in told
    assert not (out / "review").exists()


def test_one_full_name_too_many_holds(out: Path, sample: Path, read: Path, call: Words) -> None:
    """One of fifty read; of sixty, up to three may have one."""
    assert call("release", out, "--review", _with_mark(read, [3])) == 3
    (reason,) = _verdict(out)["held_by"]
    assert "a direct identifier is readable in 1 conversation of 50 read" in reason
    assert call("verify", out) == 0


def test_marks_of_an_earlier_review_still_count(out: Path, read: Path, call: Words) -> None:
    assert call("release", out, "--review", _with_mark(read, range(40))) == 3
    assert call("release", out, "--review", read) == 3
    assert "scored higher in an earlier review: 40" in json.dumps(_verdict(out)["held_by"])


def test_an_erasure_does_not_clear_a_bad_review(out: Path, read: Path, call: Words, tmp_path: Path) -> None:
    ids = [json.loads(line)["conversation_id"] for line in read.read_text().splitlines()]
    assert call("release", out, "--review", _with_mark(read, range(30))) == 3
    assert erase(str(out), [ids[0], ids[-1]]).review_taken_off
    assert "review" not in json.loads((out / "manifest.json").read_text())
    other = tmp_path / "other.jsonl"
    call("review", "sample", out, "--read", 58, "--output", other)
    assert call("release", out, "--review", _read(other, name="clean.jsonl")) == 3
    assert "scored higher in an earlier review: 29" in json.dumps(_verdict(out)["held_by"])
    assert call("verify", out) == 0
    assert erase(str(out), [ids[1]]).conversations == 1
    manifest = (out / "manifest.json").read_text()
    assert not [one for one in (ids[0], ids[1], ids[-1]) if f'"{one}"' in manifest]
    assert call("verify", out) == 0


@pytest.mark.parametrize(
    "more", [{"comment": "full name in turn 2!"}, {"ok": False}, {"missed": ["Pam"]}, {"marks": []}]
)
def test_what_a_reader_writes_where_nothing_is_read_is_a_mistake(
    out: Path, read: Path, call: Words, more: dict[str, Any]
) -> None:
    records = [json.loads(line) for line in read.read_text().splitlines()]
    for of in (records[3], records[3]["turns"][0]):
        of.update(more)
        read.write_text("".join(json.dumps(one) + "\n" for one in records))
        assert call("release", out, "--review", read) == 2
        for key in more:
            del of[key]
    assert _marker(out) == "_UNREVIEWED"


@pytest.mark.parametrize("what", ["problems", "threshold", "language", "marker", "statistics"])
def test_an_inconsistent_output_folder_is_not_judged(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path, what: str
) -> None:
    (config := tmp_path / "c.yaml").write_text("languages: {uncovered: hold}\n")
    held = [
        {**c, "turns": [{"speaker": "a", "text": "कल राजेश कुमार मेरे घर आए थे और हमने बात की"}]} for c in _calls()
    ]
    run = tacenda("anonymize", "--input", lines(*held if what in ("problems", "language") else _calls()),
        "--detector", "rules", "--config", config)  # fmt: skip
    file = tmp_path / "s.jsonl"
    assert call("review", "sample", run.folder, "--output", file) == 0
    (marker,) = (path for path in run.folder.iterdir() if path.name.startswith("_"))
    manifest, statistics = run.json("manifest.json"), run.json("statistics.json")
    if what in ("problems", "language"):
        manifest["verdict"]["problems"] = manifest["verdict"]["held_by"] = []
        marker.write_text(json.dumps(manifest["verdict"]))
    if what == "language":
        manifest["totals"]["languages"] = {}
    if what == "threshold":
        manifest["config"]["risk"]["threshold"] = 50
    if what == "marker":
        marker.rename(run.folder / "_SUCCESS")
    if what == "statistics":
        statistics["sources"]["model"]["total"]["mean"] = 0.5
    for name, told in (("manifest.json", manifest), ("statistics.json", statistics)):
        (run.folder / name).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    before = files_in(run.folder)
    assert call("release", run.folder, "--review", _read(file)) == 2
    assert files_in(run.folder) == before


def test_what_reviewers_marked_holds_and_a_better_review_releases_again(
    out: Path, read: Path, call: Words
) -> None:
    marked = _with_mark(read, range(30))
    assert call("release", out, "--review", marked) == 3
    assert _marker(out) == "_HELD"
    assert not (out / "corpus").exists()
    assert (out / ".held").exists()
    assert any("a direct identifier is readable in 30" in reason for reason in _verdict(out)["held_by"])
    assert call("verify", out) == 0
    assert call("release", out, "--review", read) == 3
    assert "scored higher in an earlier review: 30" in json.dumps(_verdict(out)["held_by"])
    assert call("verify", out) == 0
    assert call("release", out, "--review", read, "--because", "the garden numbers are no names") == 0
    assert _marker(out) == "_SUCCESS"
    assert "scored higher in an earlier review: 30" in json.dumps(_verdict(out)["rests_on"])
    assert not (out / ".held").exists()
    assert call("verify", out) == 0


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
def test_an_invalid_mark_holds(out: Path, read: Path, call: Words, tag: str) -> None:
    assert call("release", out, "--review", _with_mark(read, [0], tag)) == 3
    assert _marker(out) == "_HELD"
    assert "1 row is invalid" in json.dumps(_verdict(out)["held_by"])


def test_markup_in_the_form_of_the_paper_counts(out: Path, read: Path, call: Words) -> None:
    call("release", out, "--review", _with_mark(read, [0], "[MISSED PERSON NAME]"))
    assert json.loads((out / "statistics.json").read_text())["sources"]["human"]["total"]["max"] == 5


@pytest.mark.parametrize(
    "damage",
    [
        "duplicate", "no json", "wrong type", "left out", "changed", "not drawn", "one context", "fewer turns",
        "more turns", "swapped ids", "other speaker", "empty turns", "a number for an id",
    ],
)  # fmt: skip
def test_an_incomplete_review_holds(out: Path, read: Path, call: Words, damage: str) -> None:
    lines = read.read_text().splitlines(keepends=True)
    if damage == "duplicate":
        lines.append(lines[0].replace("garden", "(garden)[MISSED_PERSON_NAME]"))
    elif damage == "no json":
        lines[3] = "{oops\n"
    elif damage == "wrong type":
        lines[3] = json.dumps({**json.loads(lines[3]), "turns": "x"}) + "\n"
    elif damage == "left out":
        del lines[3]
    elif damage == "one context":
        lines = [line for line in lines if '"context":"sales"' in line]
    elif damage in ("fewer turns", "more turns", "other speaker", "empty turns", "a number for an id"):
        record = json.loads(lines[3])
        turns = record["turns"]
        if damage == "other speaker":
            turns[0]["speaker"] = "somebody"
        elif damage == "a number for an id":
            record["conversation_id"] = 3
        record["turns"] = {"fewer turns": turns[1:], "more turns": [*turns, turns[0]], "empty turns": []}.get(
            damage, turns
        )
        lines[3] = json.dumps(record) + "\n"
    elif damage == "swapped ids":
        one, other = (json.loads(line) for line in lines[3:5])
        one["turns"], other["turns"] = other["turns"], one["turns"]
        lines[3:5] = [json.dumps(one) + "\n", json.dumps(other) + "\n"]
    elif damage == "changed":
        lines[3] = lines[3].replace("garden", "forest")
    else:
        drawn = {json.loads(line)["conversation_id"] for line in lines}
        other = next(i for i in range(60) if f"c{i}" not in drawn)
        text = lines[0].replace(json.loads(lines[0])["conversation_id"], f"c{other}")
        number = json.loads(lines[0])["turns"][0]["text"].split()[5]
        lines.append(text.replace(f"number {number} ", f"number {other} "))
    file = read.with_name("damaged.jsonl")
    file.write_text("".join(lines))
    assert call("release", out, "--review", file) == 3
    assert _marker(out) == "_HELD"
    assert "the review: " in json.dumps(_verdict(out)["held_by"])


def test_the_context_is_that_of_the_corpus_whatever_the_review_says(
    out: Path, read: Path, call: Words
) -> None:
    records = [json.loads(line) for line in read.read_text().splitlines()]
    marked = _with_mark(read, [i for i, one in enumerate(records) if one["context"] == "meetings"])
    marked.write_text(marked.read_text().replace('"context": "meetings"', '"context": "sales"'))
    call("release", out, "--review", marked)
    contexts = json.loads((out / "statistics.json").read_text())["sources"]["human"]["contexts"]
    assert {context: group["mean"] for context, group in contexts.items()} == {"meetings": 5, "sales": 0}


def test_spans_for_an_unsigned_sample_are_not_a_review(
    out: Path, sample: Path, call: Words, lines: Lines
) -> None:
    ids = [json.loads(line)["conversation_id"] for line in sample.read_text().splitlines()]
    spans = lines(*({"conversation_id": one, "label": None} for one in ids))
    assert call("release", out, "--review", sample, "--spans", spans) == 2
    assert call("release", out, "--review", _read(sample), "--spans", spans) == 0


def test_an_interrupted_release_does_not_count(
    out: Path, read: Path, call: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(change, "move", cut_off)
    assert call("release", out, "--review", read) == 1
    monkeypatch.undo()
    assert not [path for path in out.iterdir() if path.name.startswith("_")]
    assert call("verify", out) == 3
    # What had begun is ended, and then judged again.
    assert call("release", out, "--review", read) == 0
    assert call("verify", out) == 0


def test_overwriting_a_released_run_removes_its_release(
    out: Path, read: Path, call: Words, lines: Lines, tmp_path: Path
) -> None:
    source = lines(*_calls())
    assert call("release", out, "--review", read) == 0
    words = ["anonymize", "--input", source, "--detector", "rules", "--output", out]
    (tmp_path / "c.yaml").write_text("risk: {threshold: 4}\n")
    assert call(*words, "--config", tmp_path / "c.yaml") == 2
    assert _marker(out) == "_SUCCESS"
    assert call(*words, "--config", tmp_path / "c.yaml", "--overwrite") == 0
    assert _marker(out) == "_UNREVIEWED"
    assert "review" not in json.loads((out / "manifest.json").read_text())
    assert call("release", out, "--review", read) == 3
    assert "not of a drawn sample" in json.dumps(_verdict(out)["held_by"])


def test_settings_removed_from_the_manifest_still_need_a_reason(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path
) -> None:
    (tmp_path / "c.yaml").write_text("risk: {overrides: {PERSON_NAME: 0}}\n")
    run = tacenda(
        "anonymize", "--input", lines(*_calls()), "--detector", "rules", "--config", tmp_path / "c.yaml"
    )
    file = tmp_path / "s.jsonl"
    call("review", "sample", run.folder, "--output", file)
    manifest = run.json("manifest.json")
    manifest["verdict"]["rests_on"] = [one for one in manifest["verdict"]["rests_on"] if not one["weakens"]]
    for name, told in (("manifest.json", manifest), ("_UNREVIEWED", manifest["verdict"])):
        (run.folder / name).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    assert call("release", run.folder, "--review", _read(file)) == 2


def test_a_review_of_an_undrawn_sample_holds(out: Path, read: Path, call: Words) -> None:
    for draw in (out / "review").iterdir():
        draw.unlink()
    assert call("release", out, "--review", read) == 3
    assert "not of a drawn sample" in json.dumps(_verdict(out)["held_by"])


def test_too_small_a_sample_holds(out: Path, call: Words, tmp_path: Path) -> None:
    file = tmp_path / "few.jsonl"
    assert call("review", "sample", out, "--read", 20, "--output", file) == 0
    assert call("release", out, "--review", _read(file)) == 3
    assert "a direct identifier is readable in 0 conversations of 20 read" in json.dumps(
        _verdict(out)["held_by"]
    )


def test_a_review_of_another_corpus_is_a_mistake_and_changes_nothing(
    out: Path, read: Path, call: Words, tacenda: Tacenda, lines: Lines
) -> None:
    other = tacenda(
        "anonymize",
        "--input",
        lines(*[{**c, "conversation_id": f"x{c['conversation_id']}"} for c in _calls()]),
        "--detector",
        "rules",
    )
    before = other.files()
    assert call("release", other.folder, "--review", read) == 2
    assert other.files() == before


def test_a_corpus_that_was_changed_is_not_released(out: Path, read: Path, call: Words) -> None:
    (part,) = (out / "corpus").iterdir()
    part.write_bytes(part.read_bytes() + part.read_bytes())
    assert call("release", out, "--review", read) == 2
    assert _marker(out) == "_UNREVIEWED"


def test_nobody_chooses_the_sample(out: Path, sample: Path, call: Words, tmp_path: Path) -> None:
    for record in (out / "review").iterdir():
        record.unlink()
    again = tmp_path / "again.jsonl"
    assert call("review", "sample", out, "--read", 50, "--output", again) == 0
    assert again.read_bytes() == sample.read_bytes()
    assert call("review", "sample", out, "--read", 60, "--output", again) == 2  # it may be marked up


def test_gold_of_the_whole_corpus_releases_or_holds(out: Path, call: Words, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    assert call("review", "sample", out, "--read", 60, "--output", file) == 0
    records = [json.loads(line) for line in _read(file).read_text().splitlines()]
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
    call("review", "sample", run.folder, "--output", file)
    assert call("release", run.folder, "--review", _read(file)) == 3
    assert "PERSON_NAME scores" in json.dumps(_verdict(run.folder)["held_by"])
    assert call("release", run.folder, "--review", _read(file), "--because", "names are public here") == 0
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
    assert call("review", "sample", run.folder, "--output", file) == 0
    assert call("release", run.folder, "--review", _read(file)) == 0, _verdict(run.folder)["held_by"]
    assert call("verify", run.folder) == 0


def test_a_review_does_not_overrule_gold(tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path) -> None:
    calls = _calls(gold="complete")
    for one in calls:
        one["turns"][0]["spans"] = [{"start": 0, "end": 9, "label": "PERSON_NAME"}]
    run = tacenda("anonymize", "--input", lines(*calls), "--detector", "rules")
    assert run.code == 3
    file = tmp_path / "s.jsonl"
    assert call("review", "sample", run.folder, "--output", file) == 0
    assert call("release", run.folder, "--review", _read(file)) == 3
    assert "gold, context sales" in json.dumps(_verdict(run.folder)["held_by"])
    assert call("verify", run.folder) == 0
    assert call("release", run.folder, "--gold", _read(file)) == 2


def test_a_review_does_not_release_a_run_with_problems(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path
) -> None:
    run = tacenda(
        "anonymize",
        "--input",
        lines(*_calls(nothing=None)),
        "--detector",
        "rules",
        "--field",
        "context=nothing",
    )
    assert run.code == 3
    file = tmp_path / "s.jsonl"
    assert call("review", "sample", run.folder, "--output", file) == 0
    for _ in range(2):
        assert call("release", run.folder, "--review", _read(file)) == 3
        assert any("--field context=nothing" in reason for reason in _verdict(run.folder)["held_by"])


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("columns", [False, True])
def test_kept_fields_are_reviewed_with_the_turns(
    tacenda: Tacenda, lines: Lines, call: Words, tmp_path: Path, form: str, columns: bool
) -> None:
    records = [
        {
            "conversation_id": f"c{i}",
            "note": f"Ring 415-555-019{i}",
            "number": 4155550190 + i,
            "source": "phone",
            "turns": [{"speaker": "Agent", "text": f"Hello {i}", "room": f"Mail u{i}@example.com"}],
        }
        for i in range(3)
    ]
    if columns:
        when = datetime(2024, 5, 1, 10, 30, 0, 250_000, tzinfo=timezone.utc)
        source = tmp_path / "in.parquet"
        pq.write_table(pa.Table.from_pylist([{**one, "when": when} for one in records]), source)
    else:
        source = lines(*({**one, "when": "2024-05-01T10:30:00Z"} for one in records))
    keep = [word for name in ("note", "number", "when", "turns.room") for word in ("--keep", name)]
    opaque = ("--opaque", "source=four values", "--opaque", "conversation_id=numbers")
    words = ("--detector", "rules", "--workers", "1", "--format", form, *keep, *opaque)
    run = tacenda("anonymize", "--input", source, *words)
    assert run.code == 0
    sample = tmp_path / "kept.jsonl"
    assert call("review", "sample", run.folder, "--output", sample) == 0
    drawn = [json.loads(line) for line in sample.read_text().splitlines()]
    said = {turn["text"] for one in drawn for turn in one["turns"]}
    assert {"Ring [PHONE_NUMBER_1]", "Mail [EMAIL_ADDRESS_1]"} <= said
    assert any("source: phone" in text for text in said)
    sample.write_text("".join(json.dumps({**one, "reviewed_by": "Pam"}) + "\n" for one in drawn))
    call("release", run.folder, "--review", sample)
    assert json.loads((run.folder / "manifest.json").read_text())["review"]["conversations"] == 3
