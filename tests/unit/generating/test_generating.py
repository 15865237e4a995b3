"""Data files are found by name, read once, and split at commas."""

import re
from collections import Counter

import pytest
from stdnum import iban, imei, luhn
from stdnum.ca import sin
from stdnum.gb import vat
from stdnum.us import rtn, ssn

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.data_folder import DataFolder
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece, Span, assemble
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.spoken_words import (
    alphabet,
    number,
    ordinal,
    year,
)
from tacenda.transforms.generating.templates import Choice, Pool, Slot, fill, parse

FOLDER = DataFolder("tacenda.transforms.generating.training")


def test_files_of_all_folders_below_one():
    found = FOLDER.files("templates")
    assert "templates/en/forms.yaml" in found
    assert list(found) == sorted(found)
    assert FOLDER.files("templates/en") == tuple(name for name in found if name.startswith("templates/en/"))


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


def test_assemble():
    said = [Piece("My name is "), Piece("Mark", "PERSON_NAME", "p1"), Piece(", in room two.")]
    assert assemble(said) == ("My name is Mark, in room two.", [Span(11, 15, "PERSON_NAME", "p1")])


def test_outer_white_space_is_outside_of_spans():
    said = [Piece("  say "), Piece(" Ann ", "PERSON_NAME"), Piece(" now ")]
    assert assemble(said) == ("say Ann now", [Span(4, 7, "PERSON_NAME", "")])


def test_numbers_years_and_ordinals():
    assert number(0) == "zero"
    assert number(40) == "forty"
    assert number(1017) == "one thousand seventeen"
    assert year(1905) == "nineteen oh five"
    assert year(2000) == "two thousand"
    assert ordinal(22) == "twenty second"
    assert ordinal(30) == "thirtieth"
    assert len({ordinal(day) for day in range(1, 32)}) == 31


@pytest.mark.parametrize("kind", ["nato", "phone", "mixed"])
def test_alphabets_go_from_a_to_z(kind):
    assert "".join(word[0].lower() for word in alphabet(kind)) == "abcdefghijklmnopqrstuvwxyz"


class Scene:
    """Says its slots' names, and counts what it was asked for."""

    def __init__(self, seed=1):
        self.draw = Draw("test", seed)
        self.asked = Counter()

    def value(self, slot):
        self.asked[slot] += 1
        return (Piece(slot.name, "NAME"),)

    def sentence(self, pool):
        self.asked[pool] += 1
        return parse("so <say|said> {owner.name}", anything)


def anything(gap):
    return True


def texts(template, seeds=40):
    return {"".join(piece.text for piece in fill(parse(template, anything), Scene(s))) for s in range(seeds)}


def test_every_kind_of_part():
    template = parse("<Hi|Hello> {C.first:spelled}, {a lawyer=PROFESSION} on {date1}. {+ok}", anything)
    assert template == (
        Choice(((Piece("Hi"),), (Piece("Hello"),))),
        Piece(" "),
        Slot("C", "first", "spelled"),
        Piece(", "),
        Piece("a lawyer", "PROFESSION"),
        Piece(" on "),
        Slot("", "date1", ""),
        Piece(". "),
        Pool("ok"),
    )


def test_choices_may_stand_inside_one_another():
    assert texts("<a|b <c|>>!") == {"a!", "b c!", "b !"}


def test_a_pool_gives_a_sentence_that_is_filled_in_as_well():
    scene = Scene()
    said = "".join(piece.text for piece in fill(parse("{+ok}. {b.first}", anything), scene))
    assert said in ("so say name. first", "so said name. first")
    assert scene.asked == {"ok": 1, Slot("owner", "name", ""): 1, Slot("b", "first", ""): 1}


@pytest.mark.parametrize(
    ("text", "what"),
    [("say <a|b", "choice"), ("say {a", "gap"), ("say a}", "gap"), ("{a b}", "gap"), ("{}", "gap")],
)
def test_unclosed_and_unknown_gaps_are_errors(text, what):
    with pytest.raises(ValueError, match=what):
        parse(text, anything)


def test_a_gap_that_is_not_known_is_an_error():
    with pytest.raises(ValueError, match="unknown gap: 'b'"):
        parse("{a} {b}", lambda gap: gap.name == "a")
