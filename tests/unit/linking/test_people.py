"""Clustering: ``@`` marks a speaker's label, ``~`` spelled letters; one letter for each person."""

import pytest

from tacenda.transforms.detecting.word_lists import languages_with
from tacenda.transforms.linking.names import (
    Name,
    agreement,
    gender_of,
    other_forms,
    parse_name,
)
from tacenda.transforms.linking.people import Writing, link_people
from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.text.characters import plain_letters
from tests.cases import cases, tabled


def _links(*said, language=""):
    names = [parse_name(written.strip("@~")) for written in said]
    labels = {name for name, written in zip(names, said, strict=True) if written[0] == "@"}
    mentions = [
        Writing(name, name in labels and written[0] != "~", written[0] == "~")
        for name, written in zip(names, said, strict=True)
    ]
    return link_people(mentions, language)


def _who(said, language=""):
    letters: dict[int, str] = {}
    links = _links(*said, language=language)
    return "".join(
        "-" if link is None else letters.setdefault(link[0], "abcdefgh"[len(letters)]) for link in links
    )


GROUPED = [
    *(("", *row) for row in cases(__file__, "test_mentions_are_grouped_by_person")),
    *cases(__file__, "test_inflected_names"),
    *(("", *row) for row in cases(__file__, "test_titles_of_given_names")),
]


@pytest.mark.parametrize(("language", "said", "who"), GROUPED)
def test_mentions_are_grouped_by_person(language, said, who):
    assert _who(said, language) == who


def test_how_sure_a_link_is():
    hows = [link and link[1] for link in _links("Ann Lee", "LEE, ANN", "Ms Lee", "A. Lee", "Annie", "~A-N-N")]
    assert hows == ["same", "same", "part", "initial", "nickname", "same"]
    hows = [link and link[1] for link in _links("John Smith", "Jane Smith", "Smith")]
    assert hows == ["same", "same", "nearest"]


@tabled("written")
def test_spellings_of_one_name_are_equal(written):
    assert parse_name(written).words == ("ann", "lee")


@tabled("written", "name")
def test_the_parts_of_a_name(written, name):
    words, particles, *rest = name
    assert parse_name(written) == Name(tuple(words), tuple(particles), *rest)


AGREEING = cases(__file__, "test_names_of_the_same_person_agree")
OTHERS = [(*names, "") for names in cases(__file__, "test_names_of_different_people_disagree")]


@pytest.mark.parametrize(("one", "other", "how"), [*AGREEING, *OTHERS])
def test_names_of_the_same_person_agree_and_others_do_not(one, other, how):
    names = parse_name(one), parse_name(other)
    assert agreement(*names) == agreement(*reversed(names)) == how


@tabled("name")
def test_names_of_anybody(name):
    assert gender_of(name) == ""


@tabled("a", "b")
def test_the_same_given_name(a, b):
    forms = plain_letters(a), plain_letters(b)
    assert forms[0] == forms[1] or {forms[1] in other_forms(a), forms[0] in other_forms(b)} == {True}


def test_other_forms_are_those_that_are_the_same():
    names = [name for of_language in languages_with("nicknames").values() for name in of_language]
    for name in (*names[::15], "bob", "alex"):
        others = other_forms(name)
        assert name not in others
        assert all(name in other_forms(other) for other in others)
    assert other_forms("Xyzzy") == frozenset()


def test_the_table_holds_words_of_letters_once():
    for language, names in languages_with("nicknames").items():
        for name, short in names.items():
            words = short.split()
            assert words == list(dict.fromkeys(words)), (language, name)
            assert name not in words, (language, name)
            assert all(word.isalpha() and word == word.lower() for word in [name, *words]), (language, name)


@pytest.mark.parametrize(
    "label", [*cases(__file__, "test_roles"), *cases(__file__, "test_roles_of_many_languages_are_known")]
)
def test_roles(label):
    assert is_role(label)


@pytest.mark.parametrize(
    "label",
    [
        *cases(__file__, "test_everything_else_is_taken_for_a_name"),
        *("Virtual Pam", "Agent Smith", "Claude", "Hakim", "Son", "Richter", "Baker"),
    ],
)
def test_everything_else_is_taken_for_a_name(label):
    assert not is_role(label)
