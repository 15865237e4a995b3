import pytest

from tacenda.transforms.detecting.rules.addresses.answers import answered_address


@pytest.mark.parametrize(
    ("answer", "address"),
    [
        ("48 Larkhill, Swindon", "48 Larkhill, Swindon"),
        ("sure it's 12 the paddocks", "12 the paddocks"),
        ("yes 3318 w maple thanks", "3318 w maple"),
        ("7 Hollybank, I think", "7 Hollybank"),
        ("Flat 4, Rosewood House, Newbury", "Flat 4, Rosewood House, Newbury"),
        ("Solhem 12, Alingsås", "Solhem 12, Alingsås"),
        ("45 Park Lane. It costs $190", "45 Park Lane"),
        (
            "Résidence Les Lilas, bâtiment C, 13008 Marseille",
            "Résidence Les Lilas, bâtiment C, 13008 Marseille",
        ),
        ("4 adults", None),
        ("8 possible buses", None),
        ("we have 3 stores nearby", None),
        ("Search revealed 6 results", None),
        ("Overnight costs $306", None),
        ("it is 25 th", None),
        ("no idea", None),
        ("give me 5 minutes", None),
        ("on March 3", None),
        ("12", None),
    ],
)
def test_an_answer_is_an_address_or_none(answer: str, address: str | None) -> None:
    found = answered_address(answer)
    assert (found and answer[slice(*found)]) == address
