import random

import pytest

from tacenda.pipelines.lab.linkability import LEAST_LETTERS, Styles, profile

WORDS = ("the", "order", "a", "call", "bill", "we", "you", "it", "is", "not", "and", "what", "when", "phone")
HABITS = ("!!! ", " ... ", " -- ", ", y'know, ", " ;) ", "?? ")


def _text(rng, habit):
    return "".join(rng.choice(WORDS) + (habit if rng.random() < 0.3 else " ") for _ in range(120))


def _styles(habits, owners, most=100):
    rng = random.Random(7)
    styles = Styles(most)
    for owner in range(owners):
        for half in range(2):
            styles.add(f"o{owner}", f"t{half}", _text(rng, habits[owner % len(habits)]))
    return styles


def test_a_habit_of_one_person_joins_the_texts():
    found = _styles(HABITS, len(HABITS)).figures()
    assert (found["compared"], found["texts"], found["joined"]) == (6, 12, 6)
    assert found["by_chance"] == pytest.approx(1 / 11, abs=1e-6)
    assert found["interval"] == [pytest.approx(0.025 ** (1 / 6), abs=1e-5), 1.0]
    assert found["above_chance"]


def test_people_who_write_alike_are_joined_no_more_than_by_chance():
    found = _styles(("!!! ",), 60).figures()
    low, high = found["interval"]
    assert low <= found["by_chance"] <= high
    assert not found["above_chance"]


def test_tokens_are_no_style():
    padding = "we talk about the weather and the house and about what there is to do in the garden today " * 2
    one, other = (profile(f"{padding}[{token}]") for token in ("PERSON_NAME_1", "PHONE_NUMBER_12"))
    assert one is not None
    assert other is not None
    assert (one.buckets == other.buckets).all()
    assert profile("[PERSON_NAME_1] " * LEAST_LETTERS) is None


def test_a_sample_of_owners_is_the_same_in_any_order_and_division():
    whole = _styles(HABITS, 30, most=8)
    rng = random.Random(7)
    parts = [Styles(8) for _ in range(3)]
    texts = [
        (f"o{owner}", f"t{half}", _text(rng, HABITS[owner % 6])) for owner in range(30) for half in range(2)
    ]
    for number, one in enumerate(reversed(texts)):
        parts[number % 3].add(*one)
    merged = parts[2].merge(parts[0]).merge(parts[1])
    assert merged.figures() == whole.figures()
    assert merged.figures()["is_sample"]
    assert merged.figures()["compared"] == 8
