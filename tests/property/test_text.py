"""Spoken runs: offsets are correct on any text, and digits spoken in any style are recovered."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.spoken import spoken
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import voice as slips
from tacenda.transforms.generating.spoken_words import number
from tacenda.transforms.generating.templates import Piece, assemble
from tacenda.transforms.text import readable as unbroken
from tacenda.transforms.text.column import TextColumn
from tests import hostile

ONES, TEENS = list(map(number, range(10))), list(map(number, range(10, 20)))
TENS = list(map(number, range(20, 100, 10)))

PIECES = [
    *ONES, *TEENS, *TENS, "hundred", "thousand", "and", "double", "triple", "for", "to", "ate",
    "oh", "o", "a", "I", "m",
    "dot", "at", "com", "slash", "underscore", "gmail", "gmailcom", "w", "as in", "Mary", "bravo", "tango",
    "the", "third",
    "of", "march", "may", "dollars", "p m", "um", "5", "42", "555", "2023", "å", "två", "trettiofem",
    "femtio", "nollåtta", "y", "cinco", "treintaitrés",
    "kaksikymmentä", "-", ".", ",", "@", "/", "\n", "?", "'", "😀", "\ud800", "e\u0301", "١٢",
]  # fmt: skip

TEXT = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=25).flatmap(
        lambda words: st.sampled_from([" ", "", "-"]).map(lambda gap: gap.join(words))
    ),
    st.text(max_size=80),
)

# "Oh oh oh" is an exclamation: a zero is said "oh" only among other figures.
DIGITS = st.text("0123456789", min_size=6, max_size=16).filter(lambda said: len(said.replace("0", "")) >= 3)


def runs_of(text):
    return [(start, end) for _, start, end, _ in spoken(TextColumn([text]))]


@given(TEXT)
@settings(deadline=None, max_examples=300)
def test_runs_are_disjoint_and_in_order_and_within_the_text(text):
    runs = runs_of(text)
    assert all(0 <= start < end <= len(text) for start, end in runs)
    assert all(a[1] <= b[0] for a, b in pairwise(runs))
    assert all(text[start:end] == text[start:end].strip() for start, end in runs)


@given(st.lists(TEXT, max_size=8))
@settings(deadline=None)
def test_a_column_gives_the_same_as_single_texts(texts):
    together = spoken(TextColumn(texts))
    apart = [(cell, *run[1:]) for cell, text in enumerate(texts) for run in spoken(TextColumn([text]))]
    assert together == apart


@st.composite
def spoken_digits(draw):
    """Digits as they are said: one by one, also doubled; in pairs; the last ones in figures."""
    digits, style = draw(DIGITS), draw(st.sampled_from(["one by one", "in pairs", "mixed"]))
    if style == "one by one":
        return slips.digits(Draw("said", draw(st.integers(0, 1 << 32))), digits), digits
    if style == "mixed":
        cut = draw(st.integers(1, len(digits) - 1))
        return " ".join([*(ONES[int(d)] for d in digits[:cut]), digits[cut:]]), digits
    pairs = [digits[i : i + 2] for i in range(0, len(digits) - 1, 2)]
    said = [number(int(pair)) if pair[0] != "0" else f"zero {ONES[int(pair[1])]}" for pair in pairs]
    return " ".join(said), "".join(pairs)


@pytest.mark.slow
@given(spoken_digits(), st.sampled_from(["", "so it's ", "Ünïcode: "]), st.sampled_from(["", ", right", "."]))
@settings(deadline=None, max_examples=400)
def test_spoken_digits_are_recognised_in_any_style(drawn, before, after):
    said, _ = drawn
    found = [run for run in runs_of(before + said + after) if run[0] < len(before + said)]
    assert found == [(len(before), len(before) + len(said))]


@settings(max_examples=500)
@given(st.text(alphabet="a1BZé-@.(> \t\r\n\u00ad\u200b\u00a0", max_size=30))
def test_breaks_are_where_the_whole_pattern_finds_them(text):
    everywhere = [broken.span() for broken in unbroken._WITHIN.finditer(text)]
    assert [broken.span() for broken in unbroken._breaks(text)] == everywhere


WORDS = st.text(st.sampled_from("abc for to I will Mark, .?!;-'é"), max_size=30)

DATA = st.builds(
    Piece, st.text(min_size=1, max_size=12), st.sampled_from(["PERSON_NAME", "DATE"]), st.just("x")
)

UTTERANCE = st.lists(st.one_of(st.builds(Piece, WORDS), DATA), min_size=1, max_size=8)


@given(UTTERANCE, st.integers(0, 4), st.integers(0, 2**32))
def test_spans_keep_their_text_under_noise(said, times, seed):
    data = [(piece.text.strip(), piece.label) for piece in said if piece.label and piece.text.strip()]
    for number_of_voice in range(times):
        voice = slips.Voice(Draw("noise", seed, number_of_voice))
        voice.manner = voice.manner._replace(hesitates=0.7, slips=0.5)
        said = voice.utter(said)
    text, spans, _ = assemble(said)
    assert [(text[span["start"] : span["end"]], span["label"]) for span in spans] == data
    assert all(a["end"] <= b["start"] for a, b in pairwise(spans))


BOUND = 1.5
LENGTH = 1 << 17

CASES = [
    *((name, text) for name in ("rules", "gazetteer", "spoken") for text in hostile.TEXTS),
    ("NUMERIC", "one digit"),
    ("PHONE_NUMBER", "near matches"),
    ("PERSON_NAME", "nested"),
    ("STREET_ADDRESS", "streets"),
    ("USER_NAME", "nested"),
]


@cache
def _detector(name):
    detector = hostile.whole_detectors()[name]() if name.islower() else hostile.info_type_detector(name)
    detector.find(TextColumn(["warm up"]))
    return detector


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text"), CASES)
def test_time_is_linear_in_length(name, text):
    for _ in range(6):
        if hostile.slope(_detector(name), hostile.TEXTS[text], LENGTH) < BOUND:
            return
    pytest.fail(f"{name} takes more than linear time on {text}")
