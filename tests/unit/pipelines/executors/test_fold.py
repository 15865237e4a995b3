import os
import signal
from operator import add

import pytest

from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.transforms.schema.errors import UserError


def _square(number: int) -> int:
    return number * number


def _die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("workers", [1, 2, None])
def test_any_number_of_processes_gives_the_same_sum(workers: int | None):
    assert fold(range(5), _square, add, workers, text_bytes=100) == 30


def test_input_without_records_is_rejected():
    with pytest.raises(UserError, match="empty"):
        fold([], _square, add, None, text_bytes=0)


def test_a_killed_worker_ends_the_run():
    with pytest.raises(RunFailedError, match="killed"):
        fold(range(2), _die, add, 2, text_bytes=100)
