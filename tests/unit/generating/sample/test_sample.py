"""sample"""

import json
import re
from collections import Counter, defaultdict

import pytest
from stdnum import iban, imei, luhn
from stdnum.ca import sin
from stdnum.gb import vat
from stdnum.us import rtn, ssn

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece, Span, assemble
from tacenda.transforms.generating.sample import inventory, verbalize
from tacenda.transforms.generating.sample import verbalize as slips
from tacenda.transforms.generating.sample.dialogue import (
    CONTEXTS,
    conversation,
    conversations,
    organization_dictionary,
    person_dictionary,
    scenario,
    template,
)
from tacenda.transforms.generating.templates import Pool, Slot

LABELS = {
    "AGE",
    "CANADA_SOCIAL_INSURANCE_NUMBER",
    "CREDIT_CARD_NUMBER",
    "DATE",
    "DATE_OF_BIRTH",
    "EMAIL_ADDRESS",
    "GENERIC_ID",
    "IBAN_CODE",
    "ICCID_NUMBER",
    "IMEI_HARDWARE_ID",
    "IP_ADDRESS",
    "LOCATION",
    "LOCATION_COORDINATES",
    "MAC_ADDRESS",
    "MEDICAL_RECORD_NUMBER",
    "MEDICAL_TERM",
    "ORGANIZATION_NAME",
    "PASSPORT",
    "PERSON_NAME",
    "PHONE_NUMBER",
    "PRODUCT",
    "STREET_ADDRESS",
    "SWIFT_CODE",
    "TIME",
    "URL",
    "USER_NAME",
    "US_BANK_ROUTING_MICR",
    "US_SOCIAL_SECURITY_NUMBER",
    "US_STATE",
    "VAT_NUMBER",
    "VEHICLE_IDENTIFICATION_NUMBER",
    "ZIP_CODE",
}


@pytest.fixture(scope="module")
def corpus():
    return list(conversations(1, 0, 500))


def test_shards_make_the_same_corpus(corpus):
    shards = [*conversations(1, 37, 60), *conversations(1, 0, 37)]
    assert shards[23:] + shards[:23] == corpus[:60]
    assert conversation(1, 41) == corpus[41]


def test_another_seed_makes_another_corpus(corpus):
    other = conversation(2, 0)
    assert other["conversation_id"] != corpus[0]["conversation_id"]
    assert other["turns"] != corpus[0]["turns"]


def test_a_known_conversation_is_unchanged():
    """The corpus is the same on every machine and Python; changes of the generator must change this line."""
    first = conversation(1, 0)
    assert first["conversation_id"] == "sample-1-0000000"
    assert first == json.loads(json.dumps(first))
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


@pytest.mark.parametrize(
    ("label", "whole", "verifier"),
    [
        ("CREDIT_CARD_NUMBER", r"[\d ]{15,}", luhn),
        ("CANADA_SOCIAL_INSURANCE_NUMBER", r"[\d ]{9,}", sin),
        ("US_SOCIAL_SECURITY_NUMBER", r"\d{3}-\d\d-\d{4}", ssn),
        ("US_BANK_ROUTING_MICR", r"\d{9}", rtn),
        ("IMEI_HARDWARE_ID", r"\d{15}", imei),
        ("ICCID_NUMBER", r"\d{19}", luhn),
        ("IBAN_CODE", r"[A-Z]{2}\d\d [A-Z0-9 ]{11,}", iban),
        ("VAT_NUMBER", r"GB\d{9}", vat),
    ],
)
def test_clean_numbers_verify(corpus, label, whole, verifier):
    clean = [said for said in said_of(corpus, label) if re.fullmatch(whole, said)]
    assert len(clean) > 1
    assert all(verifier.is_valid(said.replace(" ", "")) for said in clean)


def test_data_look_like_their_label(corpus):
    assert all("@" in said or " at " in said for said in said_of(corpus, "EMAIL_ADDRESS"))
    assert all("example" in said for said in said_of(corpus, "URL"))
    assert all(re.match(r"\d|[a-z]", said, re.I) for said in said_of(corpus, "STREET_ADDRESS"))
    assert any(re.fullmatch(r"([A-Z]-)+[A-Z]", said) for said in said_of(corpus, "PERSON_NAME"))


def test_every_label_is_there(corpus):
    found = {span["label"] for record in corpus for turn in record["turns"] for span in turn["spans"]}
    assert found == LABELS


def test_most_text_is_not_personal_data(corpus):
    turns = [turn for record in corpus for turn in record["turns"]]
    silent = sum(not turn["spans"] for turn in turns)
    assert 0.3 < silent / len(turns) < 0.7


def test_turns_and_words(corpus):
    words = defaultdict(list)
    for record in corpus:
        assert 4 <= len(record["turns"]) <= 40
        words[record["context"]].append(sum(len(turn["text"].split()) for turn in record["turns"]))
    mean = {context: sum(counts) / len(counts) for context, counts in words.items()}
    calls = sum(mean[context] for context in CONTEXTS if context != "meetings") / 4
    assert mean["meetings"] > 4.5 * calls


def test_entities_are_mentioned_more_than_once(corpus):
    for record in corpus:
        mentions = Counter(span.get("entity") for turn in record["turns"] for span in turn["spans"])
        mentions.pop(None, None)
        assert all(count > 1 for count in mentions.values())
        assert sorted(mentions, key=lambda entity: int(entity[1:])) == [
            f"e{n + 1}" for n in range(len(mentions))
        ]


def test_speakers_are_sometimes_named_in_the_text(corpus):
    named = [
        record
        for record in corpus
        if any(turn["speaker"] in other["text"] for turn in record["turns"] for other in record["turns"])
    ]
    assert len(named) > 50


def test_conversations_differ(corpus):
    openings = Counter(record["turns"][0]["text"] for record in corpus)
    assert openings.most_common(1)[0][1] < 15
    long_turns = [
        turn["text"] for record in corpus for turn in record["turns"] if len(turn["text"].split()) > 8
    ]
    assert len(set(long_turns)) > 0.9 * len(long_turns)


def test_coverage_is_a_share_of_all_names():
    whole = person_dictionary(1, 1.0)
    assert person_dictionary(1, 0.0) == []
    assert len(person_dictionary(1, 0.9)) == pytest.approx(0.9 * len(whole), rel=0.03)
    assert whole == sorted(set(whole))


def test_seed_decides_which_names():
    assert person_dictionary(1) == person_dictionary(1)
    assert person_dictionary(1) != person_dictionary(2)


def test_more_coverage_only_adds_names():
    assert set(organization_dictionary(3, 0.5)) < set(organization_dictionary(3, 0.8))


def test_the_whole_dictionary_covers_what_is_said():
    known = {name.lower() for name in organization_dictionary(1, 1.0)}
    said = [
        turn["text"][span["start"] : span["end"]]
        for record in conversations(1, 0, 100)
        for turn in record["turns"]
        for span in turn["spans"]
        if span["label"] == "ORGANIZATION_NAME" and turn["text"].isascii()
    ]
    assert sum(name.lower() in known for name in said) > 0.9 * len(said)


def test_every_origin_has_names_enough():
    assert len(inventory.origins()) >= 13
    for origin in inventory.origins():
        assert len(set(origin.firsts)) >= 40
        assert len(set(origin.lasts)) >= 40


def test_coverage_out_of_range():
    with pytest.raises(ValueError, match="coverage"):
        person_dictionary(1, 1.5)


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_context_opens_and_closes(context):
    plan = scenario(context).plan
    assert plan[0].core
    assert plan[-1].core
    assert all(beat.least <= beat.most for beat in plan)


def test_many_distinct_templates():
    templates = {
        line.template
        for context in CONTEXTS
        for beat in scenario(context).plan
        for version in beat.scene
        for step in version
        for line in step
    }
    assert len(templates) > 400


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
    back = {word: str(n) for n, word in enumerate(verbalize.DIGITS)} | {"oh": "0"}
    read = ""
    times = 1
    for word in verbalize.digits(Draw(seed), value).split():
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
            continue
        read += back[word] * times
        times = 1
    assert read == value


@pytest.mark.parametrize("seed", range(50))
def test_spelling_keeps_the_letters(seed):
    said = verbalize.spelled(Draw(seed), "O'Neil-7")
    letters = "".join(part for part in said.replace("-", " ").replace(".", " ").split() if len(part) == 1)
    assert letters == "ONEIL7"


def test_mishearing_needs_slips():
    heard = {verbalize.digits(Draw(seed), "2486", 1.0) for seed in range(60)}
    assert heard == {"to for ate sicks", "too for ate sicks"}


def test_addresses_and_codes():
    assert (
        verbalize.url("https://www.fable.example.com/help")
        == "w w w dot fable dot example dot com slash help"
    )
    spoken = {verbalize.email(Draw(seed), "jo.li@example.com") for seed in range(40)}
    assert spoken == {"jo dot li at example dot com", "J-O dot L-I at example dot com"}
    codes = {verbalize.code(Draw(seed), "B231-C4") for seed in range(60)}
    assert "B two three one C four" in codes
    assert "B. 231 C. four" in codes


SAID = [Piece("My name is "), Piece("Mark", "PERSON_NAME", "p1"), Piece(", in room two.")]


def test_a_full_stop_is_not_doubled():
    said = slips.without_doubled_stops([Piece("3 p.m.", "TIME", "t"), Piece(". Bye.")])
    assert assemble(said) == (
        "3 p.m. Bye.",
        [Span(0, 6, "TIME", "t")],
    )


def test_without_punctuation():
    assert assemble(slips.without_punctuation(SAID))[0] == "my name is Mark in room two"


def test_hesitating_lowers_the_next_word():
    text, spans = assemble(slips.hesitating(SAID, Draw(1)))
    assert text.endswith("my name is Mark, in room two.")
    assert text[spans[0].start : spans[0].end] == "Mark"


def test_stuttering_repeats_a_short_word():
    texts = {assemble(slips.stuttering(SAID, Draw(seed)))[0] for seed in range(20)}
    assert texts == {"My name is Mark, in in room two."}


def test_mishearing_does_not_change_data():
    said = [Piece("will ", ""), Piece("Will", "PERSON_NAME", "p1"), Piece(" know")]
    texts = {assemble(slips.misheard(said, Draw(seed)))[0] for seed in range(20)}
    assert texts == {"Will Will know", "will Will no"}


def test_sentences_can_be_broken_off():
    text, spans = assemble(slips.broken_off([Piece("Thanks "), Piece("Mark", "PERSON_NAME", "p1")], Draw(1)))
    assert text.startswith("T")
    assert "- Thanks " in text
    assert text[spans[0].start : spans[0].end] == "Mark"
