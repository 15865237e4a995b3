"""Run the job in a plain loop: one process, no runner. Every runner must give the same result."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tacenda.pipelines.config.job_settings import JobSettings
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
from tacenda.transforms.schema.work_unit import Partition, part_of
from tacenda.transforms.storage.spill import Spill
from tacenda.transforms.storage.tables import from_stream, to_stream

SPILL_BYTES = 256 << 20
"""Turn rows are kept in memory up to this size, compressed, and beyond it on disk."""


def run_in_loop(plan: Plan, job: JobSettings, follow: Follow | None = None) -> State:
    """Process all units in turn and conclude; returns the state of the run.

    ``follow`` is called after each batch.
    """
    if plan.partitions:
        receipts = (
            process_partition(partition, map(from_stream, tables), plan.encoding, job, follow)
            for partition, tables in partition_tables(plan, job)
        )
    else:
        receipts = (process_unit(unit, job, follow=follow) for unit in plan.units())
    hashes = [(receipt.unit, receipt.id_hashes) for receipt in receipts]
    units = [name for name, _ in hashes]
    if not plan.partitions:
        repeated = repeated_in_later_units(hashes)
        for unit in plan.units_named(repeated):
            process_unit(unit, job, repeated[unit.name])
    if to_be_grouped(job):
        buckets = buckets_for(hashes)
        save_groups((links_in_bucket(units, job, bucket, buckets) for bucket in range(buckets)), job)
    return finish([finish_part(part, names, job) for part, names in by_part(units)], job)


def by_part(units: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Names of the parts, each with the names of its units."""
    parts: defaultdict[str, list[str]] = defaultdict(list)
    for name in units:
        parts[part_of(name)].append(name)
    return list(parts.items())


def finish(parts: list[Receipt], job: JobSettings) -> State:
    """Conclude when all parts are finished."""
    return conclude(combine("", parts), [part.unit for part in parts], job)


def partition_tables(plan: Plan, job: JobSettings) -> Iterator[tuple[Partition, list[bytes]]]:
    """Read all units of turn-a-row input, then yield each hash partition with its row tables, compressed."""
    spill = _partitioned(plan, job)
    for ordinal in spill.numbers():
        yield plan.partitions[ordinal], spill.take(ordinal)


def _partitioned(plan: Plan, job: JobSettings) -> Spill:
    spill = Spill(SPILL_BYTES)
    with sanitize_errors("the regrouping of turn rows"):
        for ordinal, table in partition_units(plan.units(), turn_rows(job.shape), len(plan.partitions)):
            spill.add(ordinal, to_stream(table, "zstd"))
    return spill
