from collections.abc import Callable

import pytest

from tacenda.transforms.detecting.rules.addresses.streets import (
    Range,
    address_field,
    glued_street,
    numbered_street,
    short_street_name,
    spanish_number,
    spanish_street,
    street_before_code,
    street_name,
    street_then_number,
    street_with_unit,
    without_unit,
)


@pytest.mark.parametrize(
    ("trim", "text", "kept"),
    [
        (glued_street, "12 oak streetdover", "12 oak streetdover"),
        (glued_street, "12 old streetlights", None),
        (glued_street, "5 of the roadcrews", None),
        (street_with_unit, "5847 san felipe suite 2600", "5847 san felipe suite 2600"),
        (street_with_unit, "2 people in unit 4", None),
        (street_then_number, "is hill street number 65", "hill street number 65"),
        (street_then_number, "on the road 24", None),
        (short_street_name, "Craig St", "Craig St"),
        (short_street_name, "Paris St Germain", None),
        (spanish_number, "Olivos Nº 973", "Olivos Nº 973"),
        (spanish_number, "Ley Nº 123", None),
    ],
)
def test_rarer_forms_of_streets(trim: Callable[[str], Range | None], text: str, kept: str | None) -> None:
    assert _cut(trim, text) == kept


def _cut(trim: Callable[[str], Range | None], text: str) -> str | None:
    found = trim(text)
    return None if found is None else text[found[0] : found[1]]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("123 Main Street", "123 Main Street"),
        ("2 adults to 123 Main Street", "123 Main Street"),
        ("12 oak street and call", "12 oak street"),
        ("800 A Street", "800 A Street"),
        ("99 1234 Parkdale Avenue", "99 1234 Parkdale Avenue"),
        ("10 percent of the way", None),
        ("10 mg metoprolol enligt dr", None),
        ("500 ml NaCl gavs av dr", None),
        ("14 hos dr", None),
        ("10 mg Ramipril laut Dr", None),
        ("2 comprimés prescrits par Dr", None),
        ("12 Von Karman Dr", "12 Von Karman Dr"),
        ("12 Daily Dr", "12 Daily Dr"),
        ("12 oak dr", "12 oak dr"),
        ("1998 Winter Park", "1998 Winter Park"),
        ("2010 Summer Camp", None),
        ("12 road", None),
        ("12 tables", None),
    ],
)
def test_a_numbered_street_begins_at_its_number_and_ends_before_everyday_words(
    text: str, kept: str | None
) -> None:
    assert _cut(numbered_street, text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("On Allison Road", "Allison Road"),
        ("Main Street", "Main Street"),
        ("Bezrukov Street Street", "Bezrukov Street"),
        ("The Road", None),
        ("Wall Street", None),
    ],
)
def test_a_street_without_a_number(text: str, kept: str | None) -> None:
    assert _cut(street_name, text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Av. puerta de hierro 12, 3G.", "Av. puerta de hierro 12, 3G"),
        ("C/ José Luis Gallo, 9. C.P", "C/ José Luis Gallo, 9"),
        ("calle durante 3", None),
        ("Plaza 3", None),
    ],
)
def test_a_spanish_street(text: str, kept: str | None) -> None:
    assert _cut(spanish_street, text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Urología. Calle Colón, 12. 28007 Madrid", "Calle Colón, 12. 28007 Madrid"),
        ("Loureiro Crespo, 2 - 36001 Pontevedra Tel", "Loureiro Crespo, 2 - 36001 Pontevedra"),
        ("September 2, 18591 Aldrin", None),
    ],
)
def test_a_street_with_a_postal_code(text: str, kept: str | None) -> None:
    assert _cut(street_before_code, text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Calle Alameda Tercera, Bajo A. Localidad: X", "Calle Alameda Tercera, Bajo A"),
        ("Unknown", None),
        ("Jane.Doe@example.com or so", None),
    ],
)
def test_addresses_in_form_fields(text: str, kept: str | None) -> None:
    assert _cut(address_field, text) == kept


def test_unit_words_are_not_part_of_a_street_name() -> None:
    assert _cut(without_unit, "9 rue Charles Corbeau Apt.") == "9 rue Charles Corbeau"
    assert _cut(without_unit, "9 rue Charles Corbeau") == "9 rue Charles Corbeau"


def test_a_street_ends_with_its_sentence() -> None:
    assert numbered_street("10 results. City Walk") is None
    assert numbered_street("12 St. John Street") == (0, 18)
