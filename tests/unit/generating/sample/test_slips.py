"""Slips change what stands between data, and never the data."""

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece, Span, assemble
from tacenda.transforms.generating.sample import verbalize as slips

SAID = [Piece("My name is "), Piece("Mark", "PERSON_NAME", "p1"), Piece(", in room two.")]


def test_a_full_stop_is_not_doubled():
    said = slips.without_doubled_stops([Piece("3 p.m.", "TIME", "t"), Piece(". Bye.")])
    assert assemble(said) == (
        "3 p.m. Bye.",
        [Span(0, 6, "TIME", "t")],
    )


def test_without_punctuation():
    assert assemble(slips.without_punctuation(SAID))[0] == "my name is Mark in room two"


def test_hesitating_lowers_the_next_word():
    text, spans = assemble(slips.hesitating(SAID, Draw(1)))
    assert text.endswith("my name is Mark, in room two.")
    assert text[spans[0].start : spans[0].end] == "Mark"


def test_stuttering_repeats_a_short_word():
    texts = {assemble(slips.stuttering(SAID, Draw(seed)))[0] for seed in range(20)}
    assert texts == {"My name is Mark, in in room two."}


def test_mishearing_does_not_change_data():
    said = [Piece("will ", ""), Piece("Will", "PERSON_NAME", "p1"), Piece(" know")]
    texts = {assemble(slips.misheard(said, Draw(seed)))[0] for seed in range(20)}
    assert texts == {"Will Will know", "will Will no"}


def test_sentences_can_be_broken_off():
    text, spans = assemble(slips.broken_off([Piece("Thanks "), Piece("Mark", "PERSON_NAME", "p1")], Draw(1)))
    assert text.startswith("T")
    assert "- Thanks " in text
    assert text[spans[0].start : spans[0].end] == "Mark"
