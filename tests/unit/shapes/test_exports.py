"""Exports as people have them: each is recognised, read, and written back into its own structure."""

import json
import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import dropped, plan_input
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.mapping import as_plain, mapping_from, mapping_named, shipped
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.locating import locate
from tacenda.transforms.writing.columns import CorpusLayout
from tacenda.transforms.writing.converting import target_for
from tests.cases import cases, tabled

HERE = Path(__file__).parent / "exports"
TURNS = {name: [tuple(turn) for turn in turns] for name, turns in cases(__file__, "turns").items()}
"""What each export says, in order."""

TEXTS = ("subtitles.srt", "subtitles.vtt", "whatsapp.txt")


def read(path, options=ReadOptions()):  # noqa: B008 - it is not changed
    found = plan_input(locate([str(path)]), options)
    shape = pickle.loads(pickle.dumps(found.shape))
    batch = ConversationBatch()
    for part in found.parts:
        for unit in units_of(part, shape.columns()):
            if isinstance(shape, TurnRowsShape):
                records = [json.loads(line) for line in path.read_text().splitlines()]
                pairs = [shape.read_records(list(enumerate(records)), "key")]
            else:
                pairs = list(read_unit(unit, shape))
            for one, lost in pairs:
                assert lost == []
                batch.extend(one)
    return shape, batch


def said(batch):
    cells = zip(batch.turns, batch.speakers, batch.texts, strict=True)
    return [(speaker, text) for turn, speaker, text in cells if turn >= 0 and text]


def is_part(written, original):
    """Whether nothing but left out fields tells what is written from what was read."""
    if isinstance(written, dict):
        return all(key in original and is_part(value, original[key]) for key, value in written.items())
    if isinstance(written, list):
        pairs = zip(written, original, strict=True)
        return all(is_part(*pair) for pair in pairs)
    return written == original or written == "[EMBEDDED_MEDIA]"


def test_every_export_has_its_turns():
    assert sorted(TURNS) == sorted(path.name for path in HERE.iterdir())
    assert len(TURNS) == 26


@pytest.mark.parametrize("name", TURNS)
def test_an_export_is_read_and_goes_back_into_its_own_structure(name):
    shape, batch = read(HERE / name)
    assert said(batch) == TURNS[name]
    hidden = json.dumps(shape.write_records(batch, ["x"] * len(batch.texts), ["y"] * len(batch.texts)))
    assert not any(
        word in hidden for word in ("Noor", "Priya", "Raman", "Oskar", "Lind", "Ida", "0018", "@ex")
    )
    written = shape.write_records(batch, batch.texts, batch.speakers)
    text = (HERE / name).read_text()
    if name in TEXTS:
        assert written == [{"text": text}]
        return
    records = json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]
    records = [records] if isinstance(records, dict) or name == "slack.json" else records
    assert all(is_part(*pair) for pair in zip(written, records, strict=True))


@pytest.mark.parametrize("name", [*TEXTS, "slack.json"])
def test_texts_become_conversations(name):
    shape, batch = read(HERE / name)
    assert target_for(None, shape) == "conversation"
    rows = CorpusLayout(shape, None, to="conversation").rows(batch, batch.texts, batch.speakers)
    assert rows.failed == {}
    turns = [turn for row in rows.rows for turn in row["turns"]]
    assert [(turn["speaker"], turn["text"]) for turn in turns] == TURNS[name]


def test_notes_before_the_first_subtitle_are_searched(tmp_path):
    text = "WEBVTT - of Noor\n\nNOTE by Ida\n\n00:01.000 --> 00:02.000\n<v Tomas>Hi.</v>\n"
    (tmp_path / "a.vtt").write_text(text)
    shape, batch = read(tmp_path / "a.vtt")
    assert said(batch) == [(None, " - of Noor\n\nNOTE by Ida"), ("Tomas", "Hi.")]
    assert shape.write_records(batch, batch.texts, batch.speakers) == [{"text": text}]


def test_an_export_comes_with_files_that_are_no_conversations(tmp_path):
    (tmp_path / "conversations.json").write_text((HERE / "chatgpt.json").read_text())
    (tmp_path / "user.json").write_text('{"id": "u", "email": "noor.haddad@example.net"}')
    (tmp_path / "message_feedback.json").write_text("[]")
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    assert [Path(url).name for url in found.skipped] == ["message_feedback.json", "user.json"]
    assert dropped(found.fields, found.shape.written_fields()) == (
        ["create_time", "current_node", "title", "update_time"],
        9,  # of three messages: id, parent and children
    )


def test_what_a_whole_file_and_nested_fields_hold_is_not_told_as_dropped():
    for name, left in (("slack.json", "type"), ("oasst-trees.jsonl", "prompt.labels")):
        found = plan_input(locate([str(HERE / name)]), ReadOptions())
        names = dropped(found.fields, found.shape.written_fields())[0]
        assert left in names
        assert not {"text", "user", "ts", "prompt", "prompt.replies", "prompt.replies.text"}.intersection(
            names
        )


def test_a_chat_of_whatsapp_is_no_marker(tmp_path):
    (tmp_path / "_chat.txt").write_text((HERE / "whatsapp.txt").read_text())
    (tmp_path / "_SUCCESS").touch()
    assert [Path(file.url).name for file in locate([str(tmp_path)])] == ["_chat.txt"]


def test_the_roles_of_a_mapping_make_chats():
    shape, batch = read(HERE / "intercom.jsonl")
    roles = shape.options.mapping.roles
    rows = CorpusLayout(shape, None, to="chat", roles=roles).rows(batch, batch.texts, batch.speakers)
    assert [message["role"] for message in rows.rows[0]["messages"]] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    "name", ["intercom.jsonl", "wildchat.jsonl", "genesys.json", "discord.json", "oasst-trees.jsonl"]
)
def test_exports_in_parquet_keep_their_types(tmp_path, name):
    source = pa.Table.from_pylist([json.loads((HERE / name).read_text())])
    pq.write_table(source, tmp_path / "a.parquet")
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    shape, batch = read(tmp_path / "a.parquet")
    assert said(batch) == TURNS[name]
    table = shape.write_table(batch, batch.texts, batch.speakers, found.schema)
    assert is_part(table.to_pylist(), source.to_pylist())


def test_a_mapping_of_ones_own_is_an_adapter(tmp_path):
    (tmp_path / "ours.yaml").write_text(
        "id: ticket.key\n"
        "turns: {text: log.entries.said.plain, speaker: log.entries.who, role: log.entries.side}\n"
        "keep: [ticket.title]\n"
        "opaque: {log.entries.queue: one of four queues}\n"
        "roles: {left: user, right: assistant}\n"
    )
    entries = [
        {"said": {"plain": "Noor here."}, "who": "Noor", "side": "left", "queue": "A", "notes": "Noor again"},
        {"said": {"plain": "Hello."}, "who": "Tomas", "side": "right", "queue": "B"},
    ]
    record = {"ticket": {"key": "k-1", "title": "From Noor", "owner": "Ida"}, "log": {"entries": entries}}
    (tmp_path / "data.jsonl").write_text(json.dumps(record) + "\n")
    mapping = mapping_named(str(tmp_path / "ours.yaml"))
    shape, batch = read(tmp_path / "data.jsonl", ReadOptions(mapping=mapping))
    assert batch.ids == ["k-1"]
    assert said(batch) == [("Noor", "Noor here."), ("Tomas", "Hello.")]
    hidden = ["x" for _ in batch.texts]
    (written,) = shape.write_records(batch, hidden, ["y" for _ in hidden])
    assert written == {
        "ticket": {"key": "k-1", "title": "x"},
        "log": {
            "entries": [
                {"said": {"plain": "x"}, "who": "y", "side": "y", "queue": "A"},
                {"said": {"plain": "x"}, "who": "y", "side": "y", "queue": "B"},
            ]
        },
    }


@pytest.mark.parametrize("name", shipped())
def test_a_mapping_is_what_the_manifest_says_of_it(name):
    mapping = shipped()[name]
    assert mapping_from(as_plain(mapping), name, "manifest") == mapping
    assert mapping.about


@tabled("content", "message")
def test_a_wrong_mapping_is_refused(content, message):
    with pytest.raises(UserError, match=message):
        mapping_from(content, "ours", "ours.yaml")


def test_a_text_where_the_mapping_goes_on_is_rejected():
    mapping = mapping_from({"turns": {"text": "log.said", "speaker": "log.who.name"}}, "ours", "ours.yaml")
    shape = read_shape(mapping)
    records = [{"log": [{"said": "a", "who": "Noor"}]}, {"log": [{"spoken": "a"}]}, {"log": [{"said": 5}]}]
    assert list(map(shape.error_of, records)) == [
        ("WrongType", None),
        ("MissingField", "log.said"),
        ("WrongType", None),
    ]


def read_shape(mapping):
    return make_shape("", ReadOptions(mapping=mapping))
