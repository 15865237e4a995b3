"""Turns are ``speaker: text``, with names in brackets; the same number stands for the same person."""

import re

import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _linked(*turns: str, labels: tuple[str, ...] = ()) -> str:
    """The turns with numbers in the place of names."""
    speakers, texts, found = [], [], []
    for turn in turns:
        speaker, _, marked = turn.partition(": ")
        text, findings = "", []
        for piece in re.split(r"(\[[^]]+\])", marked):
            if piece.startswith("["):
                start = len(text)
                findings.append(Finding(start, start + len(piece) - 2, "PERSON_NAME", Likelihood.LIKELY, "t"))
            text += piece.strip("[]") if piece.startswith("[") else piece
        speakers.append(speaker)
        texts.append(text)
        found.append(findings)
    linked = link_conversation(texts, speakers, found, dict.fromkeys(labels, "PERSON_NAME"))
    return " | ".join(
        "".join(
            text[before.end if before else 0 : finding.start] + str(entity)
            for before, finding, entity in zip((None, *cell), cell, entities, strict=False)
        )
        + text[cell[-1].end if cell else 0 :]
        for text, cell, entities in zip(texts, linked.findings, linked.entities, strict=True)
    )


@pytest.mark.parametrize(
    "turns",
    [
        ("c: [Gaston], last name [Dubois].",),
        ("c: [Noemie]. Last name is [Vincent], [V-I-N-C-E-N-T].",),
        ("c: My surname is [Bose], first name [Tarun]",),
        ("c: [Yan]", "a: And your last name?", "c: [Le Duc]"),
        ("c: jag heter [Maja], efternamn [Ek]",),
        ("c: This is [Jane]", "a: May I have your last name, please?", "c: [Smith]."),
    ],
)
def test_the_halves_of_a_name_that_are_said_apart_are_one_person(turns: tuple[str, ...]) -> None:
    assert set(re.findall(r"\d", _linked(*turns))) == {"1"}


def test_another_person_in_between_is_not_linked() -> None:
    said = _linked("c: I spoke to [Olivia] yesterday.", "a: And your last name?", "c: [Yildiz]")
    assert said.endswith("2")


@pytest.mark.parametrize(
    "turns",
    [
        ("b: Good morning, may I speak to Mr. [Banks], please?", "a: Yeah, this is [Jessica]"),
        ("a: Vance Bakery, [Tarun] speaking.", "b: may i speak to ms. [Bose] please"),
        ("a: I'm [Jane].", "b: Thank you, [Ms Smith]!"),
        ("a: I'm [Jane].", "b: Hello, [Ms Smith]."),
    ],
)
def test_a_person_addressed_by_title_is_linked_to_the_only_given_name(turns: tuple[str, ...]) -> None:
    titled = tuple(re.sub(r"(m[rs]\. )\[", r"[\1", turn, flags=re.IGNORECASE) for turn in turns)
    assert re.findall(r"\d", _linked(*titled)) == ["1", "1"]


@pytest.mark.parametrize(
    "turns",
    [
        # She says both herself, somebody else says neither to her, or there are two whom it may be.
        ("a: I'm [Jane].", "b: I am [Ms Smith]."),
        ("a: I'm [Jane].", "a: Hello, [Ms Smith]"),
        ("a: I'm [Jane].", "b: I met [Ms Smith] once."),
        ("a: You have [Omid], [Faith] is out.", "b: May I speak to [Ms Price]?"),
        ("a: I'm [Jane].", "b: Hello, [Ms Smith].", "b: Hello, [Mr Lee]."),
    ],
)
def test_two_people_are_not_merged(turns: tuple[str, ...]) -> None:
    numbers = re.findall(r"\d", _linked(*turns))
    assert len(set(numbers)) == len(numbers)


def test_two_people_of_one_family_name_stay_two() -> None:
    said = _linked("a: [Jane Smith] and [John Smith].", "b: Is [Mr Smith] there?", "a: [John] is.")
    assert said == "1 and 2. | Is 2 there? | 2 is."


@pytest.mark.parametrize(
    ("turns", "numbers"),
    [
        (("a: This is [Ann Banks], for [Bo Banks].", "b: Hello, [Ms. Banks]. Is [Mr. Banks] there?"), "1212"),
        (("a: This is [Bo Banks], for [Ann Banks].", "b: Hello, [Mr. Banks]. Is [Ms. Banks] there?"), "1212"),
        (("a: This is [Ann Banks], for [Bo Banks].", "b: Hello, Ms. [Banks]. Is Mr. [Banks] there?"), "1212"),
        (("a: Mr [Miller] coughed.", "b: And Mrs [Miller]?", "a: She did not. Mr [Miller] did."), "121"),
        (("a: La señora [Garcia] y el señor [Garcia]", "b: [Garcia, Ana] y Sra. [Garcia]"), "1211"),
        (
            ("a: [Ann Banks], for [Bo Banks].", "b: [Mr. Banks]?", "a: No, [Ms. Banks].", "b: [Mr. Banks]"),
            "12212",
        ),
    ],
)
def test_titles_tell_two_people_of_one_family_apart_without_a_list(
    turns: tuple[str, ...], numbers: str
) -> None:
    assert "".join(re.findall(r"\d", _linked(*turns))) == numbers


def test_two_people_without_a_comma_between_them_are_two() -> None:
    said = _linked("a: hi [qiang]", "b: you have [ximena qiang] left", "a: i appreciate it [ximena]")
    assert said == "hi 1 | you have 2 1 left | i appreciate it 2"
    said = _linked("ratna: you have [wolfgang ratna] left", "b: thanks [wolfgang]", labels=("ratna",))
    assert said == "you have 2 1 left | thanks 2"


def test_whole_names_whose_words_are_said_alone_stay_whole() -> None:
    said = _linked("a: I am [Ann Lee].", "b: Hello, [Ann]. [Lee], with two e?")
    assert said == "I am 1. | Hello, 1. 1, with two e?"
