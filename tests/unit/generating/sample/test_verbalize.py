import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece, Span, assemble
from tacenda.transforms.generating.sample import verbalize
from tacenda.transforms.generating.sample import verbalize as slips


@pytest.mark.parametrize("seed", range(50))
def test_digits_read_back(seed):
    value = Draw("value", seed).digits(10)
    back = {word: str(n) for n, word in enumerate(verbalize.DIGITS)} | {"oh": "0"}
    read = ""
    times = 1
    for word in verbalize.digits(Draw(seed), value).split():
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
            continue
        read += back[word] * times
        times = 1
    assert read == value


@pytest.mark.parametrize("seed", range(50))
def test_spelling_keeps_the_letters(seed):
    said = verbalize.spelled(Draw(seed), "O'Neil-7")
    letters = "".join(part for part in said.replace("-", " ").replace(".", " ").split() if len(part) == 1)
    assert letters == "ONEIL7"


def test_mishearing_needs_slips():
    heard = {verbalize.digits(Draw(seed), "2486", 1.0) for seed in range(60)}
    assert heard == {"to for ate sicks", "too for ate sicks"}


def test_addresses_and_codes():
    assert (
        verbalize.url("https://www.fable.example.com/help")
        == "w w w dot fable dot example dot com slash help"
    )
    spoken = {verbalize.email(Draw(seed), "jo.li@example.com") for seed in range(40)}
    assert spoken == {"jo dot li at example dot com", "J-O dot L-I at example dot com"}
    codes = {verbalize.code(Draw(seed), "B231-C4") for seed in range(60)}
    assert "B two three one C four" in codes
    assert "B. 231 C. four" in codes


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
