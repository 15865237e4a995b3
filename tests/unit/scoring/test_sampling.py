"""Estimates for everything skipped, from a sample."""

from tacenda.transforms.scoring.sampling import Sample, sampling_statistics


def test_the_share_missed_is_that_of_the_sample_for_all_that_was_left_out() -> None:
    told = sampling_statistics(dict(Sample(10_000, 5_000, 50, 1, 2_000, 2).counts()))
    assert told is not None
    assert list(told) == ["places"]
    # Two findings in 50 places are 198 in the 4,950 that nobody looked at.
    assert told["places"]["findings_missed"] == 198
    assert told["places"]["share_missed"] == 198 / 2_198
    low, high = told["places"]["share_with_findings_interval_95"]
    assert low < 1 / 50 < high


def test_without_a_sample_nothing_is_said() -> None:
    told = sampling_statistics(dict(Sample(10, 3, 0, 0, 4, 0).counts()))
    assert told is not None
    assert told["places"]["sampled"] == 0
    assert told["places"]["findings_missed"] is None
    assert told["places"]["share_missed"] is None
    assert told["places"]["share_with_findings_interval_95"] is None


def test_where_nothing_was_left_out_nothing_is_missed() -> None:
    told = sampling_statistics(dict(Sample(10, 0, 0, 0, 4, 0).counts()))
    assert told is not None
    assert told["places"]["share_missed"] == 0


def test_without_counts_there_are_no_statistics() -> None:
    assert sampling_statistics({}) is None
