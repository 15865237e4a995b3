import pytest

from tacenda.models.cloud_dlp.config import cloud_info_types
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.token import MAX_NAME, TOKEN, makes_tokens, may_have_tokens, token


@pytest.mark.parametrize(
    "name", ["BADGE", "BADGE-ID", "A__B", "MY$X", "A_1", "A-", "A_", "C3_PO", "X" * MAX_NAME]
)
def test_tokens_lead_back_to_their_name_and_number(name: str) -> None:
    assert makes_tokens(name)
    match = TOKEN.fullmatch(token(name, 12))
    assert match is not None
    assert match.groups() == (name, "12")


@pytest.mark.parametrize(
    "name",
    ["", "employee_id", "Badge", "_A", "-A", "1A", "A B", "A\n", "É", "MISSED_A", "X" * (MAX_NAME + 1)],
)
def test_names_without_tokens_of_their_own(name: str) -> None:
    assert not makes_tokens(name)


@pytest.mark.parametrize(
    "text", ["[john_smith_1985]", "[Order_12]", "[555-1234_1]", "[A_0]", "[A_01]", "[A1]"]
)
def test_what_people_write_in_brackets_is_no_token(text: str) -> None:
    assert TOKEN.search(text) is None


def test_every_built_in_infotype_makes_tokens() -> None:
    assert [name for name in {*catalogue(), *cloud_info_types()} if not makes_tokens(name)] == []


def test_escaped_brackets_may_be_in_small_letters() -> None:
    text = "https://example.com/?to=%5bPERSON_NAME_1%5d"
    assert may_have_tokens(text)
    assert [match.groups() for match in TOKEN.finditer(text)] == [("PERSON_NAME", "1")]
