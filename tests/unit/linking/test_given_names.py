import pytest

from tacenda.transforms.linking.given_names import gender_of


@pytest.mark.parametrize("name", ["maria", "liz", "signe"])
def test_names_of_women(name: str) -> None:
    assert gender_of(name) == "f"


@pytest.mark.parametrize("name", ["john", "bob", "mohammed"])
def test_names_of_men(name: str) -> None:
    assert gender_of(name) == "m"


@pytest.mark.parametrize(
    "name",
    [
        "robin",
        "andrea",  # a man in Italy
        "alex",  # Alexander or Alexandra
        "sam",  # Samuel or Samantha
        "xqzzy",
        "m",
        "",
    ],
)
def test_names_of_anybody(name: str) -> None:
    assert gender_of(name) == ""
