import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.writing.splitting import (
    BANDS,
    NO_GROUPS,
    Split,
    as_words,
    band_hashes,
    joined,
    links,
    masked,
    representatives,
    words_of,
)

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 12)), max_size=30)


def _array(rows):
    return np.array(rows, dtype=np.uint64).reshape(-1, 2)


def _by_hand(shared):
    """The smallest key that each key hangs together with."""
    groups: list[set[int]] = [{key} for key in {key for _, key in shared}]
    for value in {value for value, _ in shared}:
        owners = {key for one, key in shared if one == value}
        touched = [group for group in groups if group & owners]
        groups = [group for group in groups if not group & owners] + [set().union(*touched)]
    return {key: min(group) for group in groups for key in group}


@given(PAIRS, st.integers(1, 5))
def test_groups_are_those_of_a_search_by_hand_in_any_order_and_any_buckets(shared, buckets):
    rows = _array(shared)
    of_buckets = [rows[rows[:, 0] % np.uint64(buckets) == bucket] for bucket in range(buckets)]
    found = [links(some[:, 0], some[:, 1]) for some in of_buckets]
    random.Random(1).shuffle(found)
    halves = [joined(np.concatenate([NO_GROUPS, *some])) for some in (found[:2], found[2:])]
    groups = joined(np.concatenate(halves))
    by_hand = _by_hand(shared)
    keys = np.array(sorted(by_hand) or [0], dtype=np.uint64)
    assert representatives(keys, groups).tolist() == [by_hand.get(key, key) for key in keys.tolist()]
    # Nothing is held of records that share nothing.
    assert len(groups) == sum(list(by_hand.values()).count(first) > 1 for first in by_hand.values())


def test_a_value_of_many_records_gives_as_many_links_as_records():
    keys = np.arange(10_000, dtype=np.uint64)
    found = links(np.zeros(10_000, dtype=np.uint64), np.concatenate([keys[5000:], keys[:5000]]))
    assert len(found) == 9_999
    assert set(representatives(keys, joined(found)).tolist()) == {0}


def _shares_a_band(one, other):
    first, second = band_hashes([one, other])
    return bool((first == second).any())


def _words(draw, count):
    return [f"w{draw.randrange(5000)}" for _ in range(count)]


def test_near_duplicates_share_a_band_and_others_do_not():
    draw = random.Random(3)
    near = unlike = 0
    for _ in range(200):
        words = _words(draw, 200)
        changed = list(words)
        for place in draw.sample(range(200), 8):
            changed[place] = "another"
        near += _shares_a_band(words, changed)
        unlike += _shares_a_band(words, _words(draw, 200))
    # Eight words of 200 leave 79 % of the sequences: of such pairs, 99.7 % share a band in theory.
    assert near >= 196
    assert unlike == 0


def test_bands_are_the_same_in_every_release_of_the_library_and_on_every_platform():
    hashes = band_hashes([["one", "two", "three", "four", "five", "six"], ["hello"]])
    assert hashes.shape == (2, BANDS)
    assert [hex(value) for value in hashes[:, 0].tolist()] == FIRST


FIRST = ["0xd76ac73069b3753d", "0x81f52d874af51a7"]


def test_results_do_not_depend_on_order_or_other_records():
    draw = random.Random(4)
    texts = [_words(draw, count) for count in (3, 40, 700, 0, 5)]
    together = band_hashes(texts)
    assert np.array_equal(together[::-1], band_hashes(texts[::-1]))
    assert np.array_equal(together[2], band_hashes([texts[2]])[0])
    assert band_hashes([]).shape == (0, BANDS)


def test_findings_are_masked_by_infotype_whatever_overlaps():
    found = [Finding(*place, Likelihood.LIKELY, "rules") for place in ((4, 8, "B"), (0, 5, "A"), (9, 9, "C"))]
    assert masked("abcdefghijk", found).split() == ["A", "i", "C", "jk"]
    assert masked("as it is", []) == "as it is"


def test_words_of_scripts_without_spaces_are_characters():
    assert words_of("Straße 5, สวัสดี 東京") == ["strasse", "5", *"สวัสดี", "東", "京"]


HALVES = Split((("train", 0.5), ("validation", 0.5)), key=b"7")


def _name(start, end):
    return Finding(start, end, "PERSON_NAME", Likelihood.LIKELY, "rules")


def _keys(batch, findings):
    table = HALVES.table(batch, findings, [1] * len(batch), [()] * len(batch))
    keys: list[int] = table["key"].to_pylist()
    return keys


def test_names_and_system_prompts_do_not_make_a_difference():
    batch = ConversationBatch.of_turns(
        [
            [("system", "You help."), ("user", "I am Ann.")],
            [("user", "I am Grace.")],
            [("user", "I am Ann, too.")],
        ]
    )
    first, second, third = _keys(batch, [[], [_name(5, 8)], [_name(5, 10)], [_name(5, 8)]])
    assert first == second != third


def test_shares_are_met_and_follow_from_the_key():
    keys = np.arange(20_000, dtype=np.uint64)
    split = Split((("train", 0.8), ("validation", 0.15), ("test", 0.05)), key=b"1")
    counts = np.bincount(split.sides(keys, NO_GROUPS)) / len(keys)
    assert counts == pytest.approx([0.8, 0.15, 0.05], abs=0.01)
    other = Split(split.shares, key=b"2")
    assert np.mean(np.array(split.sides(keys, NO_GROUPS)) == other.sides(keys, NO_GROUPS)) < 0.75


def test_equal_people_share_a_hash_of_the_key_and_nothing_readable():
    batch = ConversationBatch.of_turns([[(None, "one thing")], [(None, "something else entirely")]])
    table = HALVES.table(batch, [[], []], [1, 1], [{"P-7", ""}, {"P-7"}])
    first, second = map(set, table["shared"].to_pylist())
    assert len(first & second) == 1
    other = Split(HALVES.shares, key=b"8").table(batch, [[], []], [1, 1], [{"P-7"}, {"P-7"}])
    assert not first & second & set(other["shared"].to_pylist()[0])


@pytest.mark.parametrize(
    ("one", "other"), [("1e5", "100000.0"), ("1.50", "1.5"), ('{"a":[-0]}', '{"a": [0]}')]
)
def test_numbers_are_equal_however_they_are_spelled(one, other):
    assert as_words(json_value(one.encode())) == as_words(json_value(other.encode()))


def test_numbers_beyond_64_bits_are_words_of_their_own():
    long = "12345678901234567890123"
    assert as_words(json_value(long.encode())) == long


def test_conversations_without_words_share_nothing_but_their_key():
    batch = ConversationBatch.of_turns([[(None, "")], [(None, "…")]])
    table = HALVES.table(batch, [[], []], [1, 1], [(), ()])
    assert table["shared"].to_pylist() == [[], []]
    assert len(set(table["key"].to_pylist())) == 1
