import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import (
    OffsetMap,
    Values,
    name_words,
    replace_conversation,
    says,
    unhidden,
)
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def test_values_stand_where_findings_stood_and_the_rest_stays() -> None:
    found = [
        Finding(0, 3, "PERSON_NAME", Likelihood.LIKELY, "test"),
        Finding(8, 11, "PERSON_NAME", Likelihood.LIKELY, "test"),
    ]
    conversation = LinkedConversation(
        "1",
        ["Jim and Pam.", "no"],
        ["Pam", "agent"],
        [found, []],
        [[2, 1], []],
        {"Pam": 1},
        ["PERSON_NAME"] * 2,
    )
    replaced = replace_conversation(conversation, Values([["A", "longer"], []], {"Pam": "x"}))
    assert replaced.texts == ["A and longer.", "no"]
    assert replaced.speakers == ["x", "agent"]


def test_nothing_found_leaves_all_as_it_was() -> None:
    conversation = LinkedConversation("1", ["a"], [None], [[]], [[]], {}, [])
    replaced = replace_conversation(conversation, Values([[]], {}))
    assert replaced == (["a"], [None])


def offsets(*places):
    """Each place is start, end and value."""
    findings = [Finding(start, end, "URL", Likelihood.LIKELY, "rules") for start, end, _ in places]
    return OffsetMap(findings, [value for *_, value in places])


def test_positions_are_unchanged_without_replacements():
    assert (offsets().to_output(7), offsets().to_original(7)) == (7, 7)


@pytest.mark.parametrize(
    ("position", "output"), [(0, 0), (2, 2), (3, 2), (4, 2), (5, 5), (6, 6), (8, 8), (9, 8), (10, 8)]
)
def test_a_position_inside_is_where_its_value_begins(position, output):
    # ab[cde → xyz]fgh[ij → nothing]k
    assert offsets((2, 5, "xyz"), (8, 10, "")).to_output(position) == output


def test_text_after_an_empty_value_is_unchanged():
    two = offsets((0, 2, ""), (2, 4, ""))
    assert (two.to_original(0), two.to_output(4), two.to_original(3)) == (4, 0, 7)


@pytest.mark.parametrize(
    ("value", "original"),
    [
        ("Homer Simpson", "Homer Simpson"),
        ("HOMER  simpson!", "Homer Simpson"),
        ("HomerSimpson", "Homer Simpson"),
        ("our Homer Simpson of Springfield", "Homer Simpson"),
        ("Simpson", "Homer Simpson"),
        ("555 0100", "5550100"),
    ],
)
def test_a_value_with_the_words_of_the_original_hides_nothing(value: str, original: str) -> None:
    assert says(value, original)


@pytest.mark.parametrize(
    ("value", "original"), [("[Anonymous]", "Ann"), ("NAME", "Homer"), ("", "Homer"), ("***", "?!")]
)
def test_others_hide_it(value: str, original: str) -> None:
    assert not says(value, original)


def test_findings_and_labels_are_counted_by_info_type_where_their_value_is_fixed() -> None:
    found = [[Finding(0, 5, "PERSON_NAME", Likelihood.LIKELY, "rules")]] * 3
    linked = link_conversation(
        ["Homer", "homer", "Marge"], ["Homer", None, None], found, {"Homer": "PERSON_NAME"}
    )
    values = [["Homer"], ["Homer"], ["Homer"]]
    assert unhidden(linked, values, {"Homer": "Homer"}, {"Homer"}) == {"unhidden/PERSON_NAME": 3}
    assert not unhidden(linked, values, {"Homer": "Homer"}, {"Bart"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dr. Ann Lee", ["Ann", "Lee"]),
        ("Björn af Kleen", ["Björn", "Kleen"]),
        ("Ann's", ["Ann"]),
        ("J. Lee-Moss 2", ["J", "Lee", "Moss"]),
    ],
)
def test_titles_particles_and_endings_are_no_name(text: str, words: list[str]) -> None:
    assert [match[0] for match in name_words(text)] == words
