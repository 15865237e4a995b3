"""Clustering: ``@`` marks a speaker's label, ``~`` spelled letters; one letter for each person."""

from collections.abc import Sequence

import pytest

from tacenda.transforms.linking.inflected import Inflections
from tacenda.transforms.linking.names import parse_name
from tacenda.transforms.linking.people import Link, Writing, link_people


def _links(*said: str, text: str = "") -> list[Link | None]:
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
    return link_people(writings, [place[whole[number]] for number in mentions], Inflections([text]))


def _who(said: Sequence[str], text: str = "") -> str:
    letters: dict[int, str] = {}
    links = _links(*said, text=text)
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


@pytest.mark.parametrize(
    ("text", "said", "who"),
    [
        (
            "se on ja",
            ["Matti Virtanen", "Virtasen", "Virtaselle", "Virtasta", "Matin", "rouva Virtasta"],
            "aaaaaa",
        ),
        ("se on ja", ["Virtasen", "Virtanen", "Virtaselle"], "aaa"),
        ("se on ja", ["Virtasen", "Virtaselle"], "aa"),
        ("se on ja", ["Matti Virtaselle", "Matti Virtanen", "Pekka Virtasella", "Virtaselta"], "aabb"),
        ("se on ja", ["Pekka Virtaselta", "Virtasen", "herra Virtasella"], "aaa"),
        ("se on ja", ["@Matti Virtanen", "Virtasta", "@Virtasen"], "aab"),
        ("det är att", ["Anna Karlsson", "Karlssons", "Annas", "Anna Karlssons"], "aaaa"),
        ("jeg har det", ["Kari Hansen", "Hansens", "Karis"], "aaa"),
        ("und das ist", ["Lukas Schneider", "Schneiders", "Herr Schneiders"], "aaa"),
        # Whoever has the name itself is meant first; two of one family stay two.
        ("und das ist", ["Andrea Weber", "Andreas", "Andreas Vogt"], "abb"),
        ("det är att", ["Erik Lund", "Anna Lund", "Eriks", "Lunds", "Annas", "Lunds"], "abaabb"),
        # Without the language, and in languages that have other endings.
        ("", ["Matti Virtanen", "Virtasen"], "ab"),
        ("det är att", ["Matti Virtanen", "Virtaselle"], "ab"),
        ("que el los", ["Anna Karlsson", "Annan"], "ab"),
    ],
)
def test_inflected_names(text: str, said: list[str], who: str) -> None:
    assert _who(said, text) == who


@pytest.mark.parametrize(
    ("said", "who"),
    [
        # Maria is a woman's name, so that Mr Lopez is somebody else; what titles say of her comes first.
        (["Maria Lopez", "Mr Lopez", "Ms Lopez", "Mr Lopez"], "abab"),
        (["Mr Maria Lopez", "Mr Lopez"], "aa"),
        (["Maria Lopez", "John Lopez", "Mr Lopez", "Ms Lopez", "Mr Lopez"], "abbab"),
        (["John Lopez", "Peter Lopez", "Ms Lopez"], "abc"),
        # Names of either gender, and initials, say nothing.
        (["Alex Lopez", "Ms Lopez"], "aa"),
        (["M. Lopez", "Mr Lopez"], "aa"),
        (["Maria Lopez", "Dr Lopez"], "aa"),
    ],
)
def test_titles_and_the_gender_of_given_names(said: list[str], who: str) -> None:
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
