"""Review and release: people's marks are bound to the corpus that they read; nothing else releases it.

A signed history: every command that changes an output folder adds to it, and ``verify`` checks it.
"""

import json
import shutil
from datetime import datetime, timezone

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.output import change
from tacenda.pipelines.output.erasing import erase
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import lease as leases
from tests.end_to_end.conftest import signing_keys
from tests.folders import copied, files_in, read_json, read_lines
from tests.halting import EndedError, ended_at_step
from tests.talks import talks, write_lines

CONTEXTS = ("sales", "meetings")


def _calls(count=60, **more):
    def turns(number):
        said = f"we talked about garden number {number} (and the weather)"
        mail = {"speaker": "caller", "text": "write to pam.beesly@example.com today"}
        return [{"speaker": "agent", "text": said}, mail]

    of = [{"conversation_id": f"c{i}", "context": CONTEXTS[i % 2], "turns": turns(i)} for i in range(count)]
    return [{**one, **more} for one in of]


def _write(file, records, **more):
    return write_lines(file, [{**record, **more} for record in records])


@pytest.fixture(scope="module")
def unread(tmp_path_factory):
    """The files of an anonymised corpus that nobody has read."""
    folder = tmp_path_factory.mktemp("run")
    source = _write(folder / "calls.jsonl", _calls())
    words = ["anonymize", "--input", source, "--output", folder / "out", "--detector", "rules"]
    assert cli_main(cli.run, [*map(str, words), "--keep-ids", "tests name them"]) == 0
    return files_in(folder / "out")


@pytest.fixture
def out(unread, tmp_path):
    return copied(unread, tmp_path / "out")


@pytest.fixture
def draw(out, call, tmp_path):
    """``draw(20)``: so many conversations of the corpus as a sample, or of another one."""
    counter = iter(range(9))

    def run(count, *words, folder=out):
        file = tmp_path / f"sample{next(counter)}.jsonl"
        assert call("review", "sample", folder, "--read", count, *words, "--output", file) == 0
        return file

    return run


@pytest.fixture
def sample(draw):
    return draw(50)


def _read(sample, by="Pam Beesly", name="read.jsonl"):
    """The sample as returned by a reader of all of it."""
    return _write(sample.with_name(name), read_lines(sample), reviewed_by=by)


@pytest.fixture
def read(sample):
    return _read(sample)


@pytest.fixture
def release(out, call):
    """``release(review, …)``: the exit code; what was written agrees with itself."""

    def run(*reviews, folder=out, by="--review", more=()):
        code = call("release", folder, by, *reviews, *more)
        assert code == 2 or call("verify", folder) == 0
        return code

    return run


@pytest.fixture
def drawn_of(anonymize, call, tmp_path):
    """Anonymise some calls, and draw a sample that a reader returns."""

    def run(calls, *words, config="{}"):
        of = anonymize(calls, *words, config=config)
        assert call("review", "sample", of.folder, "--output", tmp_path / "s.jsonl") == 0
        return of, _read(tmp_path / "s.jsonl")

    return run


def _with_mark(sample, numbers):
    """The sample with ``garden number`` marked in some of its conversations."""
    records = read_lines(sample)
    _marked(*numbers)(records)
    return _write(sample.with_name("marked.jsonl"), records)


def _marker(out):
    (marker,) = [path.name for path in out.iterdir() if path.name.startswith("_")]
    return marker


def _change(out, name, told):
    (out / name).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def _held_by(out):
    return json.dumps(read_json(out)["verdict"]["held_by"])


def _grounds(out):
    return json.dumps(read_json(out)["verdict"]["rests_on"])


def test_a_review_without_marks_releases_and_is_recorded(out, read, release):
    corpus = files_in(out / "corpus")
    assert release(read) == 0
    assert _marker(out) == "_SUCCESS"
    told = read_json(out)["verdict"]
    assert "a review of 50 conversations by Pam Beesly (50)" in _grounds(out)
    assert (told["state"], told["evidence"], told["rule"]) == ("released", "human", 3)
    assert told["figures"]["direct_identifiers"] == {"found": 0, "at_most": 1 / 60}
    sources = read_json(out, "statistics.json")["sources"]
    assert {name: one["total"]["count"] for name, one in sources.items()} == {"human": 50, "model": 60}
    assert sources["human"]["total"]["unreviewed"] == 10
    assert sources["human"]["contexts"]["sales"]["mu_plus_sigma_interval_95"][1] > 0
    assert files_in(out / "corpus") == corpus


def _gold(file, **more):
    """The sample as gold of which all is annotated."""
    records = read_lines(file)
    for record in records:
        record["turns"][0]["spans"] = []
    return _write(file.with_name("gold.jsonl"), records, **more)


def test_gold_needs_a_name_too(out, sample, release):
    assert release(_gold(sample, gold="complete"), by="--gold") == 2
    assert release(_gold(sample, gold="complete", reviewed_by="Pam"), by="--gold") == 0
    assert "declared to cover all personal data by Pam (50)" in _grounds(out)


def test_gold_of_the_whole_corpus_releases_or_holds(out, draw, release):
    file = draw(60)
    assert len(read_lines(file)) == 60
    assert release(_gold(file, reviewed_by="Pam"), by="--gold") == 3
    assert '\\"gold\\": \\"complete\\"' in _held_by(out)
    assert release(_gold(file, reviewed_by="Pam", gold="complete"), by="--gold") == 0
    assert read_json(out)["verdict"]["evidence"] == "gold"


def test_the_readers_stand_in_manifest_and_report(out, read, release):
    read.write_text(read.read_text().replace("Pam Beesly", "Jim <b>Halpert</b>", 3))
    assert release(read) == 0
    assert read_json(out)["review"]["readers"] == {"Jim <b>Halpert</b>": 3, "Pam Beesly": 47}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "by Pam Beesly (47) and Jim &lt;b&gt;Halpert&lt;/b&gt; (3)" in page


@pytest.mark.parametrize(
    "what", ["readers", "conversations", "highest", "lowered", "reading", "looks", "rests_on"]
)
def test_a_changed_review_is_detected(out, read, release, call, what):
    assert release(_with_mark(read, range(9))) == 3
    assert release(read, more=("--because", "no names")) == 0
    manifest = read_json(out)
    review, verdict = manifest["review"], manifest["verdict"]
    if what == "rests_on":
        verdict["rests_on"] = verdict["rests_on"][1:]
        _change(out, "_SUCCESS", verdict)
    else:
        less = {**review["reading"], "drawn": 60}
        changed = {"readers": {"Jim": 40}, "conversations": 41, "highest": {}, "lowered": 0, "reading": less}
        changed["looks"] = [*review["looks"], 55]
        review[what] = changed[what]
    _change(out, "manifest.json", manifest)
    assert call("verify", out) == 3


def test_a_part_of_what_was_drawn_is_no_review(out, read, draw, release):
    """Nor is an earlier sample, once a larger one was drawn: the one that suits would be chosen."""
    more = draw(55)
    assert len(read_lines(more)) == 5
    assert release(read) == 3
    assert "5 of 55 drawn conversations are missing" in _held_by(out)
    # What was not read is not told as read without a finding.
    assert read_json(out)["verdict"]["figures"]["drawn"] == 50
    assert release(read, _read(more, name="rest.jsonl")) == 0
    assert read_json(out)["review"]["reading"]["error"] == pytest.approx(0.008)
    assert "0 of these, 1.67 % of all at most, at 95 % (limit 2 %)" in (out / "README.md").read_text()


def test_what_a_size_can_show_is_told(out, call, capsys):
    assert call("review", "sample", out) == 0
    told = capsys.readouterr().out
    assert "60 conversations; released if at most 2.0% have a readable direct identifier" in told
    assert not (out / "review").exists()


def test_an_erasure_does_not_clear_a_bad_review(out, read, call, draw, release):
    ids = [record["conversation_id"] for record in read_lines(read)]
    assert release(_with_mark(read, range(30))) == 3
    assert erase(str(out), [ids[0], ids[-1]]).review_taken_off
    assert "review" not in read_json(out)
    assert release(_read(draw(58), name="clean.jsonl")) == 3
    assert "scored higher in an earlier review: 29" in _held_by(out)
    assert erase(str(out), [ids[1]]).conversations == 1
    manifest = (out / "manifest.json").read_text()
    assert not [one for one in (ids[0], ids[1], ids[-1]) if f'"{one}"' in manifest]
    assert call("verify", out) == 0


def test_an_erasure_does_not_complete_a_review(out, read, release, call):
    records = read_lines(read)
    drawn = {one["conversation_id"] for one in records}
    assert release(_write(read.with_name("less.jsonl"), records[1:])) == 3
    others = [f"c{i}" for i in range(60) if f"c{i}" not in drawn]
    for one in (others[0], records[0]["conversation_id"]):
        assert not erase(str(out), [one]).review_taken_off
        assert "1 of 50 drawn conversations is missing" in _held_by(out)
        assert (_marker(out), call("verify", out)) == ("_HELD", 0)


def test_another_sample_for_other_conversations_needs_a_reason(out, read, draw, release):
    erased = read_lines(read)[0]["conversation_id"]
    assert erase(str(out), [erased]).conversations == 1
    clean = _read(draw(58), name="clean.jsonl")
    assert release(clean) == 3
    assert "1 sample was drawn and not judged by" in _held_by(out)
    assert release(clean, more=("--because", "she asked for it")) == 0


_WRONG = [("number", "1"), ("number", -1), ("read", -5), ("read", 1.5), ("least", None)]
_WRONG += [("corpus", 5), ("planted", None), ("planted", [{}]), ("caught", "1"), ("caught", 7), ("number", 2)]


@pytest.mark.parametrize(
    "damaged", [b"", b"[]", b"{}", None, b"[" * 100_000, *({name: value} for name, value in _WRONG)], ids=str
)
def test_a_damaged_record_of_a_sample_is_told_in_one_line(out, read, call, capsys, damaged):
    (draw,) = (out / "review").glob("draw-*.json")
    whole = draw.read_bytes()
    changed = json.dumps({**json.loads(whole), **damaged}).encode() if isinstance(damaged, dict) else damaged
    draw.write_bytes(whole[:-40] if changed is None else changed)
    before = files_in(out)
    capsys.readouterr()
    given = ((2, "release", out, "--review", read), (2, "review", "sample", out), (3, "verify", out))
    for code, *words in given:
        assert call(*words) == code
        (told,) = [line for some in capsys.readouterr() for line in some.splitlines() if draw.name in line]
        assert f"{draw.name}: the record of a drawn sample is damaged" in told
    with pytest.raises(UserError, match="is damaged"):
        erase(str(out), ["c1"])
    assert files_in(out) == before


HINDI = [{"speaker": "a", "text": "कल राजेश कुमार मेरे घर आए थे और हमने बात की"}]


@pytest.mark.parametrize("what", ["problems", "threshold", "language", "marker", "statistics"])
def test_an_inconsistent_output_folder_is_not_judged(drawn_of, release, what):
    calls = _calls(turns=HINDI) if what in ("problems", "language") else _calls()
    run, review = drawn_of(calls, config={"languages": {"uncovered": "hold"}})
    marker = _marker(run.folder)
    manifest, statistics = run.manifest, run.json("statistics.json")
    if what in ("problems", "language"):
        manifest["verdict"]["problems"] = manifest["verdict"]["held_by"] = []
        _change(run.folder, marker, manifest["verdict"])
    if what == "language":
        manifest["totals"]["languages"] = {}
    if what == "threshold":
        manifest["config"]["risk"]["threshold"] = 50
    if what == "marker":
        (run.folder / marker).rename(run.folder / "_SUCCESS")
    if what == "statistics":
        statistics["sources"]["model"]["total"]["mean"] = 0.5
    _change(run.folder, "manifest.json", manifest)
    _change(run.folder, "statistics.json", statistics)
    before = run.files()
    assert release(review, folder=run.folder) == 2
    assert run.files() == before


def test_what_reviewers_marked_holds_and_a_better_review_releases_again(out, read, release):
    assert release(_with_mark(read, range(30))) == 3
    assert _marker(out) == "_HELD"
    assert ((out / ".held").exists(), (out / "corpus").exists()) == (True, False)
    assert "a direct identifier is readable in 30" in _held_by(out)
    assert release(read) == 3
    assert "scored higher in an earlier review: 30" in _held_by(out)
    assert release(read, more=("--because", "the garden numbers are no names")) == 0
    assert _marker(out) == "_SUCCESS"
    assert "scored higher in an earlier review: 30" in _grounds(out)
    assert not (out / ".held").exists()


def _each(change):
    return lambda records: [change(record) for record in records]


def _fourth(change):
    return lambda records: change(records[3])


def _first_turn(**more):
    return _fourth(lambda record: record["turns"][0].update(more))


def _marked(*numbers, tag="[MISSED_PERSON_NAME]"):
    def mark(records):
        for turn in (records[number]["turns"][0] for number in numbers):
            turn["text"] = turn["text"].replace("garden number", f"(garden number){tag}")

    return mark


def _marked_twice(records):
    text = json.dumps(records[0]).replace("garden", "(garden)[MISSED_PERSON_NAME]")
    records.append(json.loads(text))


def _not_drawn(records):
    drawn = {record["conversation_id"] for record in records}
    other = next(i for i in range(60) if f"c{i}" not in drawn)
    turns = [_calls()[other]["turns"][0], records[0]["turns"][1]]
    records.append({**records[0], "conversation_id": f"c{other}", "turns": turns})


def _swapped(records):
    records[3]["turns"], records[4]["turns"] = records[4]["turns"], records[3]["turns"]


def _one_context(records):
    records[:] = [record for record in records if record["context"] == "sales"]


NAMES = ["", "  ", "-", "\u200b", "\u3164", None, 7, ["Pam"], "TODO", "n/a", "not read", "nobody", "?1", "x"]
TAGS = [
    *("[MISED_PERSON_NAME]", "{MISSED_PERSON_NAME}", "[PERSON_NAME]", "[MISSED_NO_SUCH]"),
    "MISSED_PERSON_NAME",
]
MISTAKES = [
    # Nobody read it, whatever is marked.
    *(_each(lambda one, name=name: one.update(reviewed_by=name)) for name in (*NAMES, "reviewed_by")),
    lambda records: (_marked(*range(40))(records), _each(lambda one: one.pop("reviewed_by"))(records)),
    # What a reader writes where nothing is read.
    _first_turn(comment="full name in turn 2!"),
    *(
        _fourth(lambda one, more=more: one.update(more))
        for more in ({"comment": "full name in turn 2!"}, {"ok": False}, {"missed": ["Pam"]}, {"marks": []})
    ),
]
HOLDING = [
    (_fourth(lambda one: one.update(reviewed_by="")), "1 conversation was not read"),
    (_fourth(lambda one: one.pop("reviewed_by")), "1 conversation was not read"),
    # One of fifty read; of sixty, up to three may have one.
    (_marked(3), "a direct identifier is readable in 1 conversation of 50 read"),
    (_marked(3, tag="[MISSED PERSON NAME]"), "a direct identifier is readable in 1 conversation of 50 read"),
    *((_marked(0, tag=tag), "1 row is invalid") for tag in TAGS),
    (_marked_twice, "the review: "),
    (_not_drawn, "1 conversation was not drawn"),
    (_swapped, "2 conversations differ from the corpus"),
    (_one_context, "drawn conversations are missing"),
    (lambda records: records.pop(3), "1 of 50 drawn conversations is missing"),
    (_fourth(lambda one: one.update(turns="x")), "1 row is invalid"),
    (_fourth(lambda one: one.update(turns=[])), "the review: "),
    (_fourth(lambda one: one.update(conversation_id=3)), "the review: "),
    (_fourth(lambda one: one["turns"].pop(0)), "1 conversation differs from the corpus"),
    (_fourth(lambda one: one["turns"].append(one["turns"][0])), "1 conversation differs from the corpus"),
    (_first_turn(speaker="somebody"), "1 conversation differs from the corpus"),
    (_first_turn(text="we talked about forests"), "1 conversation differs from the corpus"),
]


@pytest.mark.parametrize("change", MISTAKES)
def test_what_nobody_read_is_no_review(out, read, release, change):
    records, before = read_lines(read), files_in(out)
    change(records)
    assert release(_write(read, records)) == 2
    assert files_in(out) == before


@pytest.mark.parametrize(("change", "told"), HOLDING)
def test_a_wrong_or_incomplete_review_holds(out, read, release, change, told):
    records = read_lines(read)
    change(records)
    assert release(_write(read.with_name("changed.jsonl"), records)) == 3
    assert _marker(out) == "_HELD"
    assert told in _held_by(out)


def test_the_context_is_that_of_the_corpus_whatever_the_review_says(out, read, release):
    meetings = [i for i, one in enumerate(read_lines(read)) if one["context"] == "meetings"]
    marked = _with_mark(read, meetings)
    release(_write(marked, read_lines(marked), context="sales"))
    contexts = read_json(out, "statistics.json")["sources"]["human"]["contexts"]
    assert {context: group["mean"] for context, group in contexts.items()} == {"meetings": 5, "sales": 0}


def test_spans_for_an_unsigned_sample_are_not_a_review(out, sample, call, lines):
    spans = lines(*({"conversation_id": one["conversation_id"], "label": None} for one in read_lines(sample)))
    assert call("release", out, "--review", sample, "--spans", spans) == 2
    assert call("release", out, "--review", _read(sample), "--spans", spans) == 0


def test_an_interrupted_release_does_not_count(out, read, call, release, monkeypatch):
    def cut_off(*_):
        raise OSError("gone")

    monkeypatch.setattr(change, "move", cut_off)
    assert call("release", out, "--review", read) == 1
    monkeypatch.undo()
    assert not [path for path in out.iterdir() if path.name.startswith("_")]
    assert call("verify", out) == 3
    # What had begun is ended, and then judged again.
    assert release(read) == 0


def test_a_killed_release_is_given_again(out, read, call, release, draw, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(leases, "release", lambda _: None)
        ended_at_step(3, change, patched)
        with pytest.raises(EndedError):
            call("release", out, "--review", read)
    lease = out / ".tacenda" / "lease.json"
    assert call("review", "sample", out) == 2
    # Its process does not live any more.
    lease.write_text(json.dumps({**json.loads(lease.read_text()), "started": 0}))
    assert call("review", "sample", out) == 0
    assert release(read) == 0


def test_an_interrupted_release_is_not_carried_out_on_another_run(drawn_of, anonymize, call, monkeypatch):
    def cut_off(*_):
        raise OSError("gone")

    run, review = drawn_of(_calls())
    with monkeypatch.context() as patched:
        patched.setattr(change, "move", cut_off)
        assert call("release", run.folder, "--review", review) == 1
    other = [{**one, "turns": [{"speaker": "a", "text": "I am Noemi Royer"}]} for one in _calls()]
    assert anonymize(other, output=run.folder).code == 2
    assert anonymize(other, "--overwrite", output=run.folder).code == 0
    before = files_in(run.folder)
    assert call("release", run.folder, "--review", review) == 2
    assert files_in(run.folder) == before
    assert _marker(run.folder) == "_UNREVIEWED"


def test_who_removes_the_record_of_a_sample_does_not_get_its_error_back(out, read, call, release):
    assert release(_with_mark(read, range(30))) == 3
    (record,) = (out / "review").glob("draw-*")
    record.unlink()
    assert call("verify", out) == 3
    assert call("release", out, "--review", read) == 2


def test_overwriting_a_released_run_removes_its_release(drawn_of, anonymize, release):
    run, review = drawn_of(_calls())
    assert release(review, folder=run.folder) == 0
    again = {"config": {"risk": {"threshold": 4}}, "output": run.folder}
    assert anonymize(_calls(), **again).code == 2
    assert _marker(run.folder) == "_SUCCESS"
    assert anonymize(_calls(), "--overwrite", **again).code == 0
    assert _marker(run.folder) == "_UNREVIEWED"
    assert "review" not in run.manifest
    assert release(review, folder=run.folder) == 3
    assert "not of a drawn sample" in _held_by(run.folder)


def test_settings_removed_from_the_manifest_still_need_a_reason(drawn_of, release):
    run, review = drawn_of(_calls(), config={"risk": {"overrides": {"PERSON_NAME": 0}}})
    manifest = run.manifest
    manifest["verdict"]["rests_on"] = [one for one in manifest["verdict"]["rests_on"] if not one["weakens"]]
    _change(run.folder, "manifest.json", manifest)
    _change(run.folder, "_UNREVIEWED", manifest["verdict"])
    assert release(review, folder=run.folder) == 2


def test_a_review_of_too_few_or_of_an_undrawn_sample_holds(out, draw, release):
    file = draw(20)
    (record,) = (out / "review").glob("draw-*")
    drawn = record.read_bytes()
    record.unlink()
    assert release(_read(file)) == 3
    assert "not of a drawn sample" in _held_by(out)
    record.write_bytes(drawn)
    assert release(_read(file)) == 3
    assert "a direct identifier is readable in 0 conversations of 20 read" in _held_by(out)


def test_a_review_of_another_corpus_is_a_mistake_and_changes_nothing(read, anonymize, release):
    other = anonymize([{**one, "conversation_id": f"x{one['conversation_id']}"} for one in _calls()])
    before = other.files()
    assert release(read, folder=other.folder) == 2
    assert other.files() == before


def test_a_corpus_that_was_changed_is_not_released(out, read, release):
    (part,) = (out / "corpus").iterdir()
    part.write_bytes(part.read_bytes() + part.read_bytes())
    assert release(read) == 2
    assert _marker(out) == "_UNREVIEWED"


def test_nobody_chooses_the_sample(out, sample, call, draw):
    for record in (out / "review").iterdir():
        record.unlink()
    again = draw(50)
    assert again.read_bytes() == sample.read_bytes()
    assert call("review", "sample", out, "--read", 60, "--output", again) == 2  # it may be marked up


def _chat(one):
    messages = [{"role": "user", "content": turn["text"]} for turn in one["turns"]]
    return [{"id": one["conversation_id"], "messages": messages}]


def _turn_rows(one):
    of = {"conversation_id": one["conversation_id"]}
    return [{**of, "turn_index": number, **turn} for number, turn in enumerate(one["turns"])]


@pytest.mark.parametrize("shape", [_chat, _turn_rows, lambda one: [{"text": one["turns"][0]["text"]}]])
def test_other_shapes_are_reviewed_alike(drawn_of, release, shape):
    run, review = drawn_of([row for one in _calls(24) for row in shape(one)], "--unit-bytes", 600)
    assert release(review, folder=run.folder) == 0, _held_by(run.folder)


def test_a_review_does_not_overrule_gold(drawn_of, release):
    calls = _calls(gold="complete")
    for one in calls:
        one["turns"][0]["spans"] = [{"start": 0, "end": 9, "label": "PERSON_NAME"}]
    run, review = drawn_of(calls)
    assert run.code == 3
    assert release(review, folder=run.folder) == 3
    assert "gold, context sales" in _held_by(run.folder)
    assert release(review, folder=run.folder, by="--gold") == 2


def test_a_review_does_not_release_a_run_with_problems(drawn_of, release):
    run, review = drawn_of(_calls(nothing=None), "--field", "context=nothing")
    assert run.code == 3
    for _ in range(2):
        assert release(review, folder=run.folder) == 3
        assert "--field context=nothing" in _held_by(run.folder)


@pytest.mark.parametrize(("form", "columns"), [("jsonl", False), ("parquet", True)])
def test_kept_fields_are_reviewed_with_the_turns(anonymize, release, draw, tmp_path, form, columns):
    when = (
        datetime(2024, 5, 1, 10, 30, 0, 250_000, tzinfo=timezone.utc) if columns else "2024-05-01T10:30:00Z"
    )
    records = [
        {
            "conversation_id": f"c{i}",
            "note": f"Ring 415-555-019{i}",
            "number": 4155550190 + i,
            "source": "phone",
            "when": when,
            "turns": [{"speaker": "Agent", "text": f"Hello {i}", "room": f"Mail u{i}@example.com"}],
        }
        for i in range(3)
    ]
    source = records
    if columns:
        pq.write_table(pa.Table.from_pylist(records), source := tmp_path / "in.parquet")
    keep = [word for name in ("note", "number", "when", "turns.room") for word in ("--keep", name)]
    opaque = ("--opaque", "source=four values", "--opaque", "conversation_id=numbers")
    run = anonymize(source, "--workers", "1", "--format", form, *keep, *opaque)
    assert run.code == 0
    sample = draw(3, folder=run.folder)
    said = {turn["text"] for one in read_lines(sample) for turn in one["turns"]}
    assert {"Ring [PHONE_NUMBER_1]", "Mail [EMAIL_ADDRESS_1]"} <= said
    assert any("source: phone" in text for text in said)
    release(_read(sample), folder=run.folder)
    assert run.manifest["review"]["conversations"] == 3


# Signatures.

MAILS = talks(30, "write to pam@example.com")


@pytest.fixture
def keys(tmp_path):
    return signing_keys(tmp_path)


@pytest.fixture
def signed(anonymize, keys):
    run = anonymize(MAILS, "--signing-key", keys[0])
    assert run.code == 0, run.err
    return run


@pytest.fixture
def verify(call, capsys):
    def run(folder, public=None):
        return call("verify", folder, *(["--public-key", public] if public else [])), capsys.readouterr().out

    return run


def _states(folder):
    return [one["state"] for one in read_lines(folder / "history.jsonl")]


def test_a_signed_run_verifies_with_its_key_and_is_else_the_same(signed, anonymize, keys, verify):
    code, told = verify(signed.folder, keys[1])
    assert code == verify(signed.folder)[0] == 0
    assert "history        1 entry, chained and signed by the given key" in told
    files = signed.files()
    assert files.pop("history.jsonl")
    assert files == anonymize(signed.folder.parent / "in0.jsonl").files()


def test_a_forgery_and_a_signature_by_somebody_else_or_none_are_noticed(
    signed, anonymize, keys, tmp_path, verify
):
    forged, unsigned = anonymize(talks(1)).folder, anonymize(MAILS).folder
    assert verify(forged)[0] == 0
    # Another whole run under the old signature: everything in it agrees, but for the signature.
    shutil.copy(signed.folder / "history.jsonl", forged)
    theirs = signing_keys(tmp_path, 2)[1]
    for folder, public, wrong in (
        (forged, keys[1], "history        WRONG: its last entry is for another manifest"),
        (signed.folder, theirs, "signed with another key"),
        (unsigned, theirs, "nobody signed this folder"),
    ):
        code, told = verify(folder, public)
        assert (code, wrong in told) == (3, True)


def test_a_finished_run_is_signed_when_the_command_is_given_again(anonymize, lines, keys):
    source = lines(*MAILS)
    run = anonymize(source)
    for _ in range(2):
        assert "already done" in anonymize(source, "--signing-key", keys[0], output=run.folder).out
        assert _states(run.folder) == ["unreviewed"]


def test_a_later_run_and_a_release_continue_the_chain(signed, anonymize, keys, draw, call, verify):
    folder, words = signed.folder, (MAILS, "--overwrite", "--keep", "x")
    anonymize(*words, output=folder).refused("--signing-key")
    assert (folder / "_UNREVIEWED").exists()
    assert anonymize(*words, "--signing-key", keys[0], output=folder).code == 0
    review = _read(draw(30, folder=folder))
    assert call("release", folder, "--review", review) == 2
    assert call("release", folder, "--review", review, "--signing-key", keys[0]) == 0
    assert _states(folder) == ["unreviewed", "unreviewed", "released"]
    assert verify(folder, keys[1])[0] == 0


def test_a_key_that_cannot_be_used_stops_the_run_before_its_work(anonymize, monkeypatch):
    monkeypatch.setenv("TACENDA_TEST_WORDS", "correct horse battery staple")
    run = anonymize(MAILS, "--signing-key", "env:TACENDA_TEST_WORDS")
    run.refused("is no Ed25519 key in PEM; make one with: openssl genpkey -algorithm ed25519")
    assert "horse" not in run.err
    assert not run.folder.exists()
