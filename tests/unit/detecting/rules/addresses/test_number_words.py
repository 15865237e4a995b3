"""House numbers in words: the start of the address, and counterexamples."""

import pytest

from tacenda.transforms.detecting.rules.addresses.number_words import said_street


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sixty one tennyson avenue", "sixty one tennyson avenue"),
        ("twenty-two birchfield road", "twenty-two birchfield road"),
        ("flat three nine castle street", "flat three nine castle street"),
        ("number one albert road", None),
        ("two at sixty one tennyson avenue", "sixty one tennyson avenue"),
        ("three hundred and five mill hill road", "three hundred and five mill hill road"),
        ("one long road", None),
        ("two lane road", None),
        ("five minutes down the road", None),
        ("seven in the street", None),
    ],
)
def test_spoken_street_numbers(text: str, found: str | None) -> None:
    cut = said_street(text)
    assert (None if cut is None else text[slice(*cut)]) == found
