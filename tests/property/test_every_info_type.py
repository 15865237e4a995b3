"""Junk for every infoType: corrupted examples, hostile letters and digits; no crash, correct ranges."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.rules.catalogue import catalogue, ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

EXAMPLES = [text for info_type in catalogue().values() for text, _ in info_type.find]
# Letters that fold to ASCII, digits of other scripts, marks, controls, half a surrogate pair.
HOSTILE = "Kſİß٣९１\u0301\u200b\ud800\x00 \n-–./()[]_+09azAZ"


@cache
def _all() -> RulesDetector:
    return RulesDetector(InspectSettings(tuple(catalogue())), Likelihood.VERY_UNLIKELY)


@cache
def _one(name: str) -> RulesDetector:
    return RulesDetector(InspectSettings((name,)), Likelihood.VERY_UNLIKELY)


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """An example of some infoType with characters removed, inserted or changed."""
    text = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, max(len(text) - 1, 0)))
        width = draw(st.integers(0, 3))
        text = text[:place] + draw(st.text(HOSTILE, max_size=2)) + text[place + width :]
    return text


@pytest.mark.slow
@settings(deadline=None, max_examples=120)
@given(st.lists(spoiled(), min_size=1, max_size=30))
@example([text.replace("s", "ſ").replace("k", "K") for text in EXAMPLES])
@example([text.translate({ord(str(d)): chr(0xFF10 + d) for d in range(10)}) for text in EXAMPLES])
@example(["", " ", "0" * 500, "-" * 500, "A1" * 300, "1 " * 300])
def test_findings_in_altered_examples_have_valid_ranges(texts: list[str]) -> None:
    found = _all().find(TextColumn(texts))
    for text, findings in zip(texts, found, strict=True):
        for finding in findings:
            assert 0 <= finding.start < finding.end <= len(text)
        disjoint = merge_overlapping(findings, ranks())
        assert all(a.end <= b.start for a, b in pairwise(disjoint))


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(sorted(catalogue())), st.lists(spoiled(), min_size=1, max_size=5))
def test_an_info_type_finds_the_same_alone_and_among_all(name: str, texts: list[str]) -> None:
    alone = _one(name).find(TextColumn(texts))
    among = _all().find(TextColumn(texts))
    assert alone == [[f for f in findings if f.info_type == name] for findings in among]
