from collections.abc import Callable

import pytest

from tacenda.pipelines.chain.chain import Chain, Replacing, Scoring
from tacenda.pipelines.chain.detecting import model_requests
from tacenda.transforms.detecting.correcting.eponyms import EponymMarking
from tacenda.transforms.detecting.correcting.lists import ListMarking, read_entries
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rule_sets import MentionRules
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation, ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.scoring import score_table
from tacenda.transforms.scoring.score_table import ScoreTable

TABLE = ScoreTable.load()
Batch = Callable[..., ConversationBatch]


def _chain(*detectors, second_look=(), table=TABLE):
    return Chain(detectors, {"PERSON_NAME": 90, "EMAIL_ADDRESS": 80}, Scoring(table, second_look))


def test_tokens_count_from_one_in_every_conversation(batch, words):
    chain = _chain(words(Pam="PERSON_NAME", Jim="PERSON_NAME"))
    outcome = chain.run(batch([("agent", "Pam and Jim")], [("agent", "Jim"), ("agent", "Pam")]))
    assert outcome.texts == [
        "[PERSON_NAME_1] and [PERSON_NAME_2]",
        "[PERSON_NAME_1]",
        "[PERSON_NAME_2]",
    ]
    assert outcome.entities == [[1, 2], [1], [2]]
    assert outcome.tally.entities == {"PERSON_NAME": 4}
    assert not outcome.rejections


def test_findings_of_all_detectors_are_united(batch, words):
    chain = _chain(words(Ann="PERSON_NAME"), words(**{"Ann Lee": "EMAIL_ADDRESS"}))
    outcome = chain.run(batch([("agent", "ask Ann Lee now")]))
    assert outcome.texts == ["ask [EMAIL_ADDRESS_1] now"]


def test_values_of_json_come_with_their_keys(batch):
    one = batch([("tool", "EKS"), ("agent", "EKS runs")])
    one.parts = ["json.clusterName.0", None]
    assert model_requests(one, scored=True).texts.column.leads == ["cluster name: ", ""]
    assert not model_requests(batch([("agent", "EKS runs")]), scored=True).texts.column.leads


def test_an_error_in_a_detector_rejects_one_conversation(batch, words):
    chain = _chain(words(poison="POISON", Pam="PERSON_NAME"))
    outcome = chain.run(
        batch([("agent", "Pam")], [("agent", "ok"), ("agent", "POISON Pam")], [("agent", "hi Pam")])
    )
    assert outcome.batch.ids == ["c0", "c2"]
    assert outcome.texts == ["[PERSON_NAME_1]", "hi [PERSON_NAME_1]"]
    (rejection,) = outcome.rejections
    assert (rejection.position, rejection.stage, rejection.error) == (100, Stage.DETECT, "ValueError")
    assert len(outcome.findings) == len(outcome.entities) == len(outcome.speakers) == 2
    assert len(outcome.risks) == len(outcome.sources) == 2


def test_findings_are_not_doubled_where_a_batch_is_tried_again(batch, words):
    outcome = _chain(words(poison="POISON", Pam="PERSON_NAME")).run(
        batch([("agent", "Pam")], [("agent", "POISON")])
    )
    assert [len(cell) for cell in outcome.findings] == [1]


class Stars:
    """A replacer that reveals nothing, not even a length."""

    def values(self, conversation):
        return Values(
            [["***"] * len(cell) for cell in conversation.entities], dict.fromkeys(conversation.labels, "*")
        )


def _replacing(*detectors, second_look=(), **more):
    ranks = {"PERSON_NAME": 90, "DATE": 10}
    return Chain(detectors, ranks, Scoring(TABLE, second_look), Replacing(**more))


def test_a_replacer_chooses_what_is_written(batch, words):
    outcome = _replacing(words(Pam="PERSON_NAME"), replacer=Stars()).run(
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

    chain = _replacing(
        words(Pam="PERSON_NAME"), second_look=[Reader(**{"***": "PERSON_NAME"})], replacer=Stars()
    )
    outcome = chain.run(batch([("agent", "it is Pam")]))
    assert read == ["it is [PERSON_NAME_1]"]
    assert outcome.texts == ["it is ***"]
    assert [risk.score for risk in outcome.risks if risk] == [0]


def test_an_error_in_a_replacer_rejects_the_conversation(batch, words):
    class Failing:
        def values(self, conversation):
            raise RecordError("ValueTooShort")

    outcome = _replacing(words(Pam="PERSON_NAME"), replacer=Failing()).run(
        batch([("agent", "Pam")], [("agent", "hi")])
    )
    assert outcome.texts == ["hi"]
    (rejection,) = outcome.rejections
    assert (rejection.stage, rejection.error) == (Stage.REPLACE, "ValueTooShort")


def test_what_is_kept_stays_readable_and_is_scored(batch, words):
    seen = words(Pam="PERSON_NAME", May="DATE")
    chain = _replacing(seen, second_look=[words()], kept=["PERSON_NAME"])
    outcome = chain.run(batch([("Pam", "Pam came in May"), ("Pam", "Pam left")], [("x", "in May")]))
    assert outcome.texts == ["Pam came in [DATE_1]", "Pam left", "in [DATE_1]"]
    assert outcome.speakers == ["Pam", "Pam", "x"]
    assert outcome.tally.readable == {"keep/PERSON_NAME": 2}
    assert outcome.tally.entities == {"DATE": 2}
    # A lone name counts as a part of one, and once, whoever speaks it.
    assert [risk.score for risk in outcome.risks if risk] == [TABLE.rows["PERSON_NAME"].partial_score, 0]


def test_a_kept_label_is_scored_where_nobody_says_it(batch, words):
    chain = _replacing(words(), second_look=[words()], kept=["PERSON_NAME"])
    (risk,) = chain.run(batch([("Pam Lee", "hello")])).risks
    assert risk is not None
    assert risk.direct_identifier


def test_gold_that_is_kept_is_missed(batch, words):
    gold = batch([("agent", "it is Pam")], spans={(0, 0): [AnnotatedSpan(6, 9, "PERSON_NAME", None)]})
    gold.annotations = [Annotation.GOLD]
    (risk,) = _replacing(words(Pam="PERSON_NAME"), kept=["PERSON_NAME"]).run(gold).risks
    assert risk is not None
    assert risk.score == TABLE.rows["PERSON_NAME"].partial_score


def test_what_lies_in_something_replaced_is_not_kept(batch, words):
    seen = words(**{"May 3 Road": "PERSON_NAME", "May 3": "DATE"})
    outcome = _replacing(seen, second_look=[words()], kept=["DATE"]).run(batch([("agent", "at May 3 Road")]))
    assert outcome.texts == ["at [PERSON_NAME_1]"]
    assert not outcome.tally.readable


def _decided(text):
    return [ListMarking(read_entries(text, "decided.yaml"))]


def test_what_is_protected_stays_is_counted_and_not_scored(batch, words):
    seen = words(Will="PERSON_NAME", Pam="PERSON_NAME")
    chain = _replacing(seen, second_look=[words(Will="PERSON_NAME")], markings=_decided("- protect: will"))
    outcome = chain.run(batch([("agent", "Pam, Will you?"), ("agent", "Will Pam?")], [("agent", "Will")]))
    assert outcome.texts == ["[PERSON_NAME_1], Will you?", "Will [PERSON_NAME_1]?", "Will"]
    assert outcome.tally.readable == {"protect/PERSON_NAME": 3}
    assert [risk.score for risk in outcome.risks if risk] == [0, 0]


def test_a_name_around_what_is_protected_is_replaced(batch, words):
    seen = words(**{"Will Lee": "PERSON_NAME", "Will": "PERSON_NAME"})
    outcome = _replacing(seen, markings=_decided("- protect: Will")).run(batch([("agent", "Will Lee")]))
    assert "Lee" not in outcome.texts[0]


def test_a_speaker_with_a_protected_name_is_replaced_in_labels(batch, words):
    outcome = _replacing(words(), markings=_decided("- protect: Will")).run(batch([("Will", "Will you?")]))
    assert outcome.texts == ["Will you?"]
    assert outcome.speakers == ["[PERSON_NAME_1]"]


def test_what_is_suppressed_is_always_replaced(batch, words):
    listed = "- {suppress: blue moon, info_type: ORGANIZATION_NAME}"
    chain = _replacing(words(), second_look=[words()], markings=_decided(listed))
    outcome = chain.run(batch([("agent", "at Blue Moon now"), ("agent", "blue moon")], [("agent", "hi")]))
    assert outcome.texts == ["at [ORGANIZATION_NAME_1] now", "[ORGANIZATION_NAME_1]", "hi"]
    assert outcome.findings[0][0].detector == "list"


def test_a_person_who_is_protected_stays_everywhere_in_the_conversation(batch, words):
    """Whatever means the same stays, in one conversation; who is another person goes, with her own number."""
    place = "- {protect: {turn: 1, start: 0, end: 3}, conversation_id: c0, entity: true}"
    seen = words(
        **{"Pam Lee": "PERSON_NAME", "Ms Lee": "PERSON_NAME", "Pam": "PERSON_NAME", "Jim": "PERSON_NAME"}
    )
    again = words(Pam="PERSON_NAME", Lee="PERSON_NAME")
    chain = _replacing(seen, second_look=[again], markings=_decided(place))
    turns = [("agent", "Pam Lee, meet Jim"), ("agent", "Pam?"), ("agent", "Ms Lee and Jim")]
    outcome = chain.run(batch(turns, turns))
    left = ["Pam Lee, meet [PERSON_NAME_1]", "Pam?", "Ms Lee and [PERSON_NAME_1]"]
    gone = [
        "[PERSON_NAME_1], meet [PERSON_NAME_2]",
        "[PERSON_NAME_1]?",
        "Ms [PERSON_NAME_1] and [PERSON_NAME_2]",
    ]
    assert outcome.texts == [*left, *gone]
    assert outcome.tally.readable == {"protect/PERSON_NAME": 3}
    assert [risk.score for risk in outcome.risks if risk] == [0, 0]
    assert outcome.tally.listed == {"0/0": 1}


def test_suppressed_text_is_replaced_even_for_a_protected_person(batch, words):
    lists = "- {protect: Pam Lee, entity: true}\n- {suppress: Ms Lee, info_type: PERSON_NAME}"
    seen = words(**{"Pam Lee": "PERSON_NAME", "Ms Lee": "PERSON_NAME"})
    outcome = _replacing(seen, markings=_decided(lists)).run(batch([("Pam", "Pam Lee is Ms Lee")]))
    assert outcome.texts == ["Pam Lee is [PERSON_NAME_1]"]
    assert outcome.speakers == ["[PERSON_NAME_1]"]


def test_gold_that_is_protected_is_missed(batch, words):
    gold = batch([("agent", "it is Pam")], spans={(0, 0): [AnnotatedSpan(6, 9, "PERSON_NAME", None)]})
    gold.annotations = [Annotation.GOLD]
    (risk,) = _replacing(words(Pam="PERSON_NAME"), markings=_decided("- protect: Pam")).run(gold).risks
    assert risk is not None
    assert risk.score == TABLE.rows["PERSON_NAME"].partial_score


def test_eponyms_stay_and_people_of_that_name_are_replaced(batch, words):
    seen = words(Sjögren="PERSON_NAME")
    chain = _replacing(seen, second_look=[seen], markings=[EponymMarking()])
    outcome = chain.run(batch([("agent", "Dr. Sjögren called"), ("agent", "it is Sjögren's syndrome")]))
    assert outcome.texts == ["Dr. [PERSON_NAME_1] called", "it is Sjögren's syndrome"]
    assert outcome.tally.readable == {"eponym/PERSON_NAME": 1}


class Short:
    """Returns one cell too few."""

    name = "short"

    def find(self, column):
        return [[] for _ in column.texts][1:]


def test_results_for_too_few_cells_reject_all_conversations(batch):
    outcome = _chain(Short()).run(batch([("agent", "a")], [("agent", "b")]))
    assert not outcome.texts
    assert {r.error for r in outcome.rejections} == {"DetectorMiscount"}


@pytest.mark.parametrize(
    ("label", "token"),
    [
        ("Pam", "[PERSON_NAME_1]"),
        ("ann@x.org", "[EMAIL_ADDRESS_1]"),
        ("ann@x.org (Ann)", "[PERSON_NAME_1]"),
        ("agent", "agent"),
        ("Speaker 2", "Speaker 2"),
        (None, None),
        ("", ""),
    ],
)
def test_speaker_labels(batch, words, label, token):
    outcome = _chain(words(**{"ann@x.org": "EMAIL_ADDRESS"})).run(batch([(label, "hello")]))
    assert outcome.speakers == [token]
    assert outcome.tally.speakers_replaced == (label != token)


def test_a_speakers_name_in_the_text_is_the_speaker(batch, words):
    outcome = _chain(words()).run(batch([("Pam", "it is Pam"), ("agent", "thanks, Pam")]))
    assert outcome.texts == ["it is [PERSON_NAME_1]", "thanks, [PERSON_NAME_1]"]
    assert outcome.speakers == ["[PERSON_NAME_1]", "agent"]
    assert outcome.tally.entities == {"PERSON_NAME": 1}


def test_a_name_of_one_conversation_is_not_searched_in_another(batch, words):
    outcome = _chain(words()).run(batch([("Pam", "hi")], [("agent", "thanks, Pam")]))
    assert outcome.texts == ["hi", "thanks, Pam"]


def test_a_label_on_which_a_detector_fails_stays_a_name(batch, words):
    outcome = _chain(words(poison="Pam")).run(batch([("Pam Beesly", "hi")]))
    assert outcome.speakers == ["[PERSON_NAME_1]"]


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


def test_the_second_look_scores_what_is_left(batch, words):
    chain = _chain(
        words(Jim="PERSON_NAME"), second_look=[words(**{"Jim": "PERSON_NAME", "Pam Lee": "PERSON_NAME"})]
    )
    outcome = chain.run(batch([("agent", "Jim and Pam Lee")], [("agent", "Jim")]))
    assert outcome.sources == ["model", "model"]
    assert [risk.score for risk in outcome.risks if risk] == [TABLE.rows["PERSON_NAME"].score, 0]


def test_an_error_in_the_second_look_rejects_one_conversation(batch, words):
    chain = _chain(words(), second_look=[words(poison="POISON")])
    outcome = chain.run(batch([("agent", "POISON")], [("agent", "b")]))
    assert outcome.batch.ids == ["c1"]
    assert [(r.stage, r.error) for r in outcome.rejections] == [(Stage.DETECT, "ValueError")]


def test_what_a_reviewer_marked_counts_as_human(batch, words):
    marks = [AnnotatedSpan(0, 3, "MISSED_PERSON_NAME")]
    of = batch([("agent", "Pam and Jim")], spans={(0, 0): marks}, annotations=[Annotation.HUMAN])
    outcome = _chain(words(Jim="PERSON_NAME"), second_look=[words()]).run(of)
    assert outcome.sources == ["human"]


def test_gold_is_scored_by_its_spans_and_not_by_a_second_look(batch, words):
    gold = [AnnotatedSpan(0, 7, "PERSON_NAME"), AnnotatedSpan(12, 15, "PERSON_NAME")]
    chain = _chain(words(Jim="PERSON_NAME"), second_look=[words(and_="EMAIL_ADDRESS", Pam="EMAIL_ADDRESS")])
    outcome = chain.run(
        batch([("agent", "Pam Lee and Jim")], spans={(0, 0): gold}, annotations=[Annotation.GOLD])
    )
    (risk,) = outcome.risks
    assert outcome.sources == ["gold"]
    assert risk is not None
    assert risk.score == TABLE.rows["PERSON_NAME"].score


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


def test_an_unknown_gold_label_rejects_at_the_scoring(batch, words):
    spans = {(0, 0): [AnnotatedSpan(0, 1, "NO_SUCH")]}
    outcome = _chain(words()).run(
        batch([("agent", "x")], [("agent", "y")], spans=spans, annotations=[Annotation.GOLD, Annotation.NONE])
    )
    assert outcome.batch.ids == ["c1"]
    assert [(r.stage, r.error) for r in outcome.rejections] == [(Stage.SCORE, "UnknownTag")]


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


def test_findings_out_of_range_reject_at_the_replacing(batch):
    class Wild:
        name = "wild"

        def find(self, column):
            return [[Finding(0, "1", "X", Likelihood.LIKELY, "wild")] for _ in column.texts]  # type: ignore[arg-type]

    outcome = _chain(Wild()).run(batch([("agent", "a")]))
    assert [(r.stage, r.error) for r in outcome.rejections] == [(Stage.REPLACE, "TypeError")]


def test_without_a_table_nothing_is_scored(batch, words):
    outcome = _chain(words(Pam="PERSON_NAME"), table=None).run(batch([("agent", "Pam")]))
    assert outcome.risks == [None]
    assert outcome.sources == [None]
    assert [f.info_type for cell in outcome.findings for f in cell] == ["PERSON_NAME"]


def test_an_empty_batch_and_an_empty_conversation(batch, words):
    chain = _chain(words(), second_look=[words()])
    assert not chain.run(ConversationBatch()).rejections
    outcome = chain.run(batch([], [("agent", "")]))
    assert outcome.batch.ids == ["c0", "c1"]
    assert outcome.texts == [""]


def test_all_rejected_leaves_empty_columns_and_every_rejection(batch, words):
    outcome = _chain(words(poison="x")).run(batch([("agent", "x")], [("agent", "xx")]))
    assert not len(outcome.batch)
    assert (outcome.texts, outcome.speakers, outcome.findings, outcome.risks) == ([], [], [], [])
    assert [r.position for r in outcome.rejections] == [0, 100]


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
    assert outcome.sources == [None]


def test_a_conversation_with_a_cut_word_is_read_again_by_those_who_ask_for_edges(batch):
    detector = TwoLooks()
    chain = Chain([detector], {}, Scoring(TABLE, where_cut=[detector]))
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


def test_other_mentions_of_what_was_found_are_found(batch, words):
    outcome = _chain(words(**{"Ann Lee": "PERSON_NAME"})).run(
        batch([("agent", "I am Ann Lee"), ("customer", "thanks, Ann")], [("agent", "thanks, Ann")])
    )
    assert outcome.texts == ["I am [PERSON_NAME_1]", "thanks, [PERSON_NAME_1]", "thanks, Ann"]
    assert [finding.detector for finding in outcome.findings[1]] == ["propagation"]


def test_rules_of_the_config_apply_to_propagated_mentions(batch, words):
    exclusion = {"matching_type": "MATCHING_TYPE_FULL_MATCH", "dictionary": {"word_list": {"words": ["ann"]}}}
    rule_set = [{"info_types": [{"name": "PERSON_NAME"}], "rules": [{"exclusion_rule": exclusion}]}]
    rules = MentionRules(parse_inspect_config({"rule_set": rule_set}))
    chain = Chain([words(**{"Ann Lee": "PERSON_NAME"})], {}, mention_rules=rules)
    outcome = chain.run(batch([("agent", "I am Ann Lee"), ("customer", "thanks, Ann, I mean Lee")]))
    assert outcome.texts[1] == "thanks, Ann, I mean [PERSON_NAME_1]"
