from math import exp, log

import pytest

from tacenda.pipelines.lab.canaries import (
    canaries_of,
    candidates,
    exposure_of,
    formats,
    summary,
)


def test_canaries_have_the_formats_in_turn_and_a_space_each():
    several = canaries_of(4, 5)
    assert several == canaries_of(4, 5) != canaries_of(4, 6)
    assert [one.format for one in several] == [*formats(), "person_name"]
    assert several[0].text != several[3].text
    # 40 syllables, then 20 and 20 more, in two names; nine digits.
    assert [one.size for one in several[:2]] == [40 * 20 * 40 * 20 * 20, 10**9]


def test_candidates_are_a_sample_with_the_canary_in_it():
    (canary,) = canaries_of(1, 5)
    sample = candidates(canary, 50, 5)
    assert len(sample) == len(set(sample)) == 51
    assert canary.text in sample
    assert sample == candidates(canary, 50, 5) == sorted(sample)


@pytest.mark.parametrize(
    ("planted", "others", "exposure"),
    [
        # log2 8 - log2 1, log2 8 - log2 4, and log2 8 - log2 8.
        (1.0, [2.0] * 7, 3.0),
        (4.5, [1, 2, 4, 5, 6, 7, 8], 1.0),
        (9.0, [1, 2, 3, 4, 5, 6, 7], 0.0),
        (60.0, [100.0 + i for i in range(1000)], 9.967),
        # Equal scores give next to none.
        (1.0, [1.0] * 255, 0.994),
    ],
)
def test_exposure_is_the_bits_of_the_rank(planted, others, exposure):
    assert exposure_of(planted, others)["exposure"] == exposure


def test_p_is_the_tail_of_the_sum_of_exponentials():
    def of(*bits):
        return float(summary([{"exposure": value} for value in bits])["p"])

    # One canary of 3 bits: one rank of eight. Two: e^-s (1 + s) with s in nats.
    assert of(3.0) == pytest.approx(1 / 8)
    nats = 5 * log(2)
    assert of(2.0, 3.0) == pytest.approx(exp(-nats) * (1 + nats))
    assert of(0.0, 0.0) == 1.0
    assert of(*[30.0] * 40) < 1e-200
    assert summary([{"exposure": 2.0}, {"exposure": 4.0}])["mean"] == 3.0
