"""Figures and curves of the tiny model, with known probabilities."""

import pytest

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.figures import ALL, LIMITS, chosen_limit, curves, decided, figures
from tacenda.models.training.gold_tokens import score_gold
from tests.tiny_bert import tiny_scorer

SCHEME = LabelScheme.load(
    'classes: ["O", "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"]\nmerge: {"X": "O"}\nignore: ["TITLE"]\n'
)
ASKED = ["PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"]


def record(*turns, **fields):
    """Turns of a text and of ``value=label`` pairs for its gold."""
    made = []
    for text, *marks in turns:
        spans = []
        for mark in marks:
            value, label = mark.split("=")
            start = text.index(value)
            spans.append({"start": start, "end": start + len(value), "label": label})
        made.append({"text": text, "spans": spans})
    return {"id": "x", "source": "office/one", "turns": made, **fields}


def scored(*records):
    return score_gold(records, SCHEME, tiny_scorer())


RECORDS = (
    record(
        ("my name is pam schrute", "pam schrute=PERSON_NAME"),
        ("call maybe from new york", "maybe=PERSON_NAME"),
    ),
    record(("the beet in scranton", "scranton=LOCATION"), ("hello",), gold="partial"),
    record(("dwight probably", "dwight=PERSON_NAME", "probably=X"), gold="partial", complete_for=ASKED[:1]),
    record(("mr beet", "mr=TITLE", "beet=ORGANIZATION_NAME"), ("hardly", "hardly=PERSON_NAME")),
)


def test_whole_spans_judged_characters_and_leaks():
    told = figures(scored(*RECORDS), Decision(Rule.SUM, 0.2), ASKED)
    assert (told["support"], told["found"], told["recall"]) == (6, 5, 0.8333)
    # "new york" is wrong; "the beet" of the second is not judged; "probably" of the third is wrong.
    people = told["by_info_type"]["PERSON_NAME"]
    right = len("pamschrute") + len("maybe") + len("dwight")
    assert people["judged_characters"] == right + len("probably") + len("beet")
    assert people["precision"] == round((right + len("beet")) / people["judged_characters"], 4)
    assert told["by_info_type"]["LOCATION"]["precision"] == 0
    assert (told["conversations"], told["leak_rate"]) == (4, 0.25)
    assert list(told["by_corpus"]) == ["office"]
    assert told["by_corpus"]["office"]["support"] == 6
    assert told["by_language"] == {}


def test_figures_by_language():
    records = [dict(one, lang=lang) for one, lang in zip(RECORDS, ("en", "en", "nb", None), strict=True)]
    told = figures(scored(*records), Decision(Rule.SUM, 0.2), ASKED)["by_language"]
    assert {code: (one["support"], one["found"]) for code, one in told.items()} == {
        "en": (3, 3),
        "nb": (1, 1),
    }


def test_don_t_care_gold_is_neither_right_nor_wrong():
    records = record(("pam beet", "pam=TITLE"))
    told = figures(scored(records), Decision(Rule.SUM, 0.2), ASKED)
    assert (told["support"], told["judged_characters"], told["precision"]) == (0, len("beet"), 0)


def test_curves_have_the_figures_at_each_limit():
    gold = scored(*RECORDS, record(("hardly pam hardly", "hardly pam=PERSON_NAME")))
    plain, joined = curves(gold, ASKED), curves(gold, ASKED, 0.2)
    assert plain[ALL]["points"][0]["recall"] < joined[ALL]["points"][0]["recall"]
    assert [p["limit"] for p in plain["LOCATION"]["points"]] == list(LIMITS)
    supports = {name: (one["points"][0]["support"], one["judged_support"]) for name, one in plain.items()}
    assert supports == {
        "PERSON_NAME": (5, 5), "LOCATION": (1, 0), "ORGANIZATION_NAME": (1, 1), ALL: (7, 6),
    }  # fmt: skip


def curve(*f1s, judged=100):
    """F1 at limits .1, .2 …"""
    points = [{"limit": round(0.1 * (i + 1), 1), "f1": f1} for i, f1 in enumerate(f1s)]
    return {"judged_support": judged, "points": points}


@pytest.mark.parametrize(
    ("f1s", "delta", "limit"),
    [
        ((0.5, 0.79, 0.8, 0.7), 0.0, 0.3),
        ((0.5, 0.79, 0.8, 0.7), 0.02, 0.2),
        ((0.5, 0.79, 0.8, 0.7), 0.31, 0.1),
        ((0.8, 0.1, 0.8), 0.0, 0.1),
        ((None, 0.6, 0.61), 0.0, 0.3),
    ],
)
def test_takes_the_lowest_limit_within_delta_of_the_best(f1s, delta, limit):
    assert chosen_limit(curve(*f1s), delta) == limit


def test_chooses_nothing_on_too_little_gold():
    assert chosen_limit(curve(0.5, 0.9, judged=19), 0.02) is None
    assert chosen_limit(curve(None, None), 0.02) is None


def test_a_class_without_a_curve_has_the_limit_of_all():
    named = {ALL: curve(0.5, 0.9), "A": curve(0.9, 0.5), "B": curve(0.9, judged=2)}
    decision = decided(named, 0.02)
    assert (decision.rule, decision.threshold, decision.thresholds) == (Rule.SUM, 0.2, (("A", 0.1),))
    assert decided({ALL: curve(None)}, 0.02, fallback=0.25).threshold == 0.25
