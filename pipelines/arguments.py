"""Our own command-line arguments."""

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from datetime import date
from typing import Any

from tacenda.pipelines.terminal import open_terminal, record
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes are one line, and which every command's options on what it says come with."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        if settings.get("add_help", True):
            self.add_argument(
                "--quiet",
                action="store_true",
                help="say nothing but mistakes and what is asked for by --json",
            )
            self.add_argument(
                "--log-file", metavar="FILE", help="add every line that is said to this file, with its time"
            )

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse the words; what is said from here on is said as they want it."""
        arguments, rest = super().parse_known_args(args, namespace)
        if "quiet" in arguments:
            open_terminal(quiet=arguments.quiet, log_file=arguments.log_file)
            record(f"{self.prog} {shlex.join(sys.argv[1:] if args is None else args)}")
        return arguments, rest

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UserError(f"{message}; see '{self.prog} --help'")


def add_looking(parser: argparse.ArgumentParser) -> None:
    """Arguments of every command that reads conversations, of files of any size."""
    parser.add_argument(
        "--input",
        nargs="+",
        required=True,
        metavar="URL",
        help="files, folders or globs; Parquet, JSON lines",
    )
    parser.add_argument("--config", metavar="FILE", help="YAML or JSON; without it, the defaults")
    parser.add_argument(
        "--shape",
        metavar="NAME",
        help="conversation, turns, chat, sharegpt, document or vcon; else recognised",
    )
    parser.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="NAME=YOURS",
        help="what your data calls a field, as conversation_id=call_id or turns.text=utterance",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="FIELD",
        help="a field to write beside the turns, anonymised as they are; repeatable",
    )
    parser.add_argument(
        "--opaque",
        action="append",
        default=[],
        metavar="FIELD=REASON",
        help="a field to write as it was read, which nothing looks at, and why; repeatable",
    )
    parser.add_argument(
        "--max-turn-chars",
        type=positive,
        default=ReadOptions().max_turn_chars,
        metavar="N",
        help="a longer turn sends its conversation to quarantine (%(default)s)",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The same for commands that run as a job."""
    add_looking(parser)
    parser.add_argument(
        "--unit-bytes",
        type=positive,
        default=ReadOptions().unit_bytes,
        metavar="N",
        help="bytes of text in a work unit, about (%(default)s)",
    )
    parser.add_argument(
        "--part-bytes",
        type=positive,
        default=ReadOptions().part_bytes,
        metavar="N",
        help="bytes of text in an output file, about (%(default)s)",
    )


def add_running(parser: argparse.ArgumentParser) -> None:
    """Arguments of every command that runs as a job; Beam's own options stand beside them."""
    parser.add_argument("--output", required=True, metavar="URL", help="a folder; empty, or of this very run")
    parser.add_argument("--overwrite", action="store_true", help="remove another run from the output folder")
    parser.add_argument(
        "--workers", type=positive, metavar="N", help="processes on this machine; default by input size"
    )
    parser.add_argument(
        "--limit",
        type=positive,
        metavar="N",
        help="only the first N conversations of the input; the rows of all others are counted",
    )
    parser.add_argument("--dry-run", action="store_true", help="check everything, print the plan, and stop")
    parser.add_argument(
        "--json", action="store_true", help="print the summary, or the plan, as one JSON object on stdout"
    )


def add_risk(parser: argparse.ArgumentParser) -> None:
    """The argument that says how risk is scored."""
    parser.add_argument(
        "--risk-preset", metavar="NAME", help="score table: appendix (default), worked_example …"
    )


def add_releasing(parser: argparse.ArgumentParser) -> None:
    """Arguments of the commands that score risk and decide on release."""
    add_risk(parser)
    parser.add_argument(
        "--release-anyway",
        metavar="REASON",
        help="release although the criterion is not met; the reason goes into manifest and report",
    )
    parser.add_argument(
        "--date",
        type=day,
        metavar="YYYY-MM-DD",
        help="the day of the run, for manifest and report; no clock is asked, so that a run can be repeated",
    )
    parser.add_argument("--operator", metavar="NAME", help="who runs this, for manifest and report")


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Arguments that say how the corpus is written."""
    parser.add_argument(
        "--compression",
        choices=("gzip", "zstd"),
        default="gzip",
        help="of JSON lines written (%(default)s); Parquet is always compressed with zstd",
    )
    parser.add_argument(
        "--drop-over",
        type=positive,
        metavar="N",
        help="leave out the conversations that score N or more, list them in OUT/dropped, and judge the rest",
    )
    parser.add_argument(
        "--standoff",
        metavar="FOLDER",
        help="write there what was replaced where, before and after, without text; restricted, outside of OUT",
    )


def add_local_detectors(parser: argparse.ArgumentParser, *more: str) -> None:
    """Arguments that say which detectors of this machine look; ``more`` names others."""
    parser.add_argument(
        "--detector",
        action="append",
        choices=("rules", "gazetteer", "model", *more),
        help="who looks: our rules, our lists of names and places, a trained model (these the default)"
        f"{', Cloud DLP' if more else ''}; repeatable",
    )
    parser.add_argument(
        "--model",
        action="append",
        metavar="PATH",
        help="folder of a model package, asked beside the other detectors; repeatable",
    )


def add_detecting(parser: argparse.ArgumentParser) -> None:
    """Arguments of the commands that look for personal data."""
    add_local_detectors(parser, "cloud_dlp")
    parser.add_argument("--dlp-project", metavar="ID", help="the Google Cloud project to ask in")
    parser.add_argument("--dlp-location", metavar="PLACE", help="where Cloud DLP works; default global")
    parser.add_argument(
        "--dlp-endpoint", metavar="HOST", help="another host of Cloud DLP than the global one"
    )


def read_options(arguments: argparse.Namespace) -> ReadOptions:
    """The reading options that the arguments say."""
    fields: dict[str, str] = {}
    for pair in arguments.field:
        name, separator, actual = pair.partition("=")
        if not separator or not name or not actual:
            raise UserError(f"--field {pair}: write it as NAME=YOURS, as in conversation_id=call_id")
        fields[name] = actual
    return ReadOptions(
        shape=arguments.shape,
        fields=fields,
        keep=tuple(arguments.keep),
        max_turn_chars=arguments.max_turn_chars,
        unit_bytes=getattr(arguments, "unit_bytes", ReadOptions().unit_bytes),
        part_bytes=getattr(arguments, "part_bytes", ReadOptions().part_bytes),
        limit=getattr(arguments, "limit", None),
    )


def day(text: str) -> str:
    """A day as ISO 8601 writes it, as argparse wants it."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a day; write it as 2024-03-21")


def positive(text: str) -> int:
    """A whole number above 0, as argparse wants it."""
    return _at_least(1, text, "a whole number above 0")


def whole_number(text: str) -> int:
    """A whole number of at least 0, as argparse wants it."""
    return _at_least(0, text, "a whole number of at least 0")


def _at_least(least: int, text: str, what: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
    return value
