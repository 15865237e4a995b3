"""Grouping what must stay in one split, as Beam transforms; see ``pipelines/work/splitting.py``.

Hashes and keys are shuffled, 16 bytes each, and never text.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import apache_beam as beam
import numpy as np

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work.splitting import links_of_bucket, save_groups, shared_by_bucket, to_be_grouped
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
