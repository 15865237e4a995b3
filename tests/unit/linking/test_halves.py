import pytest

from tacenda.transforms.linking.halves import tied_halves
from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.names import parse_name
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.marked_text import unmarked


def _tied(*turns: str) -> dict[int, int]:
    """The halves tied in turns of two speakers, with each distinct name a cluster, counted from 0."""
    people, texts = [], []
    clusters: dict[str, int] = {}
    for cell, turn in enumerate(turns):
        text, places = unmarked(turn)
        texts.append(text)
        for start, end in places:
            name = text[start:end]
            finding = Finding(start, end, "PERSON_NAME", Likelihood.LIKELY, "test")
            mention = Mention(cell, "PERSON_NAME", name, finding)
            people.append((mention, clusters.setdefault(name, len(clusters)), parse_name(name)))
    return tied_halves(people, texts, ["ab"[i % 2] for i in range(len(texts))])


@pytest.mark.parametrize(
    "turns",
    [
        ["", "[[Gaston]], last name [[Dubois]]"],
        ["", "It is [[Moreau]], first name is [[Claire]]."],
        ["Your first name?", "[[Ximena]]", "And your last name, please?", "[[Quispe]], as I said"],
        ["", "[[Lindqvist]], det er efternavnet, fornavn: [[Ida]]"],
    ],
)
def test_halves_that_one_speaker_says_apart_are_one_person(turns: list[str]) -> None:
    assert _tied(*turns) == {1: 0}


@pytest.mark.parametrize(
    "turns",
    [
        ["This is [[Siobhan]].", "Hi [[Siobhan]], my suitcase is lost.", "The surname?", "[[Wojcik]]"],
        ["", "[[Gaston]] and [[Dubois]]"],
        ["", "[[Ann Lee]], last name [[Lee]]"],
        ["", "I am with Mr. [[Gaston]].", "", "", "", "", "", "", "", "last name [[Dubois]]"],
    ],
)
def test_other_names_are_not(turns: list[str]) -> None:
    assert _tied(*turns) == {}
