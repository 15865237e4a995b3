"""The grammar of templates."""

from collections import Counter

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.templates import Choice, Pool, Slot, fill, parse


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


def test_signs_of_a_choice_outside_of_one_are_literal():
    assert parse("a | b > c", anything) == (Piece("a | b > c"),)
    assert texts("if <‹|a>›") == {"if <>", "if a>"}


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
