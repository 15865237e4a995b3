import pytest

from tacenda.transforms.detecting.correcting.lists import (
    Entry,
    ListMarking,
    Place,
    counts_of,
    matched_nothing,
    read_entries,
)
from tacenda.transforms.detecting.correcting.marks import Marks, Protected, Suppressed, listed
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

LIST = """
- {protect: Pepper, info_types: [PERSON_NAME]}
- {suppress: Blue Moon, info_type: ORGANIZATION_NAME, because: a client}
- {protect: Will, conversation_id: "1"}
- {suppress: {turn: 0, start: 3, end: 7}, conversation_id: 1, info_type: AGE}
"""
ENTRIES = [
    Entry("protect", "Pepper", ("PERSON_NAME",)),
    Entry("suppress", "Blue Moon", ("ORGANIZATION_NAME",)),
    Entry("protect", "Will", (), "1"),
    Entry("suppress", Place(0, 3, 7), ("AGE",), "1"),
]


def _marks(entries: list[Entry], *conversations: list[str]) -> Marks:
    batch = ConversationBatch.of_turns([[("agent", text) for text in turns] for turns in conversations])
    return ListMarking(entries).marks(batch, TextColumn(batch.texts, batch.first_cell))


def test_yaml_and_json_lines_say_the_same() -> None:
    lines = (
        '{"protect": "Pepper", "info_types": ["PERSON_NAME"]}\n\n'
        '{"suppress": "Blue Moon", "info_type": "ORGANIZATION_NAME"}\n'
        '{"protect": "Will", "conversation_id": "1"}\n'
        '{"suppress": {"turn": 0, "start": 3, "end": 7}, "conversation_id": "1", "info_type": "AGE"}\n'
    )
    assert read_entries(LIST, "decided.yaml") == read_entries(lines, "decided.jsonl") == ENTRIES
    assert counts_of(ENTRIES) == {"protect": 2, "suppress": 2}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("Pepper", "must be a mapping"),
        ("{protect: Pepper, suppress: Salt}", "must be a mapping"),
        ("{protect: Pepper, reason: x}", "must be a mapping"),
        ("{suppress: Pepper}", "needs info_type"),
        ("{suppress: Pepper, info_type: spice}", "needs info_type"),
        ("{protect: Pepper, info_types: PERSON_NAME}", "info_types must be a list"),
        ("{protect: Pepper, entity: everywhere}", "entity must be true or false"),
        ("{protect: '!'}", "must have a phrase"),
        ("{protect: {turn: 0, start: 3, end: 3}, conversation_id: a}", "must have a phrase"),
        ("{protect: {turn: 0, start: 3, end: 4}}", "needs a conversation_id"),
        ("{protect: {turn: 0, start: 3}, conversation_id: a}", "must have a phrase"),
    ],
)
def test_a_mistake_is_reported_by_its_line_and_without_its_words(entry: str, message: str) -> None:
    with pytest.raises(UserError, match=r"list\.yaml:2: ") as told:
        read_entries(f"- protect: Salt\n- {entry}\n", "list.yaml")
    assert message in str(told.value)
    assert "Pepper" not in str(told.value)


@pytest.mark.parametrize(("text", "name"), [("{a: 1}", "l.yaml"), ("[1", "l.yaml"), ("{", "l.jsonl")])
def test_an_invalid_list_is_rejected(text: str, name: str) -> None:
    with pytest.raises(UserError, match="l"):
        read_entries(text, name)


def test_a_phrase_is_found_whole_whatever_its_case() -> None:
    marks = _marks(ENTRIES[:2], ["PEPPER and peppermint", "no"], ["the blue  moon, Pepper"])
    assert marks.protected == {
        0: [Protected(0, 6, frozenset({"PERSON_NAME"}), "protect", entry="0/0")],
        2: [Protected(16, 22, frozenset({"PERSON_NAME"}), "protect", entry="0/0")],
    }
    assert marks.suppressed == {2: [listed(4, 14, "ORGANIZATION_NAME")]}
    assert marks.suppressed_by == {2: [Suppressed(4, 14, "0/1")]}


def test_entries_can_be_limited_to_one_conversation() -> None:
    marks = _marks([ENTRIES[2]], ["Will"], ["hi", "Will"], ["Will"])
    assert marks.protected == {2: [Protected(0, 4, None, "protect", entry="0/0")]}


def test_a_place_is_where_it_says_and_nowhere_beyond_the_text() -> None:
    far = Entry("protect", Place(0, 9, 12), (), "1")
    other_part = Entry("protect", Place(0, 1, 2, "tool_calls.0"), (), "1")
    marks = _marks([ENTRIES[3], far, other_part], ["it is"], ["it is"])
    assert marks.suppressed == {1: [listed(3, 5, "AGE")]}
    assert not marks.protected


def test_entries_know_their_lines() -> None:
    nested = "# decided\n- protect: Salt\n\n- protect: Pepper\n  info_types: [PERSON_NAME]\n- {protect: Oil}"
    assert [entry.line for entry in read_entries(nested, "l.yaml")] == [2, 4, 6]
    assert [entry.line for entry in read_entries('\n{"protect": "a"}\n\n{"protect": "b"}', "l.jsonl")] == [
        2,
        4,
    ]
    with pytest.raises(UserError, match=r"l\.jsonl:3: not JSON"):
        read_entries('{"protect": "a"}\n\n{', "l.jsonl")


def test_what_each_entry_matches_is_counted_by_its_number() -> None:
    first = read_entries(
        "- protect: O'Brien\n- protect: Salt\n- protect: Straße 4\n- protect: o'brien", "a.yaml"
    )
    second = read_entries(
        "- {suppress: {turn: 0, start: 0, end: 2}, conversation_id: '1', info_type: AGE}\n"
        "- {suppress: {turn: 7, start: 0, end: 2}, conversation_id: '1', info_type: AGE}\n"
        "- {protect: obrien, conversation_id: '0'}\n",
        "b.yaml",
    )
    batch = ConversationBatch.of_turns([[("a", "OBRIEN, O’Brien")], [("a", "strasse 4, obrien")]])
    column = TextColumn(batch.texts, batch.first_cell)
    marking = ListMarking(first, second)
    for _ in range(2):  # What is remembered between batches changes nothing.
        matched = marking.marks(batch, column).matched
        assert matched == {"0/0": 3, "0/2": 1, "0/3": 3, "1/0": 1, "1/2": 1}
    assert matched_nothing(0, [entry.line for entry in first], matched) == [2]
    assert matched_nothing(1, [entry.line for entry in second], matched) == [2]


def test_the_entity_of_a_place_is_replaced_in_the_whole_conversation() -> None:
    listed_place = Entry("suppress", Place(0, 3, 12), ("ORGANIZATION_NAME",), "1", entity=True)
    marks = _marks([listed_place], ["Blue Moon"], ["at Blue Moon.", "BLUE MOON?"])
    assert marks.suppressed == {
        1: [listed(3, 12, "ORGANIZATION_NAME")],
        2: [listed(0, 9, "ORGANIZATION_NAME")],
    }
    assert marks.matched == {"0/0": 1}
