from typing import Any

import pytest

from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.chain.detecting import column_of
from tacenda.transforms.detecting.correcting.eponyms import mark_eponyms
from tacenda.transforms.detecting.correcting.marks import ListMarking, read_entries
from tacenda.transforms.detecting.detector import CountedLook
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rule_sets import MentionRules
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.scoring import score_table
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import cases, tabled

TABLE = ScoreTable.load()
SCORES = {"WHOLE": TABLE.rows["PERSON_NAME"].score, "PARTIAL": TABLE.rows["PERSON_NAME"].partial_score}
RANKS = {"PERSON_NAME": 90, "EMAIL_ADDRESS": 80, "DATE": 10}


def _chain(*detectors, second_look=(), table=TABLE, **more):
    return Chain(detectors, RANKS, table, second_look, **more)


class Doubting:
    """A model that thinks personal data possible where a text says "may"."""

    name = "model"

    def find_counted(self, column, twice):
        places = [[(t.find("may"), t.find("may") + 3, 0.1)] if "may" in t else [] for t in column.texts]
        return CountedLook([[] for _ in column.texts], [], {}, places)


@tabled("by", "doubts", "left")
def test_a_model_may_doubt_what_lists_find(batch, words, by, doubts, left):
    listed = words(may="PERSON_NAME", june="PERSON_NAME")
    listed.name = by
    texts = "may is here", "june is here"
    outcome = Chain([listed, Doubting()], RANKS, doubts=doubts).run(batch([("a", text) for text in texts]))
    found = [text[f.start : f.end] for text, cell in zip(texts, outcome.findings, strict=True) for f in cell]
    assert found == left


@pytest.mark.parametrize(
    "case", [pytest.param(one, id=one["title"]) for one in cases(__file__, "test_conversations_become")]
)
def test_conversations_become(batch, words, case: dict[str, Any]):
    markings: list[Any] = [mark_eponyms] if case.get("eponyms") else []
    if "lists" in case:
        markings.append(ListMarking(read_entries(case["lists"], "decided.yaml")))
    chain = _chain(
        *(words(**known) for known in case.get("find", [{}])),
        second_look=[words(**known) for known in case.get("again", [{}])],
        kept=case.get("kept", ()),
        markings=markings,
    )
    outcome = chain.run(
        batch(
            *case["turns"],
            spans={(0, 0): [AnnotatedSpan(*span) for span in case["marked"]]} if "marked" in case else None,
            annotations=[Annotation(one) for one in case["annotated"]] if "annotated" in case else None,
        )
    )
    became = {
        "ids": outcome.batch.ids,
        "texts": outcome.texts,
        "speakers": outcome.speakers,
        "entities": outcome.entities,
        "sources": outcome.sources,
        "scores": [risk and risk.score for risk in outcome.risks],
        "rejected": [[one.position, one.stage.value, one.error] for one in outcome.rejections],
        "counted": outcome.totals.entities,
        "readable": outcome.totals.readable,
        "listed": outcome.totals.listed,
        "speakers_replaced": outcome.totals.speakers_replaced,
    }
    expected = {name: case[name] for name in became if name in case}
    if "scores" in expected:
        expected["scores"] = [SCORES.get(score, score) for score in expected["scores"]]
    assert {name: became[name] for name in expected} == expected


def test_values_of_json_come_with_their_keys(batch):
    one = batch([("tool", "EKS"), ("agent", "EKS runs")])
    one.parts = ["json.clusterName.0", None]
    assert column_of(one.texts, one.parts, one.first_cell).leads == ["cluster name: ", ""]
    assert not column_of(["EKS runs"], [None], [0, 1]).leads


class Stars:
    """A replacer that reveals nothing, not even a length."""

    def values(self, conversation):
        return Values(
            [["***"] * len(cell) for cell in conversation.entities], dict.fromkeys(conversation.labels, "*")
        )


def test_a_replacer_chooses_what_is_written(batch, words):
    outcome = _chain(words(Pam="PERSON_NAME"), replacer=Stars()).run(
        batch([("agent", "Pam and Pam"), ("Pam", "yes")])
    )
    assert outcome.texts == ["*** and ***", "yes"]
    assert outcome.speakers == ["agent", "*"]
    assert outcome.values == [["***", "***"], []]


def test_the_second_look_reads_tokens_whatever_is_written(batch, words):
    read: list[str] = []

    class Reader(words):  # type: ignore[misc]
        def find(self, column):
            read.extend(column.texts)
            return super().find(column)

    chain = _chain(words(Pam="PERSON_NAME"), second_look=[Reader(**{"***": "PERSON_NAME"})], replacer=Stars())
    outcome = chain.run(batch([("agent", "it is Pam")]))
    assert read == ["it is [PERSON_NAME_1]"]
    assert outcome.texts == ["it is ***"]
    assert [risk.score for risk in outcome.risks if risk] == [0]


def test_an_error_in_a_replacer_rejects_the_conversation(batch, words):
    class Failing:
        def values(self, conversation):
            raise RecordError("ValueTooShort")

    outcome = _chain(words(Pam="PERSON_NAME"), replacer=Failing()).run(
        batch([("agent", "Pam")], [("agent", "hi")])
    )
    assert outcome.texts == ["hi"]
    (rejection,) = outcome.rejections
    assert (rejection.stage, rejection.error) == (Stage.REPLACE, "ValueTooShort")


class Short:
    """Returns one cell too few."""

    name = "short"

    def find(self, column):
        return [[] for _ in column.texts][1:]


def test_results_for_too_few_cells_reject_all_conversations(batch):
    outcome = _chain(Short()).run(batch([("agent", "a")], [("agent", "b")]))
    assert not outcome.texts
    assert {r.error for r in outcome.rejections} == {"DetectorMiscount"}


def test_a_label_is_looked_at_once_in_all_batches(batch):
    seen: list[str] = []

    class Looking:
        name = "looking"

        def find(self, column):
            seen.extend(column.texts)
            return [[] for _ in column.texts]

    chain = _chain(Looking())
    outcomes = [chain.run(batch([("Pam", "hello")])) for _ in range(3)]
    assert seen == ["hello", "Pam", "hello", "hello"]
    assert {outcome.speakers[0] for outcome in outcomes} == {"[PERSON_NAME_1]"}


@pytest.mark.parametrize("annotation", [Annotation.GOLD, Annotation.NONE])
def test_a_company_counts_where_somebody_speaks_for_it(batch, words, annotation):
    texts = ["Thank you for calling Initech, how can I help?", "I would rather go with Initech."]
    spans = {
        (i, 0): [AnnotatedSpan(at := text.index("Initech"), at + 7, "ORGANIZATION_NAME")]
        for i, text in enumerate(texts)
    }
    outcome = _chain(words(), second_look=[words(Initech="ORGANIZATION_NAME")]).run(
        batch(
            *[[("agent", text)] for text in texts],
            spans=spans if annotation is Annotation.GOLD else None,
            annotations=[annotation] * 2,
        )
    )
    assert outcome.sources == [annotation.value if annotation.is_gold else "model"] * 2
    assert [(risk.score, [tag.speaker for tag in risk.tags]) for risk in outcome.risks if risk] == [
        (TABLE.rows["ORGANIZATION_NAME_SPEAKER"].score, [True]),
        (0, [False]),
    ]
    assert TABLE.rows["ORGANIZATION_NAME_SPEAKER"].score == 2


def test_any_error_in_scoring_rejects_the_conversation(batch, words, monkeypatch):
    def broken(*_):
        raise KeyError("Pam")

    monkeypatch.setattr(score_table.ScoreTable, "resolve", broken)
    monkeypatch.setitem(vars(TABLE), "weights", score_table.Weights(TABLE))
    outcome = _chain(words(), second_look=[words(Pam="PERSON_NAME")]).run(
        batch([("agent", "Pam")], [("agent", "b")])
    )
    assert outcome.batch.ids == ["c1"]
    assert [(r.stage, r.error) for r in outcome.rejections] == [(Stage.SCORE, "KeyError")]


def test_findings_out_of_range_reject_at_the_chain(batch):
    class Wild:
        name = "wild"

        def find(self, column):
            return [[Finding(0, "1", "X", Likelihood.LIKELY, "wild")] for _ in column.texts]  # type: ignore[arg-type]

    outcome = _chain(Wild()).run(batch([("agent", "a")]))
    assert [(r.stage, r.error) for r in outcome.rejections] == [(Stage.REPLACE, "TypeError")]


class TwoLooks:
    """Sure of "pam", unsure of "maybe" and of "pam maybe"; counts its calls."""

    name = "two"

    def __init__(self):
        self.asked: list[str] = []

    def find(self, column):
        return self.find_twice(column)[0]

    def find_twice(self, column):
        texts = column.texts
        self.asked += texts
        if any("poison" in text for text in texts):
            raise ValueError("poison")

        def places(text, word, likelihood):
            at = text.find(word)
            return [Finding(at, at + len(word), "PERSON_NAME", likelihood, "two")] if at >= 0 else []

        sure = [places(text, "pam", Likelihood.LIKELY) for text in texts]
        unsure = [
            places(text, "maybe", Likelihood.UNLIKELY) + places(text, "pam maybe", Likelihood.UNLIKELY)
            for text in texts
        ]
        return sure, unsure


def test_a_detector_with_two_looks_runs_once_for_both(batch):
    detector = TwoLooks()
    turns = [(None, "pam maybe"), (None, "or maybe Dwight")]
    outcome = _chain(detector).run(batch(turns, [(None, "poison")], [(None, "nobody")]))
    assert outcome.texts == ["[PERSON_NAME_1] maybe", "or maybe Dwight", "nobody"]
    assert detector.asked.count("or maybe Dwight") == 2  # once with the poisoned batch, once alone
    first, second = outcome.risks
    assert first is not None
    assert second is not None
    assert [(tag.tag, tag.partial, tag.entities) for tag in first.tags] == [("PERSON_NAME", True, 1)]
    assert second.score == 0
    assert outcome.sources == ["model", "model"]


def test_without_scoring_there_is_one_look(batch):
    outcome = _chain(TwoLooks(), table=None).run(batch([(None, "pam maybe")]))
    assert [len(findings) for findings in outcome.findings] == [1]
    assert (outcome.risks, outcome.sources) == ([None], [None])


def test_a_conversation_with_a_cut_word_is_read_again_by_those_who_ask_for_edges(batch):
    detector = TwoLooks()
    chain = Chain([detector], {}, TABLE, where_cut=[detector])
    chain.run(batch([(None, "xpam 1"), (None, "ok")], [(None, "pam 2")], [(None, "pamx 3")]))
    assert detector.asked == [
        "xpam 1",
        "ok",
        "pam 2",
        "pamx 3",
        "x[PERSON_NAME_1] 1",
        "ok",
        "[PERSON_NAME_1]x 3",
    ]


def test_what_was_annotated_needs_no_second_answer(batch):
    class Asked(TwoLooks):
        twice = 0

        def find(self, column):
            return [[] for _ in column.texts]

        def find_twice(self, column):
            self.twice += 1
            return [[] for _ in column.texts], [[] for _ in column.texts]

    detector = Asked()
    chain = _chain(detector)
    chain.run(batch([(None, "a")], annotations=[Annotation.GOLD]))
    assert not detector.twice
    chain.run(batch([(None, "a")], [(None, "b")], annotations=[Annotation.GOLD, Annotation.NONE]))
    assert detector.twice == 1


def test_rules_of_the_config_apply_to_propagated_mentions(batch, words):
    exclusion = {"matching_type": "MATCHING_TYPE_FULL_MATCH", "dictionary": {"word_list": {"words": ["ann"]}}}
    rule_set = [{"info_types": [{"name": "PERSON_NAME"}], "rules": [{"exclusion_rule": exclusion}]}]
    rules = MentionRules(parse_inspect_config({"rule_set": rule_set}))
    chain = Chain([words(**{"Ann Lee": "PERSON_NAME"})], {}, mention_rules=rules)
    outcome = chain.run(batch([("agent", "I am Ann Lee"), ("customer", "thanks, Ann, I mean Lee")]))
    assert outcome.texts[1] == "thanks, Ann, I mean [PERSON_NAME_1]"
