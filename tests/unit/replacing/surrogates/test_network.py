import ipaddress

import pytest

from tacenda.transforms.replacing.surrogates.electronic import network_address
from tests.marked_conversations import context

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
