"""Clustering: ``@`` marks a speaker's label, ``~`` spelled letters; one letter for each person."""

from collections.abc import Sequence

import pytest

from tacenda.transforms.linking.names import parse_name
from tacenda.transforms.linking.people import Link, Writing, link_people


def _links(*said: str) -> list[Link | None]:
    numbers: dict[Writing, int] = {}
    mentions = []
    for written in said:
        writing = Writing(parse_name(written.strip("@~")), written[0] == "@", written[0] == "~")
        mentions.append(numbers.setdefault(writing, len(numbers)))
    labels = {writing.name for writing in numbers if writing.is_label}
    # As linking a conversation has it: a name is written once, and then a label wherever it is one.
    writings = list(
        dict.fromkeys(w._replace(is_label=w.name in labels and not w.is_spelled) for w in numbers)
    )
    place = {writing: number for number, writing in enumerate(writings)}
    whole = [w._replace(is_label=w.name in labels and not w.is_spelled) for w in numbers]
    return link_people(writings, [place[whole[number]] for number in mentions])


def _who(said: Sequence[str]) -> str:
    letters: dict[int, str] = {}
    links = _links(*said)
    return "".join(
        "-" if link is None else letters.setdefault(link.cluster, "abcdefgh"[len(letters)]) for link in links
    )


@pytest.mark.parametrize(
    ("said", "who"),
    [
        # One person, whatever part of her name is said, in whatever order.
        (
            ["@Ann", "Ann Lee", "Ms Lee", "LEE, ANN", "lee a n n", "A. Lee", "ann l-e-e", "Lee's", "annie"],
            "aaaaaaaaa",
        ),
        (["Lee", "Ann", "Ann Lee"], "aaa"),
        (["Bill Scott", "William Scott", "Scott", "Bill"], "aaaa"),
        (["Michael S. Blatter", "Blatter", "M. Blatter"], "aaa"),
        (["Muñoz", "Munoz"], "aa"),
        (["Mark", "Marc", "M-A-R-K"], "aaa"),
        (["Mahmood", "Mahmoud"], "aa"),
        (["Anna van der Berg", "van der Berg", "Berg"], "aaa"),
        (["María García López", "García", "María", "Sra. García"], "aaaa"),
        # Two of one surname stay two, and what could be either is the last one mentioned.
        (["John Smith", "Jane Smith", "Smith", "John", "Smith"], "abbaa"),
        (["Smith", "John Smith", "Jane Smith"], "aab"),
        (["Mr. Smith", "Ms. Smith", "Smith", "Mr Smith", "Smith"], "abbaa"),
        (["Mariano Puerta", "Mr. Puerta", "Laura Puerta"], "aab"),
        (["Mr Lee", "Pat Lee", "Ms Lee"], "aab"),
        (["John Smith Jr", "John Smith Sr.", "Smith"], "abb"),
        (["Ann Lee", "Ann Smith", "Ann", "Ann Lee", "Ann"], "abbaa"),
        (["J. Smith", "John Smith", "Jane Smith"], "aab"),
        (["John Smith", "Jane Smith", "J. Smith"], "abb"),
        (["John A. Smith", "John B. Smith"], "ab"),
        (["Ann", "Lee"], "ab"),
        (["Ann", "Ms Lee"], "ab"),
        (["Alexander Lee", "Alexandra Lee", "Alex"], "abb"),
        # Speakers are as many people as there are labels.
        (["@Ann", "@Ann Lee", "Ann", "Ann Lee"], "abab"),
        (["@Ann Lee", "@Lee, Ann"], "aa"),
        (["@Jon", "@John"], "ab"),
        (["@Ann", "Ann Lee", "Ann Smith", "Ann"], "abca"),
        # Letters that are nobody's name.
        (["Ann Lee", "~L-E-E", "~A-N-N-L-E-E", "~X-Y-Z"], "aaa-"),
        (["~M-A-R-K"], "-"),
        (["...", "Ann"], "ab"),
    ],
)
def test_mentions_are_grouped_by_person(said: list[str], who: str) -> None:
    assert _who(said) == who


def test_how_sure_a_link_is() -> None:
    hows = [
        link and link.how for link in _links("Ann Lee", "LEE, ANN", "Ms Lee", "A. Lee", "Annie", "~A-N-N")
    ]
    assert hows == ["same", "same", "part", "initial", "nickname", "same"]
    hows = [link and link.how for link in _links("John Smith", "Jane Smith", "Smith")]
    assert hows == ["same", "same", "nearest"]


def test_no_mentions_give_no_people() -> None:
    assert link_people([], []) == []
