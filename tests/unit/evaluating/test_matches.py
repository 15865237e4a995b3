"""Reading gold, and matching its spans with findings."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.evaluating.gold_reading import About, gold_labels, plan_gold, read_gold
from tacenda.transforms.evaluating.matches import (
    MATCHES,
    NAMED_SPEAKER,
    UNSAID,
    gold_entities,
    inner_limits,
    match_cell,
)
from tacenda.transforms.evaluating.summary import having
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import tabled

COMPLETE = About()
TEXT = "Call Ann Smith, 12 Elm St."
#       0123456789012345678901234


def found(start, end, info_type="PERSON_NAME"):
    return Finding(start, end, info_type, Likelihood.LIKELY, "rules")


def match(spans, findings, text=TEXT, about=COMPLETE):
    spans = [AnnotatedSpan(*span) for span in spans]
    entities = range(len(findings))
    return match_cell(text, spans, findings, gold_labels(), about, entities=entities)


@tabled("finding", "covered", "how", "excess")
def test_a_span_and_one_finding(finding, covered, how, excess):
    finding = found(*finding)
    [span], [of_finding] = match([(5, 14, "PERSON_NAME")], [finding])
    assert (span.chars, span.covered_chars, span.excess_chars) == (8, covered, excess)
    assert span.how == set(how.split())
    assert of_finding.how & set(MATCHES) == span.how & set(MATCHES)
    assert span.found == (finding.info_type if how else None)


def test_offsets_are_code_points_and_letters_are_those_of_every_script():
    [span], [finding] = match([(2, 7, "PERSON_NAME")], [found(2, 7)], text="😀 Åsa-Ж")
    assert (span.chars, span.covered_chars, finding.right_chars) == (4, 4, 4)


def test_letters_under_any_gold_are_right_and_the_others_count_at_the_first_span_that_counts():
    spans = [(5, 8, "MISC"), (7, 14, "PERSON_NAME"), (16, 18, "STREET_ADDRESS")]
    of_spans, [finding] = match(spans, [found(0, 22)])
    # "Call Ann Smith, 12 Elm": 4 + 3 + 5 + 2 + 3 letters and digits, of which AnnSmith12 are gold.
    assert (finding.chars, finding.right_chars) == (17, 10)
    assert finding.how == {"touched", "overlapped", "typed"}
    assert [span.excess_chars for span in of_spans] == [0, 7, 0]


def test_a_finding_on_a_dont_care_span_alone_touches_and_is_not_right():
    [span], [finding] = match([(5, 14, "TITLE")], [found(5, 14, "TITLE")])
    assert finding.how == {"touched"}
    assert "strict" in span.how
    assert span.entity is None


@pytest.mark.parametrize(
    ("about", "judged"),
    [
        (COMPLETE, [True, True]),
        (About(complete=False, classes=frozenset({"LOCATION"})), [False, True]),
        (About(complete=False), [False, False]),
    ],
)
def test_findings_are_judged_where_the_gold_is_complete_for_their_class(about, judged):
    _, findings = match([], [found(5, 8), found(16, 25, "STREET_ADDRESS")], about=about)
    assert [finding.judged for finding in findings] == judged


def test_a_title_belongs_to_a_name_or_not():
    text = "Ask Dr. Ann Lee."
    for start, end in ((4, 15), (8, 15)):
        for left, right in ((4, 16), (8, 15)):
            [span], _ = match([(start, end, "PERSON_NAME")], [found(left, right)], text)
            assert ("fitted" in span.how, span.excess_chars) == (True, 0)


@tabled("text", "inner")
def test_titles_and_signs_are_no_part_of_a_name(text, inner):
    start, end = inner_limits(f"to {text}", 3, 3 + len(text), True)
    assert f"to {text}"[start:end] == inner
    assert inner_limits("Don Valley.", 0, 11, False) == (0, 10)


def test_a_finding_is_one_mention_and_a_mention_one_finding():
    spans = [(5, 8, "PERSON_NAME"), (9, 14, "PERSON_NAME"), (16, 18, "LOCATION"), (19, 22, "LOCATION")]
    of_spans, _ = match(spans, [found(5, 14), found(16, 17), found(19, 20), found(20, 22)])
    assert [span.entity for span in of_spans] == [None, 0, 1, 3]


@tabled("cells", "numbers", "certain")
def test_what_gold_spans_mean(cells, numbers, certain):
    texts, spans = [], []
    for cell in cells:
        text, marked, value = "", [], ""
        for word in cell.split():
            value, *label = f"{value} {word}".strip().split(":")
            if label:
                marked.append(AnnotatedSpan(len(text), len(text) + len(value), *label))
                text, value = f"{text}{value} ", ""
        texts.append(text)
        spans.append(marked)
    told = gold_entities(texts, spans, gold_labels())
    assert [[number for number, _ in cell] for cell in told] == numbers
    assert [[is_certain for _, is_certain in cell] for cell in told] == certain


def test_a_rejected_conversation_keeps_its_spans_as_missed(corpus):
    [matched] = corpus(("a:CITY b:CITY", None))
    assert matched.rejected
    assert [span.covered_chars for span in matched.spans] == [0, 0]
    assert not matched.findings


def test_speakers_are_reported_by_role_and_never_by_name(corpus):
    labels = ("Agent", "Pam Beesly", "", None, "Agent_2", "3")
    matches = corpus(*[("a:CITY", "", {"speaker": label}) for label in labels])
    roles = [span.speaker for one in matches for span in one.spans]
    assert roles == ["agent", NAMED_SPEAKER, UNSAID, UNSAID, "agent", UNSAID]
    assert [one.id for one in having(matches, "speaker")["agent"]] == ["c0", "c4"]


@tabled("label", "kind", "name", "known")
def test_labels_have_a_kind_and_a_class_and_are_known_to_rules_or_score_table(label, kind, name, known):
    rules = gold_labels()
    assert (rules.kind(label), rules.class_of(label)) == (kind, name)
    assert rules.is_known(label, ScoreTable.load("appendix")) == known


TURNS = [{"speaker": "agent", "text": "Hi Ann", "spans": [{"start": 3, "end": 6, "label": "PERSON_NAME"}]}]
RECORDS = [
    {"id": "a", "turns": TURNS, "gold": "complete", "complete_for": ["DATE"], "lang": "en", "source": "x"},
    {"id": "b", "turns": TURNS, "gold": "partial", "complete_for": ["CITY", "LAST_NAME"], "lang": None},
    {"id": "c", "turns": TURNS, "gold": "partial", "complete_for": []},
    {"id": "d", "turns": TURNS},
]


def read(path, **options):
    plan = plan_gold([str(path)], 1 << 20)
    return [gold for part in plan.parts for gold in read_gold(part, plan.shape, **options)]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_the_gold_fields_are_read_from_both_formats(tmp_path, suffix):
    path = tmp_path / f"gold.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(RECORDS), path)
    else:
        path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    [gold] = read(path)
    assert gold.batch.ids == ["a", "b", "c", "d"]
    url = gold.about[0].file
    assert url.endswith(path.name)
    assert gold.about == [
        About(url, True, frozenset({"DATE"}), "en", "x"),
        About(url, False, frozenset({"LOCATION", "PERSON_NAME"})),
        About(url, False),
        About(url, False),
    ]
    assert [spans[0].label for spans in gold.batch.spans] == ["PERSON_NAME"] * 4
    [gold] = read(path, complete_by_default=True)
    assert [about.complete for about in gold.about] == [True, False, False, True]


def test_bad_records_are_rejections_and_a_bad_field_is_the_users_mistake(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(RECORDS[0]) + '\n{"id": "a"}\n')
    assert [r.error for gold in read(path) for r in gold.rejections] == ["MissingField"]
    path.write_text(json.dumps({**RECORDS[0], "complete_for": "DATE"}) + "\n")
    with pytest.raises(UserError, match="complete_for"):
        read(path)
