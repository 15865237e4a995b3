"""Run a fold: a loop in this process, several processes, or a Beam runner."""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import reduce
from multiprocessing import get_context

from tacenda.pipelines.executors import children
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.pipelines.work.fold import Fold, Item, Result

_WORTH_A_PROCESS_BYTES = 1 << 20


def run_fold(
    fold: Fold[Item, Result], beam_args: Sequence[str], workers: int | None, text_bytes: int
) -> None:
    """Run a job with at least one item and wait for it to end.

    Args:
        fold: the job.
        beam_args: Beam's own options; if there are any, the job runs on Beam.
        workers: processes on this machine; None chooses by the size of the input.
        text_bytes: size of the input.

    Raises:
        RunFailedError: a worker was killed, or the runner gave up the job.
    """
    if workers is None:
        workers = 1 if text_bytes < _WORTH_A_PROCESS_BYTES else os.cpu_count() or 1
    if beam_args:
        from tacenda.pipelines.executors.beam import run_on_beam
        from tacenda.pipelines.executors.runners import check_runner, completed
        from tacenda.pipelines.ptransforms.fold import add_fold

        check_runner(beam_args)
        run_on_beam(lambda pipeline: add_fold(pipeline, fold), completed(beam_args), workers)
        return
    workers = min(workers, len(fold.items))
    if workers == 1:
        fold.finish(reduce(fold.merge, map(fold.of_item, fold.items)))
        return
    # fork would copy the locks of Arrow's threads in an undefined state.
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=children.follow, initargs=(os.getpid(),)
    )
    try:
        with children.deaf():
            results = [pool.submit(fold.of_item, item) for item in fold.items]
        fold.finish(reduce(fold.merge, (result.result() for result in results)))
    except BrokenProcessPool:
        raise RunFailedError(children.WORKER_KILLED) from None
    except BaseException:
        children.kill_children()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
