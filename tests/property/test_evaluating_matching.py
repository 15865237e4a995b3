"""Matching by ranges agrees with a measure that examines each character."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.evaluating.gold_reading import Coverage
from tacenda.transforms.evaluating.matching import match_cell
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXTS = st.text(alphabet="aB3 .-éЖ中", min_size=1, max_size=30)


@st.composite
def cells(draw):
    text = draw(TEXTS)
    place = st.integers(0, len(text))
    limits = st.tuples(place, place).filter(lambda pair: pair[0] < pair[1])
    labels = st.sampled_from(["PERSON_NAME", "CITY", "MISC", "DATE"])
    spans = [AnnotatedSpan(*pair, draw(labels)) for pair in draw(st.lists(limits, max_size=4))]
    cuts = sorted(draw(st.lists(place, max_size=8, unique=True)))
    pairs = [pair for pair in zip(cuts[::2], cuts[1::2], strict=False) if pair[0] < pair[1]]
    kinds = st.sampled_from(["FIRST_NAME", "LOCATION", "DATE_OF_BIRTH"])
    return text, spans, [Finding(*pair, draw(kinds), Likelihood.LIKELY, "rules") for pair in pairs]


@pytest.mark.slow
@given(cells(), st.sampled_from([frozenset(), frozenset({"LOCATION"}), None]))
@settings(max_examples=300, deadline=None)
def test_matching_by_ranges_equals_matching_by_characters(cell, classes):
    text, spans, findings = cell
    labels = gold_labels()
    coverage = Coverage(classes is None, classes or frozenset())
    of_spans, of_findings = match_cell(text, spans, findings, labels, coverage)
    under = {k for finding in findings for k in range(finding.start, finding.end)}
    gold = {k for span in spans for k in range(span.start, span.end)}
    for span, match in zip(spans, of_spans, strict=True):
        own = {k for k in range(span.start, span.end) if text[k].isalnum()}
        assert (match.chars, match.covered_chars) == (len(own), len(own & under))
        near = [f for f in findings if f.start < span.end and f.end > span.start]
        assert match.overlapped == bool(near)
        assert match.typed == any(labels.class_of(f.info_type) == labels.class_of(span.label) for f in near)
        assert match.exact == any((f.start, f.end) == span[:2] for f in near)
    for finding, match in zip(findings, of_findings, strict=True):
        own = {k for k in range(finding.start, finding.end) if text[k].isalnum()}
        assert (match.chars, match.right_chars) == (len(own), len(own & gold))
        assert match.judged == (classes is None or labels.class_of(finding.info_type) in classes)
        assert match.touched == bool({*range(finding.start, finding.end)} & gold)
