import pytest

from transforms.linking.speakers import find_speaker_names, is_role, named_speakers


@pytest.mark.parametrize(
    "label",
    [
        "agent",
        "Customer",
        "Speaker 2",
        "speaker_2",
        "SPEAKER-12",
        "Person 1:",
        "A",
        "7",
        "user",
        "",
        "  ",
        "PhD D",
    ],
)
def test_roles(label: str) -> None:
    assert is_role(label)


@pytest.mark.parametrize(
    "label", ["Pam", "Lynne Neagle AM", "Agent Smith", "李伟", "customer pam", "Mark 2 Jones"]
)
def test_everything_else_is_taken_for_a_name(label: str) -> None:
    assert not is_role(label)


def test_a_replaced_label_is_no_name() -> None:
    assert is_role("[PERSON_NAME_1]")


def test_named_speakers_are_distinct_and_in_order() -> None:
    assert named_speakers(["Pam", None, "agent", "Jim", "Pam"]) == ["Pam", "Jim"]


def test_whole_labels_and_capitalised_parts_are_found_as_whole_words() -> None:
    texts = ["Lynne here", "lynne neagle", "Thank you, Lynne Neagle.", "Lynnette"]
    found = find_speaker_names(texts, ["Lynne Neagle"])
    assert [[texts[i][f.start : f.end] for f in cell] for i, cell in enumerate(found)] == [
        ["Lynne"],
        [],
        ["Lynne Neagle"],
        [],
    ]
    assert {f.info_type for cell in found for f in cell} == {"PERSON_NAME"}


def test_a_name_that_is_a_word_matches_as_written_only() -> None:
    (cell,) = find_speaker_names(["I will ask Will."], ["Will"])
    assert [(f.start, f.end) for f in cell] == [(11, 15)]


def test_roles_inside_a_label_are_not_searched() -> None:
    (cell,) = find_speaker_names(["The Agent said Smith"], ["Agent Smith"])
    assert [(f.start, f.end) for f in cell] == [(15, 20)]
