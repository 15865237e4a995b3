"""Spoken runs: offsets are correct on any text, and digits spoken in any style are recovered."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.spoken.recognition import spoken_runs, spoken_runs_of_column
from tacenda.transforms.detecting.spoken.view import written_out
from tacenda.transforms.text.column import TextColumn
from tests.growth import grows_linearly

ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

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
LANGUAGES = st.sampled_from([("en",), ("sv",), ("en", "es", "fi", "no", "sv")])
DIGITS = st.text("0123456789", min_size=4, max_size=16)


@given(TEXT, LANGUAGES)
@settings(deadline=None, max_examples=300)
def test_runs_are_disjoint_and_in_order_and_within_the_text(text, languages):
    runs = spoken_runs(text, languages)
    assert all(0 <= run.start < run.end <= len(text) for run in runs)
    assert all(a.end <= b.start for a, b in pairwise(runs))
    for run in runs:
        said = text[run.start : run.end]
        assert said == said.strip()
        assert run.value
        assert run.words >= 0


@given(TEXT)
@settings(deadline=None)
def test_outside_the_runs_a_view_is_the_text(text):
    runs = spoken_runs(text)
    view = written_out(text, runs)
    for place, character in enumerate(view.text):
        start, end = view.original(place, place + 1)
        inside = any(run.start == start and run.end == end for run in runs)
        assert inside or text[start:end] == character
    assert len(view.text) == len(text) + sum(len(run.value) - (run.end - run.start) for run in runs)


@given(st.lists(TEXT, max_size=8), LANGUAGES)
@settings(deadline=None)
def test_a_column_gives_the_same_as_single_texts(texts, languages):
    apart = [spoken_runs(text, languages) for text in texts]
    assert spoken_runs_of_column(TextColumn(texts), languages) == apart


def one_by_one(draw, digits):
    # "oh oh oh" is an exclamation: a zero is said "oh" only among other figures.
    names = ["oh", "zero"] if len(digits) - digits.count("0") >= 3 else ["zero"]
    zero = draw(st.sampled_from(names))
    return [zero if d == "0" else ONES[int(d)] for d in digits], digits


def in_pairs(_draw, digits):
    digits = digits[: len(digits) // 2 * 2]
    words = []
    for tens, ones in zip(digits[::2], digits[1::2], strict=True):
        if tens == "0":
            words += ["zero", ONES[int(ones)]]
        elif tens == "1":
            words.append(TEENS[int(ones)])
        else:
            words += [TENS[int(tens)], *([ONES[int(ones)]] if ones != "0" else [])]
    return words, digits


def doubled(draw, digits):
    # Letters alone are no number: a zero is said "o" only beside other figures.
    zero = draw(st.sampled_from(["zero", "o"] if digits.strip("0") else ["zero"]))
    words, i = [], 0
    while i < len(digits):
        run = 1
        while run < 3 and digits[i : i + run + 1] == digits[i] * (run + 1):
            run += 1
        repeat = [["", "double", "triple"][run - 1]] * (run > 1)
        words += [*repeat, zero if repeat and digits[i] == "0" else ONES[int(digits[i])]]
        i += run
    return words, digits


def mixed(draw, digits):
    cut = draw(st.integers(1, len(digits) - 1))
    return [*(ONES[int(d)] for d in digits[:cut]), digits[cut:]], digits


@st.composite
def spoken_digits(draw):
    digits = draw(DIGITS)
    style = draw(st.sampled_from([one_by_one, in_pairs, doubled, mixed]))
    words, value = style(draw, digits)
    return " ".join(words), value


@pytest.mark.slow
@given(spoken_digits(), st.sampled_from(["", "so it's ", "Ünïcode: "]), st.sampled_from(["", ", right", "."]))
@settings(deadline=None, max_examples=400)
def test_spoken_digits_are_recognised_in_any_style(spoken, before, after):
    said, value = spoken
    runs = [run for run in spoken_runs(before + said + after) if run.kind in ("digits", "year")]
    assert [(run.value, run.start, run.end) for run in runs] == [
        (value, len(before), len(before) + len(said))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "four one five ",
        "m-a-r-k ",
        "a dot b ",
        "jo at x dot com ",
        "for to for ",
        "1 2 3, ",
        "one hundred and ",
    ],
)
def test_the_time_grows_with_the_length_of_the_text(piece):
    assert grows_linearly(lambda repeats: spoken_runs(piece * repeats), 1000)
