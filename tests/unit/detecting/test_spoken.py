import pickle

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.overlaps import resolve
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.detecting.spoken import LANGUAGES, SpokenDetector, speech, spoken
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import tabled
from tests.growth import grows_linearly


def runs_of(*texts):
    return [(texts[cell][start:end], kind) for cell, start, end, kind in spoken(TextColumn(texts))]


@tabled("said", "info_type")
def test_values_are_found_where_they_are_said(said, info_type):
    assert runs_of(said) == [(said, info_type)]
    assert runs_of(f"well, it's {said}, thanks", f"🙂 um {said}!") == [(said, info_type)] * 2


@tabled("text")
def test_ordinary_text_has_none(text):
    assert runs_of(text) == []


def test_letters_that_are_words_are_no_edge_of_a_value():
    assert runs_of("a one five double two oh nine I think") == [("one five double two oh nine", "NUMERIC")]
    assert runs_of("write to the mark at example dot com") == [("mark at example dot com", "EMAIL_ADDRESS")]


def test_of_several_languages_the_longest_run_is_kept():
    text = "numret är sju tre fem, sorry, seven three five"
    assert [said for said, _ in runs_of(text)] == ["sju tre fem", "seven three five"]


def test_its_parts_tell_what_it_is_and_it_tells_how_far_they_reach():
    text = "my claim is two three four four one oh seven"
    whole = Finding(12, len(text), "PHONE_NUMBER", Likelihood.LIKELY, "spoken")
    part = Finding(16, 31, "GENERIC_ID", Likelihood.POSSIBLE, "model")
    assert resolve(text, [whole, part], ranks()) == [whole._replace(info_type="GENERIC_ID", likelihood=3)]


@pytest.mark.parametrize(("least", "count"), [("LIKELY", 1), ("VERY_LIKELY", 0)])
def test_info_types_and_thresholds_of_the_config_hold(least, count):
    asked = {"info_types": [{"name": "SPELLED_WORD"}], "min_likelihood": least}
    detector = pickle.loads(pickle.dumps(SpokenDetector(parse_inspect_config(asked))))
    column = TextColumn(["that is M. A. R. K., right", "four one five five five five"])
    assert list(map(len, detector.find(column))) == [count, 0]
    found, unsure = detector.find_twice(column)
    assert list(map(len, unsure)) == [1 - count, 0]
    assert found == detector.find(column)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_counts_and_is_lower_case(language):
    words = speech(language)
    assert len(words.numbers) > 20
    assert words.weak <= words.numbers
    assert all(word == word.lower() for word in words.numbers | words.between | words.repeats)


@pytest.mark.parametrize(
    "piece", ["one ", "a ", "double ", "dot com ", "w ", "fem", "at x dot ", "1 a ", "- "]
)
def test_the_time_is_linear(piece):
    assert grows_linearly(lambda size: runs_of(piece * size), 4_000)
