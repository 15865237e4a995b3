"""The automaton is only a filter: findings are the same with it, without it and in a naive engine."""

from functools import lru_cache

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.patterns.prefilter import filtering
from tacenda.transforms.detecting.patterns.scanning import compiled, scan
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import Utf8Column

pytest.importorskip("hyperscan")

EXAMPLES = sorted(
    {text for info_type in catalogue().values() for text, _ in info_type.find}
    | {text for info_type in catalogue().values() for text in info_type.ignore}
)
JUNK = "0123456789-+.@:/()[]_ \n\u017f\u212aéß１٣😀"
PIECES = st.one_of(
    st.sampled_from(EXAMPLES),
    st.sampled_from(EXAMPLES).flatmap(lambda text: st.integers(0, len(text)).map(lambda n: text[:n])),
    st.text(
        st.one_of(st.characters(), st.sampled_from("0123456789-+.@:/()[]_ \n\u017f\u212aéß１٣😀")),
        max_size=20,
    ),
)
CELLS = st.lists(st.lists(PIECES, max_size=4).map(" ".join), min_size=1, max_size=6)


SOME = tuple(sorted(catalogue())[::12])
"""InfoTypes whose automata take a second to build; those of all take half a minute."""


@lru_cache(maxsize=4)
def _detector(likelihood: Likelihood | None, names: tuple[str, ...] = tuple(catalogue())) -> RulesDetector:
    return RulesDetector(InspectSettings(names), likelihood)


@pytest.mark.slow
@pytest.mark.parametrize("likelihood", [None, Likelihood.VERY_UNLIKELY])
def test_the_automaton_changes_no_finding(
    likelihood: Likelihood | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    @settings(deadline=None, max_examples=60)
    @given(CELLS)
    def check(texts: list[str]) -> None:
        found = []
        for worth in (0, None):
            monkeypatch.setattr(filtering, "WORTH_BYTES", worth)
            found.append(_detector(likelihood).find(TextColumn(texts, [0, len(texts)])))
        assert found[0] == found[1]

    check()


@pytest.mark.parametrize("likelihood", [None, Likelihood.VERY_UNLIKELY])
@pytest.mark.parametrize("names", [SOME, pytest.param(tuple(catalogue()), marks=pytest.mark.slow)], ids=len)
def test_examples_are_found_with_and_without_the_automaton(
    names: tuple[str, ...], likelihood: Likelihood | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for worth in (0, None):
        monkeypatch.setattr(filtering, "WORTH_BYTES", worth)
        found.append(_detector(likelihood, names).find(TextColumn(EXAMPLES)))
    assert found[0] == found[1]
    assert sum(map(len, found[0])) > len(names)


PATTERNS = sorted({p.regex for t in catalogue().values() for p in t.patterns})


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


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(CELLS)
def test_no_cell_with_a_match_is_filtered_out(texts: list[str]) -> None:
    column = Utf8Column(texts, [0, len(texts)])
    patterns = _all_patterns()
    filtered = patterns.of(column)
    for pattern in PATTERNS:
        cells = filtered.cells(pattern)
        if cells is not None:
            matched = [i for i, text in enumerate(column.texts) if re2.search(pattern, text)]
            assert set(matched) <= set(cells.tolist()), pattern


@lru_cache(maxsize=1)
def _all_patterns() -> filtering.Filter:
    patterns = filtering.Filter(dict.fromkeys(PATTERNS, 0))
    patterns._seen_bytes = 1 << 62
    return patterns
