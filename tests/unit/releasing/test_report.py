"""The report says what the verdict rests on, in words that a lawyer uses, and shows nothing that is not so."""

import re

import pytest

from tacenda.transforms.releasing.judging import Facts, judge
from tacenda.transforms.releasing.report import MOST_ROWS, render
from tacenda.transforms.releasing.verdict import Gate, Ground
from tacenda.transforms.scoring.bounds import Reading
from tacenda.transforms.scoring.statistics import RiskSketch


def _folder(source="human", contexts=("sales", "meetings"), scores=(0, 0, 3), facts=None, gate=None, **more):
    sketch = RiskSketch()
    for context in contexts:
        for score in scores:
            sketch.add(source, context, score, score >= 5, score > 0, times=50)
    statistics = sketch.compute()
    count = 50 * len(contexts) * len(scores)
    facts = facts or Facts(count, 0, {"gold": count} if source == "gold" else {"none": count})
    verdict = judge(statistics, gate or Gate(), facts).to_json()
    manifest = {
        "tacenda": "1.0",
        "command": "anonymize",
        "verdict": verdict,
        "rows": {"in": count, "out": count, "quarantined": 0, "dropped": 0, "not_read": 0, "balanced": True},
        "totals": {
            "conversations": count,
            "turns": 9 * count,
            "findings": {"PERSON_NAME": 7, "DATE": 2},
            "entities": {"PERSON_NAME": 3},
            "missed": {"PERSON_NAME": 1, "PERSON_NAME_PARTIAL": 2},
            "unscored": {},
            "quarantined": {},
            "readers": {},
        },
        "config": {
            "risk": {"threshold": 5},
            "detectors": {"names": ["rules", "model"], "models": [{"name": "kb-ner", "version": "3"}]},
            "replacement": {"keep": {}},
        },
        "config_hash": "c" * 64,
        "score_table": {"preset": "appendix", "version": "1"},
        "inputs": {"files": 1, "bytes": 1000, "sha256": "i" * 64},
        "run": {"date": None, "operator": None, "reviewer": None},
        "fields": {"kept": [], "opaque": {}, "dropped": []},
        "worst": {},
        "identifiability": {},
        "corpus": {"files": 1, "sha256": "a" * 64},
        "pseudonymised": False,
        **more,
    }
    return manifest, {**statistics.to_json(), "skipping": None, "languages": {"by_language": {}}}


def _words(page):
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S).split())


def of_a_review(**more):
    reading = Reading("human", 5000, 300, more.pop("direct", 1), more.pop("named", 27), read=300)
    facts = Facts(5000, 0, {"none": 5000}, reading=reading, populations={"sales": 2500, "meetings": 2500})
    review = {"readers": {"Pam Beesly": 300}}
    return _folder(facts=facts, review=review, **more)


def test_the_first_page_says_in_plain_words_what_is_left():
    told = _words(render(*of_a_review()))
    assert "Released People read 300 of 5,000 conversations, drawn at random" in told
    assert "27 (about 1 in 11) show a name or a part of one, and 1 show something that identifies" in told
    assert "With 95 % confidence, a direct identifier is readable in at most 1.5" in told
    assert "Who read it: Pam Beesly (300)." in told
    assert "Date and signature" in told


def test_without_a_review_nothing_is_said_to_be_known():
    told = _words(render(*_folder("model", scores=(0, 9))))
    assert "Not yet read by people" in told
    assert "How much is left is not known" in told
    assert "a list of what to read first, and no measure" in told
    assert "criterion met" not in told.casefold()
    assert "μ" not in told


def test_too_many_direct_identifiers_hold_and_the_figure_is_marked():
    page = render(*of_a_review(direct=4))
    assert "so that up to 2.96% of the corpus may have one" in _words(page)
    assert '<tr class="failed"><th scope="row">Conversations with a readable direct identifier' in page


def test_a_release_by_hand_and_one_without_a_review_are_called_so():
    by_hand = _folder("gold", scores=(9,), gate=Gate(release_anyway="the board decided"))
    assert "Released by hand A person released this corpus and gave this reason: the board decided" in _words(
        render(*by_hand)
    )
    facts = Facts(100, 0, {"none": 100}, grounds=[Ground("risk.release_on: nobody has to read it", True)])
    unread = _folder("model", facts=facts, gate=Gate(release_on="no_review", because="it stays in this room"))
    told = _words(render(*unread))
    assert "Released without a review Nobody has to read this corpus" in told
    assert "Weakens it: risk.release_on: nobody has to read it" in told


def test_contexts_are_sorted_by_what_is_left_and_limited():
    names = [f"queue {i}" for i in range(MOST_ROWS + 5)]
    page = render(*_folder("gold", contexts=names, scores=(0,)))
    assert page.count("queue ") == MOST_ROWS
    assert "(none)" in render(*_folder("gold", contexts=("",), scores=(0,)))


@pytest.mark.parametrize("name", ["<b>x</b>", "\u202egnp.exe", "a" * 300])
def test_values_are_escaped_and_cut(name):
    page = render(*_folder("gold", contexts=(name, "b"), scores=(0,)))
    assert "<b>x" not in page
    assert "\u202e" not in page
    assert "a" * 100 not in page


def test_what_stays_readable_and_what_is_pseudonymised_is_told():
    manifest, figures = _folder("gold", scores=(0,), pseudonymised=True)
    manifest["config"]["replacement"]["keep"] = {"DATE": "needed for the model"}
    manifest["fields"]["opaque"] = {"raw": "no text"}
    manifest["not_looked_for"] = {
        "categories": [{"law": "GDPR", "name": "religion", "looked_for": "no", "by": [], "section": ""}],
        "kinds": [],
        "in_vain": [],
    }
    told = _words(render(manifest, figures))
    for words in (
        "Pseudonymised: whoever has a key",
        "DATE, by request: needed for the model",
        "the field raw, which nothing inspected: no text",
        "what was not looked for by default or by the config: religion",
    ):
        assert words in told


def test_the_swap_test_names_what_is_held():
    manifest, figures = _folder("model")
    row = {"by": "kind of text", "name": "code", "swaps": 90, "found": 40, "share": 0.44, "held": True}
    figures["swap_test"] = {"groups": [{**row, "interval_95": [0.34, 0.55]}]}
    told = _words(render(manifest, figures)).replace("\u00a0", " ")
    assert "kind of text code 90 40 44.0 % 34.0 % to 55.0 %" in told


def test_the_same_folder_gives_the_same_bytes():
    assert render(*of_a_review()) == render(*of_a_review())
