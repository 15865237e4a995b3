"""``tacenda corpus add`` and ``erase``: conversations come or leave, and the whole is judged anew."""

import gzip
import io
import json
import shutil
from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.output import anonymized_folder, conclusion
from tacenda.pipelines.output import change as changing
from tacenda.pipelines.output.erasing import Erased, erase
from tacenda.pipelines.output.verification import wrong_in
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import source_name
from tacenda.transforms.storage import lease as leases
from tests.cases import tabled
from tests.end_to_end.conftest import Run, signing_keys
from tests.folders import copied, files_in, read_json
from tests.halting import EndedError, ended_at_step
from tests.talks import write_lines

WORDS = ["--detector", "rules", "--detector", "gazetteer", "--workers", "1"]
HARD = "i am qxzvt wlrmk ok, thank you very much for the help with my order of today"
LEFT = [{"start": 5, "end": 16, "label": "PERSON_NAME"}]


def _conversations(numbers, **more):
    def turns(number):
        said = f"call +46 70 123 45 {number:02} or mail u{number}@example.com"
        thanks = f"thanks for number {number % 3}, Michael Scott"
        return [{"speaker": "Pam", "text": said}, {"speaker": "Ann", "text": thanks}]

    contexts = ("support", "sales")
    return [
        {"conversation_id": f"c{i:03}", "context": contexts[i % 2], "turns": turns(i), **more}
        for i in numbers
    ]


def _gold(numbers, hard):
    """Conversations with gold, in which something is left or nothing."""
    turn = {"speaker": "a", "text": HARD if hard else "nothing here", "spans": LEFT if hard else []}
    return _conversations(numbers, turns=[turn], gold="complete")


def _write(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_lines(path, records)


@pytest.fixture
def calls(tmp_path):
    return _write(tmp_path / "calls" / "a.jsonl", _conversations(range(30))).parent


@pytest.fixture
def source(tmp_path):
    return _write(tmp_path / "in.jsonl", _conversations(range(60)))


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def _add(tacenda, calls, output, *more):
    return tacenda("corpus", "add", "--input", calls, *WORDS, *more, output=output)


@pytest.fixture
def erasing(call, monkeypatch, capsys):
    """``erasing(output, "c007", …)``: erase the ids that stdin has."""

    def run(output, *ids, words=()):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(ids).encode())))
        code = call("corpus", "erase", output, "--conversations", "-", *words)
        return Run(code, output, *capsys.readouterr())

    return run


def _everything(folder):
    """All bytes of a folder, unpacked."""
    found = b""
    for name, data in files_in(folder).items():
        if name.endswith(".gz"):
            data = gzip.decompress(data)
        elif name.endswith(".parquet"):
            data = json.dumps(pq.read_table(folder / name).to_pylist(), default=str).encode()
        found += data
    return found


def test_three_additions_have_the_figures_of_one_run(tacenda, calls, tmp_path):
    grown, once = tmp_path / "grown", tmp_path / "once"
    before = {}
    for name, numbers in (("a", range(30)), ("b", range(30, 45)), ("c", range(45, 70))):
        _write(calls / f"{name}.jsonl", _conversations(numbers))
        assert _add(tacenda, calls, grown).code == 0
        now = files_in(grown)
        kept = {path for path in before if path.startswith(("corpus/", "risk/", "hashes/"))}
        assert kept <= {path for path, data in now.items() if before.get(path) == data}
        before = now
    assert _add(tacenda, calls, once).code == 0
    assert len({(folder / "statistics.json").read_text() for folder in (grown, once)}) == 1
    one, other = read_json(grown), read_json(once)
    for key in ("rows", "totals", "inputs", "worst", "fields", "config", "settings_hash"):
        assert one[key] == other[key], key
    assert [entry["conversations"] for entry in one["changes"]] == [15, 25]
    parts = [f"corpus/part-{i:05}.jsonl.gz" for i in range(3)]
    assert sorted(path for path in before if path.startswith("corpus/")) == parts
    assert not [path for path in before if path.startswith(".")]
    assert wrong_in(str(grown)) == []
    assert "nothing new" in _add(tacenda, calls, grown).out
    assert files_in(grown) == before


@pytest.mark.parametrize("runner", [[], pytest.param(["--runner=FnApiRunner"], marks=pytest.mark.slow)])
def test_a_conversation_that_the_corpus_has_is_quarantined(tacenda, calls, out, runner):
    assert _add(tacenda, calls, out).code == 0
    _write(calls / "b.jsonl", _conversations(range(29, 60)))
    added = _add(tacenda, calls, out, *runner)
    assert added.code == 0
    counts = {"in": 61, "out": 60, "quarantined": 1, "dropped": 0, "not_read": 0}
    assert added.rows() == {**counts, "balanced": True}
    assert {one["error"] for one in added.quarantine()} == {"DuplicateConversationId"}
    assert wrong_in(str(out)) == []


def test_other_shapes_are_added_too(tacenda, tmp_path, out):
    text = {"speaker": "Pam", "text": "u@example.com"}
    for name, first in (("a", 0), ("b", 20)):
        rows = [{"conversation_id": first + i // 3, "turn_index": i % 3, **text} for i in range(60)]
        _write(tmp_path / "rows" / f"{name}.jsonl", rows)
        added = _add(tacenda, tmp_path / "rows", out)
        assert added.code == 0
    assert (added.rows()["out"], len(added.corpus()), wrong_in(str(out))) == (120, 120, [])
    # Files of one name in two folders keep their records apart.
    for month in ("01", "02"):
        _write(tmp_path / "days" / month / "day.jsonl", [{"text": "mail me: u@example.com"}] * 3)
        added = _add(tacenda, tmp_path / "days", tmp_path / "documents")
        assert added.code == 0
    assert (added.rows()["out"], added.rows()["quarantined"]) == (6, 0)


def test_parts_move_with_the_verdict_on_the_whole(tacenda, calls, out):
    _write(calls / "a.jsonl", _gold(range(30), hard=False))
    assert _add(tacenda, calls, out).code == 0
    assert (out / "corpus").exists()
    _write(calls / "b.jsonl", _gold(range(30, 90), hard=True))
    assert _add(tacenda, calls, out).code == 3
    assert (out / "_HELD").exists()
    assert len(list((out / ".held").iterdir())) == 2
    assert not [name for name in ("corpus", "README.md") if (out / name).exists()]
    assert wrong_in(str(out)) == []
    _write(calls / "c.jsonl", _gold(range(90, 4000), hard=False))
    assert _add(tacenda, calls, out).code == 0
    assert len(list((out / "corpus").iterdir())) == 3
    assert not (out / ".held").exists()
    assert wrong_in(str(out)) == []


def test_what_cannot_be_added_is_refused_in_one_line(tacenda, calls, out):
    assert _add(tacenda, calls, out).code == 0
    before = files_in(out)
    _write(calls / "b.jsonl", _conversations(range(30, 40)))

    _add(tacenda, calls, out, "--drop-over", "50").refused("was written with another option or key")
    _add(tacenda, calls, out, "--overwrite").refused("--overwrite")
    tacenda("corpus", "add", "--input", calls, "--detector", "rules", output=out).refused("another config")
    text = (calls / "a.jsonl").read_text()
    (calls / "a.jsonl").write_text(text.replace("Michael", "Abigail"))
    _add(tacenda, calls, out).refused("a.jsonl changed since")
    assert files_in(out) == before
    (calls / "a.jsonl").write_text(text)
    manifest = read_json(out)
    manifest["totals"]["missed"] = {"AGE": 9}
    (out / "manifest.json").write_text(json.dumps(manifest))
    _add(tacenda, calls, out).refused("'tacenda verify' has the details")


def test_a_file_that_vanished_is_told_and_stays(tacenda, calls, out):
    assert _add(tacenda, calls, out).code == 0
    (calls / "a.jsonl").unlink()
    _write(calls / "b.jsonl", _conversations(range(30, 40)))
    added = _add(tacenda, calls, out)
    assert "1 file of the corpus is not in the input any more" in added.err
    assert (added.code, added.rows()["out"]) == (0, 40)
    inputs = pq.read_table(out / "manifest-inputs.parquet")["url"].to_pylist()
    names = {source_name(f"/{one}.jsonl").rpartition("/")[2] for one in "ab"}
    assert {url.rpartition("/")[2] for url in inputs} == names


def _ended_everywhere(out, before, step, apart, patch):
    """End a change before each of its steps in turn, as if killed there; the same call then does the rest.

    Returns the bytes of the folders that came of it.
    """
    came = set()
    for number in range(0, 200, apart):
        shutil.rmtree(out)
        copied(before, out)
        with patch.context() as patched:
            ended_at_step(number, changing, patched)
            with suppress(EndedError):
                step()
                break
        step()
        came.add(json.dumps({name: data.hex() for name, data in files_in(out).items()}).encode())
    assert number > 20
    return came


@pytest.mark.parametrize("apart", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_an_addition_that_ends_anywhere_is_completed_by_the_next(tacenda, calls, out, monkeypatch, apart):
    assert _add(tacenda, calls, out).code == 0
    before = files_in(out)
    _write(calls / "b.jsonl", _conversations(range(30, 40)))
    assert _add(tacenda, calls, out).code == 0
    expected = json.dumps({name: data.hex() for name, data in files_in(out).items()}).encode()
    came = _ended_everywhere(out, before, lambda: _add(tacenda, calls, out), apart, monkeypatch)
    assert came == {expected}


@pytest.mark.parametrize("apart", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_an_erasure_that_ends_anywhere_is_completed_by_the_next(tacenda, source, monkeypatch, apart):
    run = tacenda("anonymize", "--input", source, *WORDS, "--part-bytes", 4000, "--unit-bytes", 2000)

    def step():
        erase(str(run.folder), ["c004", "c055"])

    came = _ended_everywhere(run.folder, run.files(), step, apart, monkeypatch)
    assert len(came) == 1
    assert b"c055" not in _everything(run.folder)


@pytest.mark.parametrize("change", ["add", "erase", "release"])
def test_a_change_whose_folder_another_machine_took_over_changes_nothing(
    tacenda, calls, out, erasing, reviewed, monkeypatch, capsys, change
):
    assert _add(tacenda, calls, out).code == 0
    before, acquire = files_in(out), leases.acquire

    def acquire_and_lose(url, *words, **named):
        lease = acquire(url, *words, **named)
        if url == f"{out}/.tacenda/lease.json":
            holder = json.loads((out / ".tacenda" / "lease.json").read_bytes())
            (out / ".tacenda" / "lease.json").write_text(json.dumps({**holder, "token": "theirs"}))
        return lease

    monkeypatch.setattr(leases, "acquire", acquire_and_lose)
    _write(calls / "b.jsonl", _conversations(range(30, 40)))
    of_change = {
        "add": lambda: _add(tacenda, calls, out),
        "erase": lambda: erasing(out, "c007"),
        "release": lambda: Run(reviewed(out), out, *capsys.readouterr()),
    }
    done = of_change[change]()
    assert (done.code, "took over the output folder" in done.err, done.err.count("\n")) == (1, True, 1)
    assert before.items() <= files_in(out).items()


def test_a_change_opens_its_folder_once(tacenda, calls, out, reviewed, monkeypatch):
    opened, read = [], anonymized_folder.read_json
    assert _add(tacenda, calls, out).code == 0
    monkeypatch.setattr(anonymized_folder, "read_json", lambda *of: (opened.append(of[1]), read(*of))[1])
    erase(str(out), ["c007"])
    assert opened.count("manifest.json") == 1
    assert reviewed(out) == 0
    assert opened.count("manifest.json") == 3  # the sample, too


def test_a_corpus_that_has_a_review_loses_it(tacenda, calls, out, reviewed):
    assert _add(tacenda, calls, out).code == 0
    assert reviewed(out) == 0
    _write(calls / "b.jsonl", _conversations(range(30, 40)))
    assert "is taken off" in _add(tacenda, calls, out).err
    assert (out / "_UNREVIEWED").exists()
    assert [path.name[:5] for path in (out / "review").iterdir()] == ["draw-"]
    assert wrong_in(str(out)) == []


def test_an_addition_to_a_corpus_that_failed_is_reported(tacenda, calls, out):
    _write(calls / "a.jsonl", _gold(range(2), hard=True))
    assert _add(tacenda, calls, out).code == 3
    for name, numbers, told in (("b", range(30, 90), 60), ("c", range(100, 101), 61)):
        _write(calls / f"{name}.jsonl", _gold(numbers, hard=False))
        _add(tacenda, calls, out)
        grounds = [ground["what"] for ground in read_json(out)["verdict"]["rests_on"]]
        assert f"{told} conversations were added to a corpus that did not meet the criterion" in grounds
    assert wrong_in(str(out)) == []


def test_an_addition_does_not_clear_a_bad_review(tacenda, calls, out, tmp_path, reviewed):
    (config := tmp_path / "config.yaml").write_text("risk: {because: these are examples}\n")
    assert _add(tacenda, calls, out, "--config", config).code == 0
    assert reviewed(out, "--read", 27, mark="thanks") == 3
    for number in (30, 31):
        _write(calls / f"{number}.jsonl", _conversations([number]))
        assert _add(tacenda, calls, out, "--config", config).code in (0, 3)
        assert "review" not in read_json(out)
        assert len(read_json(out)["reviews_before"]["highest"]) == 27
    reviewed(out, "--read", 29)
    manifest = read_json(out)
    weakening = [one["what"] for one in manifest["verdict"]["rests_on"] if one["weakens"]]
    earlier = "conversations that scored higher in an earlier review: 27"
    assert [what for what in weakening if "earlier review" in what] == [earlier]
    assert wrong_in(str(out)) == []
    manifest["review"]["highest"] = {}
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert any("the highest scores of all reviews" in one for one in wrong_in(str(out)))


def test_a_signed_corpus_grows_and_shrinks_in_one_history(tacenda, call, calls, out, tmp_path):
    words = ("--signing-key", signing_keys(tmp_path)[0])
    assert _add(tacenda, calls, out, *words).code == 0
    _write(calls / "b.jsonl", _conversations(range(30, 40)))
    assert "has a signed history" in _add(tacenda, calls, out).err
    assert _add(tacenda, calls, out, *words).code == 0
    (ids := tmp_path / "ids.txt").write_text("c003\n")
    assert call("corpus", "erase", out, "--conversations", ids, *words) == 0
    assert wrong_in(str(out)) == []
    assert len((out / "history.jsonl").read_bytes().splitlines()) == 3
    manifest = read_json(out)
    manifest["changes"][0]["manifest_before_sha256"] = "0" * 64
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert any("the signed history does not have" in one for one in wrong_in(str(out)))
    # Neither a command that has nothing to do nor the end of a change signs what somebody else put there.
    before = (out / "history.jsonl").read_bytes()
    assert "was changed since it was signed" in _add(tacenda, calls, out, *words).err
    _change_cut_short(out, {"moves": {".change/manifest.json": "manifest.json"}, "gone": []})
    (out / ".change" / "manifest.json").write_text(json.dumps({**manifest, "run": {}}))
    assert call("corpus", "erase", out, "--conversations", ids, *words) == 2
    assert (read_json(out)["run"], (out / "history.jsonl").read_bytes()) == ({}, before)


def _change_cut_short(out, told):
    (out / ".change").mkdir(exist_ok=True)
    (out / ".change" / "ready.json").write_text(json.dumps(told))


@tabled("told")
def test_a_change_touches_nothing_else_than_its_folder(tacenda, calls, out, told):
    assert _add(tacenda, calls, out).code == 0
    _change_cut_short(out, told)
    before = files_in(out.parent)
    with pytest.raises(UserError, match="is damaged, or of no change"):
        erase(str(out), ["c001"])
    assert files_in(out.parent) == before


def test_nothing_is_left_of_an_erased_conversation(tacenda, source, tmp_path, erasing):
    standoff = tmp_path / "positions"
    small = ["--part-bytes", 2000, "--unit-bytes", 900]
    run = tacenda("anonymize", "--input", source, *WORDS, "--standoff", standoff, *small)
    before = run.files()
    assert tacenda("review", "sample", run.folder, "--output", tmp_path / "s.jsonl").code in (0, 2)
    done = erasing(run.folder, "c007", "c033", "nobody", words=("--json",))
    assert done.code == 0, done.err
    expected = {"conversations": 2, "rows": 2, "not_found": 1, "state": "unreviewed"}
    assert json.loads(done.out).items() >= expected.items()
    everything = _everything(run.folder) + _everything(standoff)
    assert not [one for one in (b"c007", b"c033") if one in everything]
    assert len(run.corpus()) == 58
    counts = {"in": 60, "out": 58, "quarantined": 0, "dropped": 0, "not_read": 0, "erased": 2}
    assert run.rows() == {**counts, "balanced": True}
    (entry,) = run.manifest["changes"]
    assert (entry["change"], entry["conversations"], entry["rows"]) == ("erased", 2, 2)
    assert wrong_in(str(run.folder)) == []
    after, parts = run.files(), [name for name in before if name.startswith("corpus/")]
    assert sum(after[name] == before[name] for name in parts) == len(parts) - 2
    assert (erasing(run.folder, "c007").code, run.files()) == (0, after)


def test_figures_are_those_of_a_run_without_it(tacenda, source):
    whole = tacenda("anonymize", "--input", source, *WORDS)
    assert erase(str(whole.folder), ["c000", "c059"]) == Erased(2, 2)
    without = tacenda("anonymize", "--input", _write(source, _conversations(range(1, 59))), *WORDS)
    # The languages are counted by what the run read.
    one, other = (run.json("statistics.json")["sources"] for run in (whole, without))
    assert one == other
    assert whole.json("manifest.json")["worst"] == without.json("manifest.json")["worst"]
    assert whole.corpus() == without.corpus()


DOCUMENTS = [{"text": f"mail u{i}@example.com number {i % 5}"} for i in range(60)]
"""The same text more than once, and no id at all."""

TURNS = [
    {"conversation_id": i // 3, "turn_index": i % 3, "speaker": "Pam", "text": f"u{i}@example.com"}
    for i in range(60)
]
CHAT = ["--to", "chat", "--role", "Pam=user", "--role", "Ann=assistant"]
SPLIT = ["--split", "train=.7,validation=.3"]


@pytest.mark.parametrize(
    ("records", "suffix", "more"),
    [
        (None, "parquet", []),
        (None, "jsonl", ["--format", "jsonl"]),
        (DOCUMENTS, "jsonl", []),
        (TURNS, "jsonl", []),
        (TURNS, "parquet", []),
        (None, "jsonl", CHAT),
        (None, "jsonl", SPLIT),
    ],
)
def test_every_form_of_a_corpus(tacenda, tmp_path, records, suffix, more):
    path, records = tmp_path / f"in.{suffix}", records or _conversations(range(60))
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(records), path)
    else:
        _write(path, records)
    run = tacenda("anonymize", "--input", path, *WORDS, *more)
    assert run.code == 0, run.err

    def hashes():
        return pq.read_table(sorted((run.folder / "hashes").iterdir())[0]).to_pylist()

    of_rows, readable = records is TURNS, more != SPLIT
    hashed, before = hashes(), run.corpus() if readable else []
    chosen = hashed[11]["conversation_id"]
    done = erase(str(run.folder), [chosen])
    assert (done.conversations, done.rows) == (1, 3 if of_rows else 1)
    assert wrong_in(str(run.folder)) == []
    if readable:
        rows = [row for row in before if str(row["conversation_id"]) != chosen] if of_rows else []
        assert run.corpus() == (rows or [*before[:11], *before[12:]])
    assert hashes() == [*hashed[:11], *hashed[12:]]


def test_a_dropped_conversation_is_erased(tacenda, source):
    _write(source, [*_gold(range(2), hard=True), *_gold(range(2, 40), hard=False)])
    run = tacenda("anonymize", "--input", source, *WORDS, "--drop-over", 3)
    assert run.manifest["totals"]["dropped"] == 2
    done = erase(str(run.folder), ["c000", "c009"])
    assert (done.conversations, done.dropped) == (1, 1)
    assert wrong_in(str(run.folder)) == []


def test_the_verdict_is_given_anew(tacenda, source, erasing):
    run = tacenda("anonymize", "--input", _write(source, _gold(range(20), hard=False)), *WORDS)
    assert (run.folder / "_SUCCESS").exists()
    assert erasing(run.folder, "c003").code == 0
    assert run.json("_SUCCESS")["figures"]["conversations"] == 19
    assert wrong_in(str(run.folder)) == []


def test_what_cannot_be_erased_is_refused_in_one_line(tacenda, source, tmp_path, erasing):
    run = tacenda("anonymize", "--input", source, *WORDS)

    def refused(told, *ids, folder=run.folder):
        done = erasing(folder, *ids)
        done.refused(told)
        assert "c001" not in done.err

    _write(run.folder / ".adding" / ".tacenda" / "lease.json", [{}])
    refused("files are being added", "c001")
    shutil.rmtree(run.folder / ".adding")
    (run.folder / "corpus" / "part-00000.jsonl.gz").write_bytes(gzip.compress(b"{}\n"))
    refused("is not as the manifest says", "c001")
    before = files_in(tmp_path)
    for folder in (tmp_path / "nothing", source):
        refused("no finished run", "x", folder=folder)
    assert (files_in(tmp_path), (tmp_path / "nothing").exists()) == (before, False)
    refused("has no id")


def test_a_review_stays_unless_an_erased_conversation_was_read(tacenda, source, reviewed):
    run = tacenda("anonymize", "--input", source, *WORDS)
    assert reviewed(run.folder) == 0
    read = pq.read_table(run.folder / "review" / "part-00000.parquet")["conversation_id"].to_pylist()
    others = [f"c{i:03}" for i in range(60) if f"c{i:03}" not in read]
    assert erase(str(run.folder), others[:3]) == Erased(3, 3)
    assert (run.folder / "_SUCCESS").exists()
    assert sum(run.manifest["review"]["populations"].values()) == 57
    assert run.json("statistics.json")["sources"]["human"]["total"]["unreviewed"] == 57 - len(read)
    assert wrong_in(str(run.folder)) == []
    assert erase(str(run.folder), sorted(read)[:1]) == Erased(1, 1, review_taken_off=True)
    assert (run.folder / "_UNREVIEWED").exists()
    assert [path.name[:5] for path in (run.folder / "review").iterdir()] == ["draw-"]
    assert wrong_in(str(run.folder)) == []


def test_files_that_were_modified_while_they_were_read_are_not_added(tacenda, calls, out, monkeypatch):
    _write(calls / "a.jsonl", _gold(range(30), hard=False))
    assert _add(tacenda, calls, out).code == 0
    before = files_in(out)
    _write(calls / "b.jsonl", _gold(range(30, 40), hard=False))
    with monkeypatch.context() as patched:
        patched.setattr(conclusion, "changed", lambda *_: ["b.jsonl"])
        _add(tacenda, calls, out).refused("modified while the run read them: 1; run again")
    assert before.items() <= files_in(out).items()
    assert (_add(tacenda, calls, out).code, read_json(out)["totals"]["conversations"]) == (0, 40)
