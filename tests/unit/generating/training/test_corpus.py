"""Conversations depend only on (seed, index), are complete, and have exact spans."""

import gzip
import json
import subprocess
import sys
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
            assert not set("{}‹›") & set(turn["text"])


def test_pure_in_seed_and_index(sample):
    assert list(conversations(11, 1500, 20)) == sample[1500:1520]
    assert next(conversations(12, 1500, 1))["turns"] != sample[1500]["turns"]


def test_shape_and_languages(sample):
    assert {one["gold"] for one in sample} == {"complete"}
    assert {one["source"] for one in sample} == {"synthetic"}
    share = Counter(one["lang"] for one in sample)
    assert 0.45 < share["en"] / len(sample) < 0.65
    assert share["es"] > share["sv"] > 0
    assert len({one["id"] for one in sample}) == len(sample)


def test_texts_differ(sample):
    texts = [turn["text"] for one in sample for turn in one["turns"] if len(turn["text"]) > 60]
    assert len(set(texts)) > 0.97 * len(texts)


def test_many_turns_hold_nothing(sample):
    turns = [turn for one in sample for turn in one["turns"]]
    assert 0.25 < sum(not turn["spans"] for turn in turns) / len(turns) < 0.6


@pytest.mark.slow
def test_command_writes_the_same_bytes_twice(tmp_path):
    written = []
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        path = tmp_path / name
        command = [
            sys.executable,
            "-m",
            "tacenda.transforms.generating.training",
            "--seed",
            "5",
            "--count",
            "20",
            "--output",
        ]
        subprocess.run([*command, str(path)], check=True)
        written.append(path.read_bytes())
    assert written[0] == written[1]
    assert [json.loads(line) for line in gzip.decompress(written[0]).splitlines()] == list(
        conversations(5, 0, 20)
    )
