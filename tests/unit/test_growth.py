"""The comparison used by tests of speed distinguishes linear from quadratic time."""

import pytest

from tests.growth import grows_linearly, is_linear_work


def test_a_linear_run_is_linear():
    assert grows_linearly(lambda size: sum(range(size)), 60_000)


@pytest.mark.slow
def test_a_quadratic_run_is_not():
    assert not grows_linearly(lambda size: sum(range(size * size)), 300)


def test_a_loop_is_linear_work_and_a_loop_in_it_is_not():
    def loop(size):
        for _ in range(size):
            pass

    def loops(size):
        for _ in range(size):
            loop(size)

    assert is_linear_work(loop, 100)
    assert not is_linear_work(loops, 20)
