"""The main job and ``inspect`` on small inputs: what they write and never write, and what decides over it."""

import gzip
import json
import os
import random

import pyarrow as pa
import pytest

from tacenda.pipelines.output import conclusion
from tests.talks import gold, talk, talks

MAIL, CLEAN = "write to ann.smith@example.com please", "write to [EMAIL_ADDRESS_1] please"


def test_what_was_found_is_replaced_and_told(tacenda, lines):
    """Nothing is kept across conversations."""
    other = MAIL.replace("ann.smith", "bo.berg")
    source = lines(talk("a", other, MAIL, context="sales"), talk("b", MAIL), talk("c", "hello"))
    run = tacenda("anonymize", "--input", source)
    assert run.code == 0, run.err
    assert run.texts() == [CLEAN, CLEAN.replace("1", "2"), CLEAN, "hello"]
    risks = [(row["conversation_id"], row["source"], row["score"]) for row in run.risk()]
    assert risks == [(name, "model", 0) for name in "abc"]
    assert "verdict        UNREVIEWED: nobody has read it" in run.out
    assert str(run.folder) in run.out


def test_gold_spans_are_scored_and_do_not_reach_the_corpus(anonymize):
    mail = "ann.smith@example.com"
    record = gold(
        "a", f"Xqzzy Vorple lives near {mail}", ("Xqzzy Vorple", "PERSON_NAME"), (mail, "EMAIL_ADDRESS")
    )
    run = anonymize([record])
    (risk,) = run.risk()
    assert (risk["source"], risk["score"], risk["direct_identifier"]) == ("gold", 5, True)
    assert risk["tags"] == [{"tag": "PERSON_NAME", "partial": False, "entities": 1, "score": 5}]
    assert "spans" not in run.corpus()[0]["turns"][0]
    assert run.state == "held"
    assert run.json("_HELD")["held_by"]


def test_an_unknown_gold_label_is_quarantined_and_not_scored_as_zero(anonymize):
    run = anonymize([gold("a", "the Foo", ("Foo", "NO_SUCH_THING")), gold("b", "x y", ("x", "DATE"))])
    assert run.ids() == ["b"]
    assert [(q["stage"], q["error"]) for q in run.quarantine()] == [("score", "UnknownTag")]


@pytest.mark.parametrize("command", ["anonymize", "inspect"])
def test_only_the_corpus_contains_text(tacenda, lines, command):
    secret = "zanzibarqueen77@example.com"
    records = [talk("a", f"mail {secret}"), talk("b", None), b'{"' + secret.encode(), talk("d", secret)]
    run = tacenda(command, "--input", lines(*records))
    assert run.holds("zanzibar", "Zanzibar") == []
    assert "zanzibar" not in json.dumps(run.findings())


# Inspect: findings as a table and as lines.


@pytest.fixture
def inspect(tacenda, lines):
    return lambda *records, words=(): tacenda("inspect", "--input", lines(*records), *words)


def _places(run):
    return [
        tuple(f[name] for name in ("conversation_id", "turn", "start", "end", "info_type"))
        for f in run.findings()
    ]


def test_an_inspection_says_where_and_releases_nothing(inspect):
    run = inspect(talk("a", "hello", f"😀é {MAIL} 👩‍👩‍👧"), talk("b", "none"), words=("--detector", "rules"))
    assert run.code == 0, run.err
    assert run.manifest["verdict"] == {"state": "inspected", "released": False, "held_by": []}
    assert run.manifest["verdict"] == run.json("_SUCCESS")
    assert _places(run) == [("a", 1, 12, 33, "EMAIL_ADDRESS")]
    (finding,) = run.findings()
    assert finding["likelihood"] in {"POSSIBLE", "LIKELY", "VERY_LIKELY"}
    assert (finding["detector"], finding["entity"]) == ("rules", 1)


def test_a_turn_a_row_is_counted_in_its_conversation(inspect):
    said = ((30, "ann.smith@example.com"), (10, "hi"), (20, "mail bo@example.com"))
    rows = [{"conversation_id": 7, "turn_index": i, "speaker": "agent", "text": text} for i, text in said]
    assert _places(inspect(*rows)) == [("7", 1, 5, 19, "EMAIL_ADDRESS"), ("7", 2, 0, 21, "EMAIL_ADDRESS")]


@pytest.mark.parametrize("context", [None, "", "sales"])
def test_gold_spans_and_contexts_change_nothing(inspect, context):
    run = inspect(gold("a", MAIL, ("write", "NO_SUCH_LABEL"), context=context))
    assert _places(run) == [("a", 0, 9, 30, "EMAIL_ADDRESS")]


def test_inspect_accepts_info_types_without_a_score(inspect, tmp_path):
    (config := tmp_path / "c.yaml").write_text(
        "inspect:\n  custom_info_types:\n    - info_type: {name: BADGE}\n      likelihood: LIKELY\n"
        "      regex: {pattern: 'B[0-9]{4}'}\n"
    )
    run = inspect(talk("a", "badge B1234"), words=("--config", config))
    assert _places(run) == [("a", 0, 6, 11, "BADGE")]


def test_lists_apply_to_findings(inspect, tmp_path):
    decided, config = tmp_path / "decided.yaml", tmp_path / "config.yaml"
    decided.write_text(
        "- protect: ann@example.com\n- {suppress: blue moon, info_type: ORGANIZATION_NAME}\n- protect: x\n"
    )
    config.write_text(f"replacement: {{lists: [{decided}]}}\n")
    words = ("--detector", "rules", "--config", config)
    run = inspect(talk("a", "ann@example.com at Blue Moon"), words=words)
    assert run.code == 0, run.err
    assert _places(run) == [("a", 0, 19, 28, "ORGANIZATION_NAME")]
    assert [finding["detector"] for finding in run.findings()] == ["list"]
    assert "decided.yaml: 1 of 3 entries matched nothing: line 3" in run.out


# Again: nothing is processed twice, and the exit code is the same.

CALLS = talks(20, "mail ann{}@example.com, call 555-0100")
MARKED = talk("a", "(Pam Lee)[MISSED_PERSON_NAME]")
SMALL = ("--unit-bytes", "500")


def _times(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("command", "records", "code"),
    [
        ("anonymize", CALLS, 0),
        pytest.param("inspect", CALLS, 0, marks=pytest.mark.slow),
        pytest.param("score", [MARKED], 3, marks=pytest.mark.slow),
    ],
)
def test_running_a_finished_run_again_changes_nothing(tacenda, lines, command, records, code):
    """The same run elsewhere writes the same bytes."""
    words = [command, "--input", lines(*records), *SMALL]
    words += [] if command == "score" else ["--detector", "rules"]
    first = tacenda(*words)
    assert first.code == code, first.err
    before, files = _times(first.folder), first.files()
    again = tacenda(*words, output=first.folder)
    assert again.code == code
    assert again.out.startswith("already done")
    assert again.out.endswith(first.out)
    assert _times(first.folder) == before
    over = tacenda(*words, "--overwrite", output=first.folder)
    assert (over.code, over.out) == (code, first.out)
    assert not set(_times(first.folder).values()) & set(before.values())
    assert over.files() == files == tacenda(*words).files()


def _lose(name, byte=False):
    def lose(folder):
        path = next(folder.glob(name))
        data = path.read_bytes()
        path.write_bytes(data[:-1]) if byte else path.unlink()

    return lose


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        _lose("corpus/*"),
        _lose("corpus/*", byte=True),
        _lose("report.html"),
        _lose("_UNREVIEWED"),
        lambda folder: (folder / "_HELD").touch(),
    ],
    ids=["gone", "cut", "no report", "no marker", "two markers"],
)
def test_incomplete_output_is_written_again(anonymize, lines, damage):
    source = lines(*CALLS)
    first = anonymize(source, *SMALL)
    files = first.files()
    damage(first.folder)
    again = anonymize(source, *SMALL, output=first.folder)
    assert (again.code, again.out, again.files()) == (0, first.out, files)


def test_input_modified_during_a_run_is_read_again(anonymize, lines, monkeypatch):
    source = lines(*CALLS)
    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "changed", lambda *_: [source])
        first = anonymize(source)
    assert first.code == 3
    assert "run again" in json.dumps(first.json("_HELD"))
    again = anonymize(source, output=first.folder)
    assert (again.code, "already done" in again.out) == (0, False)
    # Later, it is a new run.
    later = (first.folder / "manifest.json").stat().st_mtime + 5
    os.utime(source, (later, later))
    anonymize(source, output=first.folder).refused("before it was modified")


# The result for a conversation is the same in any corpus, order, division and number of processes.

NAMES = ("Ann-Marie O'Neill", "Zoë Ångström", "BERG", "mr Schrute", "jürgen from Växjö", "Dr. Wu")
FRAMES = (
    "hello this is {name}, my number is 555-0{number}",
    "ok so I think {name} will write to user{number}@example.com, thanks",
    "the order {number} goes to 12 Storgatan, Scranton PA 18503, says {name} " * 4,
    "thanks bye",
    "{name}?",
)
CONTEXTS = ("sales", "support")


def _conversations(count):
    rng = random.Random(4)

    def said():
        return rng.choice(FRAMES).format(name=rng.choice(NAMES), number=rng.randint(100, 999))

    return [
        talk(f"c{i}", *(said() for _ in range(rng.randint(1, 9))), context=CONTEXTS[i % 2])
        for i in range(count)
    ]


RECORDS = _conversations(48)
WHOLE = 1 << 20


@pytest.fixture
def written(tacenda, lines):
    """``written(records, unit_bytes, *words)``: corpus and risk by conversation, and the statistics."""

    def write(records, unit_bytes, *words):
        run = tacenda("anonymize", "--input", lines(*records), "--unit-bytes", unit_bytes, *words)
        assert run.code == 0, run.err
        corpus, risk = ({row["conversation_id"]: row for row in rows} for rows in (run.corpus(), run.risk()))
        return corpus, risk, run.json("statistics.json")

    return write


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--runner=FnApiRunner",)], ids=["loop", "Beam"])
def test_results_do_not_depend_on_order_units_or_other_conversations(written, words):
    corpus, risk, statistics = expected = written(RECORDS, WHOLE)
    assert len(corpus) == len(risk) == len(RECORDS)
    assert "[PERSON_NAME_" in str(corpus)
    assert written(random.Random(9).sample(RECORDS, len(RECORDS)), 3_000, *words) == expected
    added = {**RECORDS[7], "conversation_id": "new", "context": "another"}
    *both, more = written([*RECORDS[:20], added, *RECORDS[20:]], 5_000, *words)
    assert [of.pop("new") is not None for of in both] == [True, True]
    assert both == [corpus, risk]
    for source, figures in statistics["sources"].items():
        for context in CONTEXTS:
            assert more["sources"][source]["contexts"][context] == figures["contexts"][context]


# Where the original text lies: nowhere but in the input.

SECRET = "zyxwvutsrq@example.com"


def with_secret(*folders):
    """The files that hold it, as they are or decompressed."""

    def contents(data):
        found = [data]
        for decompress in (gzip.decompress, _from_zstd):
            try:
                found.append(decompress(data))
            except (OSError, EOFError, pa.ArrowException):
                continue
        return found

    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [
        str(path) for path in files if any(SECRET.encode() in data for data in contents(path.read_bytes()))
    ]


def _from_zstd(data):
    with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
        return bytes(stream.read())


@pytest.mark.parametrize("more", [(), ("--drop-over", "1"), "rows"])
def test_a_finished_run_leaves_no_original_text(anonymize, tmp_path, monkeypatch, more):
    (temporary := tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    records = [talk(f"c{i}", *[f"write to {SECRET} today"] * 8) for i in range(30)]
    if more == "rows":  # which are regrouped
        texts = [(f"c{i % 9}", i, f"write to {SECRET}") for i in range(90)]
        records = [{"conversation_id": name, "turn_index": i, "text": text} for name, i, text in texts]
    run = anonymize(records, *(() if more == "rows" else more))
    assert run.code in (0, 3), run.err
    assert (run.folder / "manifest.json").exists()
    assert with_secret(run.folder, temporary) == []
    (tmp_path / "tmp" / "a.gz").write_bytes(gzip.compress(SECRET.encode()))
    (tmp_path / "tmp" / "b.zst").write_bytes(pa.compress(SECRET.encode(), "zstd", asbytes=True))
    assert len(with_secret(temporary)) == 2, "what is compressed is searched as well"
