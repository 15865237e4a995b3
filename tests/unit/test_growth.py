"""The comparison used by tests of speed distinguishes linear from quadratic time."""

import pytest

from tests.growth import grows_linearly


def test_a_linear_run_is_linear() -> None:
    assert grows_linearly(lambda size: sum(range(size)), 60_000)


@pytest.mark.slow
def test_a_quadratic_run_is_not() -> None:
    assert not grows_linearly(lambda size: sum(range(size * size)), 300)
