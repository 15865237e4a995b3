import re

import pytest

from tacenda.transforms.text.characters import slug
from tests.marked_conversations import values


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
