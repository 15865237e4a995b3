"""The sample corpus: the same on every machine, with exact spans, and dictionaries that cover it."""

import re
from collections import Counter

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import voice
from tacenda.transforms.generating.sample.dialogue import (
    CONTEXTS,
    conversation,
    conversations,
    organization_dictionary,
    person_dictionary,
    template,
)
from tacenda.transforms.generating.templates import Piece, Pool, Slot, assemble


@pytest.fixture(scope="module")
def corpus():
    return list(conversations(1, 0, 500))


def test_shards_make_the_same_corpus(corpus):
    shards = [*conversations(1, 37, 60), *conversations(1, 0, 37)]
    assert shards[23:] + shards[:23] == corpus[:60]
    assert conversation(1, 41) == corpus[41]


def test_a_known_conversation_is_unchanged():
    """The corpus is the same on every machine and Python; changes of the generator must change this line."""
    first = conversation(1, 0)
    assert first["conversation_id"] == "sample-1-0000000"
    names = [turn["text"][s["start"] : s["end"]] for turn in first["turns"] for s in turn["spans"]]
    assert names[:2] == ["larkspur accounting", "katrin"]


def test_ids_are_unique_and_contexts_even(corpus):
    assert len({record["conversation_id"] for record in corpus}) == 500
    assert Counter(record["context"] for record in corpus) == dict.fromkeys(CONTEXTS, 100)


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


def test_data_look_like_their_label(corpus):
    assert all("@" in said or " at " in said for said in said_of(corpus, "EMAIL_ADDRESS"))
    assert all("example" in said for said in said_of(corpus, "URL"))
    assert all(re.match(r"\d|[a-z]", said, re.I) for said in said_of(corpus, "STREET_ADDRESS"))
    assert any(re.fullmatch(r"([A-Z]-)+[A-Z]", said) for said in said_of(corpus, "PERSON_NAME"))


def test_entities_are_mentioned_more_than_once(corpus):
    for record in corpus:
        mentions = Counter(span.get("entity") for turn in record["turns"] for span in turn["spans"])
        mentions.pop(None, None)
        assert all(count > 1 for count in mentions.values())
        assert sorted(mentions, key=lambda entity: int(entity[1:])) == [
            f"e{n + 1}" for n in range(len(mentions))
        ]


def test_dictionaries_are_a_share_of_all_that_is_said(corpus):
    whole = person_dictionary(1, 1.0)
    assert person_dictionary(1, 0.0) == []
    assert len(person_dictionary(1, 0.9)) == pytest.approx(0.9 * len(whole), rel=0.03)
    assert whole == sorted(set(whole))
    assert set(organization_dictionary(3, 0.5)) < set(organization_dictionary(3, 0.8))
    known = {name.lower() for name in organization_dictionary(1, 1.0)}
    ascii_only = [name for name in said_of(corpus, "ORGANIZATION_NAME") if name.isascii()]
    assert sum(name.lower() in known for name in ascii_only) > 0.9 * len(ascii_only)


def test_gaps_are_attributes_facts_and_pools():
    parsed = template("{C.first:spelled} {date1} {+ok}", {"ok"})
    assert parsed[::2] == (Slot("C", "first", "spelled"), Slot("", "date1", ""), Pool("ok"))


@pytest.mark.parametrize(
    "text", ["{C.shoe_size}", "{+nothing}", "{C.first:backwards}", "{nonsense}", "{a b}"]
)
def test_a_template_refuses_what_does_not_exist(text):
    with pytest.raises(ValueError, match=r"gap|pool"):
        template(text, {"ok"})


@pytest.mark.parametrize("seed", range(50))
def test_digits_read_back(seed):
    value = Draw("value", seed).digits(10)
    back = {word: str(n) for n, word in enumerate(voice.DIGITS)} | {"oh": "0"}
    read = ""
    times = 1
    for word in voice.digits(Draw(seed), value).split():
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
            continue
        read += back[word] * times
        times = 1
    assert read == value


@pytest.mark.parametrize("seed", range(50))
def test_spelling_keeps_the_letters(seed):
    said = voice.spelled(Draw(seed), "O'Neil-7")
    letters = "".join(part for part in said.replace("-", " ").replace(".", " ").split() if len(part) == 1)
    assert letters == "ONEIL7"


def test_mishearing_needs_slips():
    heard = {voice.digits(Draw(seed), "2486", 1.0) for seed in range(60)}
    assert heard == {"to for ate sicks", "too for ate sicks"}


def test_addresses_and_codes():
    assert voice.url("https://www.fable.example.com/help") == "w w w dot fable dot example dot com slash help"
    spoken = {voice.email(Draw(seed), "jo.li@example.com") for seed in range(40)}
    assert spoken == {"jo dot li at example dot com", "J-O dot L-I at example dot com"}
    codes = {voice.code(Draw(seed), "B231-C4") for seed in range(60)}
    assert "B two three one C four" in codes
    assert "B. 231 C. four" in codes


SAID = [Piece("My name is "), Piece("Mark", "PERSON_NAME", "p1"), Piece(", in room two.")]


@pytest.mark.parametrize(
    ("changed", "texts"),
    [
        (voice.without_doubled_stops([Piece("3 p.m.", "TIME"), Piece(". Bye.")]), {"3 p.m. Bye."}),
        (voice.without_punctuation(SAID), {"my name is Mark in room two"}),
        (voice.stuttering(SAID, Draw(3)), {"My name is Mark, in in room two."}),
        (
            voice.hesitating(SAID, Draw(1)),
            {f"{said}my name is Mark, in room two." for said in voice.HESITATIONS},
        ),
        (
            voice.broken_off([Piece("Thanks "), Piece("Mark", "PERSON_NAME")], Draw(1)),
            {f"{'Thanks'[:n]}- Thanks Mark" for n in range(1, 6)},
        ),
    ],
)
def test_slips_of_speech(changed, texts):
    text, (span,), _ = assemble(changed)
    assert text in texts
    assert text[span["start"] : span["end"]] in ("Mark", "3 p.m.")
