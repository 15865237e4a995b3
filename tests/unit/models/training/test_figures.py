"""Figures and curves of the tiny model, with known probabilities."""

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.figures import figures
from tacenda.models.training.gold_tokens import score_gold
from tacenda.models.training.thresholds import ALL, LIMITS, curves

from .conftest import TINY

SCHEME = LabelScheme.load(
    'classes: ["O", "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"]\nignore: ["TITLE"]\n'
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
    scorer = Scorer(TurnEncoder(TINY / "tokenizer.json"), OnnxSession(TINY / "model.onnx", 4), 4, 16, 4, True)
    return score_gold(records, SCHEME, scorer)


RECORDS = (
    record(
        ("my name is pam schrute", "pam schrute=PERSON_NAME"),
        ("call maybe from new york", "maybe=PERSON_NAME"),
    ),
    record(("the beet in scranton", "scranton=LOCATION"), ("hello",), gold="partial"),
    record(("dwight probably", "dwight=PERSON_NAME"), gold="partial", complete_for=["PERSON_NAME"]),
    record(("mr beet", "mr=TITLE", "beet=ORGANIZATION_NAME"), ("hardly", "hardly=PERSON_NAME")),
)


def test_whole_spans_judged_characters_and_leaks():
    told = figures(scored(*RECORDS), Decision(Rule.SUM, 0.2), ASKED).to_dict()
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
    told = figures(scored(*records), Decision(Rule.SUM, 0.2), ASKED).to_dict()["by_language"]
    assert {code: (one["support"], one["found"]) for code, one in told.items()} == {
        "en": (3, 3),
        "nb": (1, 1),
    }


def test_don_t_care_gold_is_neither_right_nor_wrong():
    records = record(("pam beet", "pam=TITLE"))
    told = figures(scored(records), Decision(Rule.SUM, 0.2), ASKED).to_dict()
    assert (told["support"], told["judged_characters"], told["precision"]) == (0, len("beet"), 0)


def test_a_partly_found_span_is_not_found():
    whole = record(("pam scranton", "pam scranton=PERSON_NAME"))
    half = record(("pam hello", "pam hello=PERSON_NAME"))
    told = figures(scored(whole, half), Decision(Rule.SUM, 0.2), ASKED).to_dict()
    assert (told["found"], told["support"]) == (1, 2)


def test_curves_have_the_figures_at_each_limit():
    gold = scored(*RECORDS, record(("hardly pam hardly", "hardly pam=PERSON_NAME")))
    plain, joined = curves(gold, ASKED), curves(gold, ASKED, 0.2)
    assert plain[ALL].points[0].recall < joined[ALL].points[0].recall
    assert [p.limit for p in plain["LOCATION"].points] == list(LIMITS)
    assert {name: (curve.support, curve.judged_support) for name, curve in plain.items()} == {
        "PERSON_NAME": (5, 5), "LOCATION": (1, 0), "ORGANIZATION_NAME": (1, 1), ALL: (7, 6),
    }  # fmt: skip


def test_unrequested_classes_are_neither_found_nor_missed():
    told = figures(scored(*RECORDS), Decision(Rule.SUM, 0.2), ["LOCATION"]).to_dict()
    assert (told["support"], told["found"]) == (1, 1)
    assert list(told["by_info_type"]) == ["LOCATION"]
