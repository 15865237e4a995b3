import pytest

from tacenda.transforms.evaluating.gold_reading import Coverage, gold_labels
from tacenda.transforms.evaluating.matches import match_cell
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


def test_offsets_are_code_points_and_letters_are_those_of_every_script():
    [span], [finding] = match([(2, 7, "PERSON_NAME")], [found(2, 7)], text="😀 Åsa-Ж")
    assert (span.chars, span.covered_chars, finding.right_chars) == (4, 4, 4)


def test_characters_inside_any_gold_span_are_correct():
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


@pytest.mark.parametrize(
    ("finding", "fitted", "excess"),
    [
        (found(5, 14), True, 0),
        (found(5, 16), True, 0),
        (found(0, 14), False, 4),
        (found(5, 18), False, 2),
        (found(5, 8), False, 0),
        (found(15, 18), False, 0),
    ],
)
def test_a_finding_fits_or_covers_too_many_letters(finding, fitted, excess):
    [span], _ = match([(5, 14, "PERSON_NAME")], [finding])
    assert (span.fitted, span.excess_chars) == (fitted, excess)


def test_a_title_belongs_to_a_name_or_not():
    text = "Ask Dr. Ann Lee."
    for start, end in ((4, 15), (8, 15)):
        for left, right in ((4, 16), (8, 15)):
            [span], _ = match([(start, end, "PERSON_NAME")], [found(left, right)], text)
            assert (span.fitted, span.excess_chars) == (True, 0)


def test_letters_too_many_are_counted_at_the_first_span_that_counts():
    spans = [(5, 8, "MISC"), (9, 14, "PERSON_NAME"), (16, 18, "STREET_ADDRESS")]
    of_spans, _ = match(spans, [found(0, 22)])
    assert [span.excess_chars for span in of_spans] == [0, 7, 0]


def test_a_finding_is_one_mention_and_a_mention_one_finding():
    spans = [(5, 8, "PERSON_NAME"), (9, 14, "PERSON_NAME"), (16, 18, "LOCATION"), (19, 22, "LOCATION")]
    of_spans, _ = match(spans, [found(5, 14), found(16, 17), found(19, 20), found(20, 22)])
    assert [span.mention for span in of_spans] == [None, 0, 1, 3]
    [span], _ = match([(5, 14, "TITLE")], [found(5, 14)])
    assert span.mention is None
