import pytest

from transforms.auditing.gold import gold_residuals
from transforms.schema.conversation import AnnotatedSpan
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood
from transforms.schema.residual import Residual

TEXT = "I am Rachel Green, 42."


def _residuals(span: tuple[int, int], *found: tuple[int, int]) -> list[Residual]:
    findings = [Finding(s, e, "PERSON_NAME", Likelihood.LIKELY, "test") for s, e in found]
    return gold_residuals([TEXT], [[AnnotatedSpan(*span, "PERSON_NAME")]], [findings])


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
    assert gold_residuals([TEXT], [[span]], [[]]) == [Residual("PERSON_NAME", "Rachel", entity="e1")]
