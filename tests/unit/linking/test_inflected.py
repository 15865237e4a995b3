"""Which words are forms of one name; the languages are told from the words of the conversation."""

import pytest

from tacenda.transforms.linking.inflected import Inflections, possible_stems

SAID = {
    "fi": "ja se on että hän",
    "sv": "och det är att jag",
    "nb": "jeg har ikke det og",
    "da": "jeg har ikke det og af",
    "de": "und das ist nicht die",
    "es": "que el los por para",
    "en": "the and you is",
}


@pytest.mark.parametrize(
    ("language", "form", "name"),
    [
        ("fi", "virtasen", "virtanen"),
        ("fi", "virtaselle", "virtanen"),
        ("fi", "virtasta", "virtanen"),
        ("fi", "matin", "matti"),
        ("fi", "pekalle", "pekka"),
        ("fi", "karlssonin", "karlsson"),
        ("sv", "karlssons", "karlsson"),
        ("sv", "annas", "anna"),
        ("nb", "hansens", "hansen"),
        ("da", "sorensens", "sorensen"),
        ("de", "schneiders", "schneider"),
        ("es", "garcias", "garcia"),
        ("en", "okafors", "okafor"),
    ],
)
def test_forms_of_a_name(language: str, form: str, name: str) -> None:
    inflections = Inflections([SAID[language]])
    assert inflections.are_forms(form, name)
    assert inflections.are_forms(name, form)


def test_two_forms_of_a_name_that_is_not_mentioned() -> None:
    assert Inflections([SAID["fi"]]).are_forms("virtasen", "virtaselle")


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("de", "andreas", "andrea"),  # a man's name, and a woman's
        ("da", "hannes", "hanne"),
        ("de", "jonas", "jona"),
        ("de", "peters", "peter"),  # a family name
        ("en", "williams", "william"),
        ("sv", "karlsson", "karlberg"),
        ("fi", "virtanen", "virta"),
        ("fi", "zorbasen", "zorbasta"),  # forms of a name that nobody knows
    ],
)
def test_names_of_their_own(language: str, one: str, other: str) -> None:
    assert not Inflections([SAID[language]]).are_forms(one, other)


def test_other_languages_do_not_inflect_so() -> None:
    assert not Inflections([SAID["sv"]]).are_forms("virtasen", "virtanen")
    assert not Inflections(["the one och"]).are_forms("karlssons", "karlsson")
    assert not Inflections().are_forms("karlssons", "karlsson")


def test_stems_of_any_language() -> None:
    assert "virtanen" in possible_stems("virtasen")
    assert "karlsson" in possible_stems("karlssons")
    assert not possible_stems("li")
