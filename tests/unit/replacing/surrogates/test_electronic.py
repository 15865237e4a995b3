import ipaddress
import re

import pytest

from tacenda.transforms.gazetteers.word_list import NAMES, ORGANIZATIONS, PLACES, WORDS, rows
from tacenda.transforms.replacing.surrogates.electronic import network_address
from tacenda.transforms.replacing.surrogates.organizations import (
    InventedOrganizations,
    invented_stems,
)
from tacenda.transforms.text.characters import slug
from tests.marked_conversations import context, values


@pytest.mark.parametrize(
    ("local", "form"),
    [
        ("ann.lee", "{first}.{last}"),
        ("annlee", "{first}{last}"),
        ("alee", "{f}{last}"),
        ("a.lee", "{f}.{last}"),
        ("lee.ann", "{last}.{first}"),
        ("ann_lee", "{first}_{last}"),
        ("leea", "{last}{f}"),
    ],
)
def test_an_address_is_made_of_the_surrogate(local: str, form: str) -> None:
    name, address = values(f"<PERSON_NAME:Ann Lee>, <EMAIL_ADDRESS:{local}@gmail.com>")
    first, last = map(slug, name.split())
    expected = form.format(first=first, last=last, f=first[0])
    assert address.partition("@")[0] == expected


def test_numbers_in_an_address_are_others() -> None:
    name, address = values("<PERSON_NAME:Ann Lee>, <EMAIL_ADDRESS:ann.lee78@gmail.com>")
    first, last = map(slug, name.split())
    match = re.fullmatch(rf"{first}\.{last}(\d\d)@example\.(?:com|org|net)", address)
    assert match
    assert match[1] != "78"


def test_an_address_that_is_said_stays_said() -> None:
    name, address = values("<PERSON_NAME:ann lee>", "<EMAIL_ADDRESS:ann dot lee at gmail dot com>")
    first, last = map(slug, name.split())
    assert re.fullmatch(rf"{first} dot {last} at example dot (?:org|net)", address)


def test_a_user_name_follows_its_name() -> None:
    # NorDeid printed "Signe Rybakk / <User_Name>/Sry001": the name was replaced, the letters of it stayed.
    name, user = values("<PERSON_NAME:Signe Rybakk> / <USER_NAME:/Sry001>")
    first, last = map(slug, name.split())
    match = re.fullmatch(r"/([A-Z][a-z]{2})(\d{3})", user)
    assert match
    assert match[1].lower() == first[0] + last[:2]
    assert match[2] != "001"


def test_a_user_name_without_a_person_keeps_its_form() -> None:
    # The other one that NorDeid prints.
    assert re.fullmatch(r"/[A-Z][a-z]{2}\d{4}[a-z]{3}", values("<USER_NAME:/Cra2377aaa>")[0])
    assert "cra" not in values("<USER_NAME:/Cra2377aaa>")[0].lower()


def test_a_name_that_only_the_address_has_is_replaced_as_one() -> None:
    address = values("<EMAIL_ADDRESS:wolfgang.schulz@firma.de>")[0]
    local, _, host = address.partition("@")
    assert re.fullmatch(r"[a-z]+\.[a-z]+", local)
    assert "wolfgang" not in local
    assert "schulz" not in local
    assert host.endswith(".example.com")


def test_a_host_follows_the_organisation() -> None:
    firm, address, page = values(
        "<ORGANIZATION_NAME:Dunder Mifflin>, <EMAIL_ADDRESS:info@dundermifflin.com>",
        "<URL:https://www.dundermifflin.com/about>",
    )
    assert address.endswith(f"@{slug(firm)}.example.com")
    assert page == f"https://www.{slug(firm)}.example.com/about"


def test_paths_keep_what_is_common() -> None:
    page = values("<URL:http://acme.com/users/annlee85/orders?id=4711>")[0]
    assert re.fullmatch(r"http://[a-z]+\.example\.com/users/[a-z]+\d\d/orders\?id=\d{4}", page)
    assert "annlee" not in page
    assert "4711" not in page


def test_a_spelled_address_stays_spelled() -> None:
    name, address = values(
        "<PERSON_NAME:Sam Khoury>", "<EMAIL_ADDRESS:s dot k-h-o-u-r-y-6-4 at gmail dot com>"
    )
    first, last = map(slug, name.split())
    spelled = "-".join(last)
    assert re.fullmatch(rf"{first[0]} dot {spelled}-\d-\d at example dot (?:org|net)", address)


_DOCUMENTATION = [
    ipaddress.ip_network(block)
    for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
]


@pytest.mark.parametrize("text", ["10.1.2.3", "2a00:1450:4001::5", "8.8.8.8/16"])
def test_addresses_are_of_ranges_for_documentation(text: str) -> None:
    value = network_address(context(), text)
    assert value is not None
    address, _, prefix = value.partition("/")
    assert any(
        ipaddress.ip_address(address) in block
        for block in _DOCUMENTATION
        if block.version == ipaddress.ip_address(address).version
    )
    assert prefix == text.partition("/")[2]


def test_a_hardware_address_keeps_separators_and_case() -> None:
    value = network_address(context(), "3C-22-FB-0A-1B-2C")
    assert value is not None
    assert value.startswith("00-00-5E-00-53-")
    assert value == value.upper()


def test_a_point_stays_within_a_degree_or_two() -> None:
    value = network_address(context(), "59.3293, -118.0686")
    assert value is not None
    north, east = (float(part) for part in value.split(", "))
    assert abs(north - 59.3) < 2
    assert abs(east + 118.1) < 2


def test_invalid_values_have_no_surrogate() -> None:
    assert network_address(context(), "my router") is None


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Redwood Bank", " Bank"),
        ("Larkspur Family Dental", " Family Dental"),
        ("Volvo AB", " AB"),
        ("Müller GmbH", " GmbH"),
        ("Tromsø sykehus", " sykehus"),
        ("Ekeby vårdcentral", " vårdcentral"),
        ("Robert & Associates", " & Associates"),
    ],
)
def test_the_kind_of_an_organisation_stays(text: str, kept: str) -> None:
    value = InventedOrganizations(context()).value(text)
    assert value is not None
    assert value.endswith(kept)
    assert value.removesuffix(kept) in invented_stems()


def test_the_language_of_a_care_unit_is_its_own() -> None:
    # NorDeid wrote the Swedish "en vårdenhet" into Norwegian text, the same for every unit.
    organizations = InventedOrganizations(context())
    first, second = organizations.value("Åsgård sykehus"), organizations.value("Narvik sykehus")
    assert first is not None
    assert second is not None
    assert first != second
    assert first.endswith(" sykehus")


def test_capitals_are_those_of_the_original() -> None:
    organizations = InventedOrganizations(context())
    assert str(organizations.value("IKEA")).isupper()
    assert str(organizations.value("larkspur accounting")).islower()


def test_one_organisation_keeps_its_stem() -> None:
    organizations = InventedOrganizations(context())
    short, long = organizations.value("Oasis"), organizations.value("Oasis Limited")
    assert f"{short} Limited" == long


def test_invented_stems_are_not_listed_names() -> None:
    known = {row[0] for name in (ORGANIZATIONS, NAMES, PLACES, WORDS) for row in rows(name)}
    assert not [stem for stem in invented_stems() if stem.lower() in known]


def test_exhausted_stems_have_none() -> None:
    organizations = InventedOrganizations(context())
    values = [organizations.value(f"Acme{n}") for n in range(len(invented_stems()) + 1)]
    assert values[-1] is None
    assert len(set(values)) == len(values)


def test_the_genitive_of_an_organisation_has_the_same_stem() -> None:
    said = "Volvos chef ringde igår om bilen som vi har köpt. Volvo svarade inte."
    mentions = {"ORGANIZATION_NAME": ["Volvos", "Volvo"]}
    for n in range(8):
        organizations = InventedOrganizations(context(said, mentions=mentions, conversation_id=str(n)))
        whose, who = organizations.value("Volvos"), organizations.value("Volvo")
        assert whose is not None
        assert who is not None
        assert whose == (who if who[-1] in "sxz" else f"{who}s")
    alone = InventedOrganizations(context(said, mentions={"ORGANIZATION_NAME": ["Volvos"]}))
    assert alone.value("Volvos") is not None
