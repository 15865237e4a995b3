from collections import Counter

from tacenda.transforms.evaluating.memorization.canaries import (
    Canary,
    candidates,
    drawn,
    fingerprint,
    formats,
    space,
    text_at,
)


def test_every_index_of_a_space_gives_a_different_text() -> None:
    assert [text_at("number", place)[-10:-1] for place in (0, 1, 10**9 - 1)] == [
        "000000000",
        "000000001",
        "999999999",
    ]
    for name in formats():
        assert len({text_at(name, place) for place in range(0, space(name), space(name) // 997)}) >= 997
    # 40 syllables, then 20 and 20 more, in two names.
    assert space("person_name") == 40 * 20 * 40 * 20 * 20


def test_a_seed_draws_the_same_canaries_of_all_formats() -> None:
    some = drawn(7, seed=3)
    assert some == drawn(7, seed=3)
    assert some != drawn(7, seed=4)
    assert Counter(canary.format for canary in some) == {"person_name": 3, "number": 2, "address": 2}
    assert some[:2] == drawn(2, seed=3)
    assert some[0].fingerprint == fingerprint(some[0].text)


def test_candidates_are_the_whole_space_or_a_sample_with_the_canary_in_it() -> None:
    small = Canary("c0", "number", 4, 10)
    assert list(candidates(small, 10, 1)) == [text_at("number", place) for place in range(10)]
    (canary,) = drawn(1, 5)
    sample = list(candidates(canary, 50, 5))
    assert len(sample) == len(set(sample)) == 51
    assert canary.text in sample
    assert sample == list(candidates(canary, 50, 5))
