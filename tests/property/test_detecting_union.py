"""Merging overlaps loses nothing and leaves no overlaps, for any order of findings."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

RANK = {"A": 90, "B": 50, "NUMERIC": 1}
FINDINGS = st.lists(
    st.builds(
        lambda start, length, name, likelihood, detector: Finding(
            start, start + length, name, likelihood, detector
        ),
        st.integers(0, 30),
        st.integers(0, 10),
        st.sampled_from(["A", "B", "NUMERIC", "OTHER"]),
        st.sampled_from(list(Likelihood)),
        st.sampled_from(["rules", "model"]),
    ),
    max_size=12,
)


def _covered(findings: list[Finding]) -> set[int]:
    return {i for f in findings for i in range(f.start, f.end)}


@given(FINDINGS)
def test_the_same_characters_are_covered(findings: list[Finding]) -> None:
    assert _covered(merge_overlapping(findings, RANK)) == _covered(findings)


@given(FINDINGS)
def test_findings_are_disjoint_and_sorted(findings: list[Finding]) -> None:
    resolved = merge_overlapping(findings, RANK)
    assert all(a.end <= b.start for a, b in itertools.pairwise(resolved))


@given(FINDINGS, st.randoms())
def test_order_does_not_matter(findings: list[Finding], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = list(findings)
    random.shuffle(shuffled)
    assert merge_overlapping(shuffled, RANK) == merge_overlapping(findings, RANK)


@given(FINDINGS)
def test_a_merged_finding_has_the_info_type_of_the_best_rank(findings: list[Finding]) -> None:
    for whole in merge_overlapping(findings, RANK):
        parts = [f for f in findings if whole.start <= f.start < f.end <= whole.end]
        assert RANK.get(whole.info_type, 50) == max(RANK.get(f.info_type, 50) for f in parts)
