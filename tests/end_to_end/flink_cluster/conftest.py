"""The Flink cluster of infra/flink, for tests that must hold on a real cluster."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CLUSTER = Path(__file__).parents[3] / "infra" / "flink" / "cluster.py"


def cluster(verb: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(CLUSTER), verb], capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def flink_options() -> Iterator[list[str]]:
    """The pipeline options that lead to the cluster; one that runs already is used and left running.

    Skips where the cluster cannot be started, unless TACENDA_FLINK_REQUIRED is set (as in CI): a check
    that was skipped unseen would be none.
    """
    was_running = cluster("status").returncode == 0
    if not was_running:
        started = cluster("start")
        if started.returncode:
            say = pytest.fail if os.environ.get("TACENDA_FLINK_REQUIRED") else pytest.skip
            say(started.stderr.strip())
    yield cluster("job_options").stdout.split()
    if not was_running:
        stopped = cluster("stop")
        assert stopped.returncode == 0, stopped.stderr


@pytest.fixture(autouse=True)
def no_job_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A job that a failed test left behind would keep its slots, and the next test would wait for them."""
    yield
    if "flink_options" in request.fixturenames:
        cluster("cancel")
