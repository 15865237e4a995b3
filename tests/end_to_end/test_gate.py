"""What a run is released by and what holds it: attempts at an unearned release, and what is told of each.

Those of a careful opponent; and those of somebody who means no harm, with a careless reader, who signs every
conversation and marks nothing. None ends with ``_SUCCESS``.
"""

import json

import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.output.erasing import erase
from tacenda.transforms.storage import json_lines
from tacenda.transforms.storage.opening import open_read
from tests.cases import tabled
from tests.end_to_end.conftest import Run, counts
from tests.talks import gold, talk, talks

NO_REVIEW = {"release_on": "no_review", "because": "a trial that stays in this room"}
CUSTOMER = "kim7.berg@example.com"
MAIL, SAID = "pam@example.com", "write to pam@example.com, we talked about the garden"
CLEAN = {"gold": "complete"}


def _gold(count, text="we talked about the garden", *found):
    return [gold(f"c{i}", text, *found, context="sales", **CLEAN) for i in range(count)]


@pytest.fixture
def careless(call, tmp_path):
    """Release a corpus by a reader who marks nothing."""

    def release(run):
        signed = [{**one, "reviewed_by": "Kim Berg"} for one in run.corpus()]
        review = tmp_path / "review.jsonl"
        review.write_text("".join(json.dumps(one) + "\n" for one in signed))
        return call("release", run.folder, "--review", review)

    return release


def test_without_a_reason_somebody_has_to_read(anonymize):
    """That only rules looked for names is told as well."""
    run = anonymize(talks(40), config={"risk": {"release_on": "no_review"}})
    assert run.state == "held"
    assert "risk.because" in run.why
    (ground,) = [what for what in run.grounds() if what.startswith("only rules looked for")]
    assert "PERSON_NAME" in ground


@pytest.mark.parametrize("risk", [{}, NO_REVIEW])
def test_mostly_quarantined_input_is_held(anonymize, risk):
    run = anonymize([talk("c0", "hello"), *[b"{oops"] * 99], config={"risk": risk})
    assert run.state == "held"
    assert "99 of 100 rows are in quarantine" in run.why


def test_contexts_of_another_field_are_reported(anonymize):
    run = anonymize(talks(40, kind="all"), "--field", "context=kind", config={"risk": NO_REVIEW})
    assert "contexts are taken from the field kind" in str(run.grounds())


@pytest.mark.parametrize("weak", [{"overrides": {"PERSON_NAME": 0}}, {"threshold": 6}], ids=str)
def test_what_weakens_the_gate_is_reported_and_needs_a_reason(anonymize, weak):
    records = _gold(40, "we talked about", ("talked", "LOCATION"))
    run = anonymize(records, config={"risk": weak})
    assert run.state == "unreviewed"
    assert "settings weaken the gate" in run.why
    assert run.grounds(weakening=True)
    assert "weakens" in run.report.lower()
    run = anonymize(records, config={"risk": {**weak, "because": "agreed with counsel"}})
    assert run.state == "released"
    assert "agreed with counsel" in str(run.grounds())


def _excluding(rule, how="FULL_MATCH"):
    rule = {"exclusion_rule": {**rule, "matching_type": f"MATCHING_TYPE_{how}"}}
    types = [{"name": "EMAIL_ADDRESS"}]
    return {"inspect": {"info_types": types, "rule_set": [{"info_types": types, "rules": [rule]}]}}


def _replacing(primitive):
    one = {"info_types": [{"name": "EMAIL_ADDRESS"}], "primitive_transformation": primitive}
    return {"deidentify": {"info_type_transformations": {"transformations": [one]}}}


def _words(*words):
    return {"word_list": {"words": list(words)}}


EXCLUDED = "exclusion rules (inspect.rule_set): 1; what they reject is readable: EMAIL_ADDRESS 40"
WEAK = {
    "a pattern of everything": (_excluding({"regex": {"pattern": "(?s).+"}}), EXCLUDED),
    "a list of customers": (_excluding({"dictionary": _words(CUSTOMER)}), EXCLUDED),
    "a part of a list": (_excluding({"dictionary": _words("example")}, "PARTIAL_MATCH"), EXCLUDED),
    "a dictionary of customers": (
        _replacing(
            {"replace_dictionary_config": _words("ruth.hale@example.com", CUSTOMER, "jo8.lund@example.com")}
        ),
        "holds 40 of the findings that it replaces",
    ),
    "a fixed value": (
        _replacing({"replace_config": {"new_value": {"string_value": CUSTOMER.title()}}}),
        "a fixed value says what it replaces, or a part of that: 40 findings (EMAIL_ADDRESS)",
    ),
}


@pytest.mark.parametrize(("config", "told"), WEAK.values(), ids=WEAK)
def test_a_config_that_leaves_customers_readable_needs_a_reason(anonymize, careless, config, told):
    records = talks(40, f"write to {CUSTOMER} ({{}})")
    run = anonymize(records, config=config, keep_ids=False)
    assert any(told in what for what in run.grounds(weakening=True)), run.grounds()
    assert careless(run) == 3
    assert (run.folder / "_HELD").exists()
    run = anonymize(records, config={**config, "risk": {**NO_REVIEW, "because": "the addresses are ours"}})
    assert run.state == "released"


def test_an_exclusion_that_rejects_nothing_weakens_nothing(anonymize, careless):
    """Without whose release the others here would show nothing."""
    run = anonymize(talks(40), config=_excluding({"regex": {"pattern": "[a-z]+@ours[.]org"}}), keep_ids=False)
    assert careless(run) == 0
    assert run.state == "released"
    assert any("readable: nothing" in what for what in run.grounds())


@tabled("text", "error")
def test_what_cannot_be_searched_is_not_written(anonymize, text, error):
    run = anonymize(talks(40, text))
    assert run.state == "held"
    assert {*run.errors()} == {error}
    assert run.rows()["out"] == 0


def test_complete_gold_does_not_cover_kept_fields(anonymize):
    records = [{**one, "note": "Zorblax Quuxington came"} for one in _gold(40)]
    assert anonymize(records).state == "released"
    run = anonymize(records, "--keep", "note")
    assert run.state == "unreviewed"
    assert "gold of turns alone, which does not cover the texts of kept fields: 40" in run.why


def test_gold_that_is_what_the_detectors_found_is_reported(anonymize):
    run = anonymize(_gold(40, SAID, (MAIL, "EMAIL_ADDRESS")))
    assert run.state == "unreviewed"
    assert "gold that is nearly what the detectors found (40 of 40 places alike)" in run.why


@pytest.mark.parametrize(("named", "state"), [(1, "released"), (2, "held")])
def test_full_names_in_more_than_one_of_fifty_conversations_of_gold_hold(anonymize, named, state):
    text = "we xqzvt wlrmk about the garden"
    named_ones = _gold(50, text, ("xqzvt wlrmk", "PERSON_NAME"))[:named]
    run = anonymize([*named_ones, *_gold(50)[named:]])
    assert run.state == state
    figures = run.manifest["verdict"]["figures"]
    assert figures["direct_identifiers"] == {"found": named, "at_most": named / 50}


@pytest.mark.parametrize("how", [{}, {"gold": "partial"}])
def test_empty_or_partial_gold_never_decides_alone(anonymize, how):
    run = anonymize([gold(f"c{i}", "call me at 555-0134, 4111111111111", **how) for i in range(40)])
    sources = run.json("statistics.json")["sources"]
    assert set(sources) == {"gold", "model"}
    assert (sources["gold"]["total"]["max"], sources["model"]["total"]["count"]) == (0, 40)
    assert run.state != "released"
    assert run.manifest["verdict"]["evidence"] is None
    assert "partial or empty in 40" in run.why + str(run.grounds())


def test_one_conversation_without_gold_prevents_the_release(anonymize):
    """Empty gold that says it is complete does release."""
    run = anonymize(_gold(40))
    assert (run.state, run.json("_SUCCESS")["evidence"]) == ("released", "gold")
    assert set(run.json("statistics.json")["sources"]) == {"gold"}
    assert anonymize([*_gold(40), talk("more", "hello")]).state == "unreviewed"


def test_gold_without_annotations_of_text_that_nothing_looked_at_needs_a_reason(anonymize):
    for risk, state in (({}, "unreviewed"), ({"because": "the names are invented"}, "released")):
        config = {"inspect": {"info_types": [{"name": "URL"}]}, "risk": risk}
        run = anonymize(_gold(40, f"I am Pam, {MAIL}"), config=config)
        assert run.state == state
        assert any("gold without a single annotation" in what for what in run.grounds(weakening=True))


@pytest.mark.parametrize("empty", ["", " \u200b", "…"])
def test_many_conversations_without_a_word_need_a_reason(anonymize, empty):
    for without, weakens in ((2, False), (3, True)):
        more = [gold(f"e{i}", empty, **CLEAN) for i in range(without)]
        run = anonymize([*_gold(38), *more])
        told = f"conversations without a word, which score 0: {without} of {38 + without}"
        assert {"what": told, "weakens": weakens} in run.manifest["verdict"]["rests_on"]
        assert run.state == ("unreviewed" if weakens else "released")


def test_a_part_of_a_corpus_is_not_released(anonymize, careless, call):
    """Neither by gold nor by a reader."""
    told = "20 rows not read (--limit): a part of a corpus is not released"
    for records in (_gold(60), talks(60)):
        run = anonymize(records, "--limit", 40, keep_ids=False)
        assert run.state == "unreviewed"
        assert told in run.why
        assert "40 of 60 rows: the rest was not read, by request (--limit)" in run.grounds()
        assert "40 of 60 rows: the rest was not read, by request (--limit)" not in run.grounds(weakening=True)
    assert careless(run) == 3
    assert told in run.why
    assert call("corpus", "verify", run.folder) == 0


def test_complete_gold_that_covers_few_replacements_needs_a_reason(anonymize):
    def records(known):
        return [*_gold(40, SAID, (MAIL, "EMAIL_ADDRESS"))[:known], *_gold(40, SAID)[known:]]

    run = anonymize(records(26))
    assert run.state == "unreviewed"
    assert "lacks 14 of the 40 places that were replaced" in run.why
    public = {"risk": {"because": "the others are public addresses"}}
    assert anonymize(records(26), config=public).state == "released"
    assert anonymize(records(27)).state == "released"


@pytest.mark.parametrize("name", ["raw.jsonl", "corpus/raw.jsonl", ".raw.jsonl", "corpus/more/raw.jsonl"])
def test_a_foreign_file_in_the_folder_is_found(anonymize, call, name):
    folder = anonymize(talks(3)).folder
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text('{"text": "Ruth Hale"}\n')
    assert call("corpus", "verify", folder) == 3


# What was not looked for.


def _looking_for(*info_types, **risk):
    return {"inspect": {"info_types": [{"name": name} for name in info_types]}, "risk": risk}


def test_a_narrow_search_is_reported_and_passes_with_a_reason(anonymize):
    told = "direct identifiers that no detector looked for: "
    run = anonymize(talks(25), config=_looking_for("IP_ADDRESS"))
    assert run.state == "unreviewed"
    (ground,) = [what for what in run.grounds() if what.startswith(told)]
    assert "PERSON_NAME" in ground
    run = anonymize(talks(25), config=_looking_for("IP_ADDRESS", because="the speakers are machines"))
    assert (run.code, ground in run.grounds()) == (0, True)
    assert "the speakers are machines" in json.dumps(run.manifest["verdict"])


def test_special_categories_that_nothing_looked_for_are_reported(anonymize):
    run = anonymize(talks(25), "--detector", "rules", "--detector", "gazetteer")
    told = run.manifest["not_looked_for"]
    state = {(one["law"], one["name"]): one["looked_for"] for one in told["categories"]}
    assert state["GDPR Art. 9", "health"] == "in part"
    assert state["GDPR Art. 9", "religious or philosophical beliefs"] == "no"
    assert state["HIPAA, 45 CFR 164.514(b)(2)", "names"] == "yes"
    assert state["HIPAA, 45 CFR 164.514(b)(2)", "dates other than years, and ages over 89"] == "in part"
    assert len(state) == 8 + 18
    assert told["in_vain"] == ["MEDICAL_TERM"]
    assert "religious or philosophical beliefs" in run.report
    assert "MEDICAL_TERM" in run.report


def test_info_types_without_a_detector_are_reported_at_launch(anonymize):
    looked_for = _looking_for("MEDICAL_TERM", "ETHNIC_GROUP", "PERSON_NAME")
    detectors = ("--detector", "rules", "--detector", "gazetteer")
    run = anonymize(talks(2), *detectors, "--dry-run", config=looked_for)
    (note,) = [line for line in run.err.splitlines() if "no active detector can find" in line]
    names = ("MEDICAL_TERM", "ETHNIC_GROUP", "PERSON_NAME")
    assert [name in note for name in names] == [True, False, False]


# A held run: no folder named corpus; high scores can be dropped, and the rest is judged again.

_HIGH = {"risk": {"threshold": 3}}


def _scored(high=20):
    """Gold that no detector finds: the first of 60 score 5, the others nothing."""
    text = "the xqzvt wlrmk is fine today"
    return [*_gold(60, text, ("xqzvt wlrmk", "PERSON_NAME"))[:high], *_gold(60, text)[high:]]


def test_a_held_run_leaves_no_corpus_and_says_what_to_do(anonymize, lines):
    source = lines(*_scored())
    run = anonymize(source, config=_HIGH)
    assert run.state == "held"
    assert [path.name for path in (run.folder / ".held").iterdir()] == ["part-00000.jsonl.gz"]
    assert len(run.corpus()) == 60
    assert [path for path in run.hashes() if "part" in path and path.startswith((".held/", "corpus/"))] == [
        ".held/part-00000.jsonl.gz"
    ]
    assert any("do not train on it" in step for step in run.json("_HELD")["next"])
    assert "do not train on it" in run.out
    before = run.files()
    again = anonymize(source, config=_HIGH, output=run.folder)
    assert (again.code, "already done" in again.out, again.files()) == (3, True, before)
    for lost in (".held/part-00000.jsonl.gz", "report.html", "_HELD"):
        (run.folder / lost).unlink()
        again = anonymize(source, config=_HIGH, output=run.folder)
        assert (again.code, again.files()) == (3, before), lost


def test_high_scoring_conversations_are_dropped_and_the_rest_judged(anonymize):
    run = anonymize(_scored(), "--drop-over", 5, config={"risk": {"threshold": 3, "least_conversations": 20}})
    assert run.state == "released"
    assert run.rows() == counts(60, 40, dropped=20)
    assert run.ids() == [f"c{i}" for i in range(20, 60)]
    dropped = pq.read_table(run.folder / "dropped").to_pylist()
    assert {(row["conversation_id"], row["score"]) for row in dropped} == {(f"c{i}", 5) for i in range(20)}
    assert run.json("statistics.json")["sources"]["gold"]["total"]["max"] == 0
    assert "20 conversations that scored 5 or more were dropped by request" in str(run.grounds())


def test_erasing_what_scores_high_is_reported_and_needs_a_reason(anonymize):
    folder = anonymize(_scored(), config=_HIGH).folder
    erase(str(folder), {f"c{i}" for i in range(20)})
    run = Run(0, folder, "", "")
    told = "20 conversations were erased after the run, before which the criterion was not met"
    assert (run.state, told in run.grounds(weakening=True)) == ("unreviewed", True)
    assert any("settings weaken the gate" in one and told in one for one in run.manifest["verdict"]["lacks"])
    assert told in run.report
    assert erase(str(folder), {"c20"}).conversations == 1
    assert "21 conversations were erased" in run.why


def test_an_erasure_from_a_corpus_that_met_the_criterion_is_reported(anonymize):
    run = anonymize(_scored(high=0))
    erase(str(run.folder), {"c3", "c4"})
    told = {"what": "2 conversations were erased after the run", "weakens": False}
    assert told in run.json("_SUCCESS")["rests_on"]


def test_dropping_reads_the_input_once(anonymize, monkeypatch):
    opened = []

    def counted(url):
        opened.extend([url] if url.endswith(".jsonl") else [])  # not the corpus, whose fields are described
        return open_read(url)

    monkeypatch.setattr(json_lines, "open_read", counted)
    times = []
    for more in ((), ("--drop-over", 5)):
        opened.clear()
        anonymize(_scored(), "--workers", 1, *more, config=_HIGH)
        times.append(len(opened))
    assert times[0] == times[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("more", [["--workers", "2"], ["--runner=FnApiRunner"]])
def test_held_output_is_the_same_on_every_runner(anonymize, lines, more):
    source, words = lines(*_scored()), ("--unit-bytes", "1000", "--part-bytes", "3000", "--drop-over", "6")
    alone, other = anonymize(source, *words, config=_HIGH), anonymize(source, *words, *more, config=_HIGH)
    assert alone.state == other.state == "held"
    assert alone.files() == other.files()
    assert len([path for path in alone.files() if path.startswith(".held/")]) > 1


# The first conversations alone; the context of use.

CALLS = talks(60, f"write to u{{}}@example.com {'x ' * 400}")
TURNS = [
    {"conversation_id": f"c{i % 20}", "turn_index": i // 20, "speaker": "a", "text": f"u{i}@example.com"}
    for i in range(80)
]


@pytest.mark.parametrize(
    "more",
    [
        ["--workers", "1"],
        ["--workers", "1", "--unit-bytes", "3000"],
        pytest.param(["--workers", "2", "--unit-bytes", "5000"], marks=pytest.mark.slow),
        pytest.param(["--runner=FnApiRunner"], marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(("records", "bad"), [(CALLS, 1), (TURNS, 0)])
def test_the_first_conversations_come_out_and_the_rest_is_counted(tacenda, lines, records, bad, more):
    sources = [lines(records[0], *[b"{oops"] * bad, *records[1:30]), lines(*records[30:])]
    run = tacenda("anonymize", "--input", *sources, "--detector", "rules", *more, "--limit", 7)
    assert run.code == 0, run.err
    total, out = len(records) + bad, (6 if records is CALLS else 4 * 7)
    assert sorted({*run.ids()}) == [f"c{i}" for i in range(7 - bad)]
    assert run.rows() == counts(total, out, quarantined=bad, not_read=total - out - bad)
    assert f"{total - out - bad} not read by request" in run.out
    assert "not read by request" in run.report
    assert "NotRead" not in run.errors()


def test_a_filled_in_context_form_is_printed(anonymize, call, tmp_path):
    form = tmp_path / "context.yaml"
    assert call("config", "init", "--context-form", form) == 0
    form.write_text(form.read_text("utf-8").replace('purpose: ""', 'purpose: "An assistant."'), "utf-8")
    run = anonymize(talks(1), "--context", form)
    assert run.manifest["context"] == {"purpose": "An assistant."}
    assert "<dd><bdi>An assistant.</bdi></dd>" in run.report
    assert run.report.count("<dd><bdi>") == 1
    assert call("verify", run.folder) == 0
