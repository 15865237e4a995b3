"""Run a job on a Beam runner: local by default, or any other that Beam's options name."""

import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import apache_beam as beam
import grpc
import psutil
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners import runner as beam_runner
from apache_beam.runners.portability.fn_api_runner import fn_runner

from tacenda.pipelines.executors.children import END_S, kill
from tacenda.pipelines.executors.runners import LOCAL_RUNNERS, ends_with_driver, leaves_job, runner_name
from tacenda.pipelines.work.error_sanitizing import JobLeftError, RunFailedError, unwrap_worker_error

_SERVER_LOGGERS = ("PrismJobServer", "FlinkJarJobServer", "SparkJarJobServer")
_MESSAGES = "portable_runner"
"""Beam's module that logs all output of a job server and its workers, which may contain data."""


Build = Callable[[beam.Pipeline], object]
"""Adds the steps of a job to a pipeline."""


def run_on_beam(build: Build, beam_args: Sequence[str]) -> None:
    """Run a job and wait for it to end. FnApiRunner runs it in this process; others scale by their options.

    Raises:
        UnitFailedError: a work unit failed.
        RunFailedError: the job ended without a result: it was cancelled, or its workers or job server cannot
            be reached.
        JobLeftError: the job runs on, as the options ask.
    """
    try:
        if runner_name(beam_args) in LOCAL_RUNNERS:
            _run_locally(build, beam_args)
        else:
            with _children_ended(), _runner_unheard():
                _run_elsewhere(build, beam_args)
    except Exception as error:
        known = unwrap_worker_error(error)
        if known is error:
            raise
        raise known from error


def _run_elsewhere(build: Build, beam_args: Sequence[str]) -> None:
    name = runner_name(beam_args)
    try:
        pipeline = beam.Pipeline(options=PipelineOptions(list(beam_args)))
        build(pipeline)
        result = pipeline.run()
    except Exception as error:
        if unwrap_worker_error(error) is not error:
            raise  # an in-process runner runs the whole job in pipeline.run()
        message = f"the job could not be submitted to {name} ({type(error).__name__})"
        raise RunFailedError(message, began=False) from error
    if leaves_job(beam_args):
        raise JobLeftError("the job was handed over", goes_on=True)
    try:
        _check(result.wait_until_finish())
    except grpc.RpcError as error:
        code = error.code() if isinstance(error, grpc.Call) else None
        told = type(error).__name__ if code is None else code.name
        message = f"the job server of {name} no longer answers ({told})"
        raise RunFailedError(message, goes_on=not ends_with_driver(beam_args)) from error
    except RuntimeError as error:
        if unwrap_worker_error(error) is not error:
            raise
        # A runner's text may have data, so it is only looked at for a sign.
        if "CANCELLED" in str(error) or "JobCancellationException" in str(error):
            raise RunFailedError(f"the job was cancelled on {name} and has stopped") from error
        why = f"{name} gave up the job; see its own log for the reason (is the worker pool running?)"
        raise RunFailedError(why) from error


@contextmanager
def _children_ended() -> Iterator[None]:
    """Terminate processes started in the block, such as a runner's job server.

    Beam would terminate them when the interpreter shuts down, but our commands exit without that.
    """
    before = set(psutil.Process().children())
    try:
        yield
    finally:
        started = [child for child in psutil.Process().children(recursive=True) if child not in before]
        for child in started:
            with suppress(psutil.NoSuchProcess):
                child.terminate()
        _, left = psutil.wait_procs(started, timeout=END_S)
        kill(left)


@contextmanager
def _runner_unheard() -> Iterator[None]:
    """Keep output and logs of runners off the terminal, since they may quote data."""
    if os.environ.get("TACENDA_DEBUG"):
        yield
        return

    def is_ours(record: logging.LogRecord) -> bool:
        return record.module != _MESSAGES

    hook = threading.excepthook
    # Threads that listen to a server fail when it stops, possibly after the job has ended.
    threading.excepthook = lambda _: None
    for name in _SERVER_LOGGERS:
        logging.getLogger(name).disabled = True
    logging.getLogger().addFilter(is_ours)
    try:
        yield
        threading.excepthook = hook
    finally:
        logging.getLogger().removeFilter(is_ours)


def _run_locally(build: Build, beam_args: Sequence[str]) -> None:
    """Run in a thread that Ctrl-C abandons: Beam swallows interrupts or turns them into other errors."""
    options = PipelineOptions([*beam_args, "--direct_running_mode=in_memory", "--direct_num_workers=1"])
    pipeline = beam.Pipeline(runner=fn_runner.FnApiRunner(), options=options)
    build(pipeline)
    failure: list[BaseException] = []

    def run() -> None:
        try:
            _check(pipeline.run().wait_until_finish())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            failure.append(error)

    runner = threading.Thread(target=run, name="runner", daemon=True)
    runner.start()
    try:
        runner.join()
    except KeyboardInterrupt:
        shutil.rmtree(pipeline.local_tempdir, ignore_errors=True)  # as Beam would
        raise
    if failure:
        raise failure[0]


def _check(state: str) -> None:
    if state != beam_runner.PipelineState.DONE:
        raise RuntimeError(f"ended in state {state}")
