"""The company's own database has most names, and the same ones every time."""

import pytest

from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.sample.corpus import (
    conversations,
    organization_dictionary,
    person_dictionary,
)


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
