"""Samples for people, what they return, and red teams."""

import csv
import json
import re
import shutil
from collections import Counter

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.output import change as changing
from tacenda.pipelines.output.erasing import erase
from tacenda.transforms.reviewing.packet import FORMAT
from tests.cases import tabled
from tests.folders import copied, files_in, read_json, read_lines
from tests.halting import EndedError, ended_at_step
from tests.talks import talks, write_lines

FIRM = "call Dunder Mifflin about it"


def _call(i):
    # What a self-check at the lowest likelihood notices and the run does not: five of sixty.
    said = "it is 123456789 I think" if i % 12 == 0 else f"we talked about garden number {i}"
    turns = [{"speaker": "agent", "text": said}, {"speaker": "caller", "text": f"😀 {FIRM}"}]
    return {"conversation_id": f"c{i}", "context": ("sales", "meetings")[i % 2], "turns": turns}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The files of an anonymised corpus that nobody has read."""
    folder = tmp_path_factory.mktemp("run")
    source, out = folder / "calls.jsonl", folder / "out"
    write_lines(source, map(_call, range(60)))
    config = folder / "config.yaml"
    config.write_text("inspect: {min_likelihood: VERY_LIKELY}")
    words = ["anonymize", "--input", source, "--output", out, "--detector", "rules", "--config", config]
    assert cli_main(cli.run, [*map(str, words), "--keep-ids", "tests name them"]) == 0
    return files_in(out)


@pytest.fixture
def out(finished, tmp_path):
    return copied(finished, tmp_path / "out")


def _data(page):
    text = page.read_text("utf-8")
    return json.loads(text.split('id="data">')[1].split("</script>")[0])


def _export(page, by, marks, read=True):
    """What a browser exports of a page; ``marks`` gives those of a conversation."""
    data = _data(page)
    conversations = [
        {
            "conversation_id": one["conversation_id"],
            "text_hash": one["text_hash"],
            "read": read,
            "marks": marks(one["conversation_id"]),
        }
        for one in data["conversations"]
    ]
    file = page.with_name(f"{by}.json")
    told = {"format": data["format"], "packet": data["packet"], "reviewed_by": by}
    file.write_text(json.dumps({**told, "conversations": conversations}))
    return file


def _firm(label="MISSED_ORGANIZATION_NAME_SPEAKER"):
    place = {"turn": 1, "start": 7, "end": 21, "on_label": False, "text": "Dunder Mifflin"}
    return {**place, "label": label, "entity": None}


def _nothing(_):
    return []


@pytest.fixture
def page(out, call, tmp_path):
    file = tmp_path / "page.html"
    assert call("review", "sample", out, "--read", 50, "--output", file) == 0
    return file


def _imported(call, out, folder, *exports):
    """The review that is made of exports."""
    review = folder / "review.jsonl"
    assert call("review", "import", out, *exports, "--output", review) == 0
    return review


def test_marks_of_a_page_are_what_release_and_score_read(out, page, call, tmp_path):
    export = _export(page, "Pam Beesly", lambda name: [_firm()] if name.endswith("1") else [])
    review = _imported(call, out, tmp_path, export)
    assert call("release", out, "--review", review) == 0
    manifest = read_json(out)
    assert manifest["review"]["readers"] == {"Pam Beesly": 50}
    marked = [one for one in _data(page)["conversations"] if one["conversation_id"].endswith("1")]
    assert Counter(manifest["review"]["highest"].values()) == {2: len(marked)}
    assert call("verify", out) == 0
    assert call("score", "--input", review, "--output", tmp_path / "risk") == 0
    figures = json.loads((tmp_path / "risk" / "statistics.json").read_text())["sources"]["human"]["total"]
    assert figures["mean"] == pytest.approx(2 * len(marked) / 50)


def test_marks_of_speaker_labels_count(out, page, call, tmp_path):
    label = {"turn": 0, "start": 0, "end": 5, "on_label": True, "text": "agent", "entity": None}
    marks = [{**label, "label": "MISSED_PERSON_NAME"}]
    review = _imported(call, out, tmp_path, _export(page, "Pam", lambda _: marks))
    assert call("release", out, "--review", review) == 3
    assert set(read_json(out)["review"]["highest"].values()) == {5}


def test_an_unread_export_is_not_a_review(out, page, call, tmp_path):
    review = _imported(call, out, tmp_path, _export(page, "Pam", lambda _: [_firm()], read=False))
    assert {one["reviewed_by"] for one in read_lines(review)} == {""}
    assert "MISSED" in review.read_text()
    assert call("release", out, "--review", review) == 2


def test_readers_are_compared_and_a_third_decides(out, page, call, tmp_path, capsys):
    last = _data(page)["conversations"][-1]["conversation_id"]
    pam = _export(page, "Pam", lambda _: [_firm()])
    jim = _export(page, "Jim", lambda name: [] if name == last else [_firm()])
    disputed, review = tmp_path / "disputed.html", tmp_path / "review.jsonl"
    words = ["--output", review, "--disputed", disputed, "--json", "--quiet"]
    assert call("review", "import", out, pam, jim, *words) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["read"], told["read_by_several"], told["disputed"]) == (50, 50, 1)
    every = told["agreement"][0]
    assert every["marked_words"] == {"Jim": 98, "Pam": 100}
    assert 0.9 < every["krippendorff_alpha"] < 1
    assert [one["conversation_id"] for one in _data(disputed)["conversations"]] == [last]
    assert len(_data(disputed)["conversations"][0]["marks"]) == 1
    records = {one["conversation_id"]: one for one in read_lines(review)}
    assert records[last]["reviewed_by"] == "Jim and Pam"
    assert len(records[last]["turns"][1]["spans"]) == 1

    oscar = _export(disputed, "Oscar", _nothing)
    again = tmp_path / "again.jsonl"
    assert call("review", "import", out, pam, jim, "--adjudicated", oscar, "--output", again) == 0
    assert "differ" not in capsys.readouterr().out
    records = {one["conversation_id"]: one for one in read_lines(again)}
    assert records[last]["reviewed_by"] == "Jim and Oscar and Pam"
    assert records[last]["turns"][1]["spans"] == []


def test_conversations_above_a_score_are_not_a_sample(out, call, tmp_path):
    page, review = tmp_path / "page.html", tmp_path / "review.jsonl"
    assert call("review", "sample", out, "--over", 1, "--predictions", "--output", page) == 0
    shown = _data(page)["conversations"]
    assert {one["conversation_id"] for one in shown} == {f"c{i}" for i in range(0, 60, 12)}
    assert all(one["hint"].startswith("Suspected: ") for one in shown)
    assert call("review", "import", out, _export(page, "Pam", _nothing), "--output", review) == 0
    assert call("release", out, "--review", review) == 3
    assert read_json(out)["verdict"]["state"] == "held"


@tabled("words", "told")
def test_options_are_validated(out, call, capsys, words, told):
    before = files_in(out)
    assert call("review", words[0], out, *words[1:]) == 2
    assert told in capsys.readouterr().err
    assert files_in(out) == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace('"text_hash": "', '"text_hash": "f'), ""),
        (lambda text: text.replace('"start": 7', '"start": 8'), ""),
        (lambda text: text.replace('"c', '"d'), ""),
        (lambda text: text.replace('"read": true', '"read": true, "comment": "a name!"', 1), ""),
        (lambda _: "[]", "not an export of a page"),
        (lambda _: json.dumps({"format": FORMAT, "conversations": []}), "has no conversations"),
        (lambda _: "", "not JSON"),
        (lambda _: json.dumps({"format": FORMAT, "conversations": [{"conversation_id": [1]}]}), ""),
    ],
)
def test_an_export_that_is_not_of_the_corpus_is_refused(out, page, call, capsys, change, told):
    export, review = _export(page, "Pam", lambda _: [_firm()]), page.with_name("review.jsonl")
    export.write_text(change(export.read_text()))
    assert call("review", "import", out, export, "--output", review) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert told in said
    assert not review.exists()


def _fill(sheet, identified):
    """Fill in the sheet of a red team, that found something in two conversations."""
    with sheet.open() as file:
        rows = list(csv.DictReader(file))
    for i, row in enumerate(rows):
        row.update(personal_data_left="yes" if i < 2 else "no", by="Jim <b>H</b>")
        row["somebody_identified"] = identified if not i else "no"
    with sheet.open("w") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_figures_whose_entering_ends_anywhere_are_entered_by_the_next(out, call, tmp_path, monkeypatch):
    sheet = tmp_path / "red" / "sheet.csv"
    words = ("review", "redteam", out, "--sheet", sheet)
    assert call("review", "redteam", out, "--seed", 3, "--conversations", 20, "--output", sheet.parent) == 0
    _fill(sheet, "no")
    before, number = files_in(out), -1
    ended = True
    while ended:
        number, ended = number + 1, False
        shutil.rmtree(out)
        copied(before, out)
        with monkeypatch.context() as patched:
            ended_at_step(number, changing, patched)
            try:
                call(*words)
            except EndedError:
                ended = True
        assert call(*words) == 0
        assert "red_team" in read_json(out)
        assert call("verify", out) == 0
    assert number > 5


_OTHERS = [
    lambda record, change=change: json.dumps({**json.loads(record.read_bytes()), **change}).encode()
    for change in ({"seed": "x"}, {"seed": None}, {"conversations": -1}, {"conversations": "x"})
]


def test_the_report_has_the_results_of_a_red_team(out, call, tmp_path, capsys):
    place = tmp_path / "red"
    assert call("review", "redteam", out, "--seed", 3, "--conversations", 20, "--output", place) == 0
    assert "MISSED" not in (place / "to-read.html").read_text()
    with (place / "sheet.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert Counter(row["context"] for row in rows) == {"sales": 11, "meetings": 9}
    (record,) = (out / "review").glob("redteam-*")
    for number, wrong in enumerate((b"", b"[[", b"[]", *(told(record) for told in _OTHERS))):
        (out / "review" / f"redteam-{number:016}.json").write_bytes(wrong)
    assert call("review", "redteam", out, "--sheet", place / "sheet.csv") == 2
    for identified, code in (("no", 0), ("yes", 3)):
        _fill(place / "sheet.csv", identified)
        words = ["review", "redteam", out, "--sheet", place / "sheet.csv", "--json", "--quiet"]
        assert call(*words) == code
        told = json.loads(capsys.readouterr().out)
        assert told["personal_data_left"]["count"] == 2
        assert read_json(out)["red_team"] == told
        assert call("verify", out) == 0
        report = (out / "report.html").read_text()
        assert "by Jim &lt;b&gt;H" in report or "Jim &lt;b&gt;H" in report
        assert ("in 0 they did" in " ".join(report.split())) is (identified == "no")
    (out / "manifest.json").write_text((out / "manifest.json").read_text().replace('"Jim', '"Tim'))
    assert call("verify", out) == 3


def test_planted_leaks_measure_the_readers(call, tmp_path, capsys):
    page, review, source, out = (
        tmp_path / name for name in ("page.html", "review.jsonl", "in.jsonl", "tokens")
    )
    said = "write to pam@example.com or to {}@example.com, we are in the garden"
    write_lines(source, talks(60, said))
    assert call("anonymize", "--input", source, "--output", out, "--detector", "rules") == 0
    assert call("review", "sample", out, "--read", 40, "--catch-trials", 10, "--output", page) == 0
    assert len(_data(page)["conversations"]) == 50
    (record,) = (json.loads(file.read_text()) for file in (out / "review").glob("draw-*"))
    planted = {one["conversation_id"] for one in record["planted"]}
    shown = {one["conversation_id"]: one for one in _data(page)["conversations"]}

    def all_marks(name):
        if name not in planted:
            return []
        text = shown[name]["turns"][0][1]
        place = {"turn": 0, "start": 0, "end": len(text), "on_label": False, "text": text}
        return [{**place, "label": "MISSED_PERSON_NAME", "entity": None}]

    def marks(name):
        return [] if name == max(planted) else all_marks(name)

    # Nothing counts before it was read; then the first reading counts, whatever its reader marks later.
    unread = _export(page, "Pam", _nothing, read=False)
    assert call("review", "import", out, unread, "--output", tmp_path / "unread.jsonl") == 0
    assert "0 of 10 planted leaks were marked" in capsys.readouterr().out
    assert call("review", "import", out, _export(page, "Pam", marks), "--output", review) == 0
    assert "9 of 10 planted leaks were marked" in capsys.readouterr().out
    again = _export(page, "Pam", all_marks)
    assert call("review", "import", out, again, "--output", tmp_path / "again.jsonl") == 0
    assert "9 of 10 planted leaks were marked" in capsys.readouterr().out
    assert len(read_lines(review)) == 40
    assert call("release", out, "--review", review) == 3
    figures = read_json(out)["verdict"]["figures"]
    assert (figures["planted"], figures["caught"], figures["read"]) == (10, 9, 40)
    assert figures["direct_identifiers"]["found"] == 0
    assert call("verify", out) == 0
    # A larger sample without trials does not forget how its readers read before.
    more, rest = tmp_path / "more.html", tmp_path / "rest.jsonl"
    assert call("review", "sample", out, "--read", 50, "--output", more) == 0
    assert call("review", "import", out, _export(more, "Pam", _nothing), "--output", rest) == 0
    call("release", out, "--review", review, rest)
    figures = read_json(out)["verdict"]["figures"]
    assert (figures["planted"], figures["caught"], figures["read"]) == (10, 9, 50)
    assert call("verify", out) == 0
    assert erase(str(out), [min(planted)]).conversations == 1


def test_a_sample_with_planted_leaks_is_large_enough_to_release(call, tmp_path, capsys):
    page, review, source, out = (tmp_path / name for name in ("p.html", "r.jsonl", "in.jsonl", "out"))
    write_lines(source, talks(300, "write to pam@example.com or to {}@example.com, we are in the garden"))
    assert call("anonymize", "--input", source, "--output", out, "--detector", "rules") == 0
    assert call("review", "sample", out, "--catch-trials", 10, "--output", page) == 0
    told = re.search(r"at most ([0-9.]+%) of all do; up to 0 with one release", capsys.readouterr().out)
    shown = {one["conversation_id"]: one["turns"][0][1] for one in _data(page)["conversations"]}

    def marks(name):
        place = {"turn": 0, "start": 0, "end": len(shown[name]), "on_label": False, "text": shown[name]}
        return [{**place, "label": "MISSED_EMAIL", "entity": None}] * (shown[name].count("[EMAIL") < 2)

    assert call("review", "import", out, _export(page, "Pam", marks), "--output", review) == 0
    assert call("release", out, "--review", review) == 0
    assert f"at most {told[1]} of all" in capsys.readouterr().out


def test_the_time_that_readers_took_is_told(out, page, call, tmp_path):
    export, review = _export(page, "Pam", _nothing), tmp_path / "review.jsonl"
    told = json.loads(export.read_text())
    for number, one in zip((*range(48), -5, 1e308), told["conversations"], strict=True):
        one["seconds"] = number
    export.write_text(json.dumps(told))
    assert call("review", "import", out, export, "--output", review) == 0
    assert call("release", out, "--review", review) == 0
    assert read_json(out)["review"]["seconds"]["median"] == 23.5
    assert "less than 24 seconds each" in (out / "report.html").read_text()
