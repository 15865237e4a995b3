import pytest

from tacenda.transforms.linking.inflected import Inflections
from tacenda.transforms.linking.info_types import settled_types
from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

P, L, FIRM = "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"


def _settled(*said: tuple[str, str, str, str], asked: set[str] | None = None) -> list[str]:
    """The infoTypes of mentions: given are text before, mention, infoType, and detector or "label"."""
    mentions, texts = [], []
    for cell, (before, text, info_type, detector) in enumerate(said):
        finding = Finding(len(before), len(before + text), info_type, Likelihood.LIKELY, detector)
        mentions.append(Mention(cell, info_type, text, None if detector == "label" else finding))
        texts.append(before + text)
    return settled_types(mentions, texts, Inflections(texts), asked)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # A model sees more than a list, a rule or dictionary knows more than a model.
        ([("", "Jordan", P, "model"), ("", "jordan", L, "gazetteer")], P),
        ([("", "Jordan", P, "gazetteer"), ("", "jordan", L, "model")], L),
        ([("", "Jordan", P, "model"), ("", "Jordan", L, "dictionary")], L),
        # The majority.
        ([("", "Boston", L, "model"), ("", "Boston", P, "model"), ("", "BOSTON", P, "model")], P),
        ([("", "Boston", L, "model"), ("", "Boston", P, "model"), ("", "Boston's", L, "model")], L),
        # Who speaks, or has a title, is a person.
        ([("", "Jordan", P, "label"), ("to ", "Jordan", L, "rules"), ("", "Jordan", L, "rules")], P),
        ([("", "Jordan", L, "label"), ("", "Jordan", L, "rules")], P),
        ([("", "Dr. Jordan", P, "model"), ("", "Jordan", L, "rules")], P),
        ([("Mrs ", "Jordan", P, "model"), ("", "Jordan", L, "rules")], P),
        # The order where votes are equal; catch-alls last.
        ([("", "Acme Inc.", FIRM, "model"), ("", "the Acme", L, "model")], FIRM),
        (
            [("", "555 010 0199", "PHONE_NUMBER", "model"), ("", "5550100199", "NUMERIC", "rules")],
            "PHONE_NUMBER",
        ),
        ([("", "p.rosti", "USER_NAME", "rules"), ("", "p.rosti", P, "model")], "USER_NAME"),
        # What somebody is calling from, unless a list has it as a place, or rules or dictionaries say more.
        ([("calling from the ", "Vastry", L, "model"), ("", "vastry", P, "gazetteer")], FIRM),
        ([("calling from ", "Boston", L, "model")], L),
        ([("calling from ", "Vastry", L, "rules")], L),
        # Inflected forms of a name.
        ([("hän ja ", "Klotar", P, "model"), ("ei ole ", "Klotarin", L, "gazetteer")], P),
    ],
)
def test_one_string_has_one_info_type(said: list[tuple[str, str, str, str]], expected: str) -> None:
    assert set(_settled(*said)) == {expected}


@pytest.mark.parametrize(
    "said",
    [
        [("", "Klotar", P, "model"), ("", "Helsinki", L, "model")],
        # A few digits may be many things.
        [("", "4471", "PASSWORD", "rules"), ("", "4471", "NUMERIC", "rules")],
        [("", "45", "AGE", "rules"), ("", "45", "NUMERIC", "rules")],
    ],
)
def test_other_strings_keep_theirs(said: list[tuple[str, str, str, str]]) -> None:
    assert _settled(*said) == [info_type for _, _, info_type, _ in said]


def test_nothing_is_given_an_info_type_that_nobody_asked_for() -> None:
    assert _settled(("", "Jordan", L, "label"), asked={L}) == [L]
    assert _settled(("calling from ", "Vastry", L, "model"), asked={L}) == [L]
