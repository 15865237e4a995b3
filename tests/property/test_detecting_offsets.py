"""On any text: offsets are correct, cells are independent, and nothing crashes."""

import itertools
from functools import lru_cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.dictionaries.compiling import compile_terms
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import CustomInfoType, InspectSettings, Regex
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.text.column import TextColumn

JUNK = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("0123456789-+.@:/()[]_ \n\x00\u0301\u200f😀１٣éßİx"),
        st.sampled_from(
            ["my name is ", "username ", "212-555-0143", "[URL_1]", "GB29", "a@b.com", "Mrs. "]
        ).flatmap(lambda s: st.just(s[0])),
    ),
    max_size=60,
)
PIECES = st.lists(
    st.one_of(
        JUNK,
        st.sampled_from(
            [
                "my name is Pam ",
                "username ",
                "enigma52",
                "212-555-0143",
                "[URL_1]",
                "a@b.com",
                "M-A-R-K",
                "١٢٣٤",
                "e\u0301",
            ]
        ),
    ),
    max_size=5,
).map("".join)


@lru_cache(maxsize=1)
def _everything() -> RulesDetector:
    # An own pattern whose match can be recognised in the text shows that offsets are those of the pattern.
    marker = CustomInfoType("MARKER", Likelihood.VERY_LIKELY, Regex(r"x\p{Nd}"))
    return RulesDetector(InspectSettings(tuple(catalogue()), custom=(marker,)), Likelihood.VERY_UNLIKELY)


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(st.lists(PIECES, min_size=1, max_size=4))
@example(["\x00 x1", "é😀x２", "\ud800 x3", "e\u0301 שלום x٤ ١٢٣٤"])
def test_offsets_hold_for_the_whole_catalogue(texts: list[str]) -> None:
    found = _everything().find(TextColumn(texts, [0, len(texts)]))
    assert len(found) == len(texts)
    for text, findings in zip(texts, found, strict=True):
        assert findings == sorted(findings)
        for f in findings:
            assert 0 <= f.start < f.end <= len(text)
            assert not any(f.start < t.end() and t.start() < f.end for t in TOKEN.finditer(text))
        markers = [text[f.start : f.end] for f in findings if f.info_type == "MARKER"]
        assert all(m[0] == "x" and m[1].isdecimal() for m in markers)
        assert len(markers) == sum(a == "x" and b.isdecimal() for a, b in itertools.pairwise(text))


@settings(deadline=None, max_examples=60)
@given(st.lists(PIECES, min_size=1, max_size=4))
def test_conversations_do_not_touch_each_other(texts: list[str]) -> None:
    detector = _everything()
    together = detector.find(TextColumn(texts))
    assert together == [detector.find(TextColumn([text]))[0] for text in texts]


def _ranges(terms: list[str], text: str) -> list[tuple[int, ...]]:
    places = FoldedCells(TextColumn([text])).find(compile_terms([terms], Folding.LOOSE))
    return list(zip(*(place.tolist() for place in places[1:]), strict=True))


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(st.lists(st.text(max_size=8), max_size=4), st.text(max_size=40))
@example(["ß", "İ"], "ẞ İ ß")
def test_a_dictionary_finds_its_own_terms(terms: list[str], text: str) -> None:
    assert all(0 <= start < end <= len(text) for start, end in _ranges(terms, text))
    for term in terms:
        if any(c.isalnum() for c in term):
            padded = f"- {term} -"
            assert any(start >= 2 and end <= len(padded) - 2 for start, end in _ranges([term], padded))
