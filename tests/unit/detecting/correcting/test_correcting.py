from importlib.resources import files

import pytest
import yaml

from tacenda.transforms.detecting import correcting
from tacenda.transforms.detecting.correcting.eponyms import eponyms, mark_eponyms
from tacenda.transforms.detecting.correcting.marks import (
    Entry,
    ListMarking,
    Place,
    Protected,
    Suppressed,
    all_marks,
    counts_of,
    divided,
    listed,
    matched_nothing,
    overlaid,
    read_entries,
)
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases, tabled

DATA = yaml.safe_load(files(correcting).joinpath("eponyms.yaml").read_text("utf-8"))


def _places(text):
    return [text[start:end] for start, end in eponyms(text)]


@pytest.mark.parametrize(("text", "stays"), cases(__file__, "test_eponyms"))
def test_an_eponym_needs_its_head_word_and_a_person_is_none(text, stays):
    assert _places(text) == stays


def test_every_name_of_the_lexicon_is_found_with_its_head():
    heads = {"diseases": "disease", "signs": "sign", "scales": "score", "procedures": "procedure"}
    names = [(name, heads[group]) for group, data in DATA["groups"].items() for name in data["names"].split()]
    assert len({name for name, _ in names}) >= 317
    for name, head in names:
        for spelled in (name, name.replace("-", " "), f"{name}'s", f"{name.lower()}s"):
            assert _places(f"the {spelled} {head} here") == [f"{spelled} {head}"], spelled


def test_only_person_findings_can_be_eponyms():
    marks = _marks(mark_eponyms, ["nothing", "a Romberg test"])
    ((cell, [protected]),) = marks.protected.items()
    assert (cell, protected[:2], protected.why) == (1, (2, 14), "eponym")
    assert {"PERSON_NAME", "EMAIL_ADDRESS"} & protected.info_types == {"PERSON_NAME"}


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


def _marks(marking, *conversations):
    batch = ConversationBatch.of_turns([[("agent", text) for text in turns] for turns in conversations])
    return all_marks([marking], batch, TextColumn(batch.texts, batch.first_cell))


def test_entries_are_read():
    assert read_entries(LIST, "decided.yaml") == ENTRIES
    assert counts_of(ENTRIES) == {"protect": 2, "suppress": 2}


@tabled("entry", "message")
def test_a_mistake_is_reported_by_its_line_and_without_its_words(entry, message):
    with pytest.raises(UserError, match=r"list\.yaml:2: ") as told:
        read_entries(f"- protect: Salt\n- {entry}\n", "list.yaml")
    assert message in str(told.value)
    assert "Pepper" not in str(told.value)


@pytest.mark.parametrize(("text", "name"), [("{a: 1}", "l.yaml"), ("[1", "l.yaml")])
def test_an_invalid_list_is_rejected(text, name):
    with pytest.raises(UserError, match="l"):
        read_entries(text, name)


def test_a_phrase_is_found_whole_whatever_its_case():
    marks = _marks(ListMarking(ENTRIES[:2]), ["PEPPER and peppermint", "no"], ["the blue  moon, Pepper"])
    assert marks.protected == {
        0: [Protected(0, 6, frozenset({"PERSON_NAME"}), "protect", entry="0/0")],
        2: [Protected(16, 22, frozenset({"PERSON_NAME"}), "protect", entry="0/0")],
    }
    assert marks.suppressed == {2: [listed(4, 14, "ORGANIZATION_NAME")]}
    assert marks.suppressed_by == {2: [Suppressed(4, 14, "0/1")]}


def test_entries_can_be_limited_to_one_conversation():
    marks = _marks(ListMarking([ENTRIES[2]]), ["Will"], ["hi", "Will"], ["Will"])
    assert marks.protected == {2: [Protected(0, 4, None, "protect", entry="0/0")]}


def test_a_place_is_where_it_says_and_nowhere_beyond_the_text():
    far = Entry("protect", Place(0, 9, 12), (), "1")
    other_part = Entry("protect", Place(0, 1, 2, "tool_calls.0"), (), "1")
    marks = _marks(ListMarking([ENTRIES[3], far, other_part]), ["it is"], ["it is"])
    assert marks.suppressed == {1: [listed(3, 5, "AGE")]}
    assert not marks.protected


def test_entries_know_their_lines():
    nested = "# decided\n- protect: Salt\n\n- protect: Pepper\n  info_types: [PERSON_NAME]\n- {protect: Oil}"
    assert [entry.line for entry in read_entries(nested, "l.yaml")] == [2, 4, 6]


def test_what_each_entry_matches_is_counted_by_its_number():
    first = read_entries(
        "- protect: O'Brien\n- protect: Salt\n- protect: Straße 4\n- protect: o'brien", "a.yaml"
    )
    second = read_entries(
        "- {suppress: {turn: 0, start: 0, end: 2}, conversation_id: '1', info_type: AGE}\n"
        "- {suppress: {turn: 7, start: 0, end: 2}, conversation_id: '1', info_type: AGE}\n"
        "- {protect: obrien, conversation_id: '0'}\n",
        "b.yaml",
    )
    matched = _marks(ListMarking(first, second), ["OBRIEN, O’Brien"], ["strasse 4, obrien"]).matched
    assert matched == {"0/0": 3, "0/2": 1, "0/3": 3, "1/0": 1, "1/2": 1}
    assert matched_nothing(0, [entry.line for entry in first], matched) == [2]
    assert matched_nothing(1, [entry.line for entry in second], matched) == [2]


def test_the_entity_of_a_place_is_replaced_in_the_whole_conversation():
    listed_place = Entry("suppress", Place(0, 3, 12), ("ORGANIZATION_NAME",), "1", entity=True)
    marks = _marks(ListMarking([listed_place]), ["Blue Moon"], ["at Blue Moon.", "BLUE MOON?"])
    assert marks.suppressed == {
        1: [listed(3, 12, "ORGANIZATION_NAME")],
        2: [listed(0, 9, "ORGANIZATION_NAME")],
    }
    assert marks.matched == {"0/0": 1}


def _at(start, end, info_type="PERSON_NAME"):
    return Finding(start, end, info_type, Likelihood.LIKELY, "rules")


@tabled("finding", "left")
def test_findings_within_a_mark_are_kept_readable(finding, left):
    finding = _at(*finding)
    text = "ask Will, yes"
    protected = [Protected(4, 8, frozenset({"PERSON_NAME"}), "protect")]
    replaced, readable = divided(text, [finding], protected)
    assert replaced == ([] if left else [finding])
    assert readable == ({"protect": [finding]} if left else {})


def test_suppressed_ranges_absorb_overlapping_findings():
    findings = [_at(0, 3), _at(5, 9), _at(12, 14)]
    assert overlaid(findings, [listed(8, 13, "ORGANIZATION_NAME")]) == [
        _at(0, 3),
        listed(5, 14, "ORGANIZATION_NAME"),
    ]
    assert overlaid(findings, []) == findings
    assert overlaid([], [listed(1, 2, "AGE")]) == [listed(1, 2, "AGE")]


def test_conflicting_marks_lead_to_replacement():
    entries = [Entry("protect", what) for what in ("Will", "Pepper")] + [Entry("suppress", "Will", ("AGE",))]
    marks = _marks(ListMarking(entries), ["Will, Pepper"])
    assert marks.protected == {0: [Protected(6, 12, None, "protect", entry="0/1")]}
    assert marks.suppressed == {0: [listed(0, 4, "AGE")]}
