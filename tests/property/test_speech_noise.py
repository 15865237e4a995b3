"""Under any noise, gold spans of an utterance stay on their text."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece, assemble
from tacenda.transforms.generating.sample import verbalize as slips

WORDS = st.text(st.sampled_from("abc for to I will Mark, .?!;-'é"), max_size=30)
DATA = st.builds(
    Piece, st.text(min_size=1, max_size=12), st.sampled_from(["PERSON_NAME", "DATE"]), st.just("x")
)
UTTERANCE = st.lists(st.one_of(st.builds(Piece, WORDS), DATA), min_size=1, max_size=8)
NOISES = [
    lambda said, draw: slips.without_punctuation(said),
    lambda said, draw: slips.capitalized(said),
    slips.hesitating,
    slips.stuttering,
    slips.misheard,
    slips.broken_off,
]


@given(UTTERANCE, st.lists(st.sampled_from(NOISES), max_size=5), st.integers(0, 2**32))
def test_spans_keep_their_text_under_noise(said, noises, seed):
    draw = Draw("noise", seed)
    data = [(piece.text.strip(), piece.label) for piece in said if piece.label and piece.text.strip()]
    for noise in noises:
        said = noise(said, draw)
    text, spans = assemble(said)
    assert [(text[span.start : span.end], span.label) for span in spans] == data
    assert all(a.end <= b.start for a, b in pairwise(spans))
