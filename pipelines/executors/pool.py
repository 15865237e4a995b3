"""Run the job in several processes of this machine, without a runner.

The main process reads input that can only be read sequentially, and submits a few units at a time, so that a
large compressed file is never in memory as a whole. Units are not retried: if a worker dies, the run ends,
and the same command resumes it.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, TypeVar

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors import children
from tacenda.pipelines.executors.loop import by_part, finish, partition_tables
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.splitting import buckets_for, links_in_bucket, save_groups, to_be_grouped
from tacenda.pipelines.work.unit_job import Follow, finish_part, process_partition, process_unit
from tacenda.transforms.releasing.duplicates import repeated_in_later_units
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import Encoding, Partition, WorkUnit
from tacenda.transforms.storage.tables import from_stream, spare_pandas
from tacenda.transforms.writing.splitting import Keys

_WAITING = 2
"""Units submitted per worker: the current one and the next."""

Result = TypeVar("Result")


def run_in_pool(plan: Plan, job: JobSettings, workers: int, follow: Follow | None = None) -> State:
    """Process units in ``workers`` processes and conclude; returns the state of the run.

    ``follow`` is called after each batch, in the processes.

    Raises:
        RunFailedError: a worker process was killed; the run can be resumed.
        UnitFailedError: a unit failed.
    """
    with children.worker_pool(workers, _begin, job, follow) as pool:
        return _run(plan, job, _Tasks(pool, workers * _WAITING))


def _run(plan: Plan, job: JobSettings, tasks: "_Tasks") -> State:
    hashes: list[tuple[str, bytes]] = []

    def done(receipt: Receipt) -> None:
        hashes.append((receipt.unit, receipt.id_hashes))

    if plan.partitions:
        partitions = ((part, tables, plan.encoding) for part, tables in partition_tables(plan, job))
        tasks.map(_process_partition, partitions, done)
    else:
        tasks.map(_process_unit, ((unit, frozenset()) for unit in plan.units()), done)
        repeated = repeated_in_later_units(hashes)
        again = ((unit, repeated[unit.name]) for unit in plan.units_named(repeated))
        tasks.map(_process_unit, again, lambda receipt: None)
    if to_be_grouped(job):
        units = [name for name, _ in hashes]
        buckets = buckets_for(hashes)
        found: list[Keys] = []
        tasks.map(_links_in_bucket, ((units, bucket, buckets) for bucket in range(buckets)), found.append)
        save_groups(found, job)
    parts: list[Receipt] = []
    tasks.map(_finish_part, by_part(name for name, _ in hashes), parts.append)
    return finish(sorted(parts, key=lambda part: part.unit), job)


class _Tasks:
    """Runs calls in the processes of a pool, a few at a time."""

    def __init__(self, pool: ProcessPoolExecutor, most: int) -> None:
        self._pool = pool
        self._most = most

    def map(
        self,
        call: Callable[..., Result],
        arguments: Iterable[tuple[Any, ...]],
        done: Callable[[Result], None],
    ) -> None:
        """Call with each of the arguments; ``done`` gets the results in order of completion."""
        running: set[Future[Result]] = set()
        for few in arguments:
            if len(running) >= self._most:
                running = _take(running, done)
            with children.deaf():  # the pool starts processes on demand
                running.add(self._pool.submit(call, *few))
        while running:
            running = _take(running, done)


def _take(running: set[Future[Result]], done: Callable[[Result], None]) -> set[Future[Result]]:
    finished, left = wait(running, return_when=FIRST_COMPLETED)
    for future in finished:
        done(future.result())
    return left


_job: JobSettings
"""The settings of the run, in a worker process."""
_follow: Follow | None


def _begin(job: JobSettings, follow: Follow | None) -> None:
    """Initialise a worker process."""
    global _job, _follow
    _job, _follow = job, follow
    children.follow()
    spare_pandas()


def _process_unit(unit: WorkUnit, repeated: frozenset[bytes]) -> Receipt:
    # A unit is done again for repeated ids, which is no progress.
    return process_unit(unit, _job, repeated, None if repeated else _follow)


def _process_partition(partition: Partition, tables: list[bytes], encoding: Encoding) -> Receipt:
    return process_partition(partition, map(from_stream, tables), encoding, _job, _follow)


def _links_in_bucket(units: list[str], bucket: int, buckets: int) -> Keys:
    return links_in_bucket(units, _job, bucket, buckets)


def _finish_part(part: str, units: list[str]) -> Receipt:
    return finish_part(part, units, _job)
