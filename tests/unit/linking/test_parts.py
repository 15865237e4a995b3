import pytest

from tacenda.transforms.linking.parts import wholes_of

FIRM, STREET, NUMBER = "ORGANIZATION_NAME", "STREET_ADDRESS", "PHONE_NUMBER"


def _wholes(info_type: str, *texts: str) -> dict[str, str]:
    found = wholes_of({text: (info_type, text) for text in texts})
    return {part: str(whole) for part, (whole, _) in found.items()}


@pytest.mark.parametrize(
    ("info_type", "part", "whole"),
    [
        (FIRM, "Dunder Mifflin", "Dunder Mifflin Paper Company"),
        (FIRM, "Novotel", "Novotel Lisboa"),
        (FIRM, "DMPG", "Dunder Mifflin Paper Group Inc."),
        (FIRM, "D-M-P-G", "Dunder Mifflin Paper Group"),
        (FIRM, "WHO", "World Health Organisation"),
        (STREET, "Maple Street", "12 Maple Street, Utica"),
        (STREET, "12 Maple St.", "12 Maple Street, Utica"),
        (STREET, "Calle Mayor", "Calle Mayor 5, Soria"),
        (NUMBER, "0199", "415 555 0199"),
        (NUMBER, "555-0199", "415 555 0199"),
    ],
)
def test_a_part_has_a_whole(info_type: str, part: str, whole: str) -> None:
    assert _wholes(info_type, part, whole) == {part: whole}
    assert _wholes(info_type, whole, part) == {part: whole}


@pytest.mark.parametrize(
    ("info_type", "texts"),
    [
        (FIRM, ("First", "First Bank")),
        (FIRM, ("Union Bank East", "Union Bank West", "Union Bank")),
        (FIRM, ("Bank of Oslo", "Oslo")),
        (STREET, ("12 Maple Street", "14 Maple Street", "Maple Street")),
        (STREET, ("Maple Street, Utica", "12 Maple Street, Leeds")),
        (STREET, ("Maple", "12 Maple Street")),
        (NUMBER, ("199", "415 555 0199")),
        (NUMBER, ("0199", "415 555 0199", "212 444 0199")),
    ],
)
def test_no_part_of_several_or_of_another_kind(info_type: str, texts: tuple[str, ...]) -> None:
    assert _wholes(info_type, *texts) == {}


def test_numbers_of_other_info_types_are_no_parts() -> None:
    assert wholes_of({1: ("PHONE_NUMBER", "415 555 0199"), 2: ("PASSWORD", "0199")}) == {}
