import pytest

from tacenda.transforms.replacing.surrogates.lists import cities, countries
from tacenda.transforms.replacing.surrogates.places import place
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
