import pytest

from tacenda.transforms.linking.inflected import Inflections
from tacenda.transforms.linking.wholes import Part, Value, parts


def _parts(info_type: str, *texts: str, propagated: str = "") -> list[tuple[str, str]]:
    values = {text: Value(info_type, text, text == propagated) for text in texts}
    return [(str(part.part), str(part.whole)) for part in parts(values)]


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("Dunder Mifflin", "Dunder Mifflin Paper Company"),
        ("Dunder", "Dunder Mifflin"),
        ("Mifflin Paper", "Dunder Mifflin Paper"),
        ("DMPC", "Dunder Mifflin Paper Company"),
        ("D-M-P-C", "Dunder Mifflin Paper Company"),
        ("d m p", "Dunder Mifflin Paper Company"),
        ("BZB", "Bank of Zürich and Basel"),
    ],
)
def test_an_organisation_is_linked_to_its_parts_and_initials(part: str, whole: str) -> None:
    assert _parts("ORGANIZATION_NAME", part, whole) == [(part, whole)]


@pytest.mark.parametrize(
    "several",
    [
        ("Dunder Mifflin", "Dunder Mifflin Paper", "Dunder Mifflin Bank"),
        ("First", "First Bank"),
        ("Credit Union", "Vance Credit Union", "Acme Credit Union"),
        ("Harbor Light LLC", "Harbor Light Consulting"),
        ("Big Store", "Vance Big Store"),
        ("DM", "Dunder Mifflin"),
        ("KBM", "Kelly Bank Mora", "Korea Bone Mill"),
        ("Acme", "Vance"),
    ],
)
def test_ambiguous_parts_are_not_linked(several: tuple[str, ...]) -> None:
    assert _parts("ORGANIZATION_NAME", *several) == []


def test_a_part_of_a_part_leads_to_the_whole() -> None:
    assert _parts("ORGANIZATION_NAME", "Dunder", "Dunder Mifflin", "Dunder Mifflin Paper") == [
        ("Dunder", "Dunder Mifflin"),
        ("Dunder Mifflin", "Dunder Mifflin Paper"),
    ]


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("Maple Street", "12 Maple Street, Springfield"),
        ("12 Maple St.", "12 Maple Street, Springfield"),
        ("eight three double nine chestnut boulevard", "8399 Chestnut Boulevard, Utica"),
        ("Calle Mayor", "Calle Mayor 5"),
    ],
)
def test_an_address_is_linked_without_number_or_place(part: str, whole: str) -> None:
    ((one, other),) = _parts("STREET_ADDRESS", part, whole)
    assert {one, other} == {part, whole}


def test_a_street_shared_by_two_addresses_is_linked_to_neither() -> None:
    assert _parts("STREET_ADDRESS", "Maple Street", "12 Maple Street", "14 Maple Street") == []
    assert _parts("STREET_ADDRESS", "12 Maple Street", "14 Maple Street, Springfield") == []


def test_one_street_in_two_towns_is_two_addresses() -> None:
    in_two = "12 Maple Street, Springfield, OR 97477", "12 Maple Street, Shelbyville"
    assert _parts("STREET_ADDRESS", *in_two) == []
    assert _parts("STREET_ADDRESS", "12 Maple Street", *in_two) == []
    assert _parts("STREET_ADDRESS", "Maple Street, Shelbyville", *in_two) == [
        ("Maple Street, Shelbyville", in_two[1])
    ]
    for rest in ("apt 4", "the"):
        assert len(_parts("STREET_ADDRESS", f"12 Maple Street, {rest}", "12 Maple Street, Springfield")) == 1


@pytest.mark.parametrize(
    ("spoken", "part", "whole"),
    [
        ("minä olen ja se on", "Helsingissä", "Helsinki"),
        ("minä olen ja se on", "Turun", "Turku"),
        ("jag har det och", "Göteborgs", "Göteborg"),
        ("ich bin und das ist", "Neu Berlins", "Neu Berlin"),
        ("jag har det och", "Volvos", "Volvo"),
    ],
)
def test_a_form_of_a_name_is_that_name(spoken: str, part: str, whole: str) -> None:
    info_type = "ORGANIZATION_NAME" if whole == "Volvo" else "LOCATION"
    values = {text: Value(info_type, text) for text in (part, whole)}
    assert list(parts(values, Inflections([spoken]))) == [Part(part, whole, "inflected")]
    assert list(parts(values, Inflections(["qué"]))) == []
    assert list(parts({**values, "x": Value("AGE", "Turku")}, Inflections([spoken]))) == list(
        parts(values, Inflections([spoken]))
    )


@pytest.mark.parametrize("piece", ["90210", "90210 55512", "55512", "5551", "3344"])
def test_groups_of_a_number_found_as_something_else(piece: str) -> None:
    number = Value("FINANCIAL_ACCOUNT_NUMBER", "90210 55512 3344")
    for info_type in ("ZIP_CODE", "US_SOCIAL_SECURITY_NUMBER"):
        found = list(parts({"number": number, "piece": Value(info_type, piece)}))
        assert [(part.part, part.whole) for part in found] == (
            [] if piece == "5551" else [("piece", "number")]
        )


@pytest.mark.parametrize(
    ("info_type", "piece"),
    [
        ("ZIP_CODE", "90211"),
        ("ZIP_CODE", "902"),
        ("US_SOCIAL_SECURITY_NUMBER", "2334"),
        ("ZIP_CODE", "10555"),  # of two groups, none of them whole
        ("US_SOCIAL_SECURITY_NUMBER", "210555123344"),  # another number, nearly as long
        ("DATE_OF_BIRTH", "90210"),
        ("AGE", "3344"),
    ],
)
def test_other_digits_are_no_piece(info_type: str, piece: str) -> None:
    number = Value("FINANCIAL_ACCOUNT_NUMBER", "90210 55512 3344")
    assert not list(parts({"number": number, "piece": Value(info_type, piece)}))
    year = Value("US_SOCIAL_SECURITY_NUMBER", "2024")
    assert not list(parts({"number": Value("FINANCIAL_ACCOUNT_NUMBER", "415 550 2024"), "year": year}))


def test_a_group_of_two_numbers_is_of_neither() -> None:
    numbers = {text: Value("GENERIC_ID", text) for text in ("90210 1234", "5678 90210")}
    assert not list(parts({**numbers, "piece": Value("ZIP_CODE", "90210")}))


def test_a_number_is_linked_to_its_last_digits_and_pieces() -> None:
    whole = "415-555-0199"
    assert _parts("PHONE_NUMBER", whole, "0199") == [("0199", whole)]
    assert _parts("PHONE_NUMBER", whole, "555 01") == []
    assert _parts("PHONE_NUMBER", whole, "555 01", propagated="555 01") == [("555 01", whole)]
    assert dict(_parts("PHONE_NUMBER", whole, "555 0199", "0199")) == {"555 0199": whole, "0199": whole}
    assert _parts("PHONE_NUMBER", whole, "212-777-0199", "0199") == []
    assert _parts("PHONE_NUMBER", whole, "199") == []
