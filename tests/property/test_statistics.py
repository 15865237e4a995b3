"""The figures equal numpy's over the whole list, with equal bytes for any sharding."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.evaluating.gold_reading import About, gold_labels
from tacenda.transforms.evaluating.matches import match_cell
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.statistics import RiskSketch

SCORED = st.tuples(
    st.sampled_from(["human", "model"]),
    st.sampled_from(["", "sales", "meetings"]),
    st.one_of(st.none(), st.integers(0, 40), st.just(0)),
    st.booleans(),
)


def sketch_of(conversations):
    sketch = RiskSketch()
    for source, context, score, direct in conversations:
        if score is None:
            sketch.add_unreviewed(source, context)
        else:
            sketch.add(source, context, score, direct)
    return sketch


@given(st.lists(SCORED, max_size=120), st.data())
def test_any_sharding_gives_the_same_bytes(conversations, data):
    whole = sketch_of(conversations)
    shuffled = data.draw(st.permutations(conversations))
    shards = data.draw(st.integers(1, 5))
    parts = [sketch_of(shuffled[i::shards]) for i in range(shards)]
    parts = [RiskSketch.from_json(json.loads(json.dumps(part.to_json()))) for part in parts]
    left = RiskSketch()
    for part in parts:
        left.merge(part)
    right = RiskSketch()
    for part in reversed(parts):
        right = RiskSketch().merge(part).merge(right)
    for sketch in (left, right):
        assert json.dumps(sketch.to_json()) == json.dumps(whole.to_json())
        assert json.dumps(sketch.figures()) == json.dumps(whole.figures())


@given(st.lists(st.integers(0, 60), min_size=1, max_size=200), st.integers(1, 12))
def test_figures_equal_those_of_numpy(scores, threshold):
    sketch = sketch_of(("human", "", s, False) for s in scores)
    group = sketch.figures(threshold)["sources"]["human"]["total"]
    array = np.array(scores)
    assert group["count"] == len(scores)
    assert group["max"] == array.max()
    assert group["mean"] == pytest.approx(array.mean(), abs=1e-9)
    for percent, figure in ((50, group["p50"]), (95, group["p95"]), (99, group["p99"])):
        assert figure == pytest.approx(np.percentile(array, percent), abs=1e-9)
    assert group["share_at_or_over_threshold"] == pytest.approx((array >= threshold).mean(), abs=1e-12)
    std = array.std()
    assert group["std"] == pytest.approx(std, abs=1e-9)
    assert group["mu_plus_sigma"] == pytest.approx(array.mean() + std, abs=1e-9)
    assert group["mu_plus_2sigma"] == pytest.approx(array.mean() + 2 * std, abs=1e-9)
    if abs(array.mean() + std - threshold) > 1e-9:
        assert group["pass"] == (array.mean() + std < threshold)


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
    about = About(complete=classes is None, classes=classes or frozenset())
    of_spans, of_findings = match_cell(text, spans, findings, labels, about)
    under = {k for finding in findings for k in range(finding.start, finding.end)}
    gold = {k for span in spans for k in range(span.start, span.end)}
    for span, match in zip(spans, of_spans, strict=True):
        own = {k for k in range(span.start, span.end) if text[k].isalnum()}
        assert (match.chars, match.covered_chars) == (len(own), len(own & under))
        near = [f for f in findings if f.start < span.end and f.end > span.start]
        assert ("overlapped" in match.how) == bool(near)
        assert ("typed" in match.how) == any(
            labels.class_of(f.info_type) == labels.class_of(span.label) for f in near
        )
        assert ("exact" in match.how) == any((f.start, f.end) == span[:2] for f in near)
    for finding, match in zip(findings, of_findings, strict=True):
        own = {k for k in range(finding.start, finding.end) if text[k].isalnum()}
        assert (match.chars, match.right_chars) == (len(own), len(own & gold))
        assert match.judged == (classes is None or labels.class_of(finding.info_type) in classes)
        assert ("touched" in match.how) == bool({*range(finding.start, finding.end)} & gold)
