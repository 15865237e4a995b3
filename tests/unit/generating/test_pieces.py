"""Assembling keeps spans on their text."""

from tacenda.transforms.generating.pieces import Piece, Span, assemble


def test_assemble():
    said = [Piece("My name is "), Piece("Mark", "PERSON_NAME", "p1"), Piece(", in room two.")]
    assert assemble(said) == ("My name is Mark, in room two.", [Span(11, 15, "PERSON_NAME", "p1")])


def test_outer_white_space_is_outside_of_spans():
    said = [Piece("  say "), Piece(" Ann ", "PERSON_NAME"), Piece(" now ")]
    assert assemble(said) == ("say Ann now", [Span(4, 7, "PERSON_NAME", "")])


def test_an_empty_value_has_no_span():
    assert assemble([Piece("so "), Piece(" ", "DATE"), Piece("", "DATE"), Piece("be it")]) == ("so be it", [])
