"""The Flink cluster of infra/flink, for tests that need a real cluster."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil
import pytest

from tests.halting import write_calls
from tests.waiting import wait_until

CLUSTER = Path(__file__).parents[3] / "infra" / "flink" / "cluster.py"


def cluster(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(CLUSTER), *words], capture_output=True, text=True, check=False)


def _module() -> ModuleType:
    """The script as a module, for its functions about the started cluster."""
    spec = importlib.util.spec_from_file_location("flink_cluster_script", CLUSTER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class RunningCluster:
    """The running cluster: its options, processes and jobs."""

    options: list[str]
    script: ModuleType

    @property
    def settings(self) -> Any:
        return self.script.running_settings("test")

    def process(self, part: str) -> psutil.Process:
        """The process of a part: job_manager, task_manager, job_server or worker_pool."""
        return psutil.Process(json.loads(self.script.STATE.read_text())["pids"][part])

    def workers(self) -> list[psutil.Process]:
        """The Python workers that the pool has started."""
        return self.process("worker_pool").children(recursive=True)

    def signal_workers(self, _: object, number: int) -> None:
        for worker in self.workers():
            with suppress(psutil.NoSuchProcess):  # one of an earlier job may end just now
                worker.send_signal(number)

    def jobs(self) -> list[str]:
        found: list[str] = self.script.running_jobs(self.settings)
        return found

    def cancel(self) -> None:
        for job in self.jobs():
            self.script.ask(self.settings, f"/jobs/{job}?mode=cancel", method="PATCH")

    def restart(self, task_managers: int = 1) -> None:
        for words in (["stop"], ["start", f"--task-managers={task_managers}"]):
            done = cluster(*words)
            assert done.returncode == 0, done.stderr

    def keep_logs(self, folder: Path) -> None:
        """Copy the logs of all parts into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for log in self.script.RUN.glob("*.log"):
            shutil.copy(log, folder)

    def task_managers_of_jobs(self) -> set[str]:
        """The task managers that run tasks now, by Flink's names."""
        found = set()
        for job in self.jobs():
            plan = self.script.ask(self.settings, f"/jobs/{job}") or {"vertices": []}
            for vertex in plan["vertices"]:
                told = self.script.ask(self.settings, f"/jobs/{job}/vertices/{vertex['id']}") or {}
                running = [task for task in told.get("subtasks", ()) if task["status"] == "RUNNING"]
                found.update(task["taskmanager-id"] for task in running)
        return found

    def wait_for_the_end_of_all_workers(self) -> None:
        wait_until(lambda: not self.workers(), step_s=0.1)

    def wait_for_the_end_of_all_jobs(self) -> None:
        wait_until(lambda: not self.jobs(), step_s=0.1)


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Input that takes a cluster a moment."""
    return write_calls(tmp_path_factory.mktemp("source") / "in.jsonl", range(4_000))


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


@pytest.fixture
def running(flink_options: list[str]) -> Iterator[RunningCluster]:
    """The cluster; parts that a test ended are restarted after the test."""
    running = RunningCluster(flink_options, _module())
    yield running
    if cluster("status").returncode != 0:
        running.restart()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the cluster's logs of a failed test beside its output: the next start would remove them."""
    report = yield
    values = getattr(item, "funcargs", {})
    if report.failed and "running" in values and "tmp_path" in values:
        kept = values["tmp_path"] / "flink_logs"
        values["running"].keep_logs(kept)
        report.sections.append(("logs of the cluster", str(kept)))
    return report


@pytest.fixture(autouse=True)
def no_job_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Cancel the jobs of a failed test: they would keep their slots, and the next test would wait."""
    yield
    if "flink_options" in request.fixturenames:
        cluster("cancel")
