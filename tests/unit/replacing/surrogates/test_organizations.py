import pytest

from tacenda.transforms.gazetteers.word_list import NAMES, ORGANIZATIONS, PLACES, WORDS, rows
from tacenda.transforms.replacing.surrogates.organizations import (
    InventedOrganizations,
    invented_stems,
)
from tests.marked_conversations import context


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
