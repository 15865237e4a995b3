import pytest

from tacenda.transforms.auditing.echoes import ECHO
from tacenda.transforms.auditing.suspects import KINDS, TRAITS, Surroundings, Suspect, suspects
from tacenda.transforms.detecting.faint import EDGES, faint_detector
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

AROUND = Surroundings(100, 5, capitals=True)


def _suspects(text: str, *seen: tuple[str, str, str, int]) -> list[Suspect]:
    findings = [
        Finding(
            text.index(words), text.index(words) + len(words), info_type, Likelihood(likelihood), detector
        )
        for words, info_type, detector, likelihood in seen
    ]
    return list(suspects([text], [findings], ranks(), AROUND, {"ORGANIZATION_NAME"}))


def _trait(one: Suspect, name: str) -> float:
    return one.traits[TRAITS.index(name)]


@pytest.mark.parametrize(
    ("words", "info_type", "kind"),
    [
        ("Anna Berg", "PERSON_NAME", "whole name"),
        ("Anna", "PERSON_NAME", "part of a name"),
        ("Oslo", "LOCATION", "place"),
        ("Acme", "ORGANIZATION_NAME", "firm"),
        ("12345", "GENERIC_ID", "other"),
    ],
)
def test_a_suspect_has_the_kind_of_what_it_would_be(words: str, info_type: str, kind: str) -> None:
    (one,) = _suspects(f"I said {words} then", (words, info_type, "rules", 1))
    assert one.kind == kind
    assert one.residual.value == words
    assert [_trait(one, name) for name in KINDS] == [float(name == kind) for name in KINDS]
    assert len(one.traits) == len(TRAITS)


def test_what_several_see_is_one_suspect_with_the_traits_of_all() -> None:
    (one,) = _suspects(
        "we met Anna there",
        ("Anna", "PERSON_NAME", faint_detector(2), 1),
        ("Anna", "PERSON_NAME", "gazetteer", 2),
        ("Anna", "PERSON_NAME", ECHO, 1),
    )
    assert _trait(one, "network") == _trait(one, "lists") == _trait(one, "echo") == 1
    assert _trait(one, "network's score") == 2 / (len(EDGES) - 1)
    assert _trait(one, "lists' likelihood") == 2 / 5
    assert _trait(one, "rules") == _trait(one, "over its threshold") == 0
    assert _trait(one, "capital within a sentence") == 1


def test_two_places_are_two_suspects_with_their_own_traits() -> None:
    text = "Anna went. Berg came"
    first, second = _suspects(
        text,
        ("Anna", "PERSON_NAME", faint_detector(len(EDGES) - 1), 1),
        ("Berg", "PERSON_NAME", "gazetteer", 1),
    )
    assert (first.residual.place, second.residual.place) == ((0, 0, 4), (0, 11, 15))
    assert _trait(first, "over its threshold") == 1
    assert _trait(second, "network") == 0
    assert _trait(second, "lists") == 1
    assert _trait(first, "capital within a sentence") == _trait(second, "capital within a sentence") == 0


def test_leftovers_and_the_speakers_own_company() -> None:
    (left,) = _suspects("[PERSON_NAME_1] Berg came", ("Berg", "PERSON_NAME", "rules", 1))
    assert _trait(left, "beside a token") == 1
    (own,) = _suspects("Acme, this is Pam speaking", ("Acme", "ORGANIZATION_NAME", "rules", 1))
    assert _trait(own, "speaker's own") == 1


def test_surroundings_count_words_entities_and_capitals() -> None:
    assert Surroundings.of(["a b c", "d"], [[1, 2, 1], []]) == Surroundings(4, 2, capitals=False)
    assert Surroundings.of(["A b"], [[]]).capitals
