"""Run the job on this machine, without a runner: in a plain loop, or in several processes.

Every runner must give the same bytes. The main process reads input that can only be read sequentially, and
submits a few units at a time, so that a large compressed file is never in memory as a whole. Units are not
retried: if a worker dies, the run ends, and the same command resumes it.
"""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, NamedTuple, Protocol, TypeVar

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors import children
from tacenda.pipelines.output.conclusion import conclude
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.splitting import buckets_for, links_in_bucket, save_groups, to_be_grouped
from tacenda.pipelines.work.unit_job import Follow, finish_part, process_partition, process_unit, turn_rows
from tacenda.transforms.reading.regrouping import partition_units
from tacenda.transforms.releasing.duplicates import repeated_in_later_units
from tacenda.transforms.releasing.manifest import combine
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import Encoding, Partition, WorkUnit, part_of
from tacenda.transforms.storage.tables import from_stream, spare_pandas, to_stream
from tacenda.transforms.writing.splitting import Keys

SPILL_BYTES = 256 << 20
"""Turn rows are kept in memory up to this size, compressed, and beyond it on disk."""

_WAITING = 2
"""Units submitted per worker: the current one and the next."""

Result = TypeVar("Result")


class _Run(NamedTuple):
    """What all calls get: the settings, and what is called after each batch."""

    job: JobSettings
    follow: Follow | None


class _Tasks(Protocol):
    """Runs calls with each of some arguments; ``done`` gets the results in order of completion."""

    def __call__(
        self,
        call: Callable[..., Result],
        arguments: Iterable[tuple[Any, ...]],
        done: Callable[[Result], object],
    ) -> None: ...


def run_in_loop(plan: Plan, job: JobSettings, follow: Follow | None = None) -> State:
    """Process all units in turn and conclude; returns the state of the run.

    ``follow`` is called after each batch.
    """
    own = _Run(job, follow)

    def tasks(
        call: Callable[..., Result],
        arguments: Iterable[tuple[Any, ...]],
        done: Callable[[Result], object],
    ) -> None:
        for few in arguments:
            done(call(own, *few))

    return _run(plan, job, tasks)


def run_in_pool(plan: Plan, job: JobSettings, workers: int, follow: Follow | None = None) -> State:
    """Process units in ``workers`` processes and conclude; returns the state of the run.

    ``follow`` is called after each batch, in the processes.

    Raises:
        RunFailedError: a worker process was killed; the run can be resumed.
        UnitFailedError: a unit failed.
    """
    with children.worker_pool(workers, _begin, job, follow) as pool:
        return _run(plan, job, _PoolTasks(pool, workers * _WAITING))


def _run(plan: Plan, job: JobSettings, tasks: _Tasks) -> State:
    hashes: list[tuple[str, bytes]] = []

    def done(receipt: Receipt) -> None:
        hashes.append((receipt.unit, receipt.id_hashes))

    if plan.partitions:
        partitions = ((part, tables, plan.encoding) for part, tables in _partition_tables(plan, job))
        tasks(_process_partition, partitions, done)
    else:
        tasks(_process_unit, ((unit, frozenset()) for unit in plan.units()), done)
        repeated = repeated_in_later_units(hashes)
        again = ((unit, repeated[unit.name]) for unit in plan.units_named(repeated))
        tasks(_process_unit, again, lambda receipt: None)
    units = [name for name, _ in hashes]
    if to_be_grouped(job):
        buckets = buckets_for(hashes)
        found: list[Keys] = []
        tasks(_links_in_bucket, ((units, bucket, buckets) for bucket in range(buckets)), found.append)
        save_groups(found, job)
    of_parts: defaultdict[str, list[str]] = defaultdict(list)
    for name in units:
        of_parts[part_of(name)].append(name)
    parts: list[Receipt] = []
    tasks(_finish_part, of_parts.items(), parts.append)
    return finish(sorted(parts, key=lambda part: part.unit), job)


def finish(parts: list[Receipt], job: JobSettings) -> State:
    """Conclude when all parts are finished."""
    return conclude(combine("", parts), [part.unit for part in parts], job)


class _PoolTasks:
    """Runs calls in the processes of a pool, a few at a time."""

    def __init__(self, pool: ProcessPoolExecutor, most: int) -> None:
        self._pool = pool
        self._most = most

    def __call__(
        self,
        call: Callable[..., Result],
        arguments: Iterable[tuple[Any, ...]],
        done: Callable[[Result], object],
    ) -> None:
        running: set[Future[Result]] = set()
        for few in arguments:
            if len(running) >= self._most:
                running = _take(running, done)
            with children.deaf():  # the pool starts processes on demand
                running.add(self._pool.submit(_in_worker, call, few))
        while running:
            running = _take(running, done)


def _take(running: set[Future[Result]], done: Callable[[Result], object]) -> set[Future[Result]]:
    finished, left = wait(running, return_when=FIRST_COMPLETED)
    for future in finished:
        done(future.result())
    return left


_of_worker: _Run
"""What calls get in a worker process."""


def _begin(job: JobSettings, follow: Follow | None) -> None:
    """Initialise a worker process."""
    global _of_worker
    _of_worker = _Run(job, follow)
    children.follow()
    spare_pandas()


def _in_worker(call: Callable[..., Result], few: tuple[Any, ...]) -> Result:
    return call(_of_worker, *few)


def _process_unit(run: _Run, unit: WorkUnit, repeated: frozenset[bytes]) -> Receipt:
    # A unit is done again for repeated ids, which is no progress.
    return process_unit(unit, run.job, repeated, None if repeated else run.follow)


def _process_partition(run: _Run, part: Partition, tables: list[bytes], encoding: Encoding) -> Receipt:
    return process_partition(part, map(from_stream, tables), encoding, run.job, run.follow)


def _links_in_bucket(run: _Run, units: list[str], bucket: int, buckets: int) -> Keys:
    return links_in_bucket(units, run.job, bucket, buckets)


def _finish_part(run: _Run, part: str, units: list[str]) -> Receipt:
    return finish_part(part, units, run.job)


def _partition_tables(plan: Plan, job: JobSettings) -> Iterator[tuple[Partition, list[bytes]]]:
    """Read all units of turn-a-row input, then yield each hash partition with its row tables, compressed.

    Beyond ``SPILL_BYTES`` they lie in a file without a name: nobody else can open it, and the system frees it
    when this process ends, however it ends.
    """
    with tempfile.SpooledTemporaryFile(max_size=SPILL_BYTES) as file:
        places: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        with sanitize_errors("the regrouping of turn rows"):
            for ordinal, table in partition_units(plan.units(), turn_rows(job.shape), len(plan.partitions)):
                data = to_stream(table, "zstd")
                places[ordinal].append((file.tell(), len(data)))
                file.write(data)
        for ordinal in sorted(places):
            tables = []
            for start, size in places[ordinal]:
                file.seek(start)
                tables.append(file.read(size))
            yield plan.partitions[ordinal], tables
