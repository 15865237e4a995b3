"""Preflight checks of Beam runners: which one the options name, and whether it can run the job."""

import json
import os
import shutil
import socket
import urllib.request
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

import apache_beam as beam
from apache_beam.options import pipeline_options as beams
from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
from apache_beam.runners.portability.flink_runner import MAGIC_HOST_NAMES, FlinkRunner
from apache_beam.runners.portability.fn_api_runner.fn_runner import FnApiRunner
from apache_beam.runners.runner import create_runner
from apache_beam.transforms.environments import Environment

from tacenda.pipelines.executors.beam_options import UNWAITED
from tacenda.transforms.schema.errors import UserError

LOCAL_RUNNERS = frozenset({"FnApiRunner", "DirectRunner"})
"""DirectRunner is treated as FnApiRunner: Beam's own switches engines depending on a download."""

_PORTABLE = frozenset({"PortableRunner", "FlinkRunner"})
_KNOWN = frozenset({*LOCAL_RUNNERS, *_PORTABLE, "PrismRunner", "DataflowRunner"})
_EMBEDDED = "embed"
_DATAFLOW = "DataflowRunner"
_WORKERS_A_HOST = "--sdk_worker_parallelism"
_THREADS = "--number_of_worker_harness_threads"
_THREADS_A_PROCESS = 2
"""On Dataflow: one reads and writes while the other computes. Its default of 12 would hold 12 units."""

_CONNECT_S = 5.0
_PORTS = {"http": 80, "https": 443, "": 8081}
"""Default ports of endpoints by URL scheme; without a scheme, Flink's."""


def _parsed(beam_args: Sequence[str]) -> beams.PipelineOptions:
    return beams.PipelineOptions(list(beam_args))


def _is_given(beam_args: Sequence[str], *flags: str) -> bool:
    return any(word.split("=", 1)[0] in flags for word in beam_args)


def runner_name(beam_args: Sequence[str]) -> str:
    """The runner that Beam's options name, without the package for Beam's own; default FnApiRunner.

    Raises:
        UserError: Beam has no such runner, or our jobs were not tried on it, as on Dask's, which loses rows.
    """
    name: str = _parsed(beam_args).view_as(beams.StandardOptions).runner or "FnApiRunner"
    package, _, short = name.rpartition(".")
    if package and not package.startswith("apache_beam."):
        return name
    known = next((each for each in (short, f"{short}Runner") if each in _KNOWN), None)
    if known is None:
        raise UserError(
            f"--runner={name}: is no runner for these jobs; use one of {', '.join(sorted(_KNOWN))}"
        )
    return known


def ends_with_driver(beam_args: Sequence[str]) -> bool:
    """Whether the job ends when this process does."""
    name, options = runner_name(beam_args), _parsed(beam_args)
    if name in LOCAL_RUNNERS:
        return True
    if endpoint := options.view_as(beams.PortableOptions).job_endpoint:
        return bool(endpoint == _EMBEDDED)
    return name == "PrismRunner" or (name == "FlinkRunner" and _flink_master(options) is None)


def _flink_master(options: beams.PipelineOptions) -> str | None:
    """The address of a Flink cluster; None for one that Beam starts in a process on this machine."""
    master: str = options.view_as(beams.FlinkRunnerOptions).flink_master
    return None if master in MAGIC_HOST_NAMES else master


def leaves_job(beam_args: Sequence[str]) -> bool:
    """Whether this process leaves the job to the runner as soon as it has taken it."""
    return runner_name(beam_args) == _DATAFLOW and UNWAITED in beam_args


def completed(beam_args: Sequence[str]) -> list[str]:
    """Add the options that our jobs need.

    The number of Python processes per host is set to Flink's slots, or left to other runners: Beam's default
    is one, regardless of the slots, so that all but one core would idle. Prism gets a server for this job
    only, which ends with it. Dataflow gets few threads a process, and not the variables of the main module,
    which workers never need: everything is imported from this package.
    """
    name, more = runner_name(beam_args), list[str]()
    if name == "PrismRunner":
        more.append("--experiments=disable_prism_server_singleton")
    elif name == _DATAFLOW:
        if not _is_given(beam_args, _THREADS):
            more.append(f"{_THREADS}={_THREADS_A_PROCESS}")
        if not _is_given(beam_args, "--save_main_session", "--no_save_main_session"):
            more.append("--no_save_main_session")
    elif name in _PORTABLE and not _is_given(beam_args, _WORKERS_A_HOST):
        options, slots = _parsed(beam_args), None
        if name == "FlinkRunner" and not options.view_as(beams.PortableOptions).job_endpoint:
            slots = _slots_a_task_manager(_flink_master(options))
        more.append(f"{_WORKERS_A_HOST}={slots or 0}")
    return [*beam_args, *more]


def check_runner(beam_args: Sequence[str], urls: Sequence[tuple[str, str]] = ()) -> None:
    """Check within seconds that the runner can take the job, which reads and writes ``urls``, by option.

    Raises:
        UserError: there is no such runner, something that it needs is missing or does not answer, or workers do
            not see a place on this machine.
    """
    name = runner_name(beam_args)
    for problem in _problems(name, _parsed(beam_args)):
        raise UserError(problem)
    for option, url in urls if name == _DATAFLOW else ():
        if "://" not in url or url.startswith("file://"):
            raise UserError(
                f"{option} {url}: workers of Dataflow do not see this machine; copy it to a bucket, gs://…"
            )


def _problems(name: str, options: beams.PipelineOptions) -> Iterator[str]:
    """What keeps a runner of Beam from taking our job: what is quick to look at comes first."""
    setup = options.view_as(beams.SetupOptions)
    packages = [("--extra_package", package) for package in setup.extra_packages or ()]
    named = ("--setup_file", setup.setup_file), ("--requirements_file", setup.requirements_file), *packages
    for flag, path in named:
        if path and "://" not in path and not os.path.isfile(path):
            yield f"{flag}={path}: no such file; check the path"
    # By which workers get this package.
    image = options.view_as(beams.WorkerOptions).sdk_container_image
    installs = image or setup.setup_file or setup.requirements_file or setup.extra_packages
    if name == _DATAFLOW:
        # Beam would look for a default bucket over the network before it says what is missing.
        cloud = options.view_as(beams.GoogleCloudOptions)
        bucket = cloud.temp_location or cloud.staging_location or ""
        given = {
            "--project=ID": cloud.project,
            "--region=NAME": cloud.region,
            "--temp_location=gs://BUCKET/FOLDER": bucket.startswith("gs://"),
            "--sdk_container_image=IMAGE with this package": installs,
        }
        if missing := [flag for flag, value in given.items() if not value]:
            yield f"--runner={name}: needs {', '.join(missing)}"
        try:
            import_module("apache_beam.runners.dataflow.internal.apiclient")
        except ImportError:
            yield f"--runner={name}: its packages are not installed; mend it with: pip install 'tacenda[gcp]'"
    if name in (_DATAFLOW, *_PORTABLE) and (
        errors := PipelineOptionsValidator(options, create_runner(name)).validate()
    ):
        yield f"--runner={name}: {' '.join(' '.join(errors).split())} (options of Apache Beam)"
    try:
        # What all runners share of building a pipeline.
        pipeline = beam.Pipeline(runner=FnApiRunner(), options=options)
        shutil.rmtree(pipeline.local_tempdir, ignore_errors=True)
    except Exception as error:  # noqa: BLE001 - Beam may raise anything
        yield f"Apache Beam rejects its options ({type(error).__name__}); leave out those that you can"
    if name in _PORTABLE:
        yield from _problems_of_servers(name, options, bool(installs))


def _problems_of_servers(name: str, options: beams.PipelineOptions, installs: bool) -> Iterator[str]:
    """What is missing of the server that takes the job, and of the workers that it starts."""
    portable = options.view_as(beams.PortableOptions)
    endpoint, master = portable.job_endpoint, _flink_master(options)
    nobody = "{}={}: nothing listens there; {}, or correct HOST:PORT"
    if endpoint and endpoint != _EMBEDDED:
        if not _listens(endpoint):
            yield nobody.format("--job_endpoint", endpoint, "start the job server")
    elif name == "PortableRunner" and not endpoint:
        yield (
            "--runner=PortableRunner: needs --job_endpoint=HOST:PORT of a job server; or name a runner that "
            "starts its own, such as FlinkRunner"
        )
    elif name == "FlinkRunner" and not endpoint and master and not _listens(master):
        yield nobody.format("--flink_master", master, "start the cluster")
    kind, config = portable.environment_type, portable.environment_config
    try:
        more = portable.environment_options
        own = beams.PipelineOptions(
            environment_type=kind, environment_config=config, environment_options=more
        )
        Environment.from_options(own.view_as(beams.PortableOptions))
    except Exception as error:  # noqa: BLE001 - Beam may raise anything
        yield (
            f"--environment_type={kind}: unknown, or not with this --environment_config "
            f"({type(error).__name__}); use DOCKER, EXTERNAL, LOOPBACK or PROCESS"
        )
    in_image = config or portable.lookup_environment_option("docker_container_image") or installs
    by_beam = kind is None and name == "FlinkRunner" and not endpoint and not master
    if kind in (None, "DOCKER") and not in_image and not by_beam:
        yield (
            f"--runner={name}: Beam's own container image lacks this package; name workers that have it, "
            "by --environment_type=EXTERNAL --environment_config=HOST:PORT of a worker pool, or "
            "--environment_type=DOCKER --environment_config=IMAGE"
        )
    java = options.view_as(beams.JobServerOptions).job_server_java_launcher
    sent = options.view_as(beams.FlinkRunnerOptions).flink_submit_uber_jar
    if name == "FlinkRunner" and not endpoint and not sent and shutil.which(java) is None:
        yield (
            f"--runner={name}: its job server needs Java, which is not installed; install it, or use a running "
            "job server: --runner=PortableRunner --job_endpoint=HOST:PORT"
        )


def _slots_a_task_manager(master: str | None) -> int | None:
    """The largest number of slots of a Flink cluster's task managers; None if unknown."""
    if master is None:
        return None
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    url = f"{FlinkRunner.add_http_scheme(master).rstrip('/')}/taskmanagers"
    try:
        with opener.open(url, timeout=_CONNECT_S) as answer:
            managers: list[dict[str, Any]] = json.load(answer)["taskmanagers"]
            return max((int(manager["slotsNumber"]) for manager in managers), default=None)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _listens(endpoint: str) -> bool:
    try:
        address = urlsplit(endpoint if "://" in endpoint else f"//{endpoint}")
        place = address.hostname or "", address.port or _PORTS[address.scheme]
        socket.create_connection(place, timeout=_CONNECT_S).close()
    except (OSError, ValueError, KeyError):
        return False
    return True
