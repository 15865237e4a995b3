"""Writing as Beam transforms: stage the output of units, then assemble the files of parts.

Only names and receipts are shuffled.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput

from tacenda.pipelines.chain.conversations import Conversations
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.ptransforms.metrics import count, end_unit
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.unit_job import Layout, finish_part, layout_of, stage_unit
from tacenda.transforms.releasing.duplicates import by_bucket
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import part_of
from tacenda.transforms.writing.columns import CorpusLayout

ID_HASHES = "id_hashes"
STAGED = "staged"


class StageUnits(beam.PTransform):  # type: ignore[misc]
    """Stage the output of work units; returns their (part, unit) names. Retries write the same bytes.

    The tagged output ``id_hashes`` has (bucket, (unit, hashes of its conversation ids)), for finding ids that
    occur in several units.

    Args:
        job: the settings of the run.
        buckets: number of buckets.
    """

    def __init__(self, job: JobSettings, buckets: int = 1) -> None:
        super().__init__()
        self._job = job
        self._buckets = buckets

    def expand(self, conversations: beam.PCollection) -> Any:
        return conversations | "Stage" >> beam.ParDo(_StageUnit(self._job, self._buckets)).with_outputs(
            ID_HASHES, main=STAGED
        )


class FinishParts(beam.PTransform):  # type: ignore[misc]
    """Write the files of parts from the (part, unit) names of staged units; returns the receipts of the
    parts.

    Args:
        job: the settings of the run.
        after: a collection that must be complete before a part is written; None for none.
        repaired: units may have been staged twice, in which case the second counts. Receipts then omit the
            files, which are read again from the work folder.
    """

    def __init__(
        self, job: JobSettings, after: beam.PCollection | None = None, repaired: bool = True
    ) -> None:
        super().__init__()
        self._job = job
        self._after = after
        self._repaired = repaired

    def expand(self, names: beam.PCollection) -> beam.PCollection[Receipt]:
        waits = () if self._after is None else (beam.pvalue.AsList(self._after),)
        return (
            names
            | "ByPart" >> beam.GroupByKey()
            | "FinishPart"
            >> beam.ParDo(_FinishPart(self._job, self._repaired), *waits).with_output_types(Receipt)
        )


class _StageUnit(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, buckets: int) -> None:
        self._job = job
        self._buckets = buckets
        self._of_job = bool(job.input_files)

    def process(self, conversations: Conversations) -> Iterator[Any]:
        receipt = conversations.unit
        assert receipt is not None, "what is staged was read as a work unit"
        name = receipt.unit
        if not conversations.finished:
            with sanitize_errors(f"unit {name}"):
                receipt = stage_unit(
                    deepcopy(receipt),
                    conversations.portions,
                    conversations.hashes,
                    self._layout(conversations),
                    self._job,
                )
        if not conversations.again:
            if not conversations.finished:
                end_unit(name)
            count(units=1, rows_out=receipt.rows_out, rows_quarantined=receipt.rows_quarantined)
        for bucket, hashes in by_bucket(receipt.id_hashes, self._buckets):
            yield TaggedOutput(ID_HASHES, (bucket, (name, hashes)))
        yield part_of(name), name

    def _layout(self, conversations: Conversations) -> Layout:
        """The layout of the run that read the conversations; without one, from the conversations themselves."""
        if self._of_job:
            return layout_of(self._job, conversations.encoding)
        names = dict(conversations.files)
        schema = conversations.schema
        corpus = CorpusLayout(conversations.shape, schema, from_tables=schema is not None)
        return Layout(conversations.command, corpus, lambda file: names.get(file, ""))


class _FinishPart(beam.DoFn):  # type: ignore[misc]
    def __init__(self, job: JobSettings, repaired: bool) -> None:
        self._job = job
        self._repaired = repaired

    def process(self, part: tuple[str, Iterable[str]], *_waits: Any) -> Iterator[Receipt]:
        name, units = part[0], list(part[1])
        if self._repaired:
            yield replace(finish_part(name, units, self._job), files={})
            return
        if len(set(units)) < len(units):
            raise UserError("Write got the same input twice; write each pipeline's output to its own folder")
        yield finish_part(name, units, self._job)
