"""Apache Beam's own options on our command line: which exist, and which make sense for our jobs."""

import argparse
import difflib
from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once

_FLINK_SERVER_FLAGS = ("--parallelism", "--max_parallelism", "--checkpointing_interval")
UNWAITED = "--no_wait_until_finish"
"""Leaves a job to the service that runs it."""

_ONCE, _RUN = "a job reads files, once, and ends", "the job is run, not packed"
_PROCESSES = "Beam's runner on this machine has one process; use --workers without a runner"
_TEMPLATE = "--template_location"
_REFUSED = {
    "--streaming": _ONCE,
    "--update": _ONCE,
    "--create_from_snapshot": _ONCE,
    "--dry_run": "it is spelled --dry-run",
    "--output_executable_path": _RUN,
    _TEMPLATE: _RUN,
    "--direct_num_workers": _PROCESSES,
    "--direct_running_mode": _PROCESSES,
}


def beam_arguments(arguments: argparse.Namespace, extra: Sequence[str]) -> list[str]:
    """Validate the remaining arguments as options of Beam.

    Raises:
        UserError: an unknown flag, one that makes no sense for our jobs, a value that Beam rejects, or a stray
            word.
    """
    if not extra:
        return []
    parser = _beam_parser()
    known = parser._option_string_actions
    flags = [word.split("=", 1)[0] for word in extra if word.startswith("--")]
    for flag in flags:
        if flag not in known:
            own = ["--" + name.replace("_", "-") for name in vars(arguments)]
            others = {*known, *own} - {flag}
            close = difflib.get_close_matches(flag, sorted(others), n=1, cutoff=0.75)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise UserError(f"unknown option {flag}{hint}")
    # Beam itself would print its usage, and only after the output folder has been created.
    _, stray = parser.parse_known_args(extra)
    if stray:
        raise UserError(f"unexpected argument '{stray[0]}'; inputs follow --input")
    for flag in flags:
        # The launcher of a flex template takes the graph, and leaves.
        left = flag == _TEMPLATE and UNWAITED in extra
        if flag in _REFUSED and not left:
            raise UserError(f"{flag}: {_REFUSED[flag]}; leave it out")
    return list(extra)


class _BeamParser(Parser):
    """Parser for Beam's options, which are not in our help."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UserError(f"{message} (an option of Apache Beam)")


@built_once
def _beam_parser() -> Parser:
    """A parser with all options of Beam and of its Flink job server."""
    from apache_beam.options.pipeline_options import PipelineOptions

    parser = _BeamParser(add_help=False, conflict_handler="resolve", allow_abbrev=False)
    for flag in _FLINK_SERVER_FLAGS:
        parser.add_argument(flag)
    for kind in PipelineOptions.__subclasses__():
        if "_add_argparse_args" in vars(kind):
            kind._add_argparse_args(parser)
    return parser
