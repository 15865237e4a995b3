"""The whole job as a Beam pipeline; ``tacenda.beam`` exports its first steps for use in other pipelines.

Writing shuffles names and receipts only: units are staged, then the files of parts assembled.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput

from tacenda.pipelines.chain.conversations import Conversations
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.output.conclusion import conclude
from tacenda.pipelines.ptransforms.detecting import run_chain
from tacenda.pipelines.ptransforms.metrics import count
from tacenda.pipelines.ptransforms.reading import Repeated, read_again, read_parts
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.unit_job import finish_part, stage_unit
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.duplicates import by_bucket, repeated_in_later_units
from tacenda.transforms.releasing.manifest import combine
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import part_of, planned_part


def build(
    pipeline: beam.Pipeline, plan: Plan, job: JobSettings, model_hints: Mapping[str, str] | None = None
) -> Any:
    """Add the whole job to a pipeline; ``model_hints`` are resource hints for the stage with the models."""
    processed = read_parts(pipeline, plan, job) | "RunChain" >> run_chain(job.chain(), model_hints)
    stage = beam.FlatMap(_staged, job, len(plan.parts)).with_outputs("id_hashes", main="staged")
    staged = processed.conversations | "Write" >> stage
    names = staged.staged
    if not plan.partitions:
        # If two units have the same conversation id, the later one is processed again without it.
        repeated = (
            staged.id_hashes
            | "EqualIdsMeet" >> beam.GroupByKey()
            | "FindRepeated" >> beam.FlatMap(_repeated)
            | "UnitsByPart" >> beam.GroupByKey()
        )
        repaired = read_again(repeated, plan, job) | "RunChainAgain" >> run_chain(job.chain(), model_hints)
        again = beam.FlatMap(_staged, job).with_outputs("id_hashes", main="staged")
        written = repaired.conversations | "WriteAgain" >> again
        names = (names, written.staged) | "WithRepaired" >> beam.Flatten()
    return (
        names
        | "ByPart" >> beam.GroupByKey()
        | "FinishPart" >> beam.Map(_finished, job)
        | "CombineReceipts" >> beam.CombineGlobally(_combined_receipts)
        | "Conclude" >> beam.Map(_conclude, job)
    )


def _repeated(
    group: tuple[int, Iterable[tuple[str, bytes]]],
) -> Iterator[tuple[str, tuple[str, Repeated]]]:
    for unit, repeated in repeated_in_later_units(group[1]).items():
        yield planned_part(unit), (unit, repeated)


def _conclude(run: tuple[Receipt, list[str]], job: JobSettings) -> State:
    return conclude(*run, job)


def _combined_receipts(several: Iterable[tuple[Receipt, list[str]]]) -> tuple[Receipt, list[str]]:
    """The sum of receipts with names of parts, and all these names."""
    told = list(several)
    return combine("", (receipt for receipt, _ in told)), [name for _, names in told for name in names]


def _staged(conversations: Conversations, job: JobSettings, buckets: int = 1) -> Iterator[Any]:
    """Stage the output of a work unit; yields the names of its part and its own. Retries write the same bytes.

    The tagged output ``id_hashes`` has (bucket, (unit, hashes of its conversation ids)), for finding ids that
    occur in several units.
    """
    receipt = conversations.unit
    assert receipt is not None, "what is staged was read as a work unit"
    name = receipt.unit
    if not conversations.finished:
        with sanitize_errors(f"unit {name}"):
            given = conversations.portions, conversations.hashes, conversations.encoding
            receipt = stage_unit(deepcopy(receipt), *given, job)
    if not conversations.again:
        count(units=1, rows_out=receipt.rows_out, rows_quarantined=receipt.rows_quarantined)
    for bucket, hashes in by_bucket(receipt.id_hashes, buckets):
        yield TaggedOutput("id_hashes", (bucket, (name, hashes)))
    yield part_of(name), name


def _finished(part: tuple[str, Iterable[str]], job: JobSettings) -> tuple[Receipt, list[str]]:
    """Write the files of a part from the names of its units, of which some may have been staged twice.

    Returns:
        its receipt without the files, which are read again from the work folder; and its name.
    """
    name, units = part
    return replace(finish_part(name, units, job), files={}), [name]
