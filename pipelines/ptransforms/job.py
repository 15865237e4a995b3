"""The whole job as a Beam pipeline, built from the transforms in this folder.

``tacenda.beam`` exports the same transforms for use in other pipelines.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
import numpy as np

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.output.conclusion import conclude
from tacenda.pipelines.ptransforms.detecting import RunChain
from tacenda.pipelines.ptransforms.reading import ReadAgain, ReadParts, Repeated
from tacenda.pipelines.ptransforms.writing import FinishParts, StageUnits
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.splitting import links_of_bucket, save_groups, shared_by_bucket, to_be_grouped
from tacenda.transforms.releasing.duplicates import repeated_in_later_units
from tacenda.transforms.releasing.manifest import combine
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import part_of, planned_part
from tacenda.transforms.writing.splitting import NO_GROUPS, Keys, joined


class GroupForSplit(beam.PTransform):  # type: ignore[misc]
    """Store the groups of conversations that share something, from the (part, unit) names of staged units.

    Args:
        job: the settings of the run.
        buckets: number of buckets of hashes.
    """

    def __init__(self, job: JobSettings, buckets: int) -> None:
        super().__init__()
        self._job = job
        self._buckets = buckets

    def expand(self, names: beam.PCollection) -> beam.PCollection:
        return (
            names
            | "UnitsOfPart" >> beam.GroupByKey()
            | "ReadShared" >> beam.FlatMap(_shared, self._job, self._buckets)
            | "EqualHashesMeet" >> beam.GroupByKey()
            | "Link" >> beam.MapTuple(lambda _, shared: links_of_bucket(map(_array, shared)))
            | "Join" >> beam.CombineGlobally(_Join())
            | "SaveGroups" >> beam.Map(_save, self._job)
        )


def _shared(part: tuple[str, Iterable[str]], job: JobSettings, buckets: int) -> Iterator[tuple[int, bytes]]:
    if to_be_grouped(job):
        for bucket, shared in shared_by_bucket(part[1], job, buckets):
            yield bucket, shared.tobytes()


def _array(data: bytes) -> Keys:
    return np.frombuffer(data, dtype=np.uint64).reshape(-1, 2)


class _Join(beam.CombineFn):  # type: ignore[misc]
    """The groups of all links."""

    def create_accumulator(self) -> list[Keys]:
        return []

    def add_input(self, accumulator: list[Keys], found: Keys) -> list[Keys]:
        accumulator.append(found)
        return accumulator

    def merge_accumulators(self, accumulators: Iterable[list[Keys]]) -> list[Keys]:
        return self.compact([found for accumulator in accumulators for found in accumulator])

    def compact(self, accumulator: list[Keys]) -> list[Keys]:
        return [joined(np.concatenate([NO_GROUPS, *accumulator]))]

    def extract_output(self, accumulator: list[Keys]) -> Keys:
        return self.compact(accumulator)[0]


def _save(groups: Keys, job: JobSettings) -> Any:
    save_groups([groups], job)
    return True


class CombineReceipts(beam.CombineFn):  # type: ignore[misc]
    """Combine the receipts of parts into their sum and the list of part names."""

    def create_accumulator(self) -> tuple[Receipt, list[str]]:
        return combine("", ()), []

    def add_input(self, accumulator: tuple[Receipt, list[str]], part: Receipt) -> tuple[Receipt, list[str]]:
        whole, names = accumulator
        return combine("", (whole, part)), [*names, part.unit]

    def merge_accumulators(
        self, accumulators: Iterable[tuple[Receipt, list[str]]]
    ) -> tuple[Receipt, list[str]]:
        wholes, names = zip(*accumulators, strict=True)
        return combine("", wholes), [name for several in names for name in several]

    def extract_output(self, accumulator: tuple[Receipt, list[str]]) -> tuple[Receipt, list[str]]:
        return accumulator


_BUCKETS_OF_A_PART = 16
"""Buckets of the hashes by which near-duplicates meet: about a megabyte each."""


def build(
    pipeline: beam.Pipeline, plan: Plan, job: JobSettings, model_hints: Mapping[str, str] | None = None
) -> Any:
    """Add the whole job to a pipeline.

    Args:
        pipeline: the pipeline.
        plan: the plan of the run.
        job: the settings of the run.
        model_hints: resource hints for running the models in a stage of their own; None runs them in the
            chain.
    """
    processed = pipeline | "Read" >> ReadParts(plan, job) | "Process" >> RunChain(job.chain(), model_hints)
    staged = processed.conversations | "Write" >> StageUnits(job, len(plan.parts))
    names = staged.staged
    if not plan.partitions:
        # If two units have the same conversation id, the later one is processed again without it.
        repaired = (
            staged.id_hashes
            | "EqualIdsMeet" >> beam.GroupByKey()
            | "FindRepeated" >> beam.FlatMap(_repeated)
            | "UnitsByPart" >> beam.GroupByKey()
            | "ReadAgain" >> ReadAgain(plan, job)
            | "ProcessAgain" >> RunChain(job.chain(), model_hints)
        )
        written = repaired.conversations | "WriteAgain" >> StageUnits(job)
        names = (names, written.staged) | "WithRepaired" >> beam.Flatten()
    if job.split is not None:
        groups = names | "Group" >> GroupForSplit(job, _BUCKETS_OF_A_PART * len(plan.parts))
        finish = FinishParts(job, groups)
    else:
        finish = FinishParts(job)
    return (
        names
        | "Finish" >> finish
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
