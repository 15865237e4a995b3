from collections.abc import Callable

import pytest

from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.transforms.reviewing.spans_files import ReviewedSpan, Reviews
from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation, ConversationBatch
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.scoring.score_table import ScoreTable

Batch = Callable[..., ConversationBatch]
NAME = ScoreTable.load().rows["PERSON_NAME"]


def _chain(reviews=None, **options):
    return ScoreChain(ScoreTable.load(), reviews or {}, **options)


def _scored(chain, batch):
    outcome = chain.run(batch)
    return [(s, r and r.score) for s, r in zip(outcome.sources, outcome.risks, strict=True)]


def _span(start, end, label="MISSED_PERSON_NAME", entity=None):
    return AnnotatedSpan(start, end, label, entity)


def test_marked_conversations_are_reviewed_and_others_are_not(batch):
    assert _scored(_chain(), batch([("a", "(Pam Lee)[MISSED_PERSON_NAME]")], [("a", "hi")])) == [
        ("human", NAME.score),
        (None, None),
    ]


def test_markup_in_the_label_of_a_speaker_counts_once(batch):
    pam = "(Pam Lee)[MISSED_PERSON_NAME]"
    of = batch([(pam, "hi"), ("agent", "hello (Pam Lee)[MISSED_PERSON_NAME]"), (pam, "bye")], [(pam, "hi")])
    assert _scored(_chain(), of) == [("human", NAME.score), ("human", NAME.score)]
    assert _scored(_chain({"c1": []}, all_reviewed=True), of) == [("human", NAME.score)]
    assert _scored(_chain(), batch([("Pam [MISSED_PERSON_NAME]", "hi")])) == []


def test_all_reviewed_scores_unmarked_conversations_0(batch):
    assert _scored(_chain(all_reviewed=True), batch([("a", "hi")])) == [("human", 0)]


def test_an_empty_reader_field_means_unread_despite_all_reviewed(batch):
    of = batch([("a", "hi")], [("a", "hi")], [("a", "hi")], [("a", "(Pam Lee)[MISSED_PERSON_NAME]")])
    of.readers = ["", "Jim", None, ""]
    marked = ("human", NAME.score)
    assert _scored(_chain(), of) == [(None, None), ("human", 0), (None, None), marked]
    assert _scored(_chain(all_reviewed=True), of) == [(None, None), ("human", 0), ("human", 0), marked]
    assert _chain(all_reviewed=True).run(of).tally.readers == {"Jim": 1, "": 2}


def test_the_annotator_of_gold_is_not_a_reviewer(batch):
    gold = [Annotation.GOLD, Annotation.PARTIAL_GOLD, Annotation.EMPTY_GOLD]
    of = batch(*[[("a", "hi")]] * 3, annotations=gold)
    of.readers = ["Pam"] * 3
    assert _scored(_chain(), of) == [("gold", 0), ("gold", 0), ("human", 0)]


def test_all_reviewed_keeps_zeros_with_empty_spans_beside_their_marked_neighbours(batch):
    of = batch(
        [("a", "Pam Lee")],
        [("a", "hi")],
        spans={(0, 0): [_span(0, 7)]},
        annotations=[Annotation.HUMAN, Annotation.GOLD],
    )
    assert _scored(_chain(all_reviewed=True), of) == [("human", NAME.score), ("human", 0)]


def test_spans_of_a_record_say_by_their_labels_who_marked_them(batch):
    of = batch(
        [("a", "Pam Lee")],
        [("a", "Pam Lee")],
        [("a", "none")],
        spans={(0, 0): [_span(0, 7, "PERSON_NAME")], (1, 0): [_span(0, 7)]},
        annotations=[Annotation.GOLD, Annotation.HUMAN, Annotation.GOLD],
    )
    assert _scored(_chain(), of) == [("gold", NAME.score), ("human", NAME.score), ("gold", 0)]


def test_spans_files_are_human_whatever_their_labels(batch):
    reviews = {
        "c0": [ReviewedSpan(0, None, _span(0, 7))],
        "c1": [ReviewedSpan(1, None, _span(0, 7, "PERSON_NAME"))],
        "c2": [],
    }
    of = batch([("a", "Pam Lee")], [("a", "x"), ("a", "Pam Lee")], [("a", "x")], [("a", "x")])
    assert _scored(_chain(reviews), of) == [
        ("human", NAME.score),
        ("human", NAME.score),
        ("human", 0),
        (None, None),
    ]


@pytest.mark.parametrize(
    "review",
    [
        ReviewedSpan(1, None, _span(0, 2)),
        ReviewedSpan(-1, None, _span(0, 2)),
        ReviewedSpan(0, None, _span(0, 99)),
        ReviewedSpan(0, "no_such_part", _span(0, 2)),
    ],
)
def test_spans_outside_the_conversation_are_rejected(batch, review):
    outcome = _chain({"c0": [review]}).run(batch([("a", "Pam Lee")], [("a", "y")]))
    assert [(r.stage, r.error, r.position) for r in outcome.rejections] == [(Stage.SCORE, "BadSpan", 0)]
    assert outcome.batch.ids == ["c1"]
    assert len(outcome.sources) == len(outcome.risks) == 1


def test_a_turn_of_several_parts_needs_the_part(batch):
    of = batch([("a", "see"), ("a", "Pam Lee")])
    of.turns, of.parts = [0, 0], [None, "tool_calls.0.arguments.name"]
    part = ReviewedSpan(0, "tool_calls.0.arguments.name", _span(0, 7))
    assert _scored(_chain({"c0": [part]}), of) == [("human", NAME.score)]
    assert _scored(_chain({"c0": [ReviewedSpan(0, None, _span(0, 3))]}), of) == [("human", NAME.score)]
    of.parts = ["content.0.text", "content.1.text"]
    assert [r.error for r in _chain({"c0": [ReviewedSpan(0, None, _span(0, 3))]}).run(of).rejections] == [
        "BadSpan"
    ]
    of = batch([("a", "Pam Lee")])
    of.parts = ["content.0.text"]
    assert _scored(_chain({"c0": [ReviewedSpan(0, None, _span(0, 7))]}), of) == [("human", NAME.score)]


def test_markup_and_spans_of_one_text_cannot_be_distinguished(batch):
    marked = "(Pam)[MISSED_PERSON_NAME_PARTIAL]"
    both = batch([("a", marked)], spans={(0, 0): [_span(0, 2)]}, annotations=[Annotation.HUMAN])
    review: Reviews = {"c0": [ReviewedSpan(0, None, _span(0, 2))]}
    two_kinds = batch([("a", "Pam Lee")], spans={(0, 0): [_span(0, 3, "PERSON_NAME"), _span(4, 7)]})
    gold_and_markup = batch([("a", "Pam"), ("a", marked)], spans={(0, 0): [_span(0, 3, "PERSON_NAME")]})
    for chain, of in (
        (_chain(), both),
        (_chain(review), batch([("a", marked)])),
        (_chain({"c0": []}), batch([("a", marked)])),
        (_chain(), two_kinds),
        (_chain(), gold_and_markup),
    ):
        assert [r.error for r in chain.run(of).rejections] == ["MixedAnnotations"]


def test_entities_of_the_annotator_are_one(batch):
    tag = "MISSED_PERSON_NAME_PARTIAL"
    apart = f"(Mark)[{tag}] (Marc)[{tag}] (M-A-R-K)[{tag}]"
    assert _scored(_chain(), batch([("a", apart)])) == [("human", 3 * NAME.partial_score)]
    assert _scored(_chain(variant_clustering=True), batch([("a", apart)])) == [("human", NAME.partial_score)]
    one = apart.replace("]", "#1]")
    assert _scored(_chain(), batch([("a", one)])) == [("human", NAME.partial_score)]


def test_spans_with_and_without_entity_may_start_together(batch):
    reviews = {"c0": [ReviewedSpan(0, None, _span(0, 3, entity=e)) for e in (None, "1", None)]}
    assert _scored(_chain(reviews), batch([("a", "Pam")])) == [("human", NAME.score)]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("([PERSON_NAME_1])[MISSED_PERSON_NAME]", 0),
        ("([PERSON_NAME_1] Green)[MISSED_PERSON_NAME]", NAME.partial_score),
        ("[PERSON_NAME_1] (Green)[MISSED_PERSON_NAME_PARTIAL]", NAME.partial_score),
        ("([PERSON_NAME_1], [PERSON_NAME_2])[MISSED_PERSON_NAME]", 0),
        ("([NUMERIC])[MISSED_PERSON_NAME]", NAME.score),
    ],
)
def test_tokens_inside_a_mark_are_not_readable(batch, text, score):
    assert _scored(_chain(), batch([("a", text)])) == [("human", score)]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("(Pam)[MISSED_NO_SUCH]", "UnknownTag"),
        ("[MISSED_PERSON_NAME]", "MalformedMarkup"),
        ("(Pam)[MISSED_PERSON_NAME", "MalformedMarkup"),
    ],
)
def test_marks_that_cannot_be_scored_reject(batch, text, error):
    outcome = _chain(all_reviewed=True).run(batch([("a", text)], [("a", "ok")]))
    assert [(r.stage, r.error) for r in outcome.rejections] == [(Stage.SCORE, error)]
    assert outcome.batch.ids == ["c1"]


def test_nothing_is_found_or_replaced_and_only_marks_are_left_out(batch):
    of = batch([("Pam", "write to (ann@x.org)[MISSED_EMAIL]")])
    outcome = _chain().run(of)
    assert outcome.texts == ["write to ann@x.org"]
    assert outcome.speakers == ["Pam"]
    assert outcome.findings == [[]]
    assert not _chain().run(ConversationBatch()).sources
