"""Choose the executor of a planned job: a loop in this process, several processes, or a Beam runner."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tacenda.pipelines.chain.detectors import MODEL
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.loop import run_in_loop
from tacenda.pipelines.executors.pool import run_in_pool
from tacenda.pipelines.executors.progress import ProgressLine
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.unit_job import Follow
from tacenda.transforms.schema.errors import UserError

_WORTH_A_PROCESS_BYTES = 4 << 20
_WORTH_A_PROCESS_BYTES_WITH_MODEL = 2 << 20
"""Bytes of text from which on a second process pays for its start; below, the loop does the job. Measured by
``tests/benchmarks/bench_processes``: even at .8 MB with rules and lists, at .2 MB with the model."""


class Executor(NamedTuple):
    """Runs a job.

    ``run`` returns when the job has ended, and may report progress. ``ends_with_driver``: the job cannot
    outlive this process. ``notes`` has a line for each given Beam option without effect.
    """

    run: Callable[[Plan, JobSettings, Follow], object]
    ends_with_driver: bool = True
    notes: Sequence[str] = ()


def executor_for(
    plan: Plan,
    job: JobSettings,
    beam_args: Sequence[str],
    workers: int | None,
    model_hints: Mapping[str, str] | None = None,
) -> Executor:
    """Choose the executor of a job; the output is the same on all of them.

    Args:
        plan: the work units.
        job: the settings; with a model, fewer bytes are worth a second process.
        beam_args: Beam's own options; if there are any, the job runs on Beam.
        workers: processes on this machine; None chooses by the size of the input.
        model_hints: resource hints for a stage of the models alone, on Beam; None runs them in the chain.

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

        def run_here(plan: Plan, job: JobSettings, follow: Follow) -> None:
            run_in_pool(plan, job, count, follow)

        return Executor(run_here)
    from tacenda.pipelines.executors.beam import run_on_beam
    from tacenda.pipelines.executors.runners import (
        LOCAL_RUNNERS,
        check_reachable,
        check_runner,
        completed,
        direct_workers,
        ends_with_driver,
        runner_name,
    )
    from tacenda.pipelines.ptransforms.job import build

    notes = check_runner(beam_args)
    check_reachable(beam_args, [*(("--input", url) for url in job.input_urls), ("--output", job.output)])
    options = completed(beam_args)
    if runner_name(options) in LOCAL_RUNNERS:
        workers = workers or direct_workers(options) or _sensible_workers(plan, job)

    def run(plan: Plan, job: JobSettings, _: Follow) -> None:
        run_on_beam(lambda pipeline: build(pipeline, plan, job, model_hints), options, workers or 1)

    return Executor(run, ends_with_driver(options), notes)


def run(executor: Executor, plan: Plan, job: JobSettings) -> None:
    """Run a job and wait for it to end, with a progress line on a terminal."""
    with ProgressLine(plan, job) as progress:
        executor.run(plan, job, progress.advance)


def _sensible_workers(plan: Plan, job: JobSettings) -> int:
    """One process for small input, otherwise one per core, but no more than there are units."""
    worth_a_process = _WORTH_A_PROCESS_BYTES_WITH_MODEL if MODEL in job.detectors else _WORTH_A_PROCESS_BYTES
    if plan.text_bytes < worth_a_process:
        return 1
    return max(1, min(os.cpu_count() or 1, plan.text_bytes // job.read.unit_bytes))
