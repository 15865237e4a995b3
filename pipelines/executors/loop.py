"""The job in a plain loop: no runner, one process. The reference that every runner must equal."""

from collections import defaultdict

import pyarrow as pa

from pipelines.conclusion import conclude
from pipelines.plan import Plan
from pipelines.settings import JobSettings
from pipelines.unit_job import process_partition, process_unit, turn_rows
from transforms.reading.regrouping import partition_unit
from transforms.releasing.duplicates import repeated_in_later_units
from transforms.schema.receipt import Receipt


def run_in_loop(plan: Plan, job: JobSettings) -> bool:
    """Process all units one after the other and conclude; returns whether the corpus is released."""
    receipts = _partitions(plan, job) if plan.partitions else [process_unit(u, job) for u in plan.units]
    return finish(plan, job, receipts)


def finish(plan: Plan, job: JobSettings, receipts: list[Receipt]) -> bool:
    """Repair units whose ids repeat earlier ones, then conclude."""
    units = {unit.name: unit for unit in plan.units}
    latest = {receipt.unit: receipt for receipt in receipts}
    for name, repeated in repeated_in_later_units((r.unit, r.id_hashes) for r in receipts).items():
        latest[name] = process_unit(units[name], job, repeated)
    return conclude(list(latest.values()), job)


def _partitions(plan: Plan, job: JobSettings) -> list[Receipt]:
    tables: defaultdict[int, list[pa.Table]] = defaultdict(list)
    for unit in plan.units:
        for ordinal, table in partition_unit(unit, turn_rows(job.shape), len(plan.partitions)):
            tables[ordinal].append(table)
    return [
        process_partition(plan.partitions[ordinal], tables[ordinal], plan.encoding, job)
        for ordinal in sorted(tables)
    ]
