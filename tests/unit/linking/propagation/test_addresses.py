import pytest

from tacenda.transforms.linking.propagation.addresses import street
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("12 Elm Street, Springfield", "Elm Street"),
        ("12B Elm Street", "Elm Street"),
        ("Calle Mayor nº 5, 2º izq.", "Calle Mayor"),
        ("Storgatan 5", "Storgatan"),
        ("Mannerheimintie 12 A", "Mannerheimintie"),
        ("Elm Street", ""),
        ("12", ""),
        ("", ""),
        ("123 45th Street", "45th Street"),
    ],
)
def test_the_street_of_an_address(address: str, name: str) -> None:
    assert street(address) == name


def test_time_grows_with_the_address() -> None:
    assert grows_linearly(lambda size: street("1" * size), 20_000)
    assert grows_linearly(lambda size: street("1 " * size), 20_000)
