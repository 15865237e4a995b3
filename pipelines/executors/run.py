"""Run a planned job on whatever executor the options name, with a progress line beside it."""

import os
from collections.abc import Sequence

from pipelines.executors.beam import run_on_beam
from pipelines.executors.progress import ProgressLine
from pipelines.executors.runners import LOCAL_RUNNERS, direct_workers, runner_name
from pipelines.plan import Plan
from pipelines.settings import JobSettings

_WORTH_A_PROCESS_BYTES = 32 << 20


def run(plan: Plan, job: JobSettings, beam_args: Sequence[str], workers: int | None) -> None:
    """Run and wait. ``workers`` None chooses by the size of the input; the output is the same anyway."""
    if runner_name(beam_args) in LOCAL_RUNNERS:
        workers = workers or direct_workers(beam_args) or _sensible_workers(plan)
    with ProgressLine(plan, job):
        run_on_beam(plan, job, beam_args, workers or 1)


def _sensible_workers(plan: Plan) -> int:
    """One process for what is done before a second one has started; else one a core."""
    if sum(part.size_bytes for part in plan.parts) < _WORTH_A_PROCESS_BYTES:
        return 1
    return max(1, min(os.cpu_count() or 1, len(plan.parts)))
