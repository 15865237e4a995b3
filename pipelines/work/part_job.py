"""Finish a part: assemble its units' output into the part's files."""

from collections.abc import Iterable

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.leasing import check_held
from tacenda.pipelines.work.receipts import FinishedPart, load_part, remove_staged, save_part, staged_url
from tacenda.pipelines.work.splitting import sides_of
from tacenda.transforms.releasing.merging import combine, receipt_from_json
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.writing.part_files import assemble


def finish_part(part: str, units: Iterable[str], job: JobSettings) -> Receipt:
    """Write the files of a part from what its units staged; returns the sum of their receipts.

    A retry writes the same bytes, or finds the part finished.

    Raises:
        UnitFailedError: something cannot be read or written.
    """
    with sanitize_errors(f"part {part}"):
        finished = load_part(job, part)
        if finished is None:
            check_held(job)
            staged = [staged_url(job, unit) for unit in sorted(set(units))]
            delimiter = "," if job.table is None else job.table.delimiter
            assembled = assemble(job.output, part, staged, sides_of(job), delimiter)
            receipts = [receipt_from_json(one) for one in assembled.receipts]
            finished = FinishedPart(combine(part, receipts), receipts)
            finished.receipt.files, finished.receipt.splits = assembled.files, assembled.splits
            save_part(job, finished)
        remove_staged(job, part)
        return finished.receipt
