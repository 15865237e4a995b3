"""Apache Beam's own options on our command line: which exist, and whether the chosen runner uses them."""

import argparse
import difflib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_FLINK_SERVER_FLAGS = ("--parallelism", "--max_parallelism", "--checkpointing_interval")
UNWAITED = "--no_wait_until_finish"
"""Leaves a job to the service that runs it."""

LOCAL_RUNNERS = frozenset({"FnApiRunner", "DirectRunner"})
"""DirectRunner is treated as FnApiRunner: Beam's own switches engines depending on a download."""

_TEMPLATE = "--template_location"


def beam_arguments(arguments: argparse.Namespace, extra: Sequence[str]) -> list[str]:
    """Validate the remaining arguments as options of Beam.

    Raises:
        UserError: an unknown flag, a value that Beam rejects, or a stray word.
    """
    if not extra:
        return []
    parser, options = _beam_parser()
    for flag in _flags(extra):
        if flag not in options:
            own = ["--" + name.replace("_", "-") for name in vars(arguments)]
            others = {*options, *own} - {flag}
            close = difflib.get_close_matches(flag, sorted(others), n=1, cutoff=0.75)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise UserError(f"unknown option {flag}{hint}")
    # Beam itself would print its usage, and only after the output folder has been created.
    _, stray = parser.parse_known_args(extra)
    if stray:
        raise UserError(f"unexpected argument '{stray[0]}'; inputs follow --input")
    return list(extra)


def refuse_misleading(beam_args: Sequence[str]) -> None:
    """Reject options of Beam that make no sense for our jobs.

    Raises:
        UserError: there is one.
    """
    for flag in _flags(beam_args):
        # The launcher of a flex template takes the graph, and leaves.
        left = flag == _TEMPLATE and UNWAITED in beam_args
        if not left and (reason := _table()["refused"].get(_name(flag))):
            raise UserError(f"{flag}: {reason}; leave it out")


def without_effect(beam_args: Sequence[str], runner: str) -> list[str]:
    """A line for each given option without effect on this runner; none for runners that are not Beam's."""
    if not beam_args or "." in runner:
        return []
    _, groups = _beam_parser()
    table = _table()
    notes = []
    for flag in dict.fromkeys(_flags(beam_args)):
        name = _name(flag)
        acts_on = table["options"].get(name, table["classes"].get(groups[flag], []))
        if acts_on != "all" and runner not in acts_on:
            instead = table["instead"].get(name)
            if runner in LOCAL_RUNNERS and name in table["processes"]:
                instead = "use --workers without a runner"
            notes.append(f"{flag} does nothing on {runner}{f'; {instead}' if instead else ''}")
    return notes


def _flags(words: Sequence[str]) -> list[str]:
    return [word.split("=", 1)[0] for word in words if word.startswith("--")]


def _name(flag: str) -> str:
    return flag.lstrip("-").replace("-", "_")


class _BeamParser(Parser):
    """Parser for Beam's options, which are not in our help."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UserError(f"{message} (an option of Apache Beam)")


@built_once
def _beam_parser() -> tuple[Parser, dict[str, str]]:
    """A parser with all options of Beam and of its Flink job server, and the class that defines each flag."""
    from apache_beam.options.pipeline_options import PipelineOptions

    parser = _BeamParser(add_help=False, conflict_handler="resolve", allow_abbrev=False)
    groups: dict[str, str] = {}
    for flag in _FLINK_SERVER_FLAGS:
        parser.add_argument(flag)
        groups[flag] = "FlinkRunnerOptions"
    for kind in PipelineOptions.__subclasses__():
        if "_add_argparse_args" in vars(kind):
            kind._add_argparse_args(parser)
            for flag in (flag for action in parser._actions for flag in action.option_strings):
                groups.setdefault(flag, kind.__name__)
    return parser, groups


@built_once
def _table() -> dict[str, Any]:
    text = (files("tacenda.pipelines.executors") / "beam_options.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = parse_yaml(text)
    return table
