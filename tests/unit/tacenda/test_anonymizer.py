"""The Python API: the command's bytes for any form of conversations; nothing is lost silently."""

import contextlib
import gzip
import io
import pickle
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacenda
from tacenda import Anonymizer, Config, ReadOptions, RejectedError, Rejection, Result, UserError
from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tests.cases import cases
from tests.talks import talk, write_lines

TINY = str(Path(__file__).parents[2] / "golden" / "tiny_model")
RULES = Config.load(detectors=["rules"])

TALKS = [
    talk(
        f"c{i}",
        ("Pam Beesly", f"Hello Zzyzx, pam{i}@example.com, call 0171-5555 now"),
        "mr zzyzx of Scranton, pleased to meet you, Pam",
        context="sales",
    )
    for i in range(5)
]
CHATS = cases(__file__, "chats")
DOCUMENTS = [{"text": "Mail ann@example.com, Pam."}, {"text": "Nothing."}]
SHAREGPT = [{"conversations": [{"from": "human", "value": "I am ann@example.com"}]}]


def _run(command, records, folder, *words):
    source, out = write_lines(folder / "in.jsonl", records), folder / "out"
    with contextlib.redirect_stdout(io.StringIO()):
        code = cli_main(cli.run, [command, "--input", str(source), "--output", str(out), *words])
    assert code in (0, 3)
    return out


def _corpus(out):
    return b"".join(gzip.decompress(part.read_bytes()) for part in sorted((out / "corpus").iterdir()))


@pytest.mark.parametrize(
    "records", [TALKS, CHATS, DOCUMENTS, SHAREGPT], ids=["talks", "chats", "texts", "gpt"]
)
def test_it_gives_the_bytes_of_the_command(records, tmp_path):
    words = ["--detector", "rules", "--detector", "gazetteer", "--detector", "model", "--model", TINY]
    out = _run("anonymize", records, tmp_path, *words, "--keep-ids", "callers have their own")
    anonymizer = Anonymizer(Config.load(detectors=["rules", "gazetteer", "model"], models=[TINY]))
    lines = b"".join(
        orjson.dumps(anonymizer.anonymize(record).conversation, option=orjson.OPT_APPEND_NEWLINE)
        for record in records
    )
    assert lines == _corpus(out)
    assert b"ann@" not in lines
    in_batches = [result.conversation for result in anonymizer.anonymize(iter(records))]
    assert [orjson.loads(line) for line in lines.splitlines()] == in_batches
    risks = pq.read_table(out / "risk").to_pylist()
    assert [r.risk.score for r in anonymizer.anonymize(records)] == [row["score"] for row in risks]


def test_findings_are_those_of_the_command(tmp_path):
    rows = pq.read_table(_run("inspect", TALKS, tmp_path, "--detector", "rules") / "findings").to_pylist()
    told = [
        {"conversation_id": talk["conversation_id"], **asdict(f), "likelihood": f.likelihood.name}
        for talk in TALKS
        for f in Anonymizer(RULES).inspect(talk).findings
    ]
    assert told == rows
    assert Anonymizer(RULES).inspect(pa.Table.from_pylist(TALKS)).findings().to_pylist() == rows


def test_a_table_stays_a_table_of_its_schema(tmp_path):
    table = pa.Table.from_pylist([*TALKS, {**TALKS[0], "conversation_id": "x", "turns": None}])
    done = Anonymizer(RULES).anonymize(table)
    assert done.table().schema == table.schema
    assert done.table().to_pylist() == [Anonymizer(RULES).anonymize(talk).conversation for talk in TALKS]
    assert done.rejections() == [Rejection("read", "MissingField", 5)]
    assert [row["conversation_id"] for row in done.risks().to_pylist()] == ["c0", "c1", "c2", "c3", "c4"]
    assert len(done) == 5
    assert pickle.loads(pickle.dumps(done)).table().equals(done.table())


def test_texts_and_messages_come_back_in_their_own_form():
    anonymizer = pickle.loads(pickle.dumps(Anonymizer(RULES)))
    of_text = anonymizer.anonymize("ann@example.com")
    assert of_text.conversation == "[EMAIL_ADDRESS_1]"
    assert of_text.findings[0].likelihood > tacenda.Likelihood.LIKELY
    with pytest.raises(AttributeError):
        of_text.risk = None
    messages = [{"role": "user", "content": "ann@example.com"}, {"role": "user", "content": "ok"}]
    result = anonymizer.anonymize(messages)
    assert result.conversation == [{"role": "user", "content": "[EMAIL_ADDRESS_1]"}, messages[1]]
    assert [(f.turn, f.start, f.end) for f in result.findings] == [(0, 0, 15)]
    assert anonymizer.inspect(messages).conversation == messages
    assert anonymizer.inspect("ann@example.com").entities[0].token == "[EMAIL_ADDRESS_1]"


def test_a_reference_with_an_invalid_host_stays_unless_it_looks_personal():
    chats = [
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]}
        for url in ("http://[abc/x", "http://a\u2100b/", "http://[abc/anna_berg.jpg")
    ]
    recording = {"type": "recording", "parties": 0, "url": "http://[abc/x"}
    vcon = {"vcon": "0.0.2", "uuid": "u", "parties": [{"role": "agent"}], "dialog": [recording]}
    anonymizer = Anonymizer(RULES)
    *kept, rejected = anonymizer.anonymize(chats)
    assert [one.conversation for one in kept if isinstance(one, Result)] == chats[:2]
    assert isinstance(rejected, Rejection)
    assert rejected.error == "LabelLooksPersonal"
    assert anonymizer.anonymize(vcon).conversation["dialog"] == [recording]


def test_entities_gather_findings():
    said = ("Pam", "a@example.com b@example.com"), "a@example.com"
    result = Anonymizer(RULES).anonymize(talk("c", *said))
    # The speaker who is named is the first entity of the conversation, and nobody found it in a text.
    assert [(e.number, e.token, e.mentions) for e in result.entities] == [
        (2, "[EMAIL_ADDRESS_1]", 2),
        (3, "[EMAIL_ADDRESS_2]", 1),
    ]
    assert [f.entity for f in result.findings] == [2, 3, 2]


def test_several_come_in_order_with_what_was_rejected():
    given: list[Any] = [
        "ok",
        {"foo": 1},
        TALKS[0],
        3,
        {"conversation_id": "x", "turns": [{"text": None}]},
        "no",
    ]
    became = list(Anonymizer(RULES).anonymize(given))
    assert [type(one) for one in became] == [Result, Rejection, Result, Rejection, Rejection, Result]
    assert [(one.position, one.error) for one in became if isinstance(one, Rejection)] == [
        (1, "UnknownShape"),
        (3, "WrongType"),
        (4, "NullText"),
    ]
    assert became[5].conversation == "no"
    assert list(Anonymizer(RULES).anonymize([])) == []


def test_an_endless_stream_is_done_as_it_comes():
    stream: Iterator[str] = (f"u{i}@example.com" for i in count())
    results = Anonymizer(RULES).anonymize(stream)
    assert [result.conversation for result in islice(results, 300)] == ["[EMAIL_ADDRESS_1]"] * 300


def test_a_rejected_conversation_is_an_error_without_text():
    record = talk("x", ("secret", None))
    with pytest.raises(RejectedError) as caught:
        Anonymizer(RULES).anonymize(record)
    assert caught.value.rejection == Rejection("read", "NullText", 0, conversation_id="x")
    assert "secret" not in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).rejection == caught.value.rejection


class Stream:
    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("wrap", [lambda table: table, Stream, lambda table: table.to_batches()[0]])
def test_tables_of_any_library_and_of_turns_are_read(wrap):
    columns = {"conversation_id": ["b", "a", "b"], "turn_index": [1, 0, 0]}
    table = pa.table({**columns, "text": pa.array(["Mail ann@x.se", "hi", "10.1.2.3"], pa.string_view())})
    found = Anonymizer(RULES).anonymize(wrap(table)).table().to_pylist()
    assert sorted((row["conversation_id"], row["turn_index"], row["text"]) for row in found) == [
        ("a", 0, "hi"),
        ("b", 0, "[IP_ADDRESS_1]"),
        ("b", 1, "Mail [EMAIL_ADDRESS_1]"),
    ]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"foo": 1}, "fits no shape"),
        ({"conversation_id": "a", "turn_index": 1, "text": "x"}, "this is a single turn"),
        (3, "int is not supported"),
        (b"text", "bytes is not supported"),
        (pa.table({"foo": [1]}), "fits no shape"),
        (np.array(["x"]), "ndarray is not supported"),
    ],
)
def test_what_is_no_conversation_is_reported(given, says):
    with pytest.raises(UserError, match=says):
        Anonymizer(RULES).anonymize(given)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"inspect": {"foo": 1}}, "inspect.foo: is not a setting"),
        ({"inspects": {}}, "inspects: is not a setting"),
        ({"risk": {"preset": "nope"}}, "nope"),
        ({"inspect": {"info_types": {1, 2}}}, "not valid as JSON"),
        (Config.load(detectors=["nobody"]), "there is no 'nobody'"),
        (Config.load(detectors=["cloud_dlp"]), "needs --dlp-project"),
        (Config.load(models=["/nowhere"]), "/nowhere"),
    ],
)
def test_a_mistake_in_the_config_is_reported_at_once(config, says):
    with pytest.raises(UserError, match=says):
        Anonymizer(config)


def test_a_config_from_a_file_speaks_of_its_lines(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("inspect:\n  min_likelihood: LIKELY\nrisk:\n  threshold: -1\n")
    with pytest.raises(UserError, match=r"config\.yaml:4"):
        Anonymizer(path)
    assert Config.load(path) == pickle.loads(pickle.dumps(Config.load(str(path))))
    assert "LIKELY" not in repr(Config.load(path))


def test_names_of_fields_and_fields_to_keep_are_those_of_files():
    record = {"call": "a", "channel": "web", "said": [{"who": "agent", "what": "ann@example.com"}]}
    fields = {"conversation_id": "call", "turns": "said", "turns.speaker": "who", "turns.text": "what"}
    anonymizer = Anonymizer(RULES, reading=ReadOptions(fields=fields, keep=("channel",)))
    said = [{"who": "agent", "what": "[EMAIL_ADDRESS_1]"}]
    assert anonymizer.anonymize(record).conversation == {"call": "a", "channel": "web", "said": said}
    assert (
        "channel" not in Anonymizer(RULES, reading=ReadOptions(fields=fields)).anonymize(record).conversation
    )


def test_reviewed_conversations_are_scored_as_by_the_command(tmp_path):
    records = [talk("a", "I am (Ann Lee)[MISSED_PERSON_NAME]"), talk("b", "fine")]
    out = _run("score", records, tmp_path, "--reviewed")
    rows = pq.read_table(out / "risk").to_pylist()
    results = [Anonymizer(RULES).score(record, reviewed=True) for record in records]
    assert [result.risk.score for result in results if result.risk] == [row["score"] for row in rows]
    assert Anonymizer(RULES).score(records[1]).risk is None
    with pytest.raises(RejectedError, match="UnknownTag"):
        Anonymizer(RULES).score(talk("a", "(x)[MISSED_NOTHING_KNOWN]"))


def test_the_preset_for_assistants_leaves_public_knowledge():
    anonymizer = Anonymizer(Config.load({"look_for": {"presets": ["assistant"]}}))
    turns = ["What is the weather in Paris?", "I'm Rachel Lindqvist, rachel@mail.org."]
    result = anonymizer.anonymize({"turns": [{"text": text} for text in turns], "id": "1"})
    public, private = (turn["text"] for turn in result.conversation["turns"])
    assert public == turns[0]
    assert "Rachel" not in private
    assert "mail.org" not in private
    assert result.risk.score == 0
