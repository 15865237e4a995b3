"""The tiny model, from the text to the finding."""

import pickle
from collections.abc import Callable

import pytest

from tacenda.models.token_classifier import detector as module
from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text import column
from tacenda.transforms.text.column import TextColumn

Make = Callable[..., TokenClassifierDetector]
Found = Callable[..., list[list[tuple[str, str, str]]]]

PERSON, PLACE = "PERSON_NAME", "LOCATION"


def test_names_places_and_organisations(found):
    assert found("Hello, my name is Pam from New York", "", "Beet Farms and Scranton") == [
        [("Pam", PERSON, "VERY_LIKELY"), ("New York", PLACE, "VERY_LIKELY")],
        [],
        [("Beet Farms", "ORGANIZATION_NAME", "VERY_LIKELY"), ("Scranton", PLACE, "VERY_LIKELY")],
    ]


def test_case_and_the_word_before_count(found):
    assert found("will call", "Will call", "mr zzyzx", "zzyzx") == [
        [],
        [("Will", PERSON, "POSSIBLE")],
        [("zzyzx", PERSON, "VERY_LIKELY")],
        [],
    ]


def test_what_is_read_before_a_cell_counts_and_is_not_found(detector):
    led = TextColumn(["zzyzx", "zzyzx", "rang", "Pam"], [0, 4], ["mr ", "", "pam ", "name: "])
    found, unsure = detector().find_twice(pickle.loads(pickle.dumps(led)))
    assert found == detector().find(led)
    assert [[led.texts[k][f.start : f.end] for f in cell] for k, cell in enumerate(found)] == [
        ["zzyzx"],
        [],
        [],
        ["Pam"],
    ]
    assert all(0 <= f.start < f.end <= len(led.texts[k]) for k, cell in enumerate(unsure) for f in cell)


def test_a_word_is_taken_whole(found):
    assert found("xpamela!", "pams", "zpam") == [
        [("xpamela", PERSON, "VERY_LIKELY")],
        [("pams", PERSON, "VERY_LIKELY")],
        [],
    ]


def test_adjacent_words_join_and_line_breaks_separate(found):
    assert found("O'Brien", "J. Schrute", "Pam\nDwight", "Pam. Dwight", "Pam, Dwight", "Pam-Dwight") == [
        [("O'Brien", PERSON, "VERY_LIKELY")],
        [("J. Schrute", PERSON, "VERY_LIKELY")],
        [("Pam", PERSON, "VERY_LIKELY"), ("Dwight", PERSON, "VERY_LIKELY")],
        [("Pam", PERSON, "VERY_LIKELY"), ("Dwight", PERSON, "VERY_LIKELY")],
        [("Pam", PERSON, "VERY_LIKELY"), ("Dwight", PERSON, "VERY_LIKELY")],
        [("Pam-Dwight", PERSON, "VERY_LIKELY")],
    ]


def test_offsets_are_code_points_of_the_original(found):
    assert found("😀 José 𝔘 jose\u0301 \ud800 Pam") == [
        [
            ("José", PERSON, "VERY_LIKELY"),
            ("jose\u0301", PERSON, "VERY_LIKELY"),
            ("Pam", PERSON, "VERY_LIKELY"),
        ]
    ]


def test_findings_do_not_cross_replacement_tokens(found):
    (findings,) = found("Pam [PERSON_NAME_1] Dwight is [LOCATION_2][PERSON_NAME_3]pam")
    assert [text for text, _, _ in findings] == ["Pam", "Dwight", "pam"]


def test_the_second_look_reports_scores_below_the_threshold(detector, found):
    text = "hardly and perhaps and maybe and probably"
    assert found(text) == [[("maybe", PERSON, "POSSIBLE"), ("probably", PERSON, "LIKELY")]]
    assert found(text, by=detector(None, Likelihood.VERY_UNLIKELY)) == [
        [
            ("hardly", PERSON, "VERY_UNLIKELY"),
            ("perhaps", PERSON, "UNLIKELY"),
            ("maybe", PERSON, "POSSIBLE"),
            ("probably", PERSON, "LIKELY"),
        ]
    ]


def test_thresholds_of_the_settings_hold(detector, found):
    likely = detector(min_likelihood="LIKELY")
    assert found("maybe and probably", by=likely) == [[("probably", PERSON, "LIKELY")]]
    places = detector(info_types=[{"name": PLACE}, {"name": "EMAIL_ADDRESS"}])
    assert found("pam in scranton", by=places) == [[("scranton", PLACE, "VERY_LIKELY")]]
    assert detector(info_types=[{"name": "EMAIL_ADDRESS"}]).find(TextColumn(["pam"])) == [[]]


def test_exclusions_and_hotwords_of_the_settings_hold(detector, found):
    words = {"dictionary": {"word_list": {"words": ["Pam"]}}, "matching_type": "MATCHING_TYPE_FULL_MATCH"}
    without = detector(rule_set=[{"info_types": [{"name": PERSON}], "rules": [{"exclusion_rule": words}]}])
    assert found("Pam", "Pam Schrute", by=without) == [[], [("Pam Schrute", PERSON, "VERY_LIKELY")]]
    hotword = {
        "hotword_regex": {"pattern": "name"},
        "proximity": {"window_before": 20},
        "likelihood_adjustment": {"fixed_likelihood": "VERY_LIKELY"},
    }
    raised = detector(rule_set=[{"info_types": [{"name": PERSON}], "rules": [{"hotword_rule": hotword}]}])
    assert found("hardly", "my name is hardly", "hardly pam", by=raised) == [
        [],
        [("hardly", PERSON, "VERY_LIKELY")],
        [("hardly", PERSON, "VERY_LIKELY"), ("pam", PERSON, "VERY_LIKELY")],
    ]


def test_binary_mode_reports_one_info_type(detector, found):
    binary = detector(Decision(Rule.BINARY, 0.2, (), "GENERIC_ID"))
    assert found("Pam in Scranton", by=binary) == [
        [("Pam", "GENERIC_ID", "VERY_LIKELY"), ("Scranton", "GENERIC_ID", "VERY_LIKELY")]
    ]


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


def test_empty_batches(detector):
    assert detector().find(TextColumn([], [0])) == []
    assert detector().find(TextColumn(["", " "], [0, 2])) == [[], []]
    assert detector().find(TextColumn([], [0, 0, 0])) == []


def test_characters_that_no_piece_holds_are_no_error(detector, found):
    one = detector()
    assert found("Pa\x00m \x01\x02 hello", by=one) == [[("Pa\x00m", PERSON, "VERY_LIKELY")]]


def test_a_word_dropped_by_the_tokenizer_stops_its_conversation(detector, monkeypatch):
    monkeypatch.setattr(module, "count_unseen", lambda *_: (4, 1))
    with pytest.raises(RecordError, match=r"^WordsUnseen$"):
        detector().find(TextColumn(["abcd"]))


def test_two_looks_at_once_are_the_two_apart(detector):
    texts = ["hardly Pam and perhaps maybe", "Probably will, hardly", "", "Beet maybe Farms"]
    for inspect in ({}, {"min_likelihood": "LIKELY"}, {"min_likelihood": "UNLIKELY"}):
        found, unsure = detector(**inspect).find_twice(TextColumn(texts, [0, 2, 4]))
        assert found == detector(**inspect).find(TextColumn(texts, [0, 2, 4]))
        least = detector(None, Likelihood.VERY_UNLIKELY, **inspect).find(TextColumn(texts, [0, 2, 4]))

        def covered(cells):
            return [{place for f in cell for place in range(f.start, f.end)} for cell in cells]

        both = [{*a, *b} for a, b in zip(covered(found), covered(unsure), strict=True)]
        words = [{i for i in places if texts[c][i].isalpha()} for c, places in enumerate(covered(least))]
        assert [{i for i in places if texts[c][i].isalpha()} for c, places in enumerate(both)] == words


def test_a_word_that_a_rule_excludes_is_in_neither_look(detector):
    words = {
        "dictionary": {"word_list": {"words": ["maybe", "hardly"]}},
        "matching_type": "MATCHING_TYPE_FULL_MATCH",
    }
    rule = {"info_types": [{"name": PERSON}], "rules": [{"exclusion_rule": words}]}
    texts = ["Pam is maybe in", "hardly is perhaps"]
    found, unsure = detector(rule_set=[rule]).find_twice(TextColumn(texts, [0, 2]))
    assert found == detector(rule_set=[rule]).find(TextColumn(texts, [0, 2]))
    assert [[texts[c][f.start : f.end] for f in cell] for c, cell in enumerate(found)] == [["Pam"], []]
    assert [[texts[c][f.start : f.end] for f in cell] for c, cell in enumerate(unsure)] == [[], ["perhaps"]]
