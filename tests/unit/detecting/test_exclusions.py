import pytest

from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.exclusions import excluded
from tacenda.transforms.detecting.hotwords import HotwordIndex
from tacenda.transforms.detecting.settings import Exclusion, Matching, WordDictionary
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.utf8 import Utf8Column

TEXT = "Mark Green met Mark Green Ltd"
CANDIDATES = candidates([(0, s, e, Likelihood.LIKELY) for s, e in [(0, 4), (0, 10), (15, 29)]])


def _excluded(rule: Exclusion, others: list[tuple[int, int]] | None = None) -> list[bool]:
    column = Utf8Column([TEXT], [0, 1])
    found = candidates([(0, s, e, Likelihood.LIKELY) for s, e in others or []])
    return excluded(column, HotwordIndex(column), CANDIDATES, rule, lambda name: found).tolist()


@pytest.mark.parametrize(
    ("matching", "gone"),
    [
        (Matching.FULL, [True, True, False]),
        (Matching.PARTIAL, [True, True, True]),
        (Matching.INVERSE, [False, False, False]),
    ],
)
def test_terms_together_cover_the_whole_finding(matching: Matching, gone: list[bool]) -> None:
    assert _excluded(Exclusion(matching, dictionary=WordDictionary(("mark", "GREEN")))) == gone


def test_regex() -> None:
    assert _excluded(Exclusion(Matching.FULL, regex="Mark|Mark Green")) == [True, True, False]
    assert _excluded(Exclusion(Matching.PARTIAL, regex="Ltd")) == [False, False, True]
    assert _excluded(Exclusion(Matching.INVERSE, regex="Ltd")) == [True, True, False]


def test_other_findings() -> None:
    others = [(0, 4), (12, 17)]
    assert _excluded(Exclusion(Matching.FULL, info_types=("X",)), others) == [True, False, False]
    assert _excluded(Exclusion(Matching.PARTIAL, info_types=("X",)), others) == [True, True, True]
    assert _excluded(Exclusion(Matching.INVERSE, info_types=("X",)), [(0, 4)]) == [False, False, True]
