import re

import pytest

from tacenda.transforms.replacing.surrogates.places import street_address
from tests.marked_conversations import context


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("85 Albert Crescent, Apt 7", r"\d\d [A-Z]\w+ Crescent, Apt \d"),
        ("1235 N Jones St", r"\d{4} [A-Z] [A-Z]\w+ St"),
        ("six fifty five Ridgewood Street", r"[a-z ]+ [A-Z][\w-]+ Street"),
        ("five two tannery ave", r"[a-z ]+ [a-z-]+ ave"),
        ("Storgatan 12", r"[A-ZÄÖ]\w+gatan \d\d"),
        ("Kirkegata 5B", r"[A-ZØ]\w+gata \d[A-Z]"),
        ("Mannerkatu 3", r"[A-Z]\w+katu \d"),
        ("Goethestraße 44", r"[A-ZÜ]\w+straße \d\d"),
        ("Calle Alcalá 23", r"Calle [A-ZÁ]\w+ \d\d"),
    ],
)
def test_an_address_keeps_its_form(text: str, form: str) -> None:
    language = (
        "Calle" in text and "¿Dónde está la casa de la señora que vive aquí con su madre y sus hermanos?"
    )
    value = street_address(context(language or text), text)
    assert value is not None
    assert re.fullmatch(form, value), value
    kept = re.compile(r"\d+|Albert|Jones|Ridgewood|tannery|Stor|Kirke|Manner|Goethe|Alcalá")
    assert not set(kept.findall(text)) & set(kept.findall(value)) - {"5"}


def test_town_and_state_behind_a_street_are_places_nearby() -> None:
    value = street_address(context(), "98 Main Avenue, Newark, New Jersey, 07181")
    assert value is not None
    street, town, state, code = value.split(", ")
    assert re.fullmatch(r"\d\d [A-Z][\w-]+ Avenue", street)
    assert town != "Newark"
    assert state != "New Jersey"
    assert re.fullmatch(r"0\d{4}", code)


def test_nothing_to_change_has_none() -> None:
    assert street_address(context(), "street") is None
