"""The whole job on a Beam pipeline, put together from the transforms that stand beside it.

``tacenda.beam`` makes the same transforms public, for pipelines of other people.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam

from tacenda.pipelines.conclusion import conclude
from tacenda.pipelines.plan import Plan
from tacenda.pipelines.ptransforms.detecting import RunChain
from tacenda.pipelines.ptransforms.reading import ReadAgain, ReadParts, Repeated
from tacenda.pipelines.ptransforms.statistics import CombineReceipts
from tacenda.pipelines.ptransforms.writing import FinishParts, StageUnits
from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.releasing.duplicates import repeated_in_later_units
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import part_of, planned_part


def build(
    pipeline: beam.Pipeline, plan: Plan, job: JobSettings, model_hints: Mapping[str, str] | None = None
) -> Any:
    """Put the whole job on a pipeline.

    Args:
        pipeline: where.
        plan: what is read.
        job: the settings of the run.
        model_hints: resource hints of a stage of its own for the models; None asks them where the rules run.
    """
    processed = (
        pipeline | "Read" >> ReadParts(plan, job) | "Process" >> RunChain(job.chain(), job, model_hints)
    )
    staged = processed.conversations | "Write" >> StageUnits(job, len(plan.parts))
    names = staged.staged
    if not plan.partitions:
        # A conversation id that an earlier unit holds, too: the later unit is done again without it.
        repaired = (
            staged.id_hashes
            | "EqualIdsMeet" >> beam.GroupByKey()
            | "FindRepeated" >> beam.FlatMap(_repeated)
            | "UnitsByPart" >> beam.GroupByKey()
            | "ReadAgain" >> ReadAgain(plan, job)
            | "ProcessAgain" >> RunChain(job.chain(), job, model_hints)
        )
        written = repaired.conversations | "WriteAgain" >> StageUnits(job)
        names = (names, written.staged) | "WithRepaired" >> beam.Flatten()
    return (
        names
        | "Finish" >> FinishParts(job)
        | "CombineReceipts" >> beam.CombineGlobally(CombineReceipts())
        | "Conclude" >> beam.Map(_conclude, job)
    )


def _repeated(
    group: tuple[int, Iterable[tuple[str, bytes]]],
) -> Iterator[tuple[str, tuple[str, Repeated]]]:
    _, hashes = group
    for unit, repeated in repeated_in_later_units(hashes).items():
        yield planned_part(part_of(unit)), (unit, repeated)


def _conclude(run: tuple[Receipt, list[str]], job: JobSettings) -> State:
    whole, parts = run
    return conclude(whole, parts, job)
