import pickle
from itertools import accumulate

import pytest

from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.names.lexicon import is_known_place, lexicon
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Exclusion,
    InspectSettings,
    Matching,
    Regex,
    RuleSet,
)
from tacenda.transforms.gazetteers.word_list import NAMES, rows
from tacenda.transforms.generating.sample.dialogue import conversations
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text import column
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases, tabled
from tests.growth import grows_linearly

_ALL = ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")


def _found(text, first_cell=None, **settings):
    texts = [text] if isinstance(text, str) else text
    override = settings.pop("override", None)
    detector: Detector = GazetteerDetector(InspectSettings(**{"info_types": _ALL, **settings}), override)
    found = detector.find(TextColumn(texts, first_cell or [0, len(texts)]))
    return [(t[f.start : f.end], f.info_type) for t, fs in zip(texts, found, strict=True) for f in fs]


@pytest.mark.parametrize(
    ("info_type", "text", "said"),
    [(info_type, *case) for info_type in _ALL for case in cases(__file__, info_type)],
)
def test_people_places_and_organisations(info_type, text, said):
    assert (said, info_type) in _found(text)


@tabled("text")
def test_ordinary_words_are_not_names(text):
    assert _found(text) == []


def test_offsets_are_code_points_and_no_finding_includes_a_token():
    found = _found("😀😀 Please ask [PERSON_NAME_1] and Åsa Lindqvist 😀 about [LOCATION_2].")
    assert found == [("Åsa Lindqvist", "PERSON_NAME")]


def test_only_the_info_types_asked_for_are_found():
    text = "Maria Gonzalez moved here from Portland last year."
    assert _found(text, info_types=("LOCATION",)) == [("Portland", "LOCATION")]
    assert _found(text, info_types=("EMAIL_ADDRESS",)) == []


def test_a_threshold_is_honoured_by_info_type_and_can_be_overridden():
    text = "Please ask Maria about the bill."
    assert ("Maria", "PERSON_NAME") in _found(text)
    strict = (("PERSON_NAME", Likelihood.VERY_LIKELY),)
    assert _found(text, min_likelihood_by_info_type=strict) == []
    override = Likelihood.VERY_UNLIKELY
    assert ("Maria", "PERSON_NAME") in _found(text, min_likelihood_by_info_type=strict, override=override)


@pytest.mark.parametrize(
    ("matching", "left"),
    [
        (Matching.FULL, ["John Miller"]),
        (Matching.PARTIAL, ["John Miller"]),
        (Matching.INVERSE, ["Emily Watson"]),
    ],
)
def test_findings_of_rules_can_exclude_names(matching, left):
    staff = CustomInfoType(
        "CASE_STAFF", Likelihood.VERY_LIKELY, Regex(r"Dr\. [A-Z]\w+ [A-Z]\w+"), excluding=True
    )
    rules = (RuleSet(("PERSON_NAME",), (Exclusion(matching, info_types=("CASE_STAFF",)),)),)
    text = "Please ask Dr. Emily Watson about it, and call John Miller."
    found = _found(text, custom=(staff,), rule_sets=rules)
    assert [name.removeprefix("Dr. ") for name, _ in found] == left


def test_the_pickle_is_small():
    detector = GazetteerDetector(InspectSettings(_ALL))
    data = pickle.dumps(detector)
    assert len(data) < 2000
    text = ["Please ask Maria Gonzalez about it."]
    assert pickle.loads(data).find(TextColumn(text, [0, 1])) == detector.find(TextColumn(text, [0, 1]))


@pytest.mark.parametrize("piece", ["Maria ", "a ", "Maria-", "new york ", "de la ", "University of ", "inc "])
def test_time_is_linear_in_the_text(piece):
    detector = GazetteerDetector(InspectSettings(_ALL))
    assert grows_linearly(lambda times: detector.find(TextColumn([piece * times])), 2_000)


def test_what_is_found_in_a_conversation_depends_on_no_other():
    apart = [["Call Dr."], ["rossi"], ["We moved to"], ["Nowy Port Street"], ["i am in"], ["san marino"]]
    for conversation in conversations(3, 0, 40):
        texts = [turn["text"] for turn in conversation["turns"]]
        apart += [texts[: len(texts) // 2], texts[len(texts) // 2 :]]
    together = [text for texts in apart for text in texts]
    first_cell = [0, *accumulate(map(len, apart))]
    alone = [found for texts in apart for found in _found(texts)]
    assert _found(together, first_cell) == alone


def test_findings_do_not_depend_on_block_size(monkeypatch):
    turns = [[turn["text"] for turn in c["turns"]] for c in conversations(3, 0, 60)]
    texts = [text for several in turns for text in several]
    first_cell = [0, *accumulate(map(len, turns))]
    find = GazetteerDetector(InspectSettings(_ALL), Likelihood.VERY_UNLIKELY).find
    found = find(TextColumn(texts, first_cell))
    assert sum(map(len, found)) > 300
    monkeypatch.setattr(column, "_BLOCK", 2000)
    assert len(TextColumn(texts, first_cell).blocks) > 10
    assert find(TextColumn(texts, first_cell)) == found


@pytest.mark.parametrize(
    ("texts", "known"),
    [
        (["Boston", "boston, massachusetts", "New York", "Medicine Hat", "SWEDEN"], True),
        (["Dunder Mifflin", "Boston Marrow", "Boston, Mifflin", "", "12", ", ,"], False),
    ],
)
def test_places_that_the_lists_know(texts, known):
    assert [is_known_place(text) for text in texts] == [known] * len(texts)


@tabled("word", "language", "least")
def test_words_are_distinguished_from_names(word, language, least):
    lists = lexicon()
    column = lists.languages.index(language)
    (kind,) = lists.kinds_of([word])
    level = int(lists.word[kind, column])
    assert level >= least
    assert least or level == 0
    assert lists.word_in(1 << column)[kind] == level


def test_each_line_of_the_lists_is_one_word_of_the_lexicon():
    words, levels = zip(*rows(NAMES), strict=True)
    kinds = lexicon().kinds_of(words)
    assert lexicon().given[kinds].tolist() == [int(level[0]) for level in levels]
    assert lexicon().family[kinds].tolist() == [int(level[1]) for level in levels]
