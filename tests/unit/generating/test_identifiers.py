"""Identifiers pass existing verifiers, and stay within the reserved ranges."""

import re

import pytest
from stdnum import iban, imei, luhn
from stdnum.ca import sin
from stdnum.gb import vat
from stdnum.us import rtn, ssn

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.identifiers import vin


@pytest.fixture(params=range(40))
def draw(request):
    return Draw("identifiers", request.param)


def test_verifiers_agree(draw):
    assert luhn.is_valid(identifiers.credit_card(draw).replace(" ", ""))
    assert sin.is_valid(identifiers.social_insurance(draw))
    assert ssn.is_valid(identifiers.social_security(draw))
    assert iban.is_valid(identifiers.iban(draw))
    assert rtn.is_valid(identifiers.routing_number(draw))
    assert imei.is_valid(identifiers.imei(draw))
    assert luhn.is_valid(identifiers.iccid(draw))
    assert vat.is_valid(identifiers.vat_number(draw))


def test_vehicle_check_digit(draw):
    number = identifiers.vehicle_identification(draw)
    assert re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", number)
    assert number[9] in "UZ0"
    assert number[8] == vin.check_digit(number)


def test_reserved_ranges(draw):
    assert re.fullmatch(r"415-555-01\d\d", identifiers.north_american_phone(draw, "415"))
    assert identifiers.ip_address(draw).startswith(("192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:"))
    assert identifiers.mac_address(draw).startswith("00:00:5E:00:53:")
    area = int(identifiers.social_security(draw)[:3])
    assert 734 <= area <= 749 or 773 <= area <= 899


@pytest.mark.parametrize("form", sorted(inventory.DATA.document("codes.yaml")))
def test_numbers_of_a_firm_fill_their_pattern(form):
    draw = Draw("codes", form)
    codes = [identifiers.patterned(draw, inventory.DATA.document("codes.yaml")[form]) for _ in range(100)]
    assert all(re.fullmatch(r"[A-Z0-9 -]+", code) for code in codes)
    assert len(set(codes)) > 90


def test_each_field_of_a_pattern_is_filled_by_its_kind():
    codes = [identifiers.patterned(Draw(seed), ["a{d2}-{l3}/{x4}"]) for seed in range(50)]
    assert all(re.fullmatch(r"a\d\d-[A-Z]{3}/[A-Z2-9]{4}", code) for code in codes)
    assert any(re.search(r"\d", code[8:]) for code in codes)
