"""The tiny model, from the text to the finding."""

import pickle

import pytest

from tacenda.models.token_classifier import detector as module
from tacenda.models.token_classifier.decoding_settings import read_decision
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text import column
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases

PERSON = "PERSON_NAME"


@pytest.mark.parametrize(("texts", "expected", "how"), cases(__file__, "test_findings"))
def test_findings(detector, found, texts, expected, how):
    inspect = dict(how)
    decision, least = inspect.pop("decision", None), inspect.pop("least", None)
    by = detector(decision and read_decision(decision, ""), least and Likelihood[least], **inspect)

    def said(text, label, likelihood):
        return text if (label, likelihood) == (PERSON, "VERY_LIKELY") else f"{text} {label} {likelihood}"

    assert [[said(*one) for one in cell] for cell in found(*texts, by=by)] == expected


def test_half_characters_do_not_move_offsets(found):
    assert found("\ud800 Pam") == [[("Pam", PERSON, "VERY_LIKELY")]]


def test_what_is_read_before_a_cell_counts_and_is_not_found(detector):
    led = TextColumn(["zzyzx", "zzyzx", "rang", "Pam"], [0, 4], ["mr ", "", "pam ", "name: "])
    found, unsure = detector().find_twice(pickle.loads(pickle.dumps(led)))
    assert found == detector().find(led)
    said = [[led.texts[k][f.start : f.end] for f in cell] for k, cell in enumerate(found)]
    assert said == [["zzyzx"], [], [], ["Pam"]]
    assert all(0 <= f.start < f.end <= len(led.texts[k]) for k, cell in enumerate(unsure) for f in cell)


def test_places_are_plausible_where_a_word_may_be_personal_data(detector):
    doubting = detector(read_decision({"threshold": 0.5, "doubts": {PERSON: 0.03, "NUMERIC": 0.2}}, ""))
    led = TextColumn(["and hardly", "Pam hello"], [0, 2], ["", "name: "])
    for twice in (False, True):
        look = doubting.find_counted(led, twice)
        said = [[led.texts[k][start:end] for start, end, _ in cell] for k, cell in enumerate(look.plausible)]
        assert said == [["hardly"], ["Pam"]]
    assert [[round(p, 2) for *_, p in cell] for cell in look.plausible] == [[0.06], [1.0]]
    assert detector().find_counted(led, True).plausible == []


def test_pickles_as_its_settings_and_shares_the_network(detector, found):
    one = detector()
    other = pickle.loads(pickle.dumps(one))
    assert len(pickle.dumps(one)) < 10_000
    assert other._loaded is one._loaded is detector(None, Likelihood.VERY_UNLIKELY)._loaded
    assert found("Pam", by=other) == found("Pam", by=one)


def test_long_batches_go_in_blocks_and_no_conversation_is_cut(detector, monkeypatch):
    texts = ["mr zzyzx", "Scranton", "Pam " * 40, "", "call", "Dwight"]
    first_cell = [0, 2, 3, 3, 6]
    whole = detector().find(TextColumn(texts, first_cell))
    assert [len(findings) for findings in whole] == [1, 1, 1, 0, 0, 1]
    for size in (1, 9, 1000):
        monkeypatch.setattr(column, "_BLOCK", size)
        assert detector().find(TextColumn(texts, first_cell)) == whole
    assert detector().find(TextColumn([], [0, 0, 0])) == []


def test_a_word_dropped_by_the_tokenizer_stops_its_conversation(detector, monkeypatch):
    monkeypatch.setattr(module, "misses_words", lambda *_: True)
    with pytest.raises(RecordError, match=r"^WordsUnseen$"):
        detector().find(TextColumn(["abcd"]))


@pytest.mark.parametrize("inspect", [{}, {"min_likelihood": "LIKELY"}, {"min_likelihood": "UNLIKELY"}])
def test_two_looks_at_once_are_the_two_apart(detector, inspect):
    texts = TextColumn(
        ["hardly Pam and perhaps maybe", "Probably will, hardly", "", "Beet maybe Farms"], [0, 2, 4]
    )
    found, unsure = detector(**inspect).find_twice(texts)
    assert found == detector(**inspect).find(texts)
    least = detector(None, Likelihood.VERY_UNLIKELY, **inspect).find(texts)

    def letters(*looks):
        return [
            {i for f in findings for i in range(f.start, f.end) if text[i].isalpha()}
            for text, *cells in zip(texts.texts, *looks, strict=True)
            for findings in [[f for cell in cells for f in cell]]
        ]

    assert letters(found, unsure) == letters(least)


def test_a_word_that_a_rule_excludes_is_in_neither_look(detector):
    words = {"word_list": {"words": ["maybe", "hardly"]}}
    rule = {"exclusion_rule": {"dictionary": words, "matching_type": "MATCHING_TYPE_FULL_MATCH"}}
    one = detector(rule_set=[{"info_types": [{"name": PERSON}], "rules": [rule]}])
    texts = TextColumn(["Pam is maybe in", "hardly is perhaps"], [0, 2])
    found, unsure = one.find_twice(texts)
    assert found == one.find(texts)
    said = [
        [[t[f.start : f.end] for f in cell] for t, cell in zip(texts.texts, look, strict=True)]
        for look in (found, unsure)
    ]
    assert said == [[["Pam"], []], [[], ["perhaps"]]]
