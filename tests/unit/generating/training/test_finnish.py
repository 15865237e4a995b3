"""Finnish endings."""

import pytest

from tacenda.transforms.generating.training.finnish import inflected, noun


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


@pytest.mark.parametrize(
    ("name", "case", "form"),
    [
        ("Kahvipuoti", "inessive", "Kahvipuodissa"),
        ("Ravintola Lyhty", "genitive", "Ravintola Lyhdyn"),
        ("Kahvileipä", "inessive", "Kahvileivässä"),
        ("Helsinki", "genitive", "Helsingin"),
        ("Tähti", "adessive", "Tähdellä"),
        ("Leipomo Omena", "ablative", "Leipomo Omenalta"),
    ],
)
def test_ordinary_nouns(name, case, form):
    assert noun(name, case) == form
