from importlib.resources import files

import pytest
import yaml

from tacenda.transforms.linking.nicknames import other_forms, same_given_name, short_forms


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Robert", "Bob"),
        ("bob", "ROBERT"),
        ("Bill", "Will"),
        ("Bob", "Robbie"),
        ("José", "Pepe"),
        ("Jose", "josé"),
        ("Francisco", "Paco"),
        ("Lars", "Lasse"),
        ("Aleksanteri", "Santeri"),
        ("Wilhelm", "Willi"),
        ("Alex", "Alexandra"),
        ("Jürgen", "Jogi"),
        ("Zoë", "zoe"),
        ("李伟", "李伟"),
    ],
)
def test_the_same_given_name(a: str, b: str) -> None:
    assert same_given_name(a, b)
    assert same_given_name(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [("Alexander", "Alexandra"), ("Ann", "Bob"), ("Robert", "Roberta"), ("Will", "Bella"), ("Ann", "")],
)
def test_another_given_name(a: str, b: str) -> None:
    assert not same_given_name(a, b)
    assert not same_given_name(b, a)


def test_other_forms_are_those_that_are_the_same() -> None:
    names = _table()
    some = [*list(names)[::15], "bob", "alex"]
    for name in some:
        others = other_forms(name)
        assert name not in others
        assert all(same_given_name(name, other) for other in others)
    assert "robbie" in other_forms("Bob")
    assert "alexandra" not in other_forms("Alexander")
    assert other_forms("Xyzzy") == frozenset()


def test_short_forms_are_of_whole_names() -> None:
    assert {"bob", "rob", "bobby"} <= short_forms("Robert")
    assert short_forms("Xyzzy") == frozenset()


def test_the_table_holds_words_of_letters_once() -> None:
    for language, names in _languages().items():
        for name, short in names.items():
            words = short.split()
            assert words == list(dict.fromkeys(words)), (language, name)
            assert name not in words, (language, name)
            assert all(word.isalpha() and word == word.lower() for word in [name, *words]), (language, name)


def _languages() -> dict[str, dict[str, str]]:
    text = files("tacenda.transforms.linking").joinpath("nicknames.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def _table() -> dict[str, str]:
    return {name: short for names in _languages().values() for name, short in names.items()}
