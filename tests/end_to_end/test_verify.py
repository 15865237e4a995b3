"""``tacenda verify`` on unchanged outputs, and on outputs that somebody changed."""

import contextlib
import hashlib
import io
import json
import os
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

LIGHT = ["--detector", "rules", "--detector", "gazetteer", "--workers", "1"]
GOLD = {"text": "I am Rachel Green.", "spans": [{"start": 5, "end": 17, "label": "PERSON_NAME"}]}
REVIEWED = {"text": "so (Marc)[MISSED_PERSON_NAME_PARTIAL] said", "spans": []}


def _conversation(number, turn):
    return {
        "conversation_id": f"c{number:02}",
        "context": "sales" if number % 2 else "support",
        "turns": [{"speaker": "agent", **turn}],
    }


PLAIN = [_conversation(i, {"text": f"call +46 70 123 45 {i:02} or mail u{i}@example.com"}) for i in range(40)]
MARKED = [_conversation(i, REVIEWED if i < 4 else {"text": "nothing here"}) for i in range(40)]
NAMED = [_conversation(i, GOLD if i < 30 else {"text": "nothing here", "spans": []}) for i in range(40)]
HARD = {"text": "i am qxzvt wlrmk ok", "spans": [{"start": 5, "end": 16, "label": "PERSON_NAME"}]}
FEW = [_conversation(i, HARD if i < 2 else {"text": "nothing here", "spans": []}) for i in range(40)]

RUNS = {
    "unreviewed": ("anonymize", PLAIN, [*LIGHT, "--date", "2024-03-21", "--operator", "Pam Beesly"]),
    "dropped": ("anonymize", FEW, [*LIGHT, "--drop-over", "3"]),
    "reviewed": ("score", MARKED, ["--reviewed", "--reviewer", "Pam Beesly"]),
    "held": ("score", NAMED, []),
    "inspected": ("inspect", PLAIN, LIGHT),
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verify")
    written = {}
    for name, (command, records, words) in RUNS.items():
        source = folder / f"{name}.jsonl"
        source.write_text(
            "".join(json.dumps(record) + "\n" for record in records) + "{broken\n" * (name == "unreviewed")
        )
        written[name] = folder / name
        with contextlib.redirect_stdout(io.StringIO()):
            cli_main(cli.run, [command, "--input", str(source), "--output", str(written[name]), *words])
    return written


@pytest.fixture
def verify(capsys):
    def call(output):
        code = cli_main(cli.run, ["verify", str(output)])
        told = capsys.readouterr()
        return code, told.out + told.err

    return call


@pytest.fixture
def changed(outputs, tmp_path):
    """A changed copy of an output."""

    def copy(change, name="unreviewed"):
        target = tmp_path / "changed"
        shutil.copytree(outputs[name], target)
        change(target)
        return target

    return copy


@pytest.mark.parametrize("name", RUNS)
def test_an_unchanged_output_is_consistent(outputs, verify, name):
    code, told = verify(outputs[name])
    assert "WRONG" not in told
    assert told.rstrip().endswith(" consistent")
    assert code == 0


def test_the_same_as_json_of_a_copy(changed, capsys):
    assert cli_main(cli.run, ["verify", "--json", str(changed(lambda _: None, "reviewed"))]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["consistent"] is True
    names = [check["check"] for check in told["checks"]]
    assert names == ["files", "rows", "statistics", "verdict", "report"]


# What somebody may do to an output, and what is said of it. Who knows the manifest mends its hashes.


def _part(output, folder):
    return next((output / folder).iterdir())


def _json(path, change):
    told = json.loads(path.read_text(encoding="utf-8"))
    change(told)
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _mend_hashes(output):
    """Make the manifest agree with the files again."""
    path = output / "manifest-files.parquet"
    rows = pq.read_table(path).to_pylist()
    for row in rows:
        content = (output / row["path"]).read_bytes()
        row.update(sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))
        if row["path"].endswith(".parquet"):
            row["rows"] = pq.read_table(output / row["path"]).num_rows
        elif row["path"].endswith(".jsonl"):
            row["rows"] = content.count(b"\n")
    pq.write_table(pa.Table.from_pylist(rows, pq.read_schema(path)), path)
    hashed = hashlib.sha256(path.read_bytes()).hexdigest()
    _json(output / "manifest.json", lambda told: told["files"].update(sha256=hashed))


def _manifest(**entries):
    """Change values within entries of the manifest."""

    def change(output):
        def update(told):
            for name, values in entries.items():
                (told["config"]["risk"] if name == "risk" else told[name]).update(values)

        _json(output / "manifest.json", update)

    return change


def _rows(folder, change):
    """Change the rows of a table, and mend the hashes."""

    def write(output):
        path = _part(output, folder)
        pq.write_table(change(pq.read_table(path)), path)
        _mend_hashes(output)

    return write


def _content(path, change, mend=False):
    """Change the bytes of a file, or of the one file of a folder."""

    def write(output):
        file = _part(output, path) if (output / path).is_dir() else output / path
        content = file.read_bytes()
        assert change(content) != content
        file.write_bytes(change(content))
        if mend:
            _mend_hashes(output)

    return write


def _scoreless(table):
    rows = [{**row, "score": 0, "tags": [], "direct_identifier": False} for row in table.to_pylist()]
    return pa.Table.from_pylist(rows, table.schema)


def _release(told):
    told.update(state="released", released=True, evidence="gold", held_by=[], lacks=[])


def _released(output):
    _json(output / "manifest.json", lambda told: _release(told["verdict"]))
    for marker in ("_HELD", "_UNREVIEWED"):
        if (output / marker).exists():
            (output / marker).rename(output / "_SUCCESS")
    _json(output / "_SUCCESS", _release)


def _no_grounds(output):
    for name in ("manifest.json", "_HELD"):
        _json(output / name, lambda told: told.get("verdict", told).update(held_by=[]))


def _path_out_of_it(output):
    path = output / "manifest-files.parquet"
    rows = pq.read_table(path).to_pylist()
    rows.append({**rows[0], "path": "../../secret"})
    pq.write_table(pa.Table.from_pylist(rows, pq.read_schema(path)), path)
    hashed = hashlib.sha256(path.read_bytes()).hexdigest()
    _json(output / "manifest.json", lambda told: told["files"].update(sha256=hashed, rows=len(rows)))


def _flipped(data):
    return data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]


def _of(name, change):
    return lambda output: _json(output / name, change)


def _without(name):
    return lambda output: (_part(output, name) if (output / name).is_dir() else output / name).unlink()


def _cut(name):
    return lambda output: os.truncate(output / name, 99)


def _marked(how):
    """Move or copy the marker to that of a release."""
    return lambda output: how(output / "_UNREVIEWED", output / "_SUCCESS")


def _added(path):
    return lambda output: (output / path).write_text('{"text": "Rachel Green"}\n')


NOT_GIVEN = "report.html is not the one that these figures give"
_WEAKENS = "a setting weakens the gate and is not told: "
_FORM = "a file of the run does not have the form that runs give it"
CHANGES = [
    ("unreviewed", "is not as the manifest says: another hash", _content("corpus", _flipped)),
    ("unreviewed", "is not there", _without("corpus")),
    *(
        ("unreviewed", f"{path} is not in the manifest", _added(path))
        for path in ("corpus/part-99999.jsonl", "corpus/draw-0123456789abcdef-1.json")
    ),
    ("unreviewed", "the corpus hash is not that", _content("corpus", lambda _: b"{}\n" * 40, mend=True)),
    ("unreviewed", "manifest-files.parquet is not as", _cut("manifest-files.parquet")),
    ("unreviewed", "manifest-units.parquet is not as", _cut("manifest-units.parquet")),
    ("held", "files.parquet is not there", _without("manifest-files.parquet")),
    (
        "unreviewed",
        "not have the form",
        _of("manifest.json", lambda told: told["verdict"].update(threshold=0)),
    ),
    ("unreviewed", "names 1 files that no run writes", _path_out_of_it),
    ("unreviewed", "the quarantine does not hold the rows", _content("quarantine", lambda _: b"", mend=True)),
    ("unreviewed", "rows_in: the units add up to 41", _manifest(rows={"in": 80, "out": 79})),
    ("dropped", "dropped: 1 rows, the manifest says", _rows("dropped", lambda table: table.slice(0, 1))),
    ("held", "statistics.json, sources, gold, total: mean", _rows("risk", _scoreless)),
    ("held", "30 conversations with a score and 0 without", _rows("risk", lambda table: table.slice(0, 30))),
    (
        "held",
        "statistics.json, sources, gold, total: mean",
        _of("statistics.json", lambda told: told["sources"]["gold"]["total"].update(mean=0.1)),
    ),
    ("held", "the tags of the risk records do not add up", _manifest(totals={"missed": {}})),
    (
        "held",
        "the worst conversations are not those",
        _of("manifest.json", lambda told: told.update(worst={})),
    ),
    ("held", "the verdict is released; the same figures and settings give held", _released),
    ("unreviewed", "the verdict is released; the same figures and settings give unreviewed", _released),
    ("inspected", "the verdict is released; the same figures and settings give inspected", _released),
    ("unreviewed", "the marker is _SUCCESS; the verdict is unreviewed", _marked(os.rename)),
    ("unreviewed", "the marker is _SUCCESS and _UNREVIEWED; the verdict is unreviewed", _marked(shutil.copy)),
    ("held", "_HELD does not say what the manifest says", _of("_HELD", lambda told: told.update(held_by=[]))),
    ("held", "the verdict, held_by: not what the same figures and settings give", _no_grounds),
    (
        "unreviewed",
        "the verdict, rule: not what",
        _of("manifest.json", lambda told: told["verdict"].pop("rule")),
    ),
    ("held", f"{_WEAKENS}risk.threshold: 50 instead of 5", _manifest(risk={"threshold": 50})),
    ("reviewed", f"{_WEAKENS}EMAIL scores 0 instead of 4", _manifest(risk={"overrides": {"EMAIL": 0}})),
    ("held", NOT_GIVEN, _content("report.html", lambda page: page.replace(b"Held", b"Released"))),
    ("held", "report.html is not there", _without("report.html")),
    ("unreviewed", NOT_GIVEN, _manifest(run={"operator": "Jim Halpert"})),
    ("reviewed", _FORM, _content("manifest.json", lambda _: b'{"verdict": 1}')),
    ("unreviewed", _FORM, _of("manifest.json", lambda told: told["written"].pop("converted"))),
    ("reviewed", "is no JSON object", _content("manifest.json", lambda _: b"[" * 100_000)),
    ("reviewed", "is no JSON object", _content("manifest.json", lambda _: b"released, all fine")),
]


@pytest.mark.parametrize(
    ("name", "expected", "change"), CHANGES, ids=[f"{name}: {expected}" for name, expected, _ in CHANGES]
)
def test_a_changed_output_is_inconsistent(changed, verify, name, expected, change):
    code, told = verify(changed(change, name))
    assert expected in told
    assert told.rstrip().endswith("NOT CONSISTENT")
    assert code == 3


def test_a_folder_without_a_run_is_a_user_error(tmp_path, verify):
    def told(folder, why):
        return 2, f"tacenda: {folder}: {why}\n"

    none, output = tmp_path / "none", "the output folder of a run"
    assert verify(none) == told(none, f"no such folder; name {output}")
    (tmp_path / "_SUCCESS").write_text("{}")
    assert verify(tmp_path) == told(tmp_path, f"no run ended there; name {output}")
    (tmp_path / "chat").mkdir()
    (tmp_path / "chat" / "manifest.json").write_text("{}")
    assert verify(tmp_path) == told(tmp_path, "no run ended there; name one of the runs below it: chat")
