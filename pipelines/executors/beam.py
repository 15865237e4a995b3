"""Run a job on a Beam runner: local by default, or any other that Beam's options name."""

import logging
import os
import shlex
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import apache_beam as beam
import grpc
import psutil
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.portability.api import beam_provision_api_pb2
from apache_beam.runners import runner as beam_runner
from apache_beam.runners.portability.fn_api_runner import fn_runner
from apache_beam.runners.portability.portable_runner import JobServiceHandle
from apache_beam.transforms import environments

from tacenda.pipelines.executors.children import END_S, WORKER_KILLED, kill
from tacenda.pipelines.executors.runners import LOCAL_RUNNERS, ends_with_driver, leaves_job, runner_name
from tacenda.pipelines.work.error_sanitizing import JobLeftError, RunFailedError, unwrap_worker_error

_WORKER_THREAD = "run_worker"
_POLL_S = 0.2
_SERVER_LOGGERS = ("PrismJobServer", "FlinkJarJobServer", "SparkJarJobServer")
_MESSAGES = "portable_runner"
"""Beam's module that logs all output of a job server and its workers, which may contain data."""

_CANCELLED = (f"state {beam_runner.PipelineState.CANCELLED}", "JobCancellationException")
_NO_WORKERS = ("UNAVAILABLE", "Connection refused", "Worker pool")
"""Texts in errors of Java runners whose Python workers cannot be started."""


Build = Callable[[beam.Pipeline], object]
"""Adds the steps of a job to a pipeline."""


def run_on_beam(build: Build, beam_args: Sequence[str], workers: int) -> None:
    """Run a job and wait for it to end; ``workers`` are those of local runners, others scale by their options.

    Raises:
        UnitFailedError: a work unit failed.
        RunFailedError: the job ended without a result: a local worker process was killed, the job was
            cancelled, or its workers or job server cannot be reached.
        JobLeftError: the job runs on, as the options ask.
    """
    try:
        if runner_name(beam_args) in LOCAL_RUNNERS:
            _run_locally(build, beam_args, workers)
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
    pipeline = beam.Pipeline(options=PipelineOptions(list(beam_args)))
    build(pipeline)
    try:
        result = pipeline.run()
    except Exception as error:
        if unwrap_worker_error(error) is not error:
            raise  # an in-process runner runs the whole job in pipeline.run()
        message = f"the job could not be submitted to {name} ({type(error).__name__})"
        raise RunFailedError(message, began=False) from error
    if leaves_job(beam_args):
        raise JobLeftError
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
        # A runner's text may have data, so it is only looked at for signs.
        if any(sign in str(error) for sign in _CANCELLED):
            why = f"the job was cancelled on {name} and has stopped"
        elif any(sign in str(error) for sign in _NO_WORKERS):
            why = f"{name} gave up the job: its Python workers do not answer (is the worker pool running?)"
        else:
            why = f"{name} gave up the job; see its own log for the reason"
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


def _run_locally(build: Build, beam_args: Sequence[str], workers: int) -> None:
    if workers == 1:
        options = PipelineOptions([*beam_args, "--direct_running_mode=in_memory"])
        runner = fn_runner.FnApiRunner()
    else:
        # Threads that talked to a dead worker fail; their tracebacks add nothing.
        logging.getLogger("apache_beam").setLevel(logging.CRITICAL)
        options = PipelineOptions([*beam_args, f"--direct_num_workers={workers}"])
        # This Python, which imports nothing from the current folder; by exec, so that killing the process kills
        # the worker and not a shell that would report it on the terminal.
        python = f"exec env PYTHONSAFEPATH=1 {shlex.quote(sys.executable)}"
        command = f"{python} -m tacenda.pipelines.executors.local_worker {os.getpid()}"
        # By default, FnApiRunner starts worker processes without pipeline options.
        told = JobServiceHandle.encode_pipeline_options(options.get_all_options())
        runner = fn_runner.FnApiRunner(
            default_environment=environments.SubprocessSDKEnvironment.from_command_string(command),
            provision_info=fn_runner.ExtendedProvisionInfo(
                beam_provision_api_pb2.ProvisionInfo(pipeline_options=told)
            ),
        )
    pipeline = beam.Pipeline(runner=runner, options=options)
    build(pipeline)
    _run_watched(pipeline)


def _run_watched(pipeline: beam.Pipeline) -> None:
    """Run the pipeline in a thread, so that the main thread can abandon it.

    It does so when a worker process dies, since FnApiRunner would wait for it forever, and on Ctrl-C, since
    Beam swallows interrupts or turns them into other errors.
    """
    died = threading.Event()
    failure: list[BaseException] = []

    def on_thread_error(args: Any) -> None:
        if args.thread is not None and args.thread.name == _WORKER_THREAD:
            died.set()

    def run() -> None:
        try:
            _check(pipeline.run().wait_until_finish())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            failure.append(error)

    previous, threading.excepthook = threading.excepthook, on_thread_error
    try:
        runner = threading.Thread(target=run, name="runner", daemon=True)
        runner.start()
        while runner.is_alive() and not died.is_set():
            runner.join(_POLL_S)
    except KeyboardInterrupt:
        _abandon(pipeline)
        raise
    if died.is_set():
        _abandon(pipeline)
        raise RunFailedError(WORKER_KILLED)
    threading.excepthook = previous
    if failure:
        raise failure[0]


def _abandon(pipeline: beam.Pipeline) -> None:
    """Kill the worker processes and clean up what Beam would.

    The thread exception hook stays in place, because the remaining threads fail one by one.
    """
    kill(psutil.Process().children(recursive=True))
    shutil.rmtree(pipeline.local_tempdir, ignore_errors=True)


def _check(state: str) -> None:
    if state != beam_runner.PipelineState.DONE:
        raise RuntimeError(f"ended in state {state}")
