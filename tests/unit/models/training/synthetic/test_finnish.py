"""Finnish endings."""

import pytest

from models.training.synthetic.finnish import inflected


@pytest.mark.parametrize(
    ("name", "case", "form"),
    [
        ("Oulu", "inessive", "Oulussa"),
        ("Berlin", "elative", "Berlinistä"),
        ("Lahti", "illative", "Lahtiin"),
        ("Porvoo", "illative", "Porvooseen"),
        ("Korhonen", "genitive", "Korhosen"),
        ("Boston", "inessive", "Bostonissa"),
        ("Jyväskylä", "inessive", "Jyväskylässä"),
    ],
)
def test_cases(name, case, form):
    assert inflected(name, case) == form
