"""Nothing that a run writes says who somebody is by an id, a context, the name of a file or a setting."""

import gzip
import hashlib
import hmac
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.schema.url_redaction import source_name
from tests.folders import files_in

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
    "R. Hale",
    "Dr. Mehta's surgery",
    "Team Okafor",
    "ruthhale",
    "kavitha",
    "Müller GmbH",
    "HIV clinic",
    "okafor-sales",
    "4155550123",
    "Smith & Sons",
    "queue rhale1987",
    "ward_patel",
]
PLAIN = ["customer_support", "Queue 12", "RideSharing_2", "billing/refunds", "kundtjänst"]
RULES = ("--detector", "rules", "--workers", "1")
KEY = b"0123456789abcdef"


def _run(*words: object) -> int:
    return cli_main(cli.run, [str(word) for word in words])


def _talk(name: Any, text: str = "we spoke about the garden", **more: Any) -> dict[str, Any]:
    return {"conversation_id": name, "turns": [{"speaker": "agent", "text": text}], **more}


def _lines(path: Path, records: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def _words(folder: Path) -> str:
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


def _corpus(folder: Path) -> list[dict[str, Any]]:
    """The corpus, held or not."""
    files = [path for name in ("corpus", ".held") for path in sorted((folder / name).glob("*.gz"))]
    parts = [gzip.decompress(path.read_bytes()) for path in files]
    return [json.loads(line) for part in parts for line in part.splitlines()]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over all ids and contexts, with everything that it can write beside the corpus."""
    room = tmp_path_factory.mktemp("names")
    texts = [_talk(name, context="sales") for name in (*IDS, *RANDOM)]
    texts += [_talk(f"c{i}", context=context) for i, context in enumerate((*CONTEXTS, *PLAIN))]
    source = _lines(room / "Ruth Hale" / "Ruth Hale 078-05-1120.jsonl", [*texts, "no object"])
    config = {
        "inspect": {
            "info_types": [{"name": "EMAIL_ADDRESS"}],
            "custom_info_types": [{"info_type": {"name": "VIP"}, "regex": {"pattern": "(?i)zorblat hale"}}],
            "rule_set": [
                {
                    "info_types": [{"name": "EMAIL_ADDRESS"}],
                    "rules": [
                        {
                            "exclusion_rule": {
                                "regex": {"pattern": "quuxmark@.*"},
                                "matching_type": "MATCHING_TYPE_FULL_MATCH",
                            }
                        }
                    ],
                }
            ],
        },
        "risk": {"labels": {"VIP": "unscored"}},
        "output": {"to": "chat", "roles": {"zorblat": "user", "agent": "assistant"}},
    }
    (room / "c.json").write_text(json.dumps(config))
    words = ["--config", room / "c.json", "--lineage", room / "lineage.jsonl", *RULES]
    assert _run("anonymize", "--input", source, "--output", room / "out", *words) in (0, 3)
    return room / "out"


@pytest.mark.parametrize("name", IDS)
def test_an_id_that_may_say_who_somebody_is_is_written_nowhere(out: Path, name: str) -> None:
    assert name not in _words(out)


@pytest.mark.parametrize("name", RANDOM)
def test_an_id_that_is_plainly_random_stays(out: Path, name: str) -> None:
    assert name in _words(out)


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_context_that_may_say_who_somebody_is_is_written_nowhere(out: Path, context: str) -> None:
    words = _words(out)
    assert context not in words
    assert context not in words.encode().decode("unicode_escape", "replace")


@pytest.mark.parametrize("context", PLAIN)
def test_a_context_of_ordinary_words_stays(out: Path, context: str) -> None:
    statistics = json.loads((out / "statistics.json").read_text("utf-8"))
    assert context in statistics["sources"]["model"]["contexts"]


def test_contexts_that_do_not_stay_are_judged_as_one(out: Path) -> None:
    statistics = json.loads((out / "statistics.json").read_text("utf-8"))
    # A number of seven digits or more is no context at all, and its conversation goes to quarantine.
    assert statistics["sources"]["model"]["contexts"]["other"]["count"] == len(CONTEXTS) - 1


@pytest.mark.parametrize("said", ["Ruth Hale", "ruth hale", "078-05-1120", "zorblat", "quuxmark"])
def test_no_path_pattern_or_role_is_told(out: Path, said: str) -> None:
    assert said not in _words(out)
    assert said not in (out.parent / "lineage.jsonl").read_text("utf-8")
    assert out.parent.name not in json.dumps(json.loads((out / "manifest.json").read_text("utf-8"))["run"])


def test_the_plan_tells_no_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = _lines(tmp_path / "Ruth Hale" / "ruth hale.jsonl", [_talk("a")])
    for more in ((), ("--json",)):
        capsys.readouterr()
        assert (
            _run("anonymize", "--input", source, "--output", tmp_path / "o", "--dry-run", *RULES, *more) == 0
        )
        told = capsys.readouterr().out
        assert "uth" not in told
        assert source_name(str(source)) in told


def _ids(folder: Path) -> list[str]:
    return [one["conversation_id"] for one in _corpus(folder)]


def _anonymize(source: Path, folder: Path, *words: object) -> Path:
    assert _run("anonymize", "--input", source, "--output", folder, *RULES, *words) in (0, 3)
    return folder


def test_ids_are_digests_of_whole_records(tmp_path: Path) -> None:
    texts = ["ask ann@example.com", "ask ann@example.com", "ask bob@example.com"]
    source = _lines(tmp_path / "a.jsonl", [_talk(f"c{i}", text) for i, text in enumerate(texts)])
    first = _ids(_anonymize(source, tmp_path / "one"))
    assert len(set(first)) == 3
    assert all(str(UUID(one)) == one for one in first)
    # What is anonymised again keeps its ids.
    (part,) = (tmp_path / "one" / "corpus").iterdir()
    assert _ids(_anonymize(part, tmp_path / "again")) == first
    # Neither an id alone nor a text alone decides, so no list of ids undoes it.
    digests = {hashlib.sha256(f"c{i}".encode()).hexdigest()[:8] for i in range(3)}
    assert digests.isdisjoint(one[:8] for one in first)
    changed = _lines(tmp_path / "b.jsonl", [_talk(f"c{i}", text + "!") for i, text in enumerate(texts)])
    assert set(first).isdisjoint(_ids(_anonymize(changed, tmp_path / "two")))
    # The same record has the same id whatever stands beside it, in any file, and the risk records join.
    turned = _lines(tmp_path / "elsewhere" / "x.jsonl", [_talk(f"c{i}", texts[i]) for i in (2, 0)])
    other = _anonymize(turned, tmp_path / "three", "--unit-bytes", "100")
    assert _ids(other) == [first[2], first[0]]
    (risk,) = (other / "risk").glob("*.parquet")
    assert pq.read_table(risk)["conversation_id"].to_pylist() == _ids(other)


def _keyed(name: bytes) -> str:
    """The HMAC in the form of a UUID of version 8."""
    digest = hmac.new(KEY, name, "sha256").hexdigest()
    variant = "89ab"[int(digest[16], 16) & 3]
    return "-".join((digest[:8], digest[8:12], f"8{digest[13:16]}", variant + digest[17:20], digest[20:32]))


def test_with_a_key_ids_and_contexts_are_keyed_hashes(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "c.json").write_text(json.dumps({"output": {"key_file": str(tmp_path / "key")}}))
    source = _lines(tmp_path / "a.jsonl", [_talk("ruthhale03", context="Team Okafor"), _talk(RANDOM[0])])
    one, other = _corpus(_anonymize(source, tmp_path / "out", "--config", tmp_path / "c.json"))
    assert one["conversation_id"] == _keyed(b"ruthhale03")
    assert one["context"] == _keyed(b"Team Okafor")
    assert other["conversation_id"] == RANDOM[0]


@pytest.mark.parametrize("as_table", [False, True])
@pytest.mark.parametrize("shape", ["conversation", "turns", "chat", "sharegpt", "document"])
def test_every_shape_gets_neutral_ids(tmp_path: Path, shape: str, as_table: bool) -> None:
    text = "we spoke about the garden"
    records: dict[str, list[dict[str, Any]]] = {
        "conversation": [_talk(17, context="kavitha")],
        "turns": [
            {"conversation_id": 17, "context": "kavitha", "turn_index": i, "text": text} for i in (1, 0)
        ],
        "chat": [{"id": 17, "context": "kavitha", "messages": [{"role": "user", "content": text}]}],
        "sharegpt": [{"id": 17, "context": "kavitha", "conversations": [{"from": "human", "value": text}]}],
        "document": [{"id": 17, "context": "kavitha", "text": text}],
    }
    source = tmp_path / ("in.parquet" if as_table else "in.jsonl")
    if as_table:
        pq.write_table(pa.Table.from_pylist(records[shape]), source)
    else:
        _lines(source, records[shape])
    folder = _anonymize(source, tmp_path / "out", "--shape", shape)
    written = (
        [row for path in (folder / "corpus").glob("*.parquet") for row in pq.read_table(path).to_pylist()]
        if as_table
        else _corpus(folder)
    )
    assert len(written) == len(records[shape])
    for record in written:
        assert UUID(record.get("conversation_id", record.get("id"))).version == 8
        assert record["context"] == "other"


def test_without_ids_files_of_the_same_records_differ(tmp_path: Path) -> None:
    source = _lines(tmp_path / "a.jsonl", [{"text": "hello"}, {"text": "hello"}])
    (table,) = (_anonymize(source, tmp_path / "out") / "hashes").glob("*.parquet")
    names = pq.read_table(table)["conversation_id"].to_pylist()
    assert len(set(names)) == 2
    assert not any(name.endswith("-0") for name in names)


def test_ids_stay_with_a_reason_that_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = _lines(tmp_path / "a.jsonl", [_talk("call 17"), _talk("ann@example.com")])
    folder = _anonymize(source, tmp_path / "out", "--keep-ids", "numbers of our switch")
    assert _ids(folder) == ["call 17"]
    (quarantined,) = (folder / "quarantine").glob("*")
    assert json.loads(quarantined.read_text())["error"] == "IdLooksPersonal"
    for name in ("manifest.json", "report.html"):
        assert "numbers of our switch" in (folder / name).read_text("utf-8")
    (tmp_path / "c.json").write_text(json.dumps({"output": {"keep_ids": "numbers of our switch"}}))
    assert _ids(_anonymize(source, tmp_path / "too", "--config", tmp_path / "c.json")) == ["call 17"]
    assert _run("anonymize", "--input", source, "--output", tmp_path / "no", "--keep-ids", "-", *RULES) == 2
    assert "reason" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["inspect", "score"])
def test_commands_that_write_no_corpus_keep_ids(tmp_path: Path, command: str) -> None:
    source = _lines(tmp_path / "a.jsonl", [_talk("call 17", "ask ann@example.com")])
    more = ("--reviewed", "--reviewer", "Kim") if command == "score" else RULES
    assert _run(command, "--input", source, "--output", tmp_path / "out", *more) in (0, 3)
    folder = tmp_path / "out" / ("findings" if command == "inspect" else "risk")
    (table,) = folder.glob("*.parquet")
    assert pq.read_table(table)["conversation_id"].to_pylist() == ["call 17"]


@pytest.fixture
def erased(tmp_path: Path) -> Callable[..., list[str]]:
    """The texts that stay after an erasure of ``given``."""

    def run(given: str, folder: Path, *words: object) -> list[str]:
        (tmp_path / "ids").write_text(given + "\n")
        assert _run("corpus", "erase", folder, "--conversations", tmp_path / "ids", *words) in (0, 3)
        return [turn["text"] for one in _corpus(folder) for turn in one["turns"]]

    return run


def test_conversations_are_erased_by_either_id(tmp_path: Path, erased: Callable[..., list[str]]) -> None:
    source = _lines(tmp_path / "a.jsonl", [_talk(f"call {i}", f"text {i}") for i in range(4)])
    folder = _anonymize(source, tmp_path / "out")
    assert erased("call 2", folder) == [f"text {i}" for i in range(4)]
    assert erased("call 2", folder, "--input", source) == ["text 0", "text 1", "text 3"]
    assert erased(_ids(folder)[0], folder) == ["text 1", "text 3"]


def test_with_a_key_the_config_is_enough_to_erase(tmp_path: Path, erased: Callable[..., list[str]]) -> None:
    (tmp_path / "key").write_bytes(KEY)
    config = tmp_path / "c.json"
    config.write_text(json.dumps({"output": {"key_file": str(tmp_path / "key")}}))
    source = _lines(tmp_path / "a.jsonl", [_talk(f"call {i}", f"text {i}") for i in range(3)])
    folder = _anonymize(source, tmp_path / "out", "--config", config)
    assert erased("call 1", folder, "--config", config) == ["text 0", "text 2"]


def test_a_conversation_is_explained_by_either_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = _lines(tmp_path / "a.jsonl", [_talk(f"call {i}", f"ask a{i}@example.com") for i in range(3)])
    (_, name, _) = _ids(_anonymize(source, tmp_path / "out"))
    told = []
    for one in ("call 1", name):
        capsys.readouterr()
        assert _run("preview", "--why", one, "--input", source, "--detector", "rules") == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "a1@example.com" in told[0]


def test_lists_name_a_conversation_by_either_id(tmp_path: Path) -> None:
    source = _lines(tmp_path / "a.jsonl", [_talk(f"call {i}", "the quux is here") for i in range(3)])
    name = _ids(_anonymize(source, tmp_path / "one"))[1]
    (tmp_path / "words.yaml").write_text(
        f"- {{suppress: quux, info_type: PERSON_NAME, conversation_id: call 0}}\n"
        f"- {{suppress: quux, info_type: PERSON_NAME, conversation_id: {name}}}\n"
    )
    (tmp_path / "c.yaml").write_text(f"replacement: {{lists: [{tmp_path / 'words.yaml'}]}}\n")
    folder = _anonymize(source, tmp_path / "two", "--config", tmp_path / "c.yaml")
    assert ["quux" in one["turns"][0]["text"] for one in _corpus(folder)] == [False, False, True]


def test_a_review_names_conversations_by_either_id(tmp_path: Path) -> None:
    source = _lines(tmp_path / "a.jsonl", [_talk(f"call {i}", f"text number {i}") for i in range(4)])
    folder = _anonymize(source, tmp_path / "out")
    given = [{**one, "reviewed_by": "Kim Berg"} for one in _corpus(folder)]
    given[1]["conversation_id"] = "call 1"
    assert _run("release", folder, "--review", _lines(tmp_path / "r.jsonl", given)) == 0
    assert (folder / "_SUCCESS").exists()


def test_a_run_knows_the_files_that_were_added_before(tmp_path: Path) -> None:
    source = _lines(tmp_path / "Ruth Hale.jsonl", [_talk("call 1", "text 1")])
    folder = _anonymize(source, tmp_path / "out")
    more = _lines(tmp_path / "Kim Berg.jsonl", [_talk("call 2", "text 2"), _talk("call 1", "text 1")])
    for _ in range(2):
        assert _run("corpus", "add", "--input", source, more, "--output", folder, *RULES) in (0, 3)
        assert [one["turns"][0]["text"] for one in _corpus(folder)] == ["text 1", "text 2"]


def test_the_bytes_are_the_same_for_any_units_workers_and_runner(tmp_path: Path) -> None:
    source = _lines(tmp_path / "a.jsonl", [_talk(f"call {i}", f"ask a{i}@example.com") for i in range(40)])
    one = files_in(_anonymize(source, tmp_path / "one"))
    words = ("--workers", "2"), ("--runner", "FnApiRunner")
    for number, more in enumerate(words):
        folder = tmp_path / f"more{number}"
        detector = ("--detector", "rules")
        assert _run("anonymize", "--input", source, "--output", folder, *detector, *more) == 0
        assert files_in(folder) == one
    cut = _anonymize(source, tmp_path / "cut", "--unit-bytes", "500")
    assert _ids(cut) == _ids(tmp_path / "one")
