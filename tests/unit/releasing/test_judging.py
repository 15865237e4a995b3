"""Attempts of a careful opponent: no verdict is stronger than its evidence."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.releasing.comparison import Row, compare, config_changes, snapshot
from tacenda.transforms.releasing.grounds import (
    grounds_of_decisions,
    grounds_of_entities,
    grounds_of_gate,
    grounds_of_hiding,
    grounds_of_languages,
    grounds_of_replacement,
    grounds_of_scores,
)
from tacenda.transforms.releasing.not_looked_for import not_looked_for
from tacenda.transforms.releasing.run import recount
from tacenda.transforms.releasing.verdict import Facts, Gate, Ground, State, judge
from tacenda.transforms.scoring.bounds import Reading
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch, ScoredConversation, worst_of
from tacenda.transforms.writing.staging import RiskRecord, risk_table

GATE = Gate()

GOLD = Facts(100, 0, {"gold": 100})

UNREAD = Facts(100, 0, {"none": 100})

REASON = "counsel decided so"


def _scored(source="gold", count=100, score=0, contexts=("sales",), direct=0):
    sketch = RiskSketch()
    for context in contexts:
        sketch.add(source, context, score, times=count - direct)
        if direct:
            sketch.add(source, context, 5, True, True, times=direct)
    return sketch


def _judged(sketch, facts, gate=GATE, problems=()):
    return judge(sketch.compute(gate.threshold), gate, facts, problems)


def _read(direct=0, read=300, **more):
    reading = Reading("human", 10_000, read, direct, direct, read=read, **more)
    facts = Facts(10_000, 0, {"none": 10_000}, reading=reading, populations={"sales": 10_000})
    return _judged(_scored("human", read, direct=direct), facts)


def test_a_review_and_complete_gold_release():
    assert _read().evidence == "human"
    assert _judged(_scored(), GOLD).evidence == "gold"


@pytest.mark.parametrize(
    ("read", "direct", "released"),
    [(149, 0, True), (140, 0, False), (300, 1, True), (300, 2, False), (20, 0, False)],
)
def test_a_review_releases_where_the_bound_is_within_the_limit(read, direct, released):
    verdict = _read(direct, read)
    assert (verdict.state is State.RELEASED) == released
    if not released:
        assert verdict.state is State.HELD
        assert "of the corpus may have one (95 %), more than 2.00%" in verdict.held_by[0]


def test_five_full_names_in_a_hundred_conversations_of_complete_gold_hold():
    verdict = _judged(_scored(direct=5), GOLD)
    assert verdict.state is State.HELD
    assert verdict.held_by == (
        "gold: a direct identifier is readable in 5 conversations of 100, 5.00%, more than 0.02",
    )
    assert _judged(_scored(direct=2), GOLD).state is State.RELEASED


@pytest.mark.parametrize("score", [0, 9, 100])
def test_without_a_review_there_is_no_judgement_whatever_detectors_suspect(score):
    verdict = _judged(_scored("model", score=score), UNREAD)
    assert (verdict.state, verdict.evidence, verdict.reading) == (State.UNREVIEWED, None, None)
    assert verdict.lacks == ("nobody reviewed it",)
    assert not verdict.failures


def test_the_watch_holds_what_nobody_read_and_people_may_decide_otherwise():
    seen = "code: 46 of 100 names were found again"
    assert _judged(_scored("model"), UNREAD._replace(watch=[seen])).held_by == (seen,)
    assert _judged(_scored(), GOLD._replace(watch=[seen])).state is State.RELEASED
    gate = Gate(release_on="no_review", because=REASON)
    assert _judged(_scored("model"), UNREAD._replace(watch=[seen]), gate).state is State.HELD


def test_a_config_that_says_in_words_why_nobody_has_to_read_releases():
    gate = Gate(release_on="no_review", because=REASON)
    facts = UNREAD._replace(grounds=list(grounds_of_gate(gate)))
    assert _judged(_scored("model"), facts, gate).evidence == "no_review"
    assert _judged(_scored("model"), facts, replace(gate, because=None)).state is State.HELD


@pytest.mark.parametrize("who", ["partial_gold", "empty_gold"])
def test_partial_and_empty_gold_decide_nothing_alone(who):
    verdict = _judged(_scored(), Facts(100, 0, {"gold": 60, who: 40}))
    assert (verdict.state, verdict.evidence) == (State.UNREVIEWED, None)
    assert "gold is partial or empty in 40 conversations" in verdict.lacks[0]
    assert any("partial or empty in 40 of them" in ground.what for ground in verdict.rests_on)
    assert _judged(_scored(direct=9), Facts(100, 0, {who: 100})).state is State.HELD


def test_gold_of_some_conversations_does_not_release_the_others():
    mixed = _scored(count=1).merge(_scored("model", 99))
    assert _judged(mixed, Facts(100, 0, {"gold": 1, "none": 99})).state is State.UNREVIEWED


def test_too_few_of_a_context_are_no_review_of_it():
    reading = Reading("human", 2_000, 200, 0, 0, read=200)
    populations = {"sales": 1_000, "meetings": 1_000}
    facts = Facts(2_000, 0, {"none": 2_000}, reading=reading, populations=populations)
    few = _scored("human", 197).merge(_scored("human", 3, contexts=("meetings",)))
    verdict = _judged(few, facts)
    assert verdict.held_by == ("context meetings: 3 conversations read, 5 needed",)
    small = facts._replace(populations={"sales": 1_980, "meetings": 20})
    assert _judged(few, small).held_by == ("small contexts: 3 conversations read, 5 needed",)


def test_a_context_that_fails_is_not_hidden_by_the_others():
    mixed = _scored(count=1_000).merge(_scored(score=6, contexts=("meetings",)))
    verdict = _judged(mixed, GOLD)
    assert verdict.held_by == ("gold, context meetings: mean + std is 6, not less than 5",)


def test_many_contexts_that_fail_are_not_all_listed():
    held = _judged(_scored(score=6, contexts=[f"c{i}" for i in range(50)]), GOLD).held_by
    assert len(held) == 21
    assert held[-1] == "and 31 more contexts that are too high"


@pytest.mark.parametrize(("lost", "held"), [(5, False), (6, True), (99, True)])
def test_more_in_quarantine_than_the_gate_allows_holds_whoever_read_it(lost, held):
    verdict = _judged(_scored(), Facts(100, lost, {"gold": 100 - lost}))
    assert (verdict.state is State.HELD) == held
    by_hand = replace(GATE, release_anyway=REASON)
    assert (_judged(_scored(), Facts(100, lost, {"gold": 1}), by_hand).state is State.HELD) == held


def _weakened(gate=GATE, **score_table):
    grounds = [*grounds_of_gate(gate), *grounds_of_scores(ScoreTable.load(**score_table), False)]
    assert grounds
    assert all(ground.weakens for ground in grounds)
    return GOLD._replace(grounds=grounds)


@pytest.mark.parametrize(
    "weaker",
    [
        {"overrides": {"PERSON_NAME": 0}},
        {"overrides": {"PERSON_NAME": {"partial_rounding": "floor"}}},
        {"overrides": {"PHONE": {"direct": False}}},
        {"labels": {"FIRST_NAME": "unscored"}},
        {"labels": {"IRELAND_EIRCODE": "AGE"}},
        {"preset": "worked_example"},
    ],
)
def test_scores_that_were_lowered_are_reported_and_need_a_reason(weaker):
    facts = _weakened(**weaker)
    verdict = _judged(_scored(), facts)
    assert verdict.state is State.UNREVIEWED
    assert "settings weaken the gate" in verdict.lacks[0]
    assert set(facts.grounds) <= set(verdict.rests_on)
    assert _judged(_scored(), facts, replace(GATE, because=REASON)).state is State.RELEASED


@pytest.mark.parametrize(
    "weaker",
    [
        {"threshold": 9},
        {"least_conversations": 1},
        {"largest_quarantined_share": 0.5},
        {"direct_identifiers_at_most": 0.03},
    ],
)
def test_a_gate_that_was_lowered_is_reported_and_needs_a_reason(weaker):
    gate = replace(GATE, **weaker)
    assert _judged(_scored(), _weakened(gate), gate).state is State.UNREVIEWED


def test_contexts_that_are_pooled_are_reported():
    assert (
        Ground("no contexts: all conversations are judged as one")
        in _judged(_scored(contexts=("",)), GOLD).rests_on
    )


def test_scores_of_given_conversations_release_nothing():
    scoring = Facts(100, 0, {"human": 100}, scoring=True)
    assert _judged(_scored("human"), scoring).state is State.SCORED
    assert _judged(_scored("human", direct=9), scoring).state is State.HELD
    assert _judged(RiskSketch(), scoring).held_by == ("no conversation was scored",)
    by_hand = replace(GATE, release_anyway=REASON)
    assert _judged(_scored("human"), scoring, by_hand).state is State.SCORED


def test_a_reason_of_a_person_does_not_lift_a_problem_of_the_run():
    gate = replace(GATE, release_anyway=REASON)
    assert _judged(_scored(score=9), GOLD, gate).evidence == "by_hand"
    assert _judged(_scored(), GOLD, gate, ["rows do not balance"]).state is State.HELD


def test_conversations_dropped_for_their_score_are_reported():
    facts = GOLD._replace(dropped=7, drop_over=5)
    told = " ".join(ground.what for ground in _judged(_scored(), facts).rests_on)
    assert "7 conversations that scored 5 or more were dropped by request" in told


NOTHING: dict[str, Any] = {"policies": [], "keep": {}, "lists": [], "eponyms": False}


def test_what_is_replaced_so_that_it_still_tells_something_is_reported():
    told = {
        "policies": [
            {"info_types": ["URL"], "what": "tokens"},
            {"info_types": ["AGE"], "what": "removed", "readable": None, "pseudonymised": False},
            {
                "info_types": ["PHONE", "FAX"],
                "what": "masked",
                "readable": "all but 4",
                "pseudonymised": False,
            },
            {"info_types": [], "what": "a keyed hash", "readable": "it links", "pseudonymised": True},
        ],
        "keep": {"DATE": "the season matters"},
        "lists": [{"file": "a.yaml", "protect": 2, "suppress": 0}],
        "eponyms": True,
    }
    readable = {"keep/DATE": 1200, "keep/AGE": 3, "protect/AGE": 2, "protect/DATE": 5, "eponym/LOCATION": 4}
    grounds = list(grounds_of_replacement(told, readable))
    assert [ground.what for ground in grounds] == [
        "PHONE, FAX: masked; all but 4",
        "all other infoTypes: pseudonymised, not anonymised: a keyed hash; it links",
        "DATE is kept: 1,200 findings stay readable (the season matters)",
        "lists of words and places that stay: 7 findings are readable and not scored",
        "names in medical terms stay (replacement.eponyms): 4 findings are readable and not scored",
    ]
    assert all(ground.weakens for ground in grounds)


def test_a_fixed_value_that_says_what_it_replaces_is_reported():
    readable = {"unhidden/PERSON_NAME": 1200, "unhidden/LOCATION": 1}
    (ground,) = grounds_of_replacement(NOTHING, readable)
    assert ground.what == (
        "a fixed value says what it replaces, or a part of that: 1,201 findings (LOCATION, PERSON_NAME)"
    )
    assert ground.weakens


def test_tokens_do_not_weaken_the_verdict():
    assert list(grounds_of_replacement(NOTHING, {})) == []


def test_invented_values_are_reported_and_weaken_nothing():
    grounds = list(grounds_of_replacement({**NOTHING, "drawn": ["surrogates"]}, {}))
    assert [(ground.what[:44], ground.weakens) for ground in grounds] == [
        ("values in the corpus are invented (surrogate", False)
    ]


def test_only_certain_names_among_surrogates_weaken_the_verdict():
    counted = {"conversations": 33, "name_shown": 1, "name_suspected": 30}
    shown, suspected = grounds_of_hiding(counted)
    assert shown.weakens
    assert "in 1 of 33 conversations" in shown.what
    assert not suspected.weakens
    assert list(grounds_of_hiding({"conversations": 33, "name_shown": 0, "name_suspected": 0})) == []
    assert list(grounds_of_hiding({})) == []


def test_text_in_a_language_that_is_only_claimed_needs_a_reason():
    (ground,) = grounds_of_languages(["de", "fr"], {"turns/de": 1200, "conversations/de": 3, "turns/en": 9})
    assert ground.what.startswith("German (1,200 turns) counts as covered by a model by a claim alone")
    assert ground.weakens


def test_other_thresholds_than_those_of_the_model_are_reported():
    (ground,) = grounds_of_decisions(["one", "two"])
    assert "for one, two: nothing was measured with them" in ground.what
    assert not ground.weakens
    assert list(grounds_of_decisions([])) == []


def test_labels_of_the_config_are_reported():
    labels = {"TICKET": "GENERIC_ID", "US_TOLLFREE_PHONE_NUMBER": "GENERIC_ID"}
    table = ScoreTable.load("appendix", {}, labels)
    # A telephone number scores the same so, but is a direct identifier no more.
    assert {ground.what: ground.weakens for ground in grounds_of_scores(table, False)} == {
        "TICKET scores as GENERIC_ID, as the config says": False,
        "US_TOLLFREE_PHONE_NUMBER scores as GENERIC_ID": True,
    }


def test_public_knowledge_that_stays_is_reported():
    readable = {"public_knowledge/LOCATION": 1200, "public_role/JUDGE": 3}
    (ground,) = grounds_of_entities({"public_knowledge": True}, readable)
    assert ground.what == (
        "public knowledge stays (look_for.presets: assistant): 1,200 findings are readable and not scored"
    )


TABLE = ScoreTable.load()


def test_every_kind_that_scores_and_nothing_looked_for_is_reported():
    told = not_looked_for(["IP_ADDRESS", "PERSON_NAME"], {"IP_ADDRESS"}, (), TABLE)
    tags = [kind.tag for kind in told.kinds]
    assert told.in_vain == ("PERSON_NAME",)
    assert ("PERSON_NAME", True) in [(kind.tag, kind.direct) for kind in told.kinds]
    assert "IP_ADDRESS" not in tags
    assert set(tags) | {"IP_ADDRESS"} == {name for name, row in TABLE.rows.items() if row.score}
    assert [kind.score for kind in told.kinds] == sorted((kind.score for kind in told.kinds), reverse=True)


def test_a_category_is_looked_for_whole_in_part_or_not():
    names = ["DATE", "DATE_OF_BIRTH", "ICD10_CODE"]
    told = not_looked_for(names, names, (), TABLE)
    state = {one.name: (one.looked_for, one.by) for one in told.categories}
    assert state["health"] == ("in part", ("ICD10_CODE",))
    assert state["genetic data"] == ("no", ())
    assert state["dates other than years, and ages over 89"] == ("in part", ("DATE", "DATE_OF_BIRTH"))
    whole = not_looked_for([*names, "AGE"], [*names, "AGE"], (), TABLE)
    assert {one.name: one.looked_for for one in whole.categories}[
        "dates other than years, and ages over 89"
    ] == "yes"


def test_the_categories_name_info_types_that_there_are():
    told = not_looked_for(list(catalogue()), catalogue(), (), TABLE)
    laws = [one.law for one in told.categories]
    assert (laws.count("GDPR Art. 9"), len(laws)) == (8, 26)
    assert all(name in catalogue() for one in told.categories for name in one.by)
    # Whatever has infoTypes of its own is looked for, at least in part, where all of them are.
    assert [one.name for one in told.categories if one.looked_for == "no"] == [
        "trade union membership",
        "genetic data",
        "biometric data",
        "sex life or sexual orientation",
        "biometric identifiers",
        "full-face photographs",
    ]


def _records(count):
    draw = random.Random(7)
    records = []
    for number in range(count):
        names, ages = draw.choice([(0, 0), (0, 0), (0, 2), (1, 0), (2, 1)]), draw.random() < 0.3
        tags = [("PERSON_NAME", False, names[0], 5 * names[0])] if names[0] else []
        tags += [("PERSON_NAME", True, names[1], 3 * names[1])] if names[1] else []
        tags += [("AGE", False, 1, 1)] if ages else []
        score = sum(tag[3] for tag in tags)
        context, source = draw.choice(["", "sales"]), draw.choice(["model", "model", "model", "gold"])
        records.append(RiskRecord(f"c{number:04}", context, source, score, tags, names[0] > 0))
    return records


def test_risk_records_add_up_to_what_was_counted_on_the_way():
    records = _records(300)
    sketch = RiskSketch()
    missed: dict[str, int] = {}
    for record in records:
        named = any(tag == "PERSON_NAME" for tag, *_ in record.tags)
        sketch.add(record.source, record.context, record.score, record.direct_identifier, named)
        for tag, partial, entities, _ in record.tags:
            key = tag + "_PARTIAL" * partial
            missed[key] = missed.get(key, 0) + entities
    worst = worst_of(
        (r.source, ScoredConversation(r.score, r.direct_identifier, r.context, r.conversation_id))
        for r in records
    )
    tables = [risk_table(records[start : start + 70]) for start in range(0, 300, 70)]
    for order in (tables, tables[::-1], [risk_table(records), risk_table([])]):
        found = recount(order)
        assert found.sketch.to_json() == sketch.to_json()
        assert found.missed == dict(sorted(missed.items()))
        assert (found.records, found.conversations, found.wrong) == (300, 300, 0)
        assert found.worst == worst


def test_a_score_that_is_not_the_sum_of_its_tags_is_wrong():
    record = RiskRecord("a", "", "model", 0, [("PERSON_NAME", False, 1, 5)], True)
    assert recount([risk_table([record])]).wrong == 1


def test_a_conversation_with_a_record_of_each_source_counts_once():
    records = [RiskRecord("a", "", source, 0, [], False) for source in ("gold", "model")]
    assert (recount([risk_table(records)]).records, recount([risk_table(records)]).conversations) == (2, 1)


CONFIG = {"detectors": {"names": ["rules", "model"], "models": [{"name": "minilm", "version": "8"}]}}


def manifest(**changed):
    told = {
        "verdict": {"state": "held"},
        "tacenda": "0.1.0",
        "config": CONFIG,
        "score_table": {"version": "2"},
        "shape": "chat",
        "rows": {"in": 100, "out": 98, "quarantined": 2, "dropped": 0, "not_read": 0, "balanced": True},
        "totals": {
            "conversations": 98,
            "turns": 500,
            "characters": 12_000,
            "speakers_replaced": 3,
            "findings": {"AGE": 10, "PERSON_NAME": 400},
            "missed": {"AGE": 2},
            "quarantined": {"read/InvalidJson": 2},
        },
    }
    return told | changed


def statistics(*scores, sales=()):
    sketch = RiskSketch()
    for context, of in (("support", scores), ("sales", sales)):
        for score in of:
            sketch.add("model", context, score)
    return sketch.compute().to_json()


def changed(before, after, config=()):
    return {kind.title: kind for kind in compare(before, after, config)}


def test_equal_runs_have_no_changes():
    one = snapshot(manifest(), statistics(0, 0, 5))
    found = changed(one, json.loads(json.dumps(one)))
    assert not any(kind.rows for kind in found.values())
    assert found["Masked, by infoType"].equal == 2


def test_each_figure_that_changed_is_listed_with_its_difference():
    totals = manifest()["totals"] | {"findings": {"PERSON_NAME": 500, "URL": 1}, "conversations": 49}
    found = changed(
        snapshot(manifest(), statistics(0, 0, 5)), snapshot(manifest(totals=totals), statistics(0, 0, 0))
    )
    assert found["Masked, by infoType"].rows == (
        Row("PERSON_NAME", "400", "500", "+100 (+25.0 %)"),
        Row("AGE", "10", "0", "−10 (−100.0 %)"),
        Row("URL", "0", "1", "+1"),
    )
    assert found["Volumes"].rows == (Row("conversations", "98", "49", "−49 (−50.0 %)"),)
    risk = {row.what: row for row in found["Risk"].rows}
    assert risk["suspected, all contexts: mean"].before == "1.67"
    assert risk["suspected, all contexts: at or over the threshold"].change == "−33.3 points"


def test_contexts_that_one_run_lacks_are_shown_as_missing():
    found = changed(snapshot(manifest(), statistics(0, 1)), snapshot(manifest(), statistics(0, 1, sales=[2])))
    rows = {row.what: row for row in found["Risk"].rows}
    assert rows["suspected, sales: mean"] == Row("suspected, sales: mean", "–", "2.00", "")


def test_settings_are_compared_by_their_paths():
    before = {"risk": {"threshold": 5, "because": None}, "inspect": {"info_types": [{"name": "AGE"}]}}
    after = {"risk": {"threshold": 4, "because": None}, "inspect": {"info_types": [{"name": "URL"}]}, "x": {}}
    assert config_changes(before, after) == [
        {"setting": "inspect.info_types", "before": '{"name": "AGE"}', "after": ""},
        {"setting": "inspect.info_types", "before": "", "after": '{"name": "URL"}'},
        {"setting": "risk.threshold", "before": "5", "after": "4"},
        {"setting": "x", "before": "", "after": "{}"},
    ]


def test_many_changes_are_cut_and_counted():
    totals = manifest()["totals"] | {"findings": {f"KIND_{i:03}": i + 1 for i in range(200)}}
    found = changed(snapshot(manifest(), statistics(0)), snapshot(manifest(totals=totals), statistics(0)))
    kind = found["Masked, by infoType"]
    assert (len(kind.rows), kind.more, kind.equal) == (60, 142, 0)
    assert kind.rows[0].what == "PERSON_NAME"


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"verdict": None},
        manifest(totals={}),
        manifest(shape=3),
        manifest(rows={"in": "many"}),
        manifest(config={"detectors": {"names": "rules", "models": [3]}}),
    ],
)
def test_what_is_no_manifest_is_refused(broken):
    with pytest.raises(ValueError, match="not the manifest"):
        snapshot(broken, statistics(0))
    with pytest.raises(ValueError, match="not the manifest"):
        snapshot(manifest(), {})
