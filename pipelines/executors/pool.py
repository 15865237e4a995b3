"""The job in a process pool: what the machine can do when no runner stands between; a benchmark's baseline."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from pipelines.executors.loop import finish, run_in_loop
from pipelines.plan import Plan
from pipelines.settings import JobSettings
from pipelines.unit_job import process_unit


def run_in_pool(plan: Plan, job: JobSettings, workers: int) -> bool:
    """Process units in ``workers`` processes and conclude; turn-a-row input falls back to the loop."""
    if plan.partitions:
        return run_in_loop(plan, job)
    # Fork would copy the locks of Arrow's and gRPC's threads in whatever state they are.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        receipts = list(pool.map(partial(process_unit, job=job), plan.units))
    return finish(plan, job, receipts)
