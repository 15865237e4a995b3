import pytest

from tacenda.transforms.linking.names import parse_name
from tacenda.transforms.linking.propagation.accounts import account_names, local_part
from tests.growth import grows_linearly


def test_user_names_of_a_name() -> None:
    accounts = account_names(parse_name("Ann Marie Lee"))
    assert {"annmarielee", "annlee", "leeann", "alee", "annl"} <= set(accounts)
    assert all(len(account) >= 4 for account in accounts)


def test_a_user_name_equal_to_the_name_does_not_count() -> None:
    assert "lann" not in account_names(parse_name("Lann L"))


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("ann.lee@example.org", "ann.lee"),
        ("ann lee at example dot org", "ann lee"),
        ("ann arroba ejemplo punto es", "ann"),
        ("ann snabel-a exempel punkt se", "ann"),
        ("attila", "attila"),
        ("", ""),
    ],
)
def test_the_part_before_the_at(address: str, local: str) -> None:
    assert local_part(address) == local


def test_time_grows_with_the_address() -> None:
    assert grows_linearly(lambda size: local_part(" " * size), 20_000)
