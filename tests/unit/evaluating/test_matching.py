import pytest

from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.evaluating.gold_reading import Coverage
from tacenda.transforms.evaluating.matching import match_cell
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

COMPLETE = Coverage(complete=True, classes=frozenset())
TEXT = "Call Ann Smith, 12 Elm St."
#       0123456789012345678901234


def found(start, end, info_type="PERSON_NAME"):
    return Finding(start, end, info_type, Likelihood.LIKELY, "rules")


def match(spans, findings, text=TEXT, coverage=COMPLETE):
    return match_cell(text, [AnnotatedSpan(*span) for span in spans], findings, gold_labels(), coverage)


@pytest.mark.parametrize(
    ("finding", "covered", "flags"),
    [
        (found(5, 14), 8, "overlapped typed exact strict"),
        (found(5, 14, "LOCATION"), 8, "overlapped exact"),
        (found(5, 14, "FIRST_NAME"), 8, "overlapped typed exact strict"),
        (found(0, 16), 8, "overlapped typed"),
        (found(5, 8), 3, "overlapped typed"),
        (found(8, 9), 0, "overlapped typed"),
        (found(14, 18), 0, ""),
        (found(0, 5), 0, ""),
    ],
)
def test_a_span_and_one_finding(finding, covered, flags):
    [span], [of_finding] = match([(5, 14, "PERSON_NAME")], [finding])
    names = ("overlapped", "typed", "exact", "strict")
    assert (span.chars, span.covered_chars) == (8, covered)
    assert [name for name in names if getattr(span, name)] == flags.split()
    assert [name for name in names if getattr(of_finding, name)] == flags.split()
    assert span.found == (finding.info_type if flags else None)


def test_pieces_add_up_and_what_lies_between_them_need_not_be_covered():
    [span], _ = match([(5, 14, "PERSON_NAME")], [found(5, 8), found(9, 14)])
    assert span.covered_chars == span.chars == 8
    assert not span.exact


def test_a_span_without_letters_or_digits_has_nothing_to_cover():
    [span], _ = match([(0, 1, "PERSON_NAME")], [], text="?!")
    assert (span.chars, span.covered_chars) == (0, 0)


def test_offsets_are_code_points_and_letters_are_those_of_every_script():
    [span], [finding] = match([(2, 7, "PERSON_NAME")], [found(2, 7)], text="😀 Åsa-Ж")
    assert (span.chars, span.covered_chars, finding.right_chars) == (4, 4, 4)


def test_characters_of_a_finding_are_right_where_any_gold_lies():
    spans = [(5, 8, "PERSON_NAME"), (7, 14, "MISC"), (16, 18, "STREET_ADDRESS")]
    _, [finding] = match(spans, [found(0, 22)])
    # "Call Ann Smith, 12 Elm": 4 + 3 + 5 + 2 + 3 letters and digits, of which AnnSmith12 are gold.
    assert (finding.chars, finding.right_chars) == (17, 10)
    assert finding.typed
    assert not finding.exact


def test_a_finding_on_a_dont_care_span_alone_touches_and_is_not_right():
    [span], [finding] = match([(5, 14, "TITLE")], [found(5, 14, "TITLE")])
    assert finding.touched
    assert not any([finding.overlapped, finding.typed, finding.exact, finding.strict])
    assert span.strict


@pytest.mark.parametrize(
    ("coverage", "judged"),
    [
        (COMPLETE, [True, True]),
        (Coverage(False, frozenset({"LOCATION"})), [False, True]),
        (Coverage(False, frozenset()), [False, False]),
    ],
)
def test_findings_are_judged_where_the_gold_is_complete_for_their_class(coverage, judged):
    _, findings = match([], [found(5, 8), found(16, 25, "STREET_ADDRESS")], coverage=coverage)
    assert [finding.judged for finding in findings] == judged
    assert coverage.judged == any(judged)


def test_a_finding_can_be_right_for_one_span_of_two():
    spans = [(5, 8, "PERSON_NAME"), (9, 14, "LOCATION")]
    of_spans, [finding] = match(spans, [found(5, 14)])
    assert [span.typed for span in of_spans] == [True, False]
    assert finding.typed
    assert not finding.exact
