"""Two task managers share a job; one that is killed in the middle takes nothing with it."""

import signal

import pytest

from tests.end_to_end.flink_cluster.test_broken_runs import _command, _run
from tests.folders import files_in
from tests.halting import halted_in_the_middle
from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.flink, pytest.mark.slow]


@pytest.fixture
def two(running):
    """The cluster with two task managers; as it was, afterwards."""
    running.restart(task_managers=2)
    yield running
    running.restart()


def test_a_job_goes_on_without_a_killed_task_manager(two, source, tmp_path):
    whole, folder = tmp_path / "whole", tmp_path / "out"
    options = [word for word in two.options if not word.startswith("--sdk_worker_parallelism")]
    process = halted_in_the_middle(
        _command(source, folder, *options, "--sdk_worker_parallelism=1"), folder, None, two.signal_workers
    )
    try:
        assert len(two.workers()) >= 2
        assert len(two.task_managers_of_jobs()) == 2
        two.process("task_manager_1").kill()
        two.signal_workers(None, signal.SIGCONT)
        _, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert len(two.jobs()) == 0
    assert _run(_command(source, whole)).returncode == 0
    assert files_in(folder) == files_in(whole)
