import pyarrow as pa
import pytest

from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import SHAPES, make_shape, recognise
from tacenda.transforms.writing.columns import (
    CorpusLayout,
    batch_hashes,
    text_hash,
)
from tacenda.transforms.writing.converting import (
    ROLES,
    SOURCES,
    TARGETS,
    Message,
    _known,
    dialogues,
    folded_roles,
    record_of,
    role_of,
    target_for,
)
from tests.cases import cases, tabled


@tabled("label", "role")
def test_labels_that_are_known(label, role):
    assert role_of(label, {}) == role


@pytest.mark.parametrize("label", [None, "", "Pam", "Speaker 1", "tool"])
def test_other_labels_have_no_role_unless_given(label):
    with pytest.raises(RecordError, match="NoRole"):
        role_of(label, {})
    assert role_of(label, {"*": "user"}) == "user"


def test_the_roles_of_a_run_come_first():
    own = folded_roles({"Speaker_1": "assistant", "Agent": "user", "Anna": "system"})
    assert [role_of(label, own) for label in ("Speaker 1", "agent", "anna")] == [
        "assistant",
        "user",
        "system",
    ]


def test_the_list_has_roles_only_and_no_label_that_replacement_takes_for_a_name():
    assert set(_known().values()) == set(ROLES)
    assert [label for label in _known() if not is_role(label)] == []


CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
USER = {"role": "user", "content": "a"}


def _dialogues(form, batch, texts, speakers):
    return dialogues(form, batch, texts, speakers, form.write_records(batch, texts, speakers), {})


def _read(shape, *records, fields=None):
    form, batch = _batch_of(shape, records, fields)
    texts = [text.upper() for text in batch.texts]
    return [
        one if isinstance(one, str) else _said(one) for one in _dialogues(form, batch, texts, batch.speakers)
    ]


@tabled("shape", "record", "said")
def test_what_is_said_in_a_record(shape, record, said):
    assert _read(shape, record) == [said]


def test_one_that_is_no_dialogue_leaves_the_others():
    bad = {"messages": [{"role": "tool", "content": "a"}]}
    assert _read("chat", {"messages": [USER]}, bad, {"messages": [USER]}) == [
        [["user", "A"]],
        "NoRole",
        [["user", "A"]],
    ]


def test_fields_with_other_names():
    fields = {"messages": "log", "messages.role": "who", "messages.content": "said"}
    assert _read("chat", {"log": [{"who": "user", "said": "a"}]}, fields=fields) == [[["user", "A"]]]


def test_speakers_are_those_that_are_written():
    form = make_shape("conversation", ReadOptions())
    batch, _ = form.read_records([(0, {"id": "c", "turns": [{"speaker": "Agent", "text": "a"}]})], "key")
    ((message,),) = _dialogues(form, batch, ["x"], ["[PERSON_NAME_1]"])
    assert message == ("assistant", "[PERSON_NAME_1]", "x")


SYSTEM = Message("system", "system", "Be brief.")
ASKED = Message("user", "user", "Where is [PERSON_NAME_1]?")
ANSWERED = Message("assistant", "assistant", "In [LOCATION_1].")
EXCHANGE = "c1", "sales", [ASKED, ANSWERED]
WITH_SYSTEM = "c2", "", [SYSTEM, ASKED, ANSWERED]


def _said(messages):
    return [[message.role, message.text] for message in messages]


def _read_again(record, shape):
    form, batch = _batch_of(shape, [record])
    (messages,) = _dialogues(form, batch, batch.texts, batch.speakers)
    return batch.ids[0], batch.contexts[0], messages


@pytest.mark.parametrize("dialogue", [EXCHANGE, WITH_SYSTEM])
@pytest.mark.parametrize("name", TARGETS)
def test_each_target_is_read_back_as_what_was_said(name, dialogue):
    record, schema = record_of(name, *dialogue), TARGETS[name]
    assert recognise(record, ReadOptions(), "here").name == name
    assert list(record) == schema.names
    assert pa.Table.from_pylist([record], schema=schema).to_pylist() == [record]
    *named, messages = _read_again(record, name)
    assert (named, _said(messages)) == ([*dialogue[:2]], _said(dialogue[2]))


def test_the_shape_of_the_input_is_no_conversion():
    assert target_for("chat", make_shape("chat", ReadOptions())) is None
    assert target_for(None, make_shape("document", ReadOptions())) is None


def test_each_shape_is_converted_or_refused_in_one_line():
    refused = set(SHAPES) - SOURCES
    assert refused >= {"document", "preference"}
    for name in SOURCES - {"chat"}:
        assert target_for("chat", make_shape(name, ReadOptions())) == "chat"
    for name in refused:
        with pytest.raises(UserError, match=r"^--to chat: [^\n]*; leave --to out$"):
            target_for("chat", make_shape(name, ReadOptions()))


def test_a_chat_of_nobody_is_an_error():
    with pytest.raises(RecordError, match="NoMessages"):
        record_of("chat", "c", "", ())


def test_speakers_keep_their_labels_and_others_have_their_role():
    turns = (Message("user", "[PERSON_NAME_1]", "Hello"), Message("assistant", None, "Hi"))
    record = record_of("conversation", "c", "", turns)
    assert [turn["speaker"] for turn in record["turns"]] == ["[PERSON_NAME_1]", "assistant"]


ALTERNATING = (
    "{%- set talk = messages[1:] if messages[0].role == 'system' else messages -%}"
    "{%- for m in talk -%}{%- if (m.role == 'user') != (loop.index0 % 2 == 0) -%}"
    "{{ raise('roles must alternate') }}{%- endif -%}<{{ m.role }}>{{ m.content }}{%- endfor -%}"
)

"""What the chat templates of Gemma, Llama 2 and Mistral demand."""


@tabled("roles", "rendered")
def test_chats_render_with_templates_that_want_roles_to_alternate(roles, rendered):
    jinja2 = pytest.importorskip("jinja2")
    messages = tuple(Message(role, None, str(i)) for i, role in enumerate(roles.split()))
    record = record_of("chat", "c", "", messages)
    assert jinja2.Template(ALTERNATING).render(messages=record["messages"]) == rendered


CONVERSATIONS = [
    {"id": i, "turns": [{"speaker": "user", "text": f"a{i}"}, {"speaker": "agent", "text": "b"}]}
    for i in range(3)
]

ROWS = [
    {"conversation_id": f"c{i % 2}", "turn_index": i, "speaker": "user", "text": f"t{i}"} for i in range(4)
]

CALLS = cases(__file__, "calls")


def _batch_of(shape, records, fields=None):
    form = make_shape(shape, ReadOptions(fields=fields or {}))
    batch, lost = form.read_records(list(enumerate(records)), "key")
    assert lost == []
    return form, batch


@pytest.mark.parametrize(
    ("shape", "records"), [("conversation", CONVERSATIONS), ("turns", ROWS), ("chat", CALLS)]
)
@pytest.mark.parametrize("table", [False, True])
def test_the_hashes_are_those_that_a_reader_finds(shape, records, table):
    form, batch = _batch_of(shape, records)
    schema = None
    if table:
        columns = pa.Table.from_pylist(records)
        batch, _ = form.read_table(columns, 0, "key")
        schema = form.output_schema(columns.schema)
    layout = CorpusLayout(form, schema, from_tables=table)
    rows = layout.rows(batch, batch.texts, batch.speakers)
    assert rows.failed == {}
    if table:
        assert isinstance(rows.rows, pa.Table)
        assert rows.rows.schema == schema
        again, _ = layout.reader().read_table(rows.rows, 0, "")
    else:
        assert isinstance(rows.rows, list)
        again, _ = layout.reader().read_records(list(enumerate(rows.rows)), "")
    assert rows.hashes == batch_hashes(again, again.texts, again.speakers)


def test_tables_as_records():
    form, batch = _batch_of("conversation", CONVERSATIONS)
    rows = CorpusLayout(form, None, from_tables=True).rows(batch, batch.texts, batch.speakers)
    assert rows.rows == CONVERSATIONS
    assert rows.hashes == batch_hashes(batch, batch.texts, batch.speakers)


def test_what_cannot_be_converted_is_said_and_left_out():
    bad = {"id": 9, "turns": [{"speaker": "Pam", "text": "x"}]}
    form, batch = _batch_of("conversation", [CONVERSATIONS[0], bad, CONVERSATIONS[2]])
    for schema in (None, TARGETS["chat"]):
        rows = CorpusLayout(form, schema, to="chat").rows(batch, batch.texts, batch.speakers)
        assert rows.failed == {1: "NoRole"}
        written = rows.rows.to_pylist() if isinstance(rows.rows, pa.Table) else rows.rows
        assert [record["conversation_id"] for record in written] == ["0", "2"]
        assert len(rows.hashes) == 2


def test_a_text_in_the_place_of_a_number_leaves_its_conversation_out_alone():
    def row(code):
        image = {"type": "image", "source": {"url": "https://x.org/a.png", "code": code}}
        return {"messages": [{"role": "user", "content": [image, {"type": "text", "text": "a"}]}]}

    form, table = make_shape("chat", ReadOptions()), pa.Table.from_pylist([row(1), row(415555), row(2)])
    batch, _ = form.read_table(table, 0, "k")
    layout = CorpusLayout(form, form.output_schema(table.schema), from_tables=True)
    rows = layout.rows(batch, [text.replace("415555", "[ID_1]") for text in batch.texts], batch.speakers)
    assert rows.failed == {1: "NotInColumns"}
    assert rows.rows.num_rows == len(rows.hashes) == 2
    alone = layout.rows(batch.take([1]), ["[ID_1]", "a"], batch.speakers[batch.own(1)])
    assert (alone.rows.num_rows, alone.failed) == (0, {0: "NotInColumns"})


def test_an_empty_batch_has_the_columns_all_the_same():
    form = make_shape("conversation", ReadOptions())
    rows = CorpusLayout(form, TARGETS["chat"], to="chat").rows(ConversationBatch(), [], [])
    assert rows.rows.schema == TARGETS["chat"]
    assert (rows.hashes, rows.failed) == ([], {})


@tabled("speakers", "texts")
def test_any_change_changes_the_hash(speakers, texts):
    assert len(text_hash(speakers, texts)) == 32
    assert text_hash(speakers, texts) != text_hash(["a", None], ["x", "y"])
