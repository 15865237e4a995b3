"""Which runner Beam's options name, and whether the job can be given to it."""

import socket
from collections.abc import Sequence
from importlib import import_module
from urllib.parse import urlsplit

from apache_beam.options.pipeline_options import (
    DirectOptions,
    FlinkRunnerOptions,
    PipelineOptions,
    PortableOptions,
    StandardOptions,
)
from apache_beam.runners.portability.flink_runner import MAGIC_HOST_NAMES

from transforms.schema.errors import UserError

LOCAL_RUNNERS = frozenset({"FnApiRunner", "DirectRunner"})
"""DirectRunner is taken for FnApiRunner: Beam's own switches engines by whether a download succeeds."""

_REFUSED = {"DaskRunner": "loses the rows of every batch but the first"}
_DIRECT_WORKERS = "--direct_num_workers"
_CONNECT_S = 5.0
_PORTS = {"http": 80, "https": 443, "": 8081}
"""Where an endpoint without a port is looked for: Flink's own where it is no URL either."""


def runner_name(beam_args: Sequence[str]) -> str:
    """The runner that Beam's options name; FnApiRunner where they name none.

    Raises:
        UserError: Beam has no such runner, or it is one that does not keep all rows.
    """
    name: str = PipelineOptions(list(beam_args)).view_as(StandardOptions).runner or "FnApiRunner"
    short = name.rsplit(".", 1)[-1]
    if short in _REFUSED:
        raise UserError(f"--runner={name}: {_REFUSED[short]}; use FnApiRunner, FlinkRunner or DataflowRunner")
    known = {*StandardOptions.KNOWN_RUNNER_NAMES, *LOCAL_RUNNERS}
    if "." not in name and name not in known and f"{name}Runner" not in known:
        raise UserError(f"--runner={name}: Beam has no such runner; use one of {', '.join(sorted(known))}")
    return name


def direct_workers(beam_args: Sequence[str]) -> int | None:
    """Worker processes that Beam's own option asks for on this machine; None where it does not, or by 0."""
    if not any(word.split("=", 1)[0] == _DIRECT_WORKERS for word in beam_args):
        return None  # Beam's default is 1, which nobody asked for
    workers: int | None = PipelineOptions(list(beam_args)).view_as(DirectOptions).direct_num_workers
    return workers if workers and workers > 0 else None


def check_runner(beam_args: Sequence[str]) -> None:
    """Find out in seconds, and not after a minute, that there is nobody to give the job to.

    Raises:
        UserError: there is no such runner, or its job endpoint or Flink master does not answer.
    """
    name = runner_name(beam_args)
    module, _, own = name.rpartition(".")
    if module:
        try:
            getattr(import_module(module), own)
        except (ImportError, AttributeError):
            raise UserError(
                f"--runner={name}: cannot be imported; check the name, or install its package"
            ) from None
    options = PipelineOptions(list(beam_args))
    endpoint = options.view_as(PortableOptions).job_endpoint
    if endpoint:
        if endpoint != "embed":
            _check_somebody_listens("--job_endpoint", endpoint, "start the job server")
    elif name == "FlinkRunner":
        master = options.view_as(FlinkRunnerOptions).flink_master
        if master not in MAGIC_HOST_NAMES:
            _check_somebody_listens("--flink_master", master, "start the cluster")


def _check_somebody_listens(option: str, endpoint: str, mend: str) -> None:
    try:
        address = urlsplit(endpoint if "://" in endpoint else f"//{endpoint}")
        with socket.create_connection(
            (address.hostname or "", address.port or _PORTS[address.scheme]), timeout=_CONNECT_S
        ):
            return
    except (OSError, ValueError, KeyError):
        raise UserError(f"{option}={endpoint}: nobody listens there; {mend}, or mend HOST:PORT") from None
