from collections.abc import Callable

import pytest

from tacenda.transforms.detecting.rules.addresses.parts import (
    Range,
    with_door,
    with_name,
    with_needed_name,
    with_needed_tail,
    with_tail,
)


def _taken(extend: Callable[[str, int, int], Range | None], text: str, core: str) -> str | None:
    start = text.index(core)
    found = extend(text, start, start + len(core))
    return None if found is None else text[found[0] : found[1]]


@pytest.mark.parametrize(
    ("text", "core", "taken"),
    [
        ("at 12 Oak Street, Apt. 5, Springfield, see", "12 Oak Street", "12 Oak Street, Apt. 5, Springfield"),
        ("12 oak lane apt 4 san diego ca 92101 ok", "12 oak lane", "12 oak lane apt 4 san diego ca 92101"),
        (
            "no 12 peter road bridge town al 99999 now",
            "12 peter road",
            "no 12 peter road bridge town al 99999",
        ),
        ("12 Oak Street\nBoston\nMA 02101", "12 Oak Street", "12 Oak Street\nBoston\nMA 02101"),
        ("12 Oak Street and my phone is 5551234", "12 Oak Street", "12 Oak Street"),
        ("12 new street main road here", "12 new street", "12 new street main road"),
        (
            "12 Oak Street Suite 9\nFish Hoek\nGhana\nthen",
            "12 Oak Street",
            "12 Oak Street Suite 9\nFish Hoek\nGhana",
        ),
        ("12 Oak Street, please", "12 Oak Street", "12 Oak Street"),
        ("12 Oak Street since June 2015", "12 Oak Street", "12 Oak Street"),
        ("12 oak street in waco texas 76701 ok", "12 oak street", "12 oak street in waco texas 76701"),
        (
            "12 Oak Street, Leeds LS6 2QP, United Kingdom.",
            "12 Oak Street",
            "12 Oak Street, Leeds LS6 2QP, United Kingdom",
        ),
        ("in Rose House, Unit 4, 12 Oak Street now", "12 Oak Street", "Rose House, Unit 4, 12 Oak Street"),
        ("12 street me 04101", "12 street", "12 street me 04101"),
    ],
)
def test_the_tail_of_an_address(text: str, core: str, taken: str) -> None:
    assert _taken(with_tail, text, core) == taken


@pytest.mark.parametrize(
    ("text", "core", "taken"),
    [
        ("bor i Lilla Nygatan 12 nu", "Nygatan 12", "Lilla Nygatan 12"),
        ("in 99 Frankfurter Allee 12 da", "Allee 12", "99 Frankfurter Allee 12"),
        ("Hauptstraße 5a, 12345 Ulm", "Hauptstraße 5", "Hauptstraße 5a, 12345 Ulm"),
        ("asuu: Kaarikatu 3 A 4", "Kaarikatu 3", "Kaarikatu 3 A 4"),
        (
            "på Sdr. Ringvej 25, 3. th, 8000 Aarhus C her",
            "Ringvej 25",
            "Sdr. Ringvej 25, 3. th, 8000 Aarhus C",
        ),
        ("vid S:t Eriksgatan 40 nu", "Eriksgatan 40", "S:t Eriksgatan 40"),
    ],
)
def test_the_name_before_a_core(text: str, core: str, taken: str) -> None:
    assert _taken(with_name, text, core) == taken


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("på Ringvägen 14 i Västerås, personnummer 811228-9874", "Ringvägen 14"),
        ("på Ringvägen 14 i Västerås, telefon 1234567", "Ringvägen 14"),
        ("på Elmevej 7 i Odense, CPR-nummer 070761-4285", "Elmevej 7"),
        ("i Kirkegata 5 i Bergen, fødselsnummer 130972", "Kirkegata 5"),
        ("asuu: Kaarikatu 3, hetu 131052", "Kaarikatu 3"),
        ("Hauptstraße 5 in Ulm, Kundennummer 12345", "Hauptstraße 5"),
        ("at 12 Oak Street in Leeds, account number 123456", "12 Oak Street"),
        ("at 12 Oak Street, born May 1981", "12 Oak Street"),
    ],
)
def test_an_address_ends_before_the_next_field(text: str, core: str) -> None:
    assert _taken(with_name, text, core) == core


def test_a_name_that_is_needed() -> None:
    assert _taken(with_needed_name, "it is Kromwater 12, Apt. 5", "12, Apt. 5") == "Kromwater 12, Apt. 5"
    assert _taken(with_needed_name, "it is 12, Apt. 5", "12, Apt. 5") is None


def test_a_tail_that_is_needed() -> None:
    assert _taken(with_needed_tail, "lives at Sireli 12, Tartu", "Sireli 12") == "Sireli 12, Tartu"
    assert _taken(with_needed_tail, "lives at Sireli 12.", "Sireli 12") == "Sireli 12"
    assert _taken(with_needed_tail, "moved to Boston 12 times", "Boston 12") is None


@pytest.mark.parametrize(
    ("text", "core", "taken"),
    [
        ("Calle Mayor 3, 2º B, Madrid", "Calle Mayor 3", "Calle Mayor 3, 2º B, Madrid"),
        ("Calle Mayor 3, 2º B, Madrid es", "Calle Mayor 3", "Calle Mayor 3, 2º B"),
        (
            "Avda. del Puerto, 1-8º puerta 14 - 46021 Valencia",
            "Avda. del Puerto, 1-8",
            "Avda. del Puerto, 1-8º puerta 14 - 46021 Valencia",
        ),
        ("C/ Ancha, 7. Bajo A. Tel. 91", "C/ Ancha, 7", "C/ Ancha, 7. Bajo A"),
        ("Av. Sur 188 A-6 03570 Vila", "Av. Sur 188", "Av. Sur 188 A-6 03570 Vila"),
        ("Plaza Nueva 4. Ávila", "Plaza Nueva 4", "Plaza Nueva 4"),
        ("Calle Real 12, 3 personas", "Calle Real 12", "Calle Real 12"),
        ("Rua das Flores 45, 4050-265 Porto", "Rua das Flores 45", "Rua das Flores 45, 4050-265 Porto"),
    ],
)
def test_doors_and_code_after_a_spanish_number(text: str, core: str, taken: str) -> None:
    assert _taken(with_door, text, core) == taken


@pytest.mark.parametrize(
    ("text", "core", "taken"),
    [
        ("421 main street pune india", "421 main street", "421 main street pune india"),
        ("421 main street pune india 9488105949", "421 main street", "421 main street pune india"),
        ("421 main street please", "421 main street", "421 main street"),
        ("421 main street pune is far", "421 main street", "421 main street"),
        ("421 Main Street somewhere", "421 Main Street", "421 Main Street"),
    ],
)
def test_a_town_that_closes_a_text_without_capitals(text: str, core: str, taken: str) -> None:
    assert _taken(with_tail, text, core) == taken


def test_a_name_without_capitals_needs_its_number() -> None:
    assert _taken(with_needed_name, "19 guipúzcoa 1268\n apt. 013", "1268\n apt. 013") == (
        "19 guipúzcoa 1268\n apt. 013"
    )
    assert _taken(with_needed_name, "at Kromwater 12, Apt. 5\nFish Hoek\nthen", "12, Apt. 5") == (
        "Kromwater 12, Apt. 5\nFish Hoek"
    )
    assert _taken(with_needed_name, "see guipúzcoa 1268\n apt. 013", "1268\n apt. 013") is None
    assert _taken(with_needed_name, "19 people at 1268\n apt. 013", "1268\n apt. 013") is None
