import numpy as np
import pytest

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.writing.splitting import Split, as_words

MANY = Split(tuple((f"s{i}", 0.001) for i in range(1000)), key=b"7")


def _name(start, end):
    return Finding(start, end, "PERSON_NAME", Likelihood.LIKELY, "rules")


def test_names_and_system_prompts_do_not_make_a_difference():
    batch = ConversationBatch.of_turns(
        [
            [("system", "You help."), ("user", "I am Ann.")],
            [("user", "I am Grace.")],
            [("user", "I am Ann, too.")],
        ]
    )
    found = [[], [_name(5, 8)], [_name(5, 10)], [_name(5, 8)]]
    first, second, third = MANY.sides(batch, found, [""] * 3)
    assert first == second != third


def test_people_stay_together_whatever_they_say():
    batch = ConversationBatch.of_turns([[(None, text)] for text in ("one thing", "something else", "P-7")])
    first, second, third = MANY.sides(batch, [[]] * 3, ["P-7", "P-7", ""])
    assert first == second != third
    assert first != Split(MANY.shares, key=b"8").sides(batch, [[]] * 3, ["P-7", "P-7", ""])[0]


def test_shares_are_met_and_follow_from_the_key():
    batch = ConversationBatch.of_turns([[(None, f"w{i}")] for i in range(5_000)])
    none, nobody = [[]] * len(batch), [""] * len(batch)
    split = Split((("train", 0.8), ("validation", 0.15), ("test", 0.05)), key=b"1")
    sides = np.array(split.sides(batch, none, nobody))
    assert np.bincount(sides) / len(sides) == pytest.approx([0.8, 0.15, 0.05], abs=0.02)
    assert np.mean(sides == Split(split.shares, key=b"2").sides(batch, none, nobody)) < 0.75


def test_values_of_a_field_are_words():
    assert as_words(json_value(b'{"b": 1, "a": -0}')) == as_words(json_value(b'{"a":-0,"b":1}'))
    long = "12345678901234567890123"
    assert as_words(json_value(long.encode())) == long
