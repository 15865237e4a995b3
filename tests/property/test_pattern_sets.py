"""Sets of patterns match where each pattern does, and without them the findings are the same."""

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.patterns import filtering
from tacenda.transforms.detecting.patterns.scanning import compiled, scan
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import Utf8Column

EXAMPLES = sorted(
    {text for info_type in catalogue().values() for text, _ in info_type.find}
    | {text for info_type in catalogue().values() for text in info_type.ignore}
)
JUNK = "0123456789-+.@:/()[]_ \n\u017f\u212aéß１٣😀"
SCRIPTS = "aZñåøΑωЖяאבبعहिखअก日本語한국Ⅷ"
"""Letters of Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai, Han and Hangul."""
PIECES = st.one_of(
    st.sampled_from(EXAMPLES),
    st.sampled_from(EXAMPLES).flatmap(lambda text: st.integers(0, len(text)).map(lambda n: text[:n])),
    st.text(st.one_of(st.characters(), st.sampled_from(JUNK)), max_size=20),
    st.text(st.sampled_from(SCRIPTS + JUNK), max_size=40),
)
CELLS = st.lists(st.lists(PIECES, max_size=4).map(" ".join), min_size=1, max_size=6)
PATTERNS = sorted(
    {p.regex for t in catalogue().values() for p in t.patterns}
    | {h.regex for t in catalogue().values() for h in t.hotwords}
)
SOME = PATTERNS[::12]


@lru_cache(maxsize=4)
def _detector(likelihood: Likelihood | None) -> RulesDetector:
    return RulesDetector(InspectSettings(tuple(catalogue())), likelihood)


@lru_cache(maxsize=2)
def _filter(patterns: tuple[str, ...]) -> filtering.Filter:
    """Sets of these patterns, used from the first text on."""
    made = filtering.Filter(dict.fromkeys(patterns, 0))
    made._seen_bytes = 1 << 62
    return made


def _compare(patterns: list[str], texts: list[str]) -> None:
    column = Utf8Column(texts, [0, len(texts)])
    matching = _filter(tuple(patterns)).of(column)
    assert {*matching} == {*patterns}
    for pattern in patterns:
        matched = [i for i, text in enumerate(column.encoded) if compiled(pattern).search(text)]
        assert matching[pattern].tolist() == matched, pattern


def test_every_pattern_of_the_catalogue_has_a_set_with_room_for_it() -> None:
    assert {*_filter(tuple(PATTERNS)).of(Utf8Column(["x"], [0, 1]))} == {*PATTERNS}


@settings(deadline=None, max_examples=60)
@given(CELLS)
def test_a_set_matches_where_its_patterns_do(texts: list[str]) -> None:
    _compare(SOME, texts)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(CELLS)
def test_sets_of_all_patterns_match_where_these_do(texts: list[str]) -> None:
    _compare(PATTERNS, texts)


@pytest.mark.parametrize("likelihood", [None, Likelihood.VERY_UNLIKELY])
def test_examples_are_found_with_and_without_sets(
    likelihood: Likelihood | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for little in (0, 1 << 40):
        monkeypatch.setattr(filtering, "LITTLE_BYTES", little)
        found.append(_detector(likelihood).find(TextColumn(EXAMPLES)))
    assert found[0] == found[1]
    assert sum(map(len, found[0])) > len(catalogue())


@settings(deadline=None, max_examples=60)
@given(CELLS, st.sampled_from(PATTERNS))
def test_a_column_is_searched_as_its_cells_one_by_one(texts: list[str], pattern: str) -> None:
    column = Utf8Column(texts, [0, len(texts)])
    naive = [
        (cell, match.start(), match.end())
        for cell, text in enumerate(column.texts)
        for match in compiled(pattern).finditer(text)
        if match.start() < match.end()
    ]
    located = column.everything.locate(*scan(column.everything, pattern))
    assert list(zip(*(place.tolist() for place in located), strict=True)) == naive
