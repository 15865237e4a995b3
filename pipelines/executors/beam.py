"""The job on a Beam runner: this machine by default, any other that Beam's own options name."""

import logging
import os
import shlex
import shutil
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import apache_beam as beam
import psutil
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.portability.api import beam_provision_api_pb2
from apache_beam.runners import runner as beam_runner
from apache_beam.runners.portability.fn_api_runner import fn_runner
from apache_beam.runners.portability.portable_runner import JobServiceHandle
from apache_beam.transforms import environments

from pipelines.executors.runners import LOCAL_RUNNERS, runner_name
from pipelines.failure import of_worker
from pipelines.plan import Plan
from pipelines.ptransforms import build
from pipelines.settings import JobSettings
from transforms.schema.errors import UserError

_WORKER_THREAD = "run_worker"
_POLL_S = 0.2
_END_S = 5
"""Killed is not yet gone: a process with much memory takes a moment."""
_OUR_PACKAGES = ("pipelines", "transforms", "models")


class WorkerDiedError(Exception):
    """A local worker process ended before the job did."""


def run_on_beam(plan: Plan, job: JobSettings, beam_args: Sequence[str], workers: int) -> None:
    """Run the whole job and wait for its end.

    Args:
        plan: the work units.
        job: the settings.
        beam_args: Beam's own options, passed through as they are.
        workers: processes on this machine; other runners scale by their own options.

    Raises:
        WorkerDiedError: a local worker process was killed; the run can be started again and goes on.
        UnitFailedError: a work unit failed, whatever the runner made of its error.
    """
    try:
        if runner_name(beam_args) in LOCAL_RUNNERS:
            _run_locally(plan, job, beam_args, workers)
            return
        pipeline = beam.Pipeline(options=PipelineOptions(list(beam_args)))
        build(pipeline, plan, job)
        _check(pipeline.run().wait_until_finish())
    except Exception as error:
        known = of_worker(error)
        if known is error:
            raise
        raise known from error


def _run_locally(plan: Plan, job: JobSettings, beam_args: Sequence[str], workers: int) -> None:
    if workers == 1:
        options = PipelineOptions([*beam_args, "--direct_running_mode=in_memory"])
        pipeline = beam.Pipeline(runner=fn_runner.FnApiRunner(), options=options)
        build(pipeline, plan, job)
        _run_watched(pipeline)
        return
    # A dead worker breaks the threads that talked to it; their tracebacks say nothing more.
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL)
    _refuse_shadowed_packages()
    options = PipelineOptions([*beam_args, f"--direct_num_workers={workers}"])
    runner = fn_runner.FnApiRunner(
        default_environment=environments.SubprocessSDKEnvironment.from_command_string(_worker_command()),
        # Left to itself, FnApiRunner starts its worker processes without any pipeline option.
        provision_info=fn_runner.ExtendedProvisionInfo(
            beam_provision_api_pb2.ProvisionInfo(
                pipeline_options=JobServiceHandle.encode_pipeline_options(options.get_all_options())
            )
        ),
    )
    pipeline = beam.Pipeline(runner=runner, options=options)
    build(pipeline, plan, job)
    _run_watched(pipeline)


def _worker_command() -> str:
    """Start a worker of this very Python; it must find our packages, not folders of the user's own."""
    safe_path = " -P" if sys.version_info >= (3, 11) else ""
    # exec: what is killed is then the worker itself and not a shell that would report it to the terminal.
    return f"exec {shlex.quote(sys.executable)}{safe_path} -m pipelines.executors.local_worker {os.getpid()}"


def _run_watched(pipeline: beam.Pipeline) -> None:
    """Run in a thread, so that the main one can end it.

    It does when a worker process dies, which FnApiRunner itself would wait for without end, and when it is
    interrupted: an interrupt within Beam comes out of it as another error, or not at all.
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
        raise WorkerDiedError
    threading.excepthook = previous
    if failure:
        raise failure[0]


def _abandon(pipeline: beam.Pipeline) -> None:
    """Kill the worker processes, and wait for their end; remove what Beam removes when it ends by itself.

    The hook for errors of threads stays: those that are left break one by one, and say nothing that helps.
    """
    children = psutil.Process().children(recursive=True)
    for child in children:
        with suppress(psutil.NoSuchProcess):
            child.kill()
    psutil.wait_procs(children, timeout=_END_S)
    shutil.rmtree(pipeline.local_tempdir, ignore_errors=True)


def _check(state: str) -> None:
    if state != beam_runner.PipelineState.DONE:
        logging.getLogger(__name__).error("the runner ended in state %s", state)
        raise RuntimeError("the runner did not finish the job")


def _refuse_shadowed_packages() -> None:
    """Before Python 3.11 nothing keeps a worker from importing from the current folder first."""
    if sys.version_info >= (3, 11):
        return
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    here = os.getcwd()
    for package in _OUR_PACKAGES:
        if here != ours and os.path.isdir(os.path.join(here, package)):
            raise UserError(
                f"the folder '{package}' here would be imported by workers instead of Tacet's own; "
                "start from another folder, use --workers 1, or use Python 3.11 or newer"
            )
