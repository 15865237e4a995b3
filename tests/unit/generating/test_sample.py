"""The sample corpus: the same on every machine, with exact spans, and dictionaries that cover it."""

import re
from collections import Counter
from hashlib import sha256

import orjson
import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import voice
from tacenda.transforms.generating.sample.dialogue import (
    conversation,
    conversations,
    organization_dictionary,
    person_dictionary,
    template,
)


@pytest.fixture(scope="module")
def corpus():
    return list(conversations(1, 0, 500))


def test_shards_make_the_same_corpus(corpus):
    shards = [*conversations(1, 37, 60), *conversations(1, 0, 37)]
    assert shards[23:] + shards[:23] == corpus[:60]
    assert conversation(1, 41) == corpus[41]


def test_the_corpus_is_unchanged(corpus):
    """It is the same on every machine and Python; changes of the generator must change this line."""
    assert sha256(orjson.dumps(corpus)).hexdigest()[:16] == "88d16b0124f64866"
    assert corpus[0]["conversation_id"] == "sample-1-0000000"


def test_spans_are_exact(corpus):
    for record in corpus:
        for turn in record["turns"]:
            text, end = turn["text"], 0
            assert text
            assert text == text.strip()
            for span in turn["spans"]:
                said = text[span["start"] : span["end"]]
                assert end <= span["start"] < span["end"] <= len(text)
                assert said == said.strip()
                assert any(c.isalnum() for c in said)
                end = span["end"]
                # A datum is a word of its own: no letter touches it from outside.
                assert span["start"] == 0 or not text[span["start"] - 1].isalnum()
                assert span["end"] == len(text) or not text[span["end"]].isalnum()


def test_templates_leave_no_stray_spaces_or_punctuation(corpus):
    """Optional phrases of templates leave no double space, and no space before a full stop."""
    seam = re.compile(r"  |[^@ ] [.,?!;:](?:\s|$)|,,|,\.")
    seams = [
        match.group()
        for record in corpus
        for turn in record["turns"]
        if (match := seam.search(turn["text"])) is not None
    ]
    assert seams == []


def said_of(corpus, label):
    return [
        turn["text"][span["start"] : span["end"]]
        for record in corpus
        for turn in record["turns"]
        for span in turn["spans"]
        if span["label"] == label
    ]


def test_entities_are_mentioned_more_than_once(corpus):
    for record in corpus:
        mentions = Counter(
            span["entity"] for turn in record["turns"] for span in turn["spans"] if "entity" in span
        )
        assert all(count > 1 for count in mentions.values())
        assert set(mentions) == {f"e{n + 1}" for n in range(len(mentions))}


def test_dictionaries_are_a_share_of_all_that_is_said(corpus):
    whole = person_dictionary(1, 1.0)
    assert person_dictionary(1, 0.0) == []
    assert len(person_dictionary(1, 0.9)) == pytest.approx(0.9 * len(whole), rel=0.03)
    assert whole == sorted(set(whole))
    assert set(organization_dictionary(3, 0.5)) < set(organization_dictionary(3, 0.8))
    known = {name.lower() for name in organization_dictionary(1, 1.0)}
    ascii_only = [name for name in said_of(corpus, "ORGANIZATION_NAME") if name.isascii()]
    assert sum(name.lower() in known for name in ascii_only) > 0.9 * len(ascii_only)


@pytest.mark.parametrize(
    "text", ["{C.shoe_size}", "{+nothing}", "{C.first:backwards}", "{nonsense}", "{a b}"]
)
def test_a_template_refuses_what_does_not_exist(text):
    with pytest.raises(ValueError, match=r"gap|pool"):
        template(text, {"ok"})


def test_addresses_and_codes():
    assert voice.url("https://www.fable.example.com/help") == "w w w dot fable dot example dot com slash help"
    spoken = {voice.email(Draw(seed), "jo.li@example.com") for seed in range(40)}
    assert spoken == {"jo dot li at example dot com", "J-O dot L-I at example dot com"}
    codes = {voice.code(Draw(seed), "B231-C4") for seed in range(60)}
    assert "B two three one C four" in codes
    assert "B. 231 C. four" in codes
