import re

import pytest

from tacenda.transforms.replacing.surrogates.lists import cities, countries
from tacenda.transforms.replacing.surrogates.places import place, street_address
from tacenda.transforms.text.characters import plain_letters
from tests.marked_conversations import context


def _city(name: str) -> int:
    return cities().by_name[plain_letters(name)]


@pytest.mark.parametrize("name", ["Chicago", "Tromsø", "Uppsala", "Sevilla", "Tampere", "Lyon", "Scranton"])
def test_a_city_is_one_of_its_country_nearby(name: str) -> None:
    value = place(context(), name)
    assert value is not None
    assert value != name
    original = cities().rows[_city(name)]
    same_name = [row for row in cities().rows if plain_letters(row.name) == plain_letters(value)]
    near = [row for row in same_name if row.country == original.country]
    assert near
    # Some ten degrees at most: what is near in a country of few cities.
    assert min(abs(row.latitude - original.latitude) for row in near) < 12


def test_a_country_is_one_beside_it_in_the_same_language() -> None:
    value = place(context(), "Sverige")
    assert value in {countries().names["sv", code] for code in countries().neighbours["SE"]}


@pytest.mark.parametrize(
    ("state", "others"), [("Ohio", {"Indiana", "Iowa", "Kansas"}), ("TX", {"OK", "FL", "GA"})]
)
def test_a_state_is_one_of_its_part_of_the_country(state: str, others: set[str]) -> None:
    drawn = {place(context(conversation_id=str(n)), state) for n in range(80)}
    assert others <= drawn
    assert state not in drawn


def test_case_and_accents_are_those_of_the_original() -> None:
    value = place(context(), "goteborg")
    assert value is not None
    assert value.isascii()
    assert value.islower()


def test_a_finnish_case_is_kept() -> None:
    value = place(context(), "Helsingissä")
    assert value is not None
    assert value.endswith(("ssa", "ssä"))


def test_a_village_that_no_list_has_is_a_small_town() -> None:
    value = place(context(), "Hollow Creekbury")
    assert value is not None
    assert plain_letters(value) in cities().by_name


def test_words_for_the_kind_of_place_stay() -> None:
    value = place(context(), "the Malmö office")
    assert value is not None
    assert value.startswith("the ")
    assert value.endswith(" office")
    assert "Malm" not in value


def test_parts_of_a_place_are_replaced_each() -> None:
    value = place(context(), "Norfolk, Virginia")
    assert value is not None
    town, _, state = value.partition(", ")
    assert plain_letters(town) in cities().by_name
    assert place(context(), state) is not None
    assert "Norfolk" not in value
    assert state != "Virginia"


def test_the_same_place_is_the_same_and_two_are_two() -> None:
    shared = context()
    names = ["Chicago", "Peoria", "Springfield", "Rockford", "Chicago"]
    values = [place(shared, name) for name in names]
    assert values[0] == values[-1]
    assert len(set(values)) == 4


def test_no_word_of_the_conversation_is_drawn() -> None:
    first = place(context(), "Uppsala")
    assert first is not None
    assert place(context(f"I went to {first.upper()} too"), "Uppsala") != first


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
