import numpy as np
import pytest

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.writing.splitting import NO_GROUPS, SPLIT_NAME, Split, as_words

HALVES = Split((("train", 0.5), ("validation", 0.5)), key=b"7")


def _name(start: int, end: int) -> Finding:
    return Finding(start, end, "PERSON_NAME", Likelihood.LIKELY, "rules")


def _keys(batch: ConversationBatch, findings: list[list[Finding]], split: Split = HALVES) -> list[int]:
    table = split.table(batch, findings, [1] * len(batch), [()] * len(batch))
    keys: list[int] = table["key"].to_pylist()
    return keys


def test_names_and_system_prompts_do_not_make_a_difference() -> None:
    batch = ConversationBatch.of_turns(
        [
            [("system", "You help."), ("user", "I am Ann.")],
            [("user", "I am Grace.")],
            [("user", "I am Ann, too.")],
        ]
    )
    first, second, third = _keys(batch, [[], [_name(5, 8)], [_name(5, 10)], [_name(5, 8)]])
    assert first == second != third


def test_shares_are_met_and_follow_from_the_key() -> None:
    keys = np.arange(20_000, dtype=np.uint64)
    split = Split((("train", 0.8), ("validation", 0.15), ("test", 0.05)), key=b"1")
    counts = np.bincount(split.sides(keys, NO_GROUPS)) / len(keys)
    assert counts == pytest.approx([0.8, 0.15, 0.05], abs=0.01)
    other = Split(split.shares, key=b"2")
    assert np.mean(np.array(split.sides(keys, NO_GROUPS)) == other.sides(keys, NO_GROUPS)) < 0.75


def test_equal_people_share_a_hash_of_the_key_and_nothing_readable() -> None:
    batch = ConversationBatch.of_turns([[(None, "one thing")], [(None, "something else entirely")]])
    table = HALVES.table(batch, [[], []], [1, 1], [{"P-7", ""}, {"P-7"}])
    first, second = map(set, table["shared"].to_pylist())
    assert len(first & second) == 1
    other = Split(HALVES.shares, key=b"8").table(batch, [[], []], [1, 1], [{"P-7"}, {"P-7"}])
    assert not first & second & set(other["shared"].to_pylist()[0])


@pytest.mark.parametrize(
    ("one", "other"), [("1e5", "100000.0"), ("1.50", "1.5"), ('{"a":[-0]}', '{"a": [0]}')]
)
def test_numbers_are_equal_however_they_are_spelled(one: str, other: str) -> None:
    assert as_words(json_value(one.encode())) == as_words(json_value(other.encode()))


def test_numbers_beyond_64_bits_are_words_of_their_own() -> None:
    long = "12345678901234567890123"
    assert as_words(json_value(long.encode())) == long


def test_conversations_without_words_share_nothing_but_their_key() -> None:
    batch = ConversationBatch.of_turns([[(None, "")], [(None, "…")]])
    table = HALVES.table(batch, [[], []], [1, 1], [(), ()])
    assert table["shared"].to_pylist() == [[], []]
    assert len(set(table["key"].to_pylist())) == 1


@pytest.mark.parametrize("name", ["train", "Test_2"])
def test_names(name: str) -> None:
    assert SPLIT_NAME.fullmatch(name)
    assert not SPLIT_NAME.fullmatch(f"{name}/..")
