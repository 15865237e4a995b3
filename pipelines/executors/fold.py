"""Run a fold: a loop in this process, several processes, or a Beam runner."""

import os
from collections.abc import Sequence
from functools import reduce

from tacenda.pipelines.executors import children
from tacenda.pipelines.work.fold import Fold, Item, Result
from tacenda.transforms.schema.errors import UserError

_WORTH_A_PROCESS_BYTES = 1 << 20


def run_fold(
    fold: Fold[Item, Result], beam_args: Sequence[str], workers: int | None, text_bytes: int
) -> None:
    """Run a job and wait for it to end.

    Args:
        fold: the job.
        beam_args: Beam's own options; if there are any, the job runs on Beam.
        workers: processes on this machine; None chooses by the size of the input.
        text_bytes: size of the input.

    Raises:
        UserError: there are no items, as from empty files.
        RunFailedError: a worker was killed, or the runner gave up the job.
    """
    if not fold.items:
        raise UserError("--input: the files are empty")
    if workers is None:
        workers = 1 if text_bytes < _WORTH_A_PROCESS_BYTES else os.cpu_count() or 1
    if beam_args:
        from tacenda.pipelines.executors.beam import run_on_beam
        from tacenda.pipelines.executors.runners import check_runner, completed
        from tacenda.pipelines.ptransforms.combining import add_fold

        check_runner(beam_args)
        run_on_beam(lambda pipeline: add_fold(pipeline, fold), completed(beam_args), workers)
        return
    workers = min(workers, len(fold.items))
    if workers == 1:
        fold.finish(reduce(fold.merge, map(fold.of_item, fold.items)))
        return
    with children.worker_pool(workers) as pool:
        with children.deaf():
            results = [pool.submit(fold.of_item, item) for item in fold.items]
        total = reduce(fold.merge, (result.result() for result in results))
    fold.finish(total)
