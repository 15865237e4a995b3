import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacenda.transforms.linking import speakers
from tacenda.transforms.linking.speakers import find_speaker_names, is_role, named_speakers
from tests.growth import grows_linearly


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
    "label",
    [
        "Pam",
        "Lynne Neagle AM",
        "Agent Smith",
        "李伟",
        "customer pam",
        "Mark 2 Jones",
        "4155550199",
        "caller 4155550199",
        "user_0701234567",
        "customer 4111111111111111",
    ],
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


@pytest.mark.parametrize(
    "label",
    ["Lynne_Neagle", "Neagle,Lynne", "Lynne.Neagle", "AM/Neagle (Lynne)", "Lynne-Neagle", "Lynne@Neagle"],
)
def test_parts_of_a_label_are_found_whatever_joins_them(label: str) -> None:
    text = "Lynne and Neagle"
    (cell,) = find_speaker_names([text], [label])
    assert [text[f.start : f.end] for f in cell] == ["Lynne", "Neagle"]


def test_a_double_name_is_found_whole_before_its_parts() -> None:
    text = "Anne-Marie, Anne or O'Neil"
    (cell,) = find_speaker_names([text], ["Anne-Marie O'Neil"])
    assert [text[f.start : f.end] for f in cell] == ["Anne-Marie", "Anne", "O'Neil"]


def test_a_name_that_is_a_word_matches_as_written_only() -> None:
    (cell,) = find_speaker_names(["I will ask Will."], ["Will"])
    assert [(f.start, f.end) for f in cell] == [(11, 15)]


def test_roles_inside_a_label_are_not_searched() -> None:
    (cell,) = find_speaker_names(["The Agent said Smith"], ["Agent Smith"])
    assert [(f.start, f.end) for f in cell] == [(15, 20)]


WORDS = st.lists(
    st.sampled_from(
        ["Ann", "Lee", "Ann Lee", "Lee.", "ann", "O'Lee", "_", "é", " ", "\n", "-", ".", "Lee\nAnn"]
    ),
    max_size=6,
).map("".join)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.lists(WORDS, max_size=4), st.lists(WORDS, min_size=1, max_size=3))
@example(["Lee", "Ann"], ["Lee\nAnn"])
@example(["Ann Lee Ann Lee Ann"], ["Ann Lee Ann", "Lee"])
def test_names_are_found_as_one_pattern_of_all_would(texts: list[str], names: list[str]) -> None:
    written: dict[str, None] = {}
    for name in names:
        parts = [*name.split(), *re.split(r"[\s_.-]", name)]
        forms = [
            name.strip(" :"),
            *(w for part in parts if (w := part.strip(".,;:()[]\"'"))[:1].isupper()),
        ]
        written.update(dict.fromkeys(form for form in forms if len(form) > 2))
    longest_first = sorted(written, key=lambda form: (-len(form), form))
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")
    expected = [[m.span() for m in pattern.finditer(text)] if written else [] for text in texts]
    found = find_speaker_names(texts, names)
    assert [[(f.start, f.end) for f in cell] for cell in found] == expected


@given(
    st.lists(st.sampled_from(["Ana", "Ana Li", "Li", "(Ana)", "Bo-Li", "---", "Ana_Li"]), min_size=1),
    st.lists(st.sampled_from(["Ana", "Li", " ", "-", "(", ")", "_", "Bo", "\n", "---"]), max_size=30),
)
def test_many_names_are_found_where_a_few_are(names: list[str], text: list[str]) -> None:
    forms = speakers._written_forms(tuple(names))
    plain = sorted(
        place for i, name in enumerate(forms) for place in speakers._places_of_one("".join(text), name, i)
    )
    assert sorted(speakers._places_by_words("".join(text), forms)) == plain


def test_time_grows_with_text_and_names_and_not_with_their_product() -> None:
    def look(speakers_: int) -> None:
        names = [f"Anna{i}x Berg{i}y" for i in range(speakers_)]
        find_speaker_names([f"hello there Anna{i}x, of an ordinary length" for i in range(speakers_)], names)

    assert grows_linearly(look, 200)


def test_time_grows_with_a_text_that_is_full_of_its_long_label() -> None:
    assert grows_linearly(lambda n: find_speaker_names(["A" * n], ["A" * (n // 2)]), 5_000)


def test_time_grows_with_labels_that_differ_in_signs_alone() -> None:
    def look(count: int) -> None:
        labels = [f"Anna{sign_of(i)}Maria" for i in range(count)]
        (found,) = find_speaker_names([" ".join(labels)], labels)
        assert len(found) == count

    def sign_of(i: int) -> str:
        return "".join("!#$%*=<>"[i >> shift & 7] for shift in (0, 3, 6, 9))

    assert grows_linearly(look, 100)


def test_parts_of_a_label_that_is_too_long_are_found() -> None:
    label = "Ann " + "of the long house " * 20 + "Berg"
    (cell,) = find_speaker_names([f"{label} and Berg"], [label])
    assert [f"{label} and Berg"[f.start : f.end] for f in cell] == ["Ann", "Berg", "Berg"]
