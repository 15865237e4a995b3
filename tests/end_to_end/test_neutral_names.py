"""Nothing that a run writes says who somebody is by an id, a context, the name of a file or a setting."""

import gzip
import hashlib
import hmac
import json
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.schema.url_redaction import source_name
from tests.talks import talk, talks

IDS = [
    "4155550103",  # the number of a caller
    "ruthhale03",
    "rhale1987003",
    "sharma-family-03",
    "TCK003-MRS-OKAFOR",
    "ruth.hale%40x3.com",
    "RG-1987-04-04-3",
    hashlib.md5(b"ruth.hale@example.com").hexdigest(),
    "recordings/2021/ruth_hale_003.wav",
]
RANDOM = ["9b2f6c0e-7b1d-4c55-8c57-1f0a4e0c2d11", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]
CONTEXTS = [
    *("R. Hale", "Dr. Mehta's surgery", "Team Okafor", "ruthhale", "kavitha", "Müller GmbH"),
    *("HIV clinic", "okafor-sales", "4155550123", "Smith & Sons", "queue rhale1987", "ward_patel"),
]
PLAIN = ["customer_support", "Queue 12", "RideSharing_2", "billing/refunds", "kundtjänst"]
GARDEN = "we spoke about the garden"
KEY = b"0123456789abcdef"


def _lines(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def _words(folder):
    """Everything that can be read in a folder: lines, the values and schemas of tables, names."""
    said = [str(path.relative_to(folder)) for path in folder.rglob("*")]
    for path in folder.rglob("*"):
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            said += [str(table.schema), json.dumps(table.to_pylist(), default=str, ensure_ascii=False)]
        elif path.is_file():
            data = path.read_bytes()
            unpacked = gzip.decompress(data) if path.suffix == ".gz" else data
            said.append(unpacked.decode("utf-8", "replace"))
    return "\n".join(said).replace("\\\\", "\\")


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A run over all ids and contexts, with everything that it can write beside the corpus."""
    room = tmp_path_factory.mktemp("names")
    calls = [talk(name, GARDEN, context="sales") for name in (*IDS, *RANDOM)]
    calls += [talk(f"c{i}", GARDEN, context=context) for i, context in enumerate((*CONTEXTS, *PLAIN))]
    source = _lines(room / "Ruth Hale" / "Ruth Hale 078-05-1120.jsonl", [*calls, "no object"])
    mails = [{"name": "EMAIL_ADDRESS"}]
    rule = {"regex": {"pattern": "quuxmark@.*"}, "matching_type": "MATCHING_TYPE_FULL_MATCH"}
    config = {
        "inspect": {
            "info_types": mails,
            "custom_info_types": [{"info_type": {"name": "VIP"}, "regex": {"pattern": "(?i)zorblat hale"}}],
            "rule_set": [{"info_types": mails, "rules": [{"exclusion_rule": rule}]}],
        },
        "risk": {"labels": {"VIP": "unscored"}},
        "output": {"to": "chat", "roles": {"zorblat": "user", "agent": "assistant"}},
    }
    (room / "c.json").write_text(json.dumps(config))
    words = ["anonymize", "--input", source, "--output", room / "out", "--config", room / "c.json"]
    words += ["--detector", "rules", "--workers", "1"]
    assert cli_main(cli.run, list(map(str, words))) in (0, 3)
    return room / "out"


@pytest.fixture(scope="module")
def written(out):
    return _words(out)


@pytest.fixture
def neutral(anonymize):
    """A run that does not keep ids."""
    return lambda *given, **more: anonymize(*given, keep_ids=False, **more)


@pytest.mark.parametrize("name", IDS)
def test_an_id_that_may_say_who_somebody_is_is_written_nowhere(written, name):
    assert name not in written


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_context_that_may_say_who_somebody_is_is_written_nowhere(written, context):
    assert context not in written
    assert context not in written.encode().decode("unicode_escape", "replace")


def test_random_ids_and_contexts_of_ordinary_words_stay_and_others_are_judged_as_one(out, written):
    assert [name for name in RANDOM if name not in written] == []
    contexts = json.loads((out / "statistics.json").read_text("utf-8"))["sources"]["model"]["contexts"]
    assert {*PLAIN} <= {*contexts}
    # A number of seven digits or more is no context at all, and its conversation goes to quarantine.
    assert contexts["other"]["count"] == len(CONTEXTS) - 1


@pytest.mark.parametrize("said", ["Ruth Hale", "ruth hale", "078-05-1120", "zorblat", "quuxmark"])
def test_no_path_pattern_or_role_is_told(out, written, said):
    assert said not in written
    assert out.parent.name not in json.dumps(json.loads((out / "manifest.json").read_text("utf-8"))["run"])


def test_the_plan_tells_no_path(neutral, tmp_path):
    source = _lines(tmp_path / "Ruth Hale" / "ruth hale.jsonl", [talk("a", GARDEN)])
    for more in ((), ("--json",)):
        run = neutral(source, "--dry-run", *more)
        assert (run.code, "uth" in run.out) == (0, False)
        assert source_name(str(source)) in run.out


def test_ids_are_digests_of_whole_records(neutral, tmp_path):
    texts = ["ask ann@example.com", "ask ann@example.com", "ask bob@example.com"]
    records = [talk(f"c{i}", text) for i, text in enumerate(texts)]
    run = neutral(_lines(tmp_path / "a.jsonl", records))
    first = run.ids()
    assert len(set(first)) == 3
    assert all(str(UUID(one)) == one for one in first)
    # What is anonymised again keeps its ids.
    (part,) = (run.folder / "corpus").iterdir()
    assert neutral(part).ids() == first
    # Neither an id alone nor a text alone decides, so no list of ids undoes it.
    digests = {hashlib.sha256(f"c{i}".encode()).hexdigest()[:8] for i in range(3)}
    assert digests.isdisjoint(one[:8] for one in first)
    assert set(first).isdisjoint(neutral([talk(f"c{i}", text + "!") for i, text in enumerate(texts)]).ids())
    # The same record has the same id whatever stands beside it, in any file, and the risk records join.
    other = neutral(
        _lines(tmp_path / "elsewhere" / "x.jsonl", [records[2], records[0]]), "--unit-bytes", "100"
    )
    assert other.ids() == [first[2], first[0]] == [row["conversation_id"] for row in other.risk()]


def _keyed(name):
    """The HMAC in the form of a UUID of version 8."""
    digest = hmac.new(KEY, name, "sha256").hexdigest()
    variant = "89ab"[int(digest[16], 16) & 3]
    return "-".join((digest[:8], digest[8:12], f"8{digest[13:16]}", variant + digest[17:20], digest[20:32]))


def test_with_a_key_ids_and_contexts_are_keyed_hashes(neutral, tmp_path):
    (tmp_path / "key").write_bytes(KEY)
    records = [talk("ruthhale03", GARDEN, context="Team Okafor"), talk(RANDOM[0], GARDEN), talk(17, GARDEN)]
    run = neutral(records, config={"output": {"key_file": str(tmp_path / "key")}})
    assert run.ids() == [_keyed(b"ruthhale03"), RANDOM[0], _keyed(b"17")]
    assert run.corpus()[0]["context"] == _keyed(b"Team Okafor")
    assert [row["conversation_id"] for row in run.risk()] == run.ids()
    assert KEY.decode() not in json.dumps(run.manifest)


@pytest.mark.parametrize("as_table", [False, True])
@pytest.mark.parametrize("shape", ["conversation", "turns", "chat", "sharegpt", "document"])
def test_every_shape_gets_neutral_ids(neutral, tmp_path, shape, as_table):
    of = {"context": "kavitha", "conversation_id" if shape in ("conversation", "turns") else "id": 17}
    records = {
        "conversation": [{**talk(17, GARDEN), **of}],
        "turns": [{**of, "turn_index": i, "text": GARDEN} for i in (1, 0)],
        "chat": [{**of, "messages": [{"role": "user", "content": GARDEN}]}],
        "sharegpt": [{**of, "conversations": [{"from": "human", "value": GARDEN}]}],
        "document": [{**of, "text": GARDEN}],
    }
    source = records[shape]
    if as_table:
        pq.write_table(pa.Table.from_pylist(source), source := tmp_path / "in.parquet")
    written = neutral(source, "--shape", shape).corpus()
    assert len(written) == len(records[shape])
    for record in written:
        assert UUID(record.get("conversation_id", record.get("id"))).version == 8
        assert record["context"] == "other"


def test_without_ids_files_of_the_same_records_differ(neutral):
    (table,) = (neutral([{"text": "hello"}, {"text": "hello"}]).folder / "hashes").glob("*.parquet")
    names = pq.read_table(table)["conversation_id"].to_pylist()
    assert len(set(names)) == 2
    assert not any(name.endswith("-0") for name in names)


def test_ids_stay_with_a_reason_that_is_told(neutral):
    records = [talk("call 17", GARDEN), talk("ann@example.com", GARDEN)]
    run = neutral(records, "--keep-ids", "numbers of our switch")
    assert (run.ids(), run.errors()) == (["call 17"], ["IdLooksPersonal"])
    assert "numbers of our switch" in json.dumps(run.manifest)
    assert "numbers of our switch" in run.report
    assert neutral(records, config={"output": {"keep_ids": "numbers of our switch"}}).ids() == ["call 17"]
    neutral(records, "--keep-ids", "-").refused("reason")


def test_commands_that_write_no_corpus_keep_ids(tacenda, lines):
    source = lines(talk("call 17", "ask ann@example.com"))
    inspected = tacenda("inspect", "--input", source, "--detector", "rules")
    scored = tacenda("score", "--input", source, "--reviewed", "--reviewer", "Kim")
    rows = [*inspected.findings(), *scored.risk()]
    assert [row["conversation_id"] for row in rows] == ["call 17"] * 2


@pytest.fixture
def erased(call, tmp_path):
    """The texts that stay after an erasure of ``given``."""

    def run(given, of, *words):
        (tmp_path / "ids").write_text(given + "\n")
        assert call("corpus", "erase", of.folder, "--conversations", tmp_path / "ids", *words) in (0, 3)
        return of.texts()

    return run


def test_conversations_are_erased_by_either_id(neutral, erased, lines, tmp_path):
    """With a key, the config is enough."""
    source = lines(*(talk(f"call {i}", f"text {i}") for i in range(4)))
    run = neutral(source)
    assert erased("call 2", run) == [f"text {i}" for i in range(4)]
    assert erased("call 2", run, "--input", source) == ["text 0", "text 1", "text 3"]
    assert erased(run.ids()[0], run) == ["text 1", "text 3"]
    (tmp_path / "key").write_bytes(KEY)
    keyed = neutral(source, config={"output": {"key_file": str(tmp_path / "key")}})
    assert erased("call 1", keyed, "--config", tmp_path / "config.yaml") == ["text 0", "text 2", "text 3"]


def test_a_conversation_is_explained_by_either_id(neutral, call, lines, capsys):
    source = lines(*(talk(f"call {i}", f"ask a{i}@example.com") for i in range(3)))
    told = []
    for one in ("call 1", neutral(source).ids()[1]):
        assert call("preview", "--why", one, "--input", source, "--detector", "rules") == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "a1@example.com" in told[0]


def test_lists_name_a_conversation_by_either_id(neutral, tmp_path):
    records = talks(3, "the quux is here")
    name = neutral(records).ids()[1]
    (words := tmp_path / "words.yaml").write_text(
        f"- {{suppress: quux, info_type: PERSON_NAME, conversation_id: c0}}\n"
        f"- {{suppress: quux, info_type: PERSON_NAME, conversation_id: {name}}}\n"
    )
    run = neutral(records, config={"replacement": {"lists": [str(words)]}})
    assert ["quux" in text for text in run.texts()] == [False, False, True]


def test_a_run_knows_the_files_that_were_added_before(neutral, tacenda, tmp_path):
    source = _lines(tmp_path / "Ruth Hale.jsonl", [talk("call 1", "text 1")])
    run = neutral(source)
    more = _lines(tmp_path / "Kim Berg.jsonl", [talk("call 2", "text 2"), talk("call 1", "text 1")])
    words = ("add", "--input", source, more, "--detector", "rules")
    for _ in range(2):
        assert tacenda("corpus", *words, output=run.folder, keep_ids=False).code in (0, 3)
        assert run.texts() == ["text 1", "text 2"]


@pytest.mark.slow
def test_the_bytes_are_the_same_for_any_units_workers_and_runner(neutral, lines):
    source = lines(*(talk(f"call {i}", f"ask a{i}@example.com") for i in range(40)))
    one = neutral(source, "--workers", "1")
    for more in (("--workers", "2"), ("--runner", "FnApiRunner")):
        assert neutral(source, *more).files() == one.files()
    assert neutral(source, "--unit-bytes", "500").ids() == one.ids()
