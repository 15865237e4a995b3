"""What both generators share: numbers that belong to nobody, spoken words, templates and pieces."""

import re
from collections import Counter

import pytest
from stdnum import iban, imei, luhn
from stdnum.ca import sin
from stdnum.gb import vat
from stdnum.us import rtn, ssn

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.spoken_words import alphabet, number, ordinal, year
from tacenda.transforms.generating.templates import (
    Choice,
    Piece,
    Pool,
    Slot,
    assemble,
    fill,
    parse,
    patterned,
)
from tests.cases import tabled


@pytest.mark.parametrize(
    ("make", "holds"),
    [
        (identifiers.credit_card, lambda said: luhn.is_valid(said.replace(" ", ""))),
        (identifiers.social_insurance, sin.is_valid),
        (identifiers.social_security, ssn.is_valid),
        (identifiers.social_security, lambda said: int(said[:3]) in {*range(734, 750), *range(773, 900)}),
        (identifiers.iban, iban.is_valid),
        (identifiers.routing_number, rtn.is_valid),
        (identifiers.imei, imei.is_valid),
        (identifiers.iccid, luhn.is_valid),
        (identifiers.vat_number, vat.is_valid),
        (lambda draw: identifiers.north_american_phone(draw, "415"), re.compile(r"415-555-01\d\d$").match),
        (identifiers.ip_address, re.compile(r"192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|2001:db8:").match),
        (identifiers.mac_address, re.compile("00:00:5E:00:53:").match),
    ],
)
def test_numbers_verify_and_are_of_reserved_ranges(make, holds):
    assert all(holds(make(Draw("identifiers", seed))) for seed in range(40))


@pytest.mark.parametrize("form", sorted(inventory.DATA.document("codes.yaml")))
def test_patterns_fill_every_gap(form):
    draw = Draw("codes", form)
    patterns = inventory.DATA.document("codes.yaml")[form]
    codes = [patterned(draw, draw.pick(patterns), lambda gap: gap) for _ in range(100)]
    assert all(re.fullmatch(r"[\w .-]+", code) for code in codes)
    assert "names" in form or len(set(codes)) > 90


@pytest.mark.parametrize(
    ("said", "text", "spans"),
    [
        (
            [Piece("My name is "), Piece("Mark", "PERSON_NAME", "p1"), Piece(", in room two.")],
            "My name is Mark, in room two.",
            [(11, 15)],
        ),
        ([Piece("  say "), Piece(" Ann ", "PERSON_NAME", "p1"), Piece(" now ")], "say Ann now", [(4, 7)]),
    ],
)
def test_white_space_is_outside_of_spans(said, text, spans):
    found = [{"start": start, "end": end, "label": "PERSON_NAME"} for start, end in spans]
    assert assemble(said) == (text, found, ["p1"])


def test_numbers_years_and_ordinals():
    assert [number(0), number(40), number(1017)] == ["zero", "forty", "one thousand seventeen"]
    assert [year(1905), year(2000)] == ["nineteen oh five", "two thousand"]
    assert [ordinal(22), ordinal(30)] == ["twenty second", "thirtieth"]
    assert len({ordinal(day) for day in range(1, 32)}) == 31


@pytest.mark.parametrize("kind", ["nato", "phone", "mixed"])
def test_alphabets_go_from_a_to_z(kind):
    assert "".join(word[0].lower() for word in alphabet(kind)) == "abcdefghijklmnopqrstuvwxyz"


class Scene:
    """Says its slots' names, and counts what it was asked for."""

    def __init__(self, seed=1):
        self.draw = Draw("test", seed)
        self.asked = Counter()

    def value(self, gap):
        self.asked[gap] += 1
        return [Piece(gap.name, "NAME")]


def anything(gap):
    return True


def test_every_kind_of_part():
    template = parse("<Hi|Hello> {C.first:spelled}, {a lawyer=PROFESSION} ‹b› {date1}. {+ok}", anything)
    assert template == (
        Choice(((Piece("Hi"),), (Piece("Hello"),))),
        Piece(" "),
        Slot("C", "first", "spelled"),
        Piece(", "),
        Piece("a lawyer", "PROFESSION"),
        Piece(" <b> "),
        Slot("", "date1", ""),
        Piece(". "),
        Pool("ok"),
    )


def test_choices_may_stand_inside_one_another():
    said = (fill(parse("<a|b <c|>>!", anything), Scene(seed)) for seed in range(40))
    assert {"".join(piece.text for piece in pieces) for pieces in said} == {"a!", "b c!", "b !"}


def test_slots_and_pools_are_asked_for():
    scene = Scene()
    said = "".join(piece.text for piece in fill(parse("{+ok}. {b.first}", anything), scene))
    assert said == "ok. first"
    assert scene.asked == {Pool("ok"): 1, Slot("b", "first", ""): 1}


@tabled("text", "what")
def test_unclosed_and_unknown_gaps_are_errors(text, what):
    with pytest.raises(ValueError, match=what):
        parse(text, lambda gap: gap.name == "a")
