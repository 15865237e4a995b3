import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.auditing.gold import gold_residuals, outside_gold, same_as_gold
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.residual import Residual
from tests.growth import grows_linearly

TEXT = "I am Rachel Green, 42."


def _residuals(span: tuple[int, int], *found: tuple[int, int]) -> list[Residual]:
    findings = [Finding(s, e, "PERSON_NAME", Likelihood.LIKELY, "test") for s, e in found]
    left = gold_residuals([TEXT], [[AnnotatedSpan(*span, "PERSON_NAME")]], [findings])
    assert all(residual.place == (0, *span) for residual in left)
    return [residual._replace(place=None) for residual in left]


def test_a_span_without_findings_is_missed() -> None:
    assert _residuals((5, 17)) == [Residual("PERSON_NAME", "Rachel Green", partial=False)]


@pytest.mark.parametrize("found", [[(5, 17)], [(0, 22)], [(5, 11), (12, 17)], [(5, 11), (11, 12), (12, 17)]])
def test_a_span_whose_letters_are_all_covered_leaves_nothing(found: list[tuple[int, int]]) -> None:
    assert _residuals((5, 17), *found) == []


def test_punctuation_at_the_edge_of_a_span_does_not_count() -> None:
    assert _residuals((5, 18), (5, 17)) == []


@pytest.mark.parametrize("found", [[(5, 11)], [(12, 17)], [(6, 17)], [(0, 6)]])
def test_a_span_of_which_a_part_is_readable_is_partial(found: list[tuple[int, int]]) -> None:
    assert _residuals((5, 17), *found) == [Residual("PERSON_NAME", "Rachel Green", partial=True)]


def test_a_finding_beside_the_span_changes_nothing() -> None:
    assert _residuals((5, 17), (19, 21), (0, 4)) == [Residual("PERSON_NAME", "Rachel Green")]


def test_the_annotators_entity_is_kept() -> None:
    span = AnnotatedSpan(5, 11, "PERSON_NAME", "e1")
    (residual,) = gold_residuals([TEXT], [[span]], [[]])
    assert (residual.value, residual.entity) == ("Rachel", "e1")


@pytest.mark.parametrize("findings", [[], [Finding(40, 44, "AGE", Likelihood.LIKELY, "test")]])
def test_a_company_named_by_the_calling_speaker_is_theirs(findings: list[Finding]) -> None:
    text = "This is Pam from Dunder Mifflin, not from Staples."
    spans = [AnnotatedSpan(17, 31, "ORGANIZATION_NAME"), AnnotatedSpan(42, 49, "ORGANIZATION_NAME")]
    of_speakers = {"ORGANIZATION_NAME"}
    assert [r.speaker for r in gold_residuals([text], [spans], [findings], of_speakers)] == [True, False]
    assert not any(r.speaker for r in gold_residuals([text], [spans], [findings]))


@pytest.mark.parametrize("readable", [False, True])
def test_time_grows_with_spans_and_findings_and_not_with_their_product(readable: bool) -> None:
    def look(count: int) -> None:
        text = "Ana Berg, " * count
        spans = [AnnotatedSpan(0, len(text), "PERSON_NAME")] * count
        last = 10 * count - 10 * readable
        found = [Finding(i, i + 8, "PERSON_NAME", Likelihood.LIKELY, "test") for i in range(0, last, 10)]
        assert bool(gold_residuals([text], [spans], [found])) is readable

    assert grows_linearly(look, 200)


@given(
    st.text("aB ._", min_size=12, max_size=12),
    st.tuples(st.integers(0, 12), st.integers(0, 12)),
    st.lists(st.integers(0, 12), max_size=6, unique=True),
)
def test_what_is_readable_is_counted_character_by_character(
    text: str, span: tuple[int, int], edges: list[int]
) -> None:
    start, end = sorted(span)
    edges = sorted(edges)
    ranges = list(zip(edges[::2], edges[1::2], strict=False))
    findings = [Finding(a, b, "X", Likelihood.LIKELY, "test") for a, b in ranges]
    covered = {i for a, b in ranges for i in range(a, b)}
    whole = [i for i in range(start, end) if text[i].isalnum()]
    left = [i for i in whole if i not in covered]
    place = 0, start, end
    expected = [Residual("X", text[start:end], len(left) < len(whole), place=place)] if left else []
    assert gold_residuals([text], [[AnnotatedSpan(start, end, "X")]], [findings]) == expected


@pytest.mark.parametrize(
    ("spans", "outside"),
    [
        ([], 3),
        ([(0, 5)], 2),
        ([(4, 5)], 2),
        ([(5, 8)], 3),
        ([(0, 100)], 0),
        ([(0, 9), (3, 12)], 1),
        ([(9, 9 + 1), (9, 9 + 1)], 2),
    ],
)
def test_findings_that_touch_no_span_are_outside(spans: list[tuple[int, int]], outside: int) -> None:
    found = [Finding(s, e, "URL", Likelihood.LIKELY, "test") for s, e in ((0, 5), (8, 10), (20, 30))]
    assert outside_gold(found, [AnnotatedSpan(*span, "PERSON_NAME") for span in spans]) == outside


def test_findings_that_are_gold_are_counted_whatever_their_label() -> None:
    found = [Finding(s, e, "PERSON_NAME", Likelihood.LIKELY, "test") for s, e in ((0, 3), (5, 9), (10, 12))]
    spans = [AnnotatedSpan(0, 3, "AGE"), AnnotatedSpan(0, 3, "DATE"), AnnotatedSpan(5, 8, "AGE")]
    assert same_as_gold(found, spans) == 1
