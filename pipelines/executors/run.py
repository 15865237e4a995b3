"""Choose the executor of a planned job: a loop in this process, several processes, or a Beam runner."""

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple, TextIO

from tacenda.pipelines.command_line.terminal import is_quiet
from tacenda.pipelines.config.detectors import MODEL
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.local import Follow, run_in_loop, run_in_pool
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt

_PERIOD_S = 0.5


class ProgressLine:
    """Shows the progress of a run on a terminal; a context manager around it.

    Executors on this machine :meth:`add` each unit. Beam runners show their own figures: of these, the line has
    the time alone.
    """

    def __init__(self, plan: Plan, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._text_bytes = plan.text_bytes
        self._is_shown = self._stream.isatty() and not is_quiet()
        self._conversations = self._characters = self._done = self._resumed = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="progress", daemon=True)

    def add(self, unit: Receipt, resumed: bool) -> None:
        """Add a unit, which may have been finished before the run was resumed."""
        self._conversations += unit.conversations
        self._characters += unit.characters * (not resumed)
        self._done += unit.text_bytes
        self._resumed += unit.text_bytes * resumed

    def __enter__(self) -> "ProgressLine":
        if self._is_shown:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._is_shown:
            self._thread.join(timeout=5)
            self._write("")

    def line(self, elapsed_s: float) -> str:
        """The current line; the size of compressed input is an estimate, rate and time are of this run."""
        if not self._done:
            return f"running {timedelta(seconds=round(elapsed_s))}"
        share = min(self._done / self._text_bytes, 0.99) if self._text_bytes else 0.0
        rate = self._characters / elapsed_s
        pace = (self._done - self._resumed) / elapsed_s
        left = f"{timedelta(seconds=round(self._text_bytes * (1 - share) / pace))} left" if pace else ""
        return f"{share:.0%}  {self._conversations:,} conversations  {rate / 1e6:.2f} MB/s  {left}".rstrip()

    def _follow(self) -> None:
        began = time.monotonic()
        while not self._stop.wait(_PERIOD_S):
            self._write(self.line(time.monotonic() - began))

    def _write(self, line: str) -> None:
        self._stream.write(f"\r\x1b[K{line}")
        self._stream.flush()


_WORTH_A_PROCESS_BYTES = {"rules": 4 << 20, "model": 2 << 20}
"""Bytes of text from which on a second process pays for its start; below, the loop does the job. Measured by
``tests/benchmarks/bench_processes``: even at .8 MB with rules and lists, at .2 MB with the model."""


class Executor(NamedTuple):
    """Runs a job: ``run`` returns when it has ended, and may report progress.

    ``ends_with_driver``: the job cannot outlive this process.
    """

    run: Callable[[Plan, JobSettings, Follow], object]
    ends_with_driver: bool = True


def executor_for(
    plan: Plan,
    job: JobSettings,
    beam_args: Sequence[str],
    workers: int | None,
    model_hints: Mapping[str, str] | None = None,
) -> Executor:
    """Choose the executor of a job; the output is the same on all of them.

    If there are options of Beam, the job runs there, with the workers that they give it. Otherwise, without a
    number of ``workers``, the size of the input decides; with a model, fewer bytes are worth a second process.
    ``model_hints`` are for the stage with the models, on Beam.

    Raises:
        UserError: there is no such runner, something that it needs is missing, or there are hints and no
            runner of Beam.
    """
    if model_hints and not beam_args:
        raise UserError("--model-hint: resource hints need a Beam runner; add --runner, or leave it out")
    if not beam_args:
        count = workers or _sensible_workers(plan, job)
        if count == 1:
            return Executor(run_in_loop)
        return Executor(lambda plan, job, follow: run_in_pool(plan, job, count, follow))
    from tacenda.pipelines.executors import beam, runners
    from tacenda.pipelines.ptransforms.job import build

    runners.check_runner(beam_args, [*(("--input", url) for url in job.input_urls), ("--output", job.output)])
    options = runners.completed(beam_args)

    def run(plan: Plan, job: JobSettings, _: Follow) -> None:
        beam.run_on_beam(lambda pipeline: build(pipeline, plan, job, model_hints), options)

    return Executor(run, runners.ends_with_driver(options))


def _sensible_workers(plan: Plan, job: JobSettings) -> int:
    """One process for small input, otherwise one per core, but no more than there are units."""
    slowest = "model" if MODEL in job.detecting.names else "rules"
    if plan.text_bytes < _WORTH_A_PROCESS_BYTES[slowest]:
        return 1
    return max(1, min(os.cpu_count() or 1, plan.text_bytes // job.read.unit_bytes))
