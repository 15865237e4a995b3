import tracemalloc

import pytest

from tacenda.transforms.detecting.candidates import candidates, outside_tokens
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.overlaps import merge_overlapping as merge
from tacenda.transforms.detecting.overlaps import not_within
from tacenda.transforms.detecting.patterns.pattern_set import Filter
from tacenda.transforms.detecting.personal_labels import looks_personal, say_personal
from tacenda.transforms.detecting.rule_sets import MentionRules
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import Hotword
from tacenda.transforms.detecting.user_rules import HotwordIndex
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import Utf8Column
from tests.cases import tabled
from tests.growth import grows_linearly


def test_each_place_keeps_its_highest_likelihood():
    found = candidates([(1, 0, 4, 2), (0, 3, 5, 3), (1, 0, 4, 5), (1, 0, 3, 1)]).surest()
    assert found.cells.tolist() == [0, 1, 1]
    assert found.ends.tolist() == [5, 3, 4]
    assert found.likelihoods.tolist() == [3, 1, 5]


def _near(texts, first_cell, place, hotword):
    column = Utf8Column(texts, first_cell)
    found = candidates([(*place, 3)])
    near = bool(HotwordIndex(column).near(found, hotword)[0])
    assert bool(HotwordIndex(column, Filter({hotword.regex: 0}).of(column)).near(found, hotword)[0]) == near
    assert place[0] in HotwordIndex(column).cells_near([hotword]).tolist() or not near
    return near


@tabled("texts", "first_cell", "place", "window", "near")
def test_a_whole_hotword_lies_in_the_window(texts, first_cell, place, window, near):
    assert _near(texts, first_cell, place, Hotword("login", *window)) is near


def test_cells_near_many_hotwords_take_as_much_memory_as_cells():
    texts = ["ssn"] * 50_000
    spots = HotwordIndex(Utf8Column(texts, [0, len(texts)]))
    hotword = Hotword("ssn", 1000, 1000)
    spots.cells_near([Hotword("ssn")])
    tracemalloc.start()
    assert spots.cells_near([hotword, hotword]).tolist() == list(range(len(texts)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * len(texts)


TEXTS = ["so", "Will and Annie, or Ann"]
WILL = Finding(0, 4, "PERSON_NAME", Likelihood.LIKELY, "propagation")
ANNIE = Finding(9, 14, "PERSON_NAME", Likelihood.POSSIBLE, "propagation")
ANN = Finding(19, 22, "FIRST_NAME", Likelihood.POSSIBLE, "propagation")


def left(config, *findings):
    rules = MentionRules(parse_inspect_config(config))
    return [one for _, several in rules.left(TEXTS, [(1, list(findings))]) for one in several]


@tabled("config")
def test_unlikely_findings_are_left_out(config):
    assert left(config, WILL, ANNIE, ANN) == [WILL]


def test_mentions_excluded_by_a_rule_are_removed():
    exclusion = {
        "matching_type": "MATCHING_TYPE_FULL_MATCH",
        "dictionary": {"word_list": {"words": ["will"]}},
    }
    rule_set = [{"info_types": [{"name": "PERSON_NAME"}], "rules": [{"exclusion_rule": exclusion}]}]
    assert left({"rule_set": rule_set}, WILL, ANNIE, ANN) == [ANNIE, ANN]


def test_hotwords_make_mentions_likelier():
    hotword = {
        "hotword_regex": {"pattern": "Will"},
        "proximity": {"window_before": 10},
        "likelihood_adjustment": {"fixed_likelihood": "VERY_LIKELY"},
    }
    rule_set = [{"info_types": [{"name": "PERSON_NAME"}], "rules": [{"hotword_rule": hotword}]}]
    assert left({"rule_set": rule_set}, ANNIE) == [ANNIE._replace(likelihood=Likelihood.VERY_LIKELY)]


TURNS = ["hello", "電話は？", "０９０－１２３４－５６７８です", "thanks", "رقمي ٠٥٠-١٢٣-٤٥٦٧"]
FIRST = [0, 1, 4, 5]


def _phones(texts, first_cell):
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": "PHONE_NUMBER"}]}))
    found = detector.find(TextColumn(texts, first_cell))
    return [
        sorted({t[f.start : f.end] for f in cell}, key=len)[-1:] for t, cell in zip(texts, found, strict=True)
    ]


def test_offsets_are_those_of_the_original_text():
    assert _phones(TURNS, FIRST) == [[], [], ["０９０－１２３４－５６７８"], [], ["٠٥٠-١٢٣-٤٥٦٧"]]


def test_a_pattern_of_the_user_may_name_full_width_characters():
    own = {"infoType": {"name": "TICKET"}, "regex": {"pattern": "Ｔ[０-９]+"}}
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": "URL"}], "customInfoTypes": [own]}))
    [found] = detector.find(TextColumn(["番号 Ｔ１２３"]))
    assert [(f.start, f.end, f.info_type) for f in found] == [(3, 7, "TICKET")]


@pytest.mark.parametrize("bracket", ["［", "["])
def test_a_replacement_token_stays_whole(bracket):
    detector = RulesDetector(parse_inspect_config({}))
    text = f"{bracket}PHONE_NUMBER_1] ０９０"
    assert all(f.start >= len(text) - 3 for f in detector.find(TextColumn([text]))[0])


@tabled("before", "value", "info_type")
def test_a_broken_value_is_one_finding_of_the_original(before, value, info_type):
    text = f"{before}{value}, please"
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": info_type}]}))
    place = (len(before), len(before) + len(value))
    [found], [unsure] = detector.find_twice(TextColumn([text]))
    assert place in {(f.start, f.end) for f in found}
    assert place not in {(f.start, f.end) for f in unsure}
    assert detector.find(TextColumn([text])) == [found]


def test_a_broken_name_is_found_in_the_lists():
    detector = GazetteerDetector(parse_inspect_config({"infoTypes": [{"name": "PERSON_NAME"}]}))
    text = "yesterday I asked John Wil-\nliamson about it"
    [found] = detector.find(TextColumn([text]))
    assert any(text[f.start : f.end].endswith("Wil-\nliamson") for f in found)


def test_numbers_on_two_lines_are_no_number():
    detector = RulesDetector(parse_inspect_config({"infoTypes": [{"name": "NUMERIC"}]}))
    text = "there were 12\n34 came"
    assert all("\n" not in text[f.start : f.end] for f in detector.find(TextColumn([text]))[0])


TEXT_OF_OUTSIDE_TOKENS = "Mr [PERSON_NAME_1] and [LOCATION_2]!"


def cut(text, *ranges):
    findings = [Finding(a, b, "PERSON_NAME", Likelihood.LIKELY, "d") for a, b in ranges]
    return [text[f.start : f.end] for f in outside_tokens(text, findings)]


@tabled("place", "left")
def test_tokens_are_removed_from_a_finding(place, left):
    assert cut(TEXT_OF_OUTSIDE_TOKENS, place) == left


def test_many_findings_among_many_tokens_take_linear_time():
    def run(size):
        unit = "[PERSON_NAME_1] x "
        assert len(cut(unit * size, *((i - 2, i - 1) for i in range(18, 18 * size + 1, 18)))) == size

    assert grows_linearly(run, 1000)


RANK = {"PHONE_NUMBER": 80, "NUMERIC": 1, "URL": 88, "DOMAIN_NAME": 50, "A": 10, "B": 10}


def _at(start, end, name, likelihood="POSSIBLE"):
    return Finding(start, end, name, Likelihood[likelihood], "rules")


@tabled("found", "merged")
def test_overlapping_findings_become_one(found, merged):
    assert merge([_at(*one) for one in found], RANK) == [_at(*one) for one in merged]


def test_findings_within_others_are_dropped():
    def at(start, end):
        return Finding(start, end, "DATE", Likelihood.LIKELY, "rules")

    others = [at(5, 10), at(20, 30)]
    assert not_within([at(0, 4), at(5, 10), at(21, 22), at(29, 31)], others) == [at(0, 4), at(29, 31)]
    assert not_within([at(0, 4)], []) == [at(0, 4)]


@tabled("label")
def test_labels_with_names_look_personal(label):
    assert looks_personal(label, sentences=True)


@tabled("label")
def test_system_identifiers_do_not_look_personal(label):
    assert not looks_personal(label, sentences=True)


def test_a_context_may_be_some_words_and_no_name():
    contexts = ["customer_support", "home loans", "sales", "Rachel Green", "x@y.se"]
    found = [looks_personal(one, sentences=False) for one in contexts]
    assert found == [False, False, False, True, True]


WORDS_OF_TOOLS = [
    "get_stock_price",
    "lawyer.search",
    "random_forest.train",
    "Search for a book by title or author",
]


def test_ordinary_words_of_tools_are_nobodys():
    assert not any(
        say_personal([*WORDS_OF_TOOLS, "Write to user@example.com."], ["The stock price, please."])
    )


@pytest.mark.parametrize(
    "label",
    ["mail_pam@dunder.com", "Ask grace.lee@example.com", "+46 70 123 45 67", "Card 4111 1111 1111 1111"],
)
def test_what_is_certain_counts_in_words_of_tools(label):
    assert say_personal([label], []) == [True]


def test_a_tool_is_not_named_after_somebody_in_the_conversation():
    assert say_personal(["call_rachel_green"], ["I am Rachel Green."]) == [True]
    assert say_personal(["call_rachel_green"], ["Whom do you mean?"]) == [False]
