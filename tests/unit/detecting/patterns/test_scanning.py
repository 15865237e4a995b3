import pytest
import re2

from tacenda.transforms.detecting.patterns.scanning import compiled, is_positional, scan
from tacenda.transforms.text.utf8 import Utf8Column


def _scan(texts: list[str], pattern: str, groups: tuple[int, ...] = (0,)) -> list[tuple[int, ...]]:
    buffer = Utf8Column(texts, [0, len(texts)]).everything
    located = buffer.locate(*scan(buffer, pattern, groups))
    return list(zip(*(place.tolist() for place in located), strict=True))


@pytest.mark.parametrize("pattern", [r"[^x]+", r".+", r"(?s).+", r"\D+", r"\W+|\w+", r"[^\pL]*[\s\S]+"])
def test_matches_stay_within_their_cell(pattern: str) -> None:
    assert _scan(["ab", "cd"], pattern) == [(0, 0, 2), (1, 0, 2)]


def test_edges_of_a_text_are_those_of_each_cell() -> None:
    assert _scan(["ab", "b a"], r"^\w") == [(0, 0, 1), (1, 0, 1)]
    assert _scan(["ab", "b a"], r"\w$") == [(0, 1, 2), (1, 2, 3)]
    assert _scan(["é ab", "x\nab"], r"(?m)^ab") == [(1, 2, 4)]


def test_groups_are_findings_of_their_own() -> None:
    assert _scan(["k=v"], r"(\w)=(\w)", (1, 2)) == [(0, 0, 1), (0, 2, 3)]


def test_empty_matches_and_absent_groups_are_ignored() -> None:
    assert _scan(["aab"], r"(x)?a*", (1,)) == []
    assert _scan(["bbb"], r"a*") == []


@pytest.mark.parametrize("pattern", ["^a", "a$", r"\Aa", r"a\z", "(^|b)a", r"[a\]]$", r"\Q[\E^a[b]"])
def test_positional(pattern: str) -> None:
    assert is_positional(pattern)


@pytest.mark.parametrize("pattern", ["[^a]", r"\$5", "[$^]", r"\^", r"[]^]", "[[:alpha:]$]", r"\ba\B"])
def test_not_positional(pattern: str) -> None:
    assert not is_positional(pattern)


def test_a_quotation_may_stay_open_and_hold_signs_of_classes() -> None:
    texts = ["id+ " * 1000, "id", "x]"]
    assert len(_scan(texts, r"\Qid+")) == 1000
    assert _scan(texts, r"\Q[\E|^x[]]") == [(2, 0, 2)]


def test_lookaround_is_rejected() -> None:
    with pytest.raises(re2.error):
        compiled("a(?=b)")


@pytest.mark.parametrize("pattern", [r"\b\pL+\b", r"x|x*", r"(a)|\d\pL?", r"[^ ]"])
def test_matches_are_the_same_in_large_texts(pattern: str) -> None:
    texts = ["é1 x\x01 aa7z xx ", "", "日本 3b", "axxa"] * 2000
    column = Utf8Column(texts, [0, len(texts)])
    starts, ends = scan(column.everything, pattern)
    spans = [m.span() for m in compiled(pattern).finditer(column.data) if m.start() < m.end()]
    assert len(spans) > 4096
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == spans
