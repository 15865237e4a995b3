"""Tests of the texts by which automata are tried."""

import re

import pytest

from tacenda.transforms.detecting.patterns.prefilter.specimens import specimens
from tacenda.transforms.detecting.patterns.prefilter.superset import byte_superset


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?i)(?:kaksi|kuusi)(?:toista)?(?:vuotias|[ ]vuotta)",
        r"\d{3}[- ]?\d{2,}",
        r"[^\pL\pN]x+y*z?",
        r"(?:^|[^\pL])Ångström(?:$|\.)",
        r"(?i:(?:a|b(?:c|d){2}){1,3})",
    ],
)
def test_every_specimen_matches_its_pattern(pattern: str) -> None:
    expression = byte_superset(pattern)
    matches = re.compile(expression.encode().removeprefix(b"(?i)"), re.IGNORECASE).search
    assert all(matches(b".\xff" + specimen + b"\xff") for specimen in specimens(expression))


def test_every_alternative_is_in_a_specimen() -> None:
    words = [f"w{first}{second}" for first in "abcdefghij" for second in "klmnopqrst"]
    text = b" ".join(specimens(f"(?:(?:{'|'.join(words)})x?|other)"))
    assert all(word.encode() in text for word in words)


def test_repetitions_are_drawn_at_least_and_above() -> None:
    assert {len(specimen) for specimen in specimens("a{2,9}")} == {2, 3, 4}
    assert {len(specimen) for specimen in specimens("a*")} == {0, 1, 2}


def test_the_same_seed_gives_the_same_specimens() -> None:
    assert specimens("[a-z]{8}") == specimens("[a-z]{8}")
    assert specimens("[a-z]{8}") != specimens("[a-z]{8}", seed=2)
