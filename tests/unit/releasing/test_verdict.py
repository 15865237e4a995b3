"""Attempts of a careful opponent: no verdict is stronger than its evidence."""

import json
import random

import pytest

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.releasing.criterion import next_steps
from tacenda.transforms.releasing.grounds import grounds_of
from tacenda.transforms.releasing.not_looked_for import not_looked_for
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.releasing.run import highest_in_reviews, lowered, readers_of
from tacenda.transforms.releasing.verdict import judge
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch, ScoredConversation
from tacenda.transforms.writing.staging import RiskRecord, risk_table
from tests.cases import tabled
from tests.unit.releasing.judged import RISK, a_run, review_of, scored

REASON = "counsel decided so"
NO_REVIEW = {"release_on": "no_review", "because": REASON}
GOLD, UNREAD = {"annotations": {"gold": 100}}, {"annotations": {"none": 100}}
GIVEN = {"command": "score", "annotations": {"human": 100}}
SWAPS = {"swapped": {"kind of text/code/put": 100, "kind of text/code/found": 46}}
HELD_BY_SWAPS = "the swap test: kind of text code: of 100 names"
TOO_MANY = "of the corpus may have one (95 %), more than 2.00%"
WEAKER_SCORES = [
    {"overrides": {"PERSON_NAME": 0}},
    {"overrides": {"PERSON_NAME": {"partial_rounding": "floor"}}},
    {"overrides": {"PHONE": {"direct": False}}},
    {"labels": {"FIRST_NAME": "unscored"}},
    {"labels": {"IRELAND_EIRCODE": "AGE"}},
    {"preset": "worked_example"},
    {"variant_clustering": True},
]
NAMELESS = {"risk": RISK | WEAKER_SCORES[0]}
WEAKER_GATES = [
    {"threshold": 9},
    {"least_conversations": 1},
    {"largest_quarantined_share": 0.5},
    {"direct_identifiers_at_most": 0.03},
]


def _read(read, direct=0):
    """A review of some of ten thousand conversations."""
    sketch, entries = scored("human", read, direct=direct), review_of(read, direct)
    return {"sketch": sketch, "entries": entries, "rows_in": 10_000}


def _doubtful(problem):
    """A review that would release, but for a problem of its own."""
    read = _read(149)
    read["entries"]["review"]["problems"] = [problem]
    return read


def _contexts(sales):
    """A review of 200 of 2,000 conversations, three of them meetings."""
    sketch = scored("human", 197).merge(scored("human", 3, contexts=("meetings",)))
    entries = review_of(200, populations={"sales": sales, "meetings": 2_000 - sales})
    return {"sketch": sketch, "entries": entries, "rows_in": 2_000}


def _gold(source="gold", **more):
    """Gold of a hundred conversations, or what else scored them."""
    of_sketch = {name: more.pop(name) for name in ("count", "score", "contexts", "direct") if name in more}
    return {"sketch": scored(source, **of_sketch), **(more if "annotations" in more else GOLD | more)}


MODIFIED = {"run": {"reviewer": None, "fields": {}, "drop_over": 5, "reviews_given": 0, "input_modified": 2}}
MIXED = scored(count=1).merge(scored("model", 99))
SPREAD = scored(count=50, score=5, contexts=("meetings",)).merge(
    scored(count=50, score=7, contexts=("meetings",))
)
HIDDEN = scored(count=1_000).merge(SPREAD)
VERDICTS = [
    # People or complete gold release, where the bound is within the limit.
    (_read(149), "released", "human", ""),
    (_read(300, 1), "released", "human", ""),
    (_read(140), "held", None, TOO_MANY),
    (_read(300, 2), "held", None, TOO_MANY),
    (_read(20), "held", None, TOO_MANY),
    (_gold(), "released", "gold", ""),
    (_gold(direct=2), "released", "gold", ""),
    (_gold(direct=5), "held", None, "gold: a direct identifier is readable in 5 conversations of 100, 5.00%"),
    # What detectors suspect never decides.
    *(
        (_gold("model", score=n, **UNREAD), "unreviewed", None, "people have to read a sample of it")
        for n in (0, 9, 100)
    ),
    # The swap test holds what nobody read, and people may decide otherwise.
    (_gold("model", **UNREAD, **SWAPS), "held", None, HELD_BY_SWAPS),
    (_gold("model", **UNREAD, **SWAPS, gate=NO_REVIEW), "held", None, HELD_BY_SWAPS),
    (_gold(**SWAPS), "released", "gold", "people decided otherwise"),
    # A config may say in words why nobody has to read.
    (_gold("model", **UNREAD, gate=NO_REVIEW), "released", "no_review", REASON),
    (_gold("model", **UNREAD, gate={"release_on": "no_review"}), "held", None, "risk.because"),
    # Partial and empty gold decide nothing alone, nor does gold of some conversations.
    *(
        row
        for who in ("partial_gold", "empty_gold")
        for row in (
            (_gold(annotations={"gold": 60, who: 40}), "unreviewed", None, "partial or empty in 40 of them"),
            (_gold(direct=9, annotations={who: 100}), "held", None, "direct identifier"),
        )
    ),
    (
        {"sketch": MIXED, "annotations": {"gold": 1, "none": 99}},
        "unreviewed",
        None,
        "people have to read a sample of it",
    ),
    # Each context counts.
    (_contexts(1_000), "held", None, "context meetings: 3 conversations read, 5 needed"),
    (_contexts(1_980), "held", None, "small contexts: 3 conversations read, 5 needed"),
    ({"sketch": HIDDEN, **GOLD}, "held", None, "gold, context meetings: mean + std is 7, not less than 5"),
    (
        _gold(score=6, contexts=[f"c{i}" for i in range(50)]),
        "held",
        None,
        "and 31 more contexts that are too",
    ),
    (_gold(contexts=("",)), "released", "gold", "no contexts: all conversations are judged as one"),
    # More in quarantine than the gate allows holds whoever read it; so do problems of the run.
    (_gold(rows_quarantined=5), "released", "gold", "95 of 100 rows: the rest is in quarantine"),
    (_gold(rows_quarantined=6), "held", None, "6 of 100 rows are in quarantine, more than 0.05 of them"),
    (_gold(rows_quarantined=99), "held", None, "99 of 100 rows are in quarantine: the rest"),
    (_gold(rows_out=99), "held", None, "rows do not balance"),
    (_gold(entries=MODIFIED), "held", None, "modified while the run read them: 2; run again"),
    (_doubtful("one row is invalid"), "held", None, "one row is invalid"),
    # What weakens the gate is reported, and needs a reason.
    *(
        (_gold(config={"risk": RISK | weaker}), "unreviewed", None, "weaken the gate")
        for weaker in WEAKER_SCORES
    ),
    *((_gold(gate=weaker), "unreviewed", None, "settings weaken the gate") for weaker in WEAKER_GATES),
    (
        _gold(config={"risk": RISK | WEAKER_SCORES[0]}, gate={"because": REASON}),
        "released",
        "gold",
        "scores 0",
    ),
    (_read(300) | {"config": NAMELESS}, "held", None, "PERSON_NAME scores 0 instead of 5"),
    (_gold(dropped=7), "released", "gold", "7 conversations that scored 5 or more were dropped by request"),
    # Scores of given conversations release nothing.
    ({"sketch": scored("human"), **GIVEN}, "scored", None, "these conversations alone"),
    ({"sketch": scored("human", direct=9), **GIVEN}, "held", None, "direct identifier"),
    ({"sketch": RiskSketch(), **GIVEN}, "held", None, "no conversation was scored"),
]


@pytest.mark.parametrize(("run", "state", "evidence", "told"), VERDICTS)
def test_no_verdict_is_stronger_than_its_evidence(run, state, evidence, told):
    judged = a_run(**run)
    verdict = judge(judged)
    assert (verdict["state"], verdict["released"], verdict["evidence"]) == (
        state,
        state == "released",
        evidence,
    )
    assert told in json.dumps(verdict, ensure_ascii=False)
    assert bool(verdict["held_by"]) == (state == "held")
    assert all(
        {"what": one.what, "weakens": one.weakens} in verdict["rests_on"] for one in grounds_of(judged)
    )


@tabled("verdict", "asks", "first")
def test_people_are_asked_only_if_their_reading_can_release(verdict, asks, first):
    steps = next_steps(verdict)
    assert any("review sample" in step for step in steps) == asks
    assert steps[0].startswith(first) if first else not steps


@tabled("run", "told")
def test_what_settings_and_counts_say_for_and_against_a_run_is_reported(run, told):
    grounds = list(grounds_of(a_run(scored(), **run)))
    assert [ground.weakens for ground in grounds] == list(told.values())
    assert all(words in ground.what for words, ground in zip(told, grounds, strict=True))


TABLE = ScoreTable.load()


def test_every_kind_that_scores_and_nothing_looked_for_is_reported():
    told = not_looked_for(["IP_ADDRESS", "PERSON_NAME"], {"IP_ADDRESS"}, (), TABLE)
    assert told["in_vain"] == ["PERSON_NAME"]
    kinds = {kind["tag"]: kind["direct"] for kind in told["kinds"]}
    assert kinds["PERSON_NAME"]
    assert {*kinds, "IP_ADDRESS"} == {name for name, row in TABLE.rows.items() if row.score}
    assert "IP_ADDRESS" not in kinds
    scores = [kind["score"] for kind in told["kinds"]]
    assert scores == sorted(scores, reverse=True)


def test_the_categories_name_info_types_that_there_are():
    told = not_looked_for(list(catalogue()), catalogue(), (), TABLE)["categories"]
    laws = [one["law"] for one in told]
    assert (laws.count("GDPR Art. 9"), len(laws)) == (8, 26)
    assert all(name in catalogue() for one in told for name in one["by"])
    # Whatever has infoTypes of its own is looked for, at least in part, where all of them are.
    assert [one["name"] for one in told if one["looked_for"] == "no"] == [
        *("trade union membership", "genetic data", "biometric data", "sex life or sexual orientation"),
        *("biometric identifiers", "full-face photographs"),
    ]


def test_readers_and_marks_of_earlier_reviews_are_remembered():
    for readers, told in (({"": 3, "Jim": 1}, {"Pam": 3, "Jim": 1}), ({"": 3, "Pam": 1}, {"Pam": 4})):
        assert readers_of({"run": {"reviewer": "Pam"}, "totals": {"readers": readers}}) == told
    reviews = {"reviews_before": {"highest": {"b": 5, "a": 1}}, "review": {"highest": {"a": 3}}}
    assert highest_in_reviews(reviews) == {"a": 3, "b": 5}
    assert highest_in_reviews(reviews, gone=["b"]) == {"a": 3}
    assert lowered({"a": 3, "b": 5, "c": 1}, {"a": 3, "b": 4}) == 2


def _records(count):
    draw = random.Random(7)
    for number in range(count):
        names, ages = draw.choice([(0, 0), (0, 0), (0, 2), (1, 0), (2, 1)]), draw.random() < 0.3
        tags = [("PERSON_NAME", False, names[0], 5 * names[0])] if names[0] else []
        tags += [("PERSON_NAME", True, names[1], 3 * names[1])] if names[1] else []
        tags += [("AGE", False, 1, 1)] if ages else []
        context, source = draw.choice(["", "sales"]), draw.choice(["model", "model", "model", "gold"])
        score = sum(tag[3] for tag in tags)
        yield RiskRecord(f"c{number:04}", context, source, score, tags, names[0] > 0)


def recount(tables):
    found = Recount()
    for table in tables:
        found.add(table)
    return found


def test_risk_records_add_up_to_what_was_counted_on_the_way():
    records = list(_records(300))
    sketch = RiskSketch()
    missed: dict[str, int] = {}
    for record in records:
        named = any(tag == "PERSON_NAME" for tag, *_ in record.tags)
        sketch.add(record.source, record.context, record.score, record.direct_identifier, named)
        for tag, partial, entities, _ in record.tags:
            key = tag + "_PARTIAL" * partial
            missed[key] = missed.get(key, 0) + entities
        worst = ScoredConversation(
            record.score, record.direct_identifier, record.context, record.conversation_id
        )
        sketch.add_worst(record.source, [worst])
    counted = {name: told for name, told in sketch.to_json().items() if name != "left"}
    tables = [risk_table(records[start : start + 70]) for start in range(0, 300, 70)]
    for order in (tables, tables[::-1], [risk_table(records), risk_table([])]):
        found = recount(order)
        assert {**counted, "left": found.sketch.to_json()["left"]} == found.sketch.to_json()
        assert found.missed == missed
        assert (found.records, found.conversations, found.wrong) == (300, 300, 0)


def test_wrong_scores_and_records_of_several_sources_are_counted():
    wrong = RiskRecord("a", "", "model", 0, [("PERSON_NAME", False, 1, 5)], True)
    assert recount([risk_table([wrong])]).wrong == 1
    both = recount([risk_table([RiskRecord("a", "", source, 0, [], False) for source in ("gold", "model")])])
    assert (both.records, both.conversations) == (2, 1)
