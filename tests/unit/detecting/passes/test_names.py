"""Edges of names, findings of several people, and overlaps: tables of behaviour."""

import pytest

from tacenda.pipelines.chain.passes import PASSES, Conversation, propagate, run_passes
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

LIKELY, SURE, WEAK = Likelihood.LIKELY, Likelihood.VERY_LIKELY, Likelihood.POSSIBLE
PERSON = "PERSON_NAME"


def fitted(text: str, *found: tuple[str, str, str, Likelihood]) -> list[tuple[str, str]]:
    """What is left, as text and infoType, of (text, infoType, detector, likelihood)."""
    findings = [Finding(text.index(s), text.index(s) + len(s), t, like, d) for s, t, d, like in found]
    conversation = Conversation([text], [None], rank=ranks())
    passes = [one for one in PASSES if one is not propagate]
    *_, (_, left) = run_passes(conversation, [findings], passes)
    return [(text[one.start : one.end], one.info_type) for one in left[0]]


@pytest.mark.parametrize(
    ("found", "people"),
    [
        ("Dear Mrs Ines Duarte,", ["Ines Duarte"]),
        ("Ines Duarte's", ["Ines Duarte"]),
        ("thanks Ravi", ["Ravi"]),
        ("Ann Lee and Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Mr and Mrs Duarte", ["Mr and Mrs Duarte", "Duarte"]),
        ("LEE, ANN", ["LEE, ANN"]),
        ("Ana Ruiz, Bea Gil, Eva Sanz", ["Ana Ruiz", "Bea Gil", "Eva Sanz"]),
        ("Ann Lee\nBob Ray", ["Ann Lee", "Bob Ray"]),
    ],
)
def test_one_finding_for_each_person_ends_at_the_name(found: str, people: list[str]) -> None:
    left = [said for said, _ in fitted(f"so {found} then", (found, PERSON, "model", SURE))]
    assert left == people or left == people[1:]


def test_the_better_finding_keeps_its_edges_and_the_rest_is_covered() -> None:
    text = "Ines Duarte 12 Mill Road Hadley"
    left = fitted(
        text,
        ("Ines Duarte 12 Mill Road", "STREET_ADDRESS", "model", WEAK),
        ("12 Mill Road Hadley", "STREET_ADDRESS", "rules", LIKELY),
        ("Ines Duarte", PERSON, "model", SURE),
    )
    covered = "".join(said for said, _ in left).replace(" ", "")
    assert sorted(covered) == sorted(text.replace(" ", ""))


def test_a_likely_value_swallows_its_parts() -> None:
    text = "card 4111 1111 1111 1111 now"
    left = fitted(
        text,
        ("4111 1111 1111 1111", "CREDIT_CARD_NUMBER", "rules", SURE),
        ("1111", "NUMERIC", "rules", WEAK),
        ("4111 1111", "PHONE_NUMBER", "model", WEAK),
    )
    assert left == [("4111 1111 1111 1111", "CREDIT_CARD_NUMBER")]


def test_a_weakly_introduced_name_yields_to_what_the_network_sees() -> None:
    text = "its name is Oslo Harbour"
    found = ("Oslo Harbour", PERSON, "rules", WEAK), ("Oslo Harbour", "LOCATION", "model", WEAK)
    assert fitted(text, *found) == [("Oslo Harbour", "LOCATION")]
