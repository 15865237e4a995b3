"""Run the job on this machine, without a runner: in a plain loop, or in several processes.

Every runner must give the same bytes. The main process reads input that can only be read sequentially, and
submits a few units at a time, so that a large compressed file is never in memory as a whole. Units are not
retried: if a worker dies, the run ends, and the same command resumes it.
"""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import partial
from typing import Any

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors import children
from tacenda.pipelines.output.conclusion import conclude
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.unit_job import Source, finish_part, process
from tacenda.transforms.reading.regrouping import partition_units
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.duplicates import repeated_in_later_units
from tacenda.transforms.releasing.manifest import combine
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import part_of
from tacenda.transforms.storage.tables import spare_pandas, to_stream

SPILL_BYTES = 256 << 20
"""Turn rows are kept in memory up to this size, compressed, and beyond it on disk."""

_WAITING = 2  # units submitted per worker: the current one and the next
Follow = Callable[[Receipt, bool], None]
"""Called for progress with the receipt of each unit, and whether an earlier run finished it."""

_Each = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any]]
"""Calls a function with the job and each of some arguments; the results in order of completion."""


def run_in_loop(plan: Plan, job: JobSettings, follow: Follow = lambda *_: None) -> State:
    """Process all units in turn and conclude."""
    return _run(plan, job, follow, lambda call, arguments: (call(job, *few) for few in arguments))


def run_in_pool(plan: Plan, job: JobSettings, workers: int, follow: Follow = lambda *_: None) -> State:
    """:func:`run_in_loop` in ``workers`` processes.

    Raises:
        RunFailedError: a worker process was killed; the run can be resumed.
        UnitFailedError: a unit failed.
    """
    with children.worker_pool(workers, _begin, job) as pool:
        return _run(plan, job, follow, partial(_in_pool, pool, workers * _WAITING))


def _run(plan: Plan, job: JobSettings, follow: Follow, each: _Each) -> State:
    units = ((Source.of_unit(unit, job.shape),) for unit in plan.units())
    hashes = []
    for done, resumed in each(_process, zip(_partitions(plan, job)) if plan.partitions else units):
        follow(done, resumed)
        hashes.append((done.unit, done.id_hashes))
    if not plan.partitions:
        repeated = repeated_in_later_units(hashes)
        found = plan.units_named(repeated)
        again = ((Source.of_unit(unit, job.shape, repeated[unit.name]),) for unit in found)
        for _ in each(_process, again):
            pass
    of_parts: defaultdict[str, list[str]] = defaultdict(list)
    for name, _ in hashes:
        of_parts[part_of(name)].append(name)
    return finish(sorted(each(_finish_part, of_parts.items()), key=lambda part: part.unit), job)


def finish(parts: list[Receipt], job: JobSettings) -> State:
    """Conclude when all parts are finished."""
    return conclude(combine("", parts), [part.unit for part in parts], job)


def _in_pool(
    pool: ProcessPoolExecutor, most: int, call: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    """Run calls in the processes of a pool, ``most`` at a time."""
    running: set[Future[Any]] = set()
    for few in arguments:
        if len(running) >= most:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
        with children.deaf():  # the pool starts processes on demand
            running.add(pool.submit(_in_worker, call, few))
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)


_of_worker: JobSettings  # what calls get in a worker process


def _begin(job: JobSettings) -> None:
    global _of_worker
    _of_worker = job
    children.follow()
    spare_pandas()


def _in_worker(call: Callable[..., Any], few: tuple[Any, ...]) -> Any:
    return call(_of_worker, *few)


def _process(job: JobSettings, source: Source) -> tuple[Receipt, bool]:
    known = source.finished(job)
    return (process(source, job), False) if known is None else (known, True)


def _finish_part(job: JobSettings, part: str, units: list[str]) -> Receipt:
    return finish_part(part, units, job)


def _partitions(plan: Plan, job: JobSettings) -> Iterator[Source]:
    """Read all units of turn-a-row input, then yield each hash partition with its row tables, compressed.

    Beyond ``SPILL_BYTES`` they lie in a file without a name: nobody else can open it, and the system frees it
    when this process ends, however it ends.
    """
    with tempfile.SpooledTemporaryFile(max_size=SPILL_BYTES) as file:
        places: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        with sanitize_errors("the regrouping of turn rows"):
            for ordinal, table in partition_units(plan.units(), job.shape, len(plan.partitions)):
                data = to_stream(table, "zstd")
                places[ordinal].append((file.tell(), len(data)))
                file.write(data)
        for ordinal in sorted(places):
            tables = []
            for start, size in places[ordinal]:
                file.seek(start)
                tables.append(file.read(size))
            yield Source.of_partition(plan.partitions[ordinal], tables, plan.encoding, job.shape)
