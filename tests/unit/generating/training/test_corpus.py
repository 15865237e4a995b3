"""Conversations depend only on (seed, index), are complete, and have exact spans."""

import json
from collections import Counter

import pytest

from tacenda.transforms.generating.training.corpus import conversations

LABELS = {
    "PERSON_NAME",
    "LOCATION",
    "STREET_ADDRESS",
    "ORGANIZATION_NAME",
    "DATE",
    "TIME",
    "DATE_OF_BIRTH",
    "AGE",
    "USER_NAME",
    "PASSWORD",
    "GENERIC_ID",
    "PHONE_NUMBER",
    "EMAIL_ADDRESS",
    "US_SOCIAL_SECURITY_NUMBER",
    "CREDIT_CARD_NUMBER",
    "FINANCIAL_ACCOUNT_NUMBER",
    "ZIP_CODE",
    "MEDICAL_RECORD_NUMBER",
    "IBAN_CODE",
    "IP_ADDRESS",
    "URL",
    "US_DRIVERS_LICENSE_NUMBER",
    "VEHICLE_IDENTIFICATION_NUMBER",
    "MEDICAL_TERM",
    "PRODUCT",
    "NATIONALITY",
    "PROFESSION",
}


@pytest.fixture(scope="module")
def sample():
    return list(conversations(11, 0, 4000))


def test_spans_are_exact(sample):
    for one in sample:
        for turn in one["turns"]:
            end = 0
            for span in turn["spans"]:
                value = turn["text"][span["start"] : span["end"]]
                assert value
                assert value == value.strip()
                assert span["start"] >= end
                end = span["end"]


def test_every_label_occurs_and_no_other(sample):
    seen = Counter(span["label"] for one in sample for turn in one["turns"] for span in turn["spans"])
    assert set(seen) == LABELS
    assert min(seen.values()) >= 10


def test_no_slot_or_choice_is_left_unfilled(sample):
    for one in sample:
        for turn in one["turns"]:
            assert turn["text"]
            assert one["context"] == "code" or not set("{}‹›") & set(turn["text"])


def test_pure_in_seed_and_index(sample):
    assert list(conversations(11, 1500, 20)) == sample[1500:1520]
    assert next(conversations(12, 1500, 1))["turns"] != sample[1500]["turns"]


def test_shape_and_languages(sample):
    assert {one["gold"] for one in sample} == {"complete"}
    assert {one["source"] for one in sample} == {"synthetic"}
    share = Counter(one["lang"] for one in sample)
    assert 0.4 < share["en"] / len(sample) < 0.55
    assert share["es"] > share["sv"] > 0
    assert len({one["id"] for one in sample}) == len(sample)


def test_texts_differ(sample):
    texts = [turn["text"] for one in sample for turn in one["turns"] if len(turn["text"]) > 60]
    assert len(set(texts)) > 0.95 * len(texts)


def test_many_turns_hold_nothing(sample):
    turns = [turn for one in sample for turn in one["turns"]]
    assert 0.25 < sum(not turn["spans"] for turn in turns) / len(turns) < 0.6


def test_machine_text_names_nobody_and_parses():
    machine = [t for one in conversations(3, 0, 3000) if one["context"] == "code" for t in one["turns"]]
    assert len(machine) > 60
    assert not any(turn["spans"] for turn in machine)
    objects = [json.loads(turn["text"]) for turn in machine if turn["text"].startswith('{"')]
    assert any("parameters" in one for one in objects)
    assert any("arguments" in one for one in objects)
