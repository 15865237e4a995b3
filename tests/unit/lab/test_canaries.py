from math import exp, log

import pytest

from tacenda.pipelines.lab.canaries import (
    Canary,
    candidates,
    drawn,
    exposure_of,
    formats,
    space,
    summary,
    text_at,
)


def test_every_index_of_a_space_gives_a_different_text():
    assert [text_at("number", place)[-10:-1] for place in (0, 1, 10**9 - 1)] == [
        "000000000",
        "000000001",
        "999999999",
    ]
    for name in formats():
        assert len({text_at(name, place) for place in range(0, space(name), space(name) // 997)}) >= 997
    # 40 syllables, then 20 and 20 more, in two names.
    assert space("person_name") == 40 * 20 * 40 * 20 * 20


def test_candidates_are_the_whole_space_or_a_sample_with_the_canary_in_it():
    small = Canary("c0", "number", 4, 10)
    assert list(candidates(small, 10, 1)) == [text_at("number", place) for place in range(10)]
    (canary,) = drawn(1, 5)
    sample = list(candidates(canary, 50, 5))
    assert len(sample) == len(set(sample)) == 51
    assert canary.text in sample
    assert sample == list(candidates(canary, 50, 5))


@pytest.mark.parametrize(
    ("size", "planted", "others", "exposure", "exact"),
    [
        # log2 8 - log2 1, log2 8 - log2 4, and log2 8 - log2 8.
        (8, 1.0, [2.0] * 7, 3.0, True),
        (8, 4.5, [1, 2, 4, 5, 6, 7, 8], 1.0, True),
        (8, 9.0, [1, 2, 3, 4, 5, 6, 7], 0.0, True),
        # A sample bounds it, and equal scores give next to none.
        (10**9, 60.0, [100.0 + i for i in range(1000)], 9.967, False),
        (10**9, 1.0, [1.0] * 255, 0.994, False),
    ],
)
def test_exposure_is_exact_if_the_space_is_scored_whole(size, planted, others, exposure, exact):
    found = exposure_of(Canary("c0000", "number", 0, size), planted, others)
    assert (found["exposure"], found["exact"]) == (exposure, exact)


def test_p_is_the_tail_of_the_sum_of_exponentials():
    def of(*bits):
        return float(summary([{"exposure": value} for value in bits])["p"])

    # One canary of 3 bits: one rank of eight. Two: e^-s (1 + s) with s in nats.
    assert of(3.0) == pytest.approx(1 / 8)
    nats = 5 * log(2)
    assert of(2.0, 3.0) == pytest.approx(exp(-nats) * (1 + nats))
    assert of(0.0, 0.0) == 1.0
    assert of(*[30.0] * 40) == 0.0
    assert summary([{"exposure": 2.0}, {"exposure": 4.0}])["mean"] == 3.0
