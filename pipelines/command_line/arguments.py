"""Command-line arguments shared by several commands."""

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from datetime import date
from typing import Any

from tacenda.pipelines.command_line.terminal import open_terminal, record
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions

_HINTS = ("accelerator", "min_ram", "cpu_count")
"""Beam's resource hints."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line and adds the options on output that every command has.

    Args:
        brief: options that ``--help`` shows, of a command with many; ``--help-all`` shows all. Empty: all.
    """

    def __init__(self, *arguments: Any, brief: Sequence[str] = (), **settings: Any) -> None:
        self.brief = frozenset(brief)
        settings.setdefault("allow_abbrev", False)  # a later option must not change what an old command means
        super().__init__(*arguments, **settings)
        if settings.get("add_help", True):
            if brief:
                self.add_argument(
                    "--help-all", action=_HelpAll, nargs=0, help="show all options and exit, not only these"
                )
            told = self.add_argument_group("messages")
            told.add_argument(
                "--quiet",
                action="store_true",
                help="print errors and the output of --json only",
            )
            told.add_argument(
                "--log-file", metavar="FILE", help="append every message to this file, with its time"
            )

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse arguments and set up the terminal as they say."""
        arguments, rest = super().parse_known_args(args, namespace)
        if "quiet" in arguments and self._subparsers is None:
            open_terminal(quiet=arguments.quiet, log_file=arguments.log_file)
            record(f"{self.prog} {shlex.join(sys.argv[1:] if args is None else args)}")
        return arguments, rest

    def format_help(self) -> str:
        """The help of the options that most people need; see ``format_help_all``."""
        if not self.brief:
            return super().format_help()
        shown = [a for a in self._actions if a.dest in {*self.brief, "help", "help_all"}]
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, shown, ())
        formatter.add_text(self.description)
        formatter.start_section("options")
        formatter.add_arguments(shown)
        formatter.end_section()
        formatter.add_text(
            f"--help-all shows {len(self._actions) - len(shown)} more; Beam's own pass through."
        )
        return formatter.format_help()

    def format_help_all(self) -> str:
        """The help of all options, by groups."""
        return super().format_help()

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UserError(f"{message}; see '{self.prog} --help'")


class _HelpAll(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        assert isinstance(parser, Parser)
        sys.stdout.write(parser.format_help_all())
        parser.exit()


Options = argparse._ActionsContainer
"""A parser, or a group of its options."""


def group(parser: Options, title: str) -> Options:
    """The group of options of a parser with this title; of a group, itself."""
    if not isinstance(parser, argparse.ArgumentParser):
        return parser
    for known in parser._action_groups:
        if known.title == title:
            return known
    return parser.add_argument_group(title)


def add_json(parser: Options, what: str = "the figures") -> None:
    """Add the option of commands that can print what they found for other programs."""
    parser.add_argument("--json", action="store_true", help=f"print {what} as one JSON object on stdout")


def add_folder(parser: Options) -> None:
    """Add the argument of commands on a finished run."""
    parser.add_argument("folder", metavar="OUT", help="the output folder of 'tacenda anonymize'")


def add_looking(parser: Options, required: bool = True) -> None:
    """Arguments of every command that reads conversations, of files of any size."""
    parser = group(parser, "input")
    parser.add_argument(
        "--input",
        nargs="+",
        required=required,
        metavar="URL",
        help="files, folders or globs: Parquet, JSON, CSV, TSV, text",
    )
    parser.add_argument("--config", metavar="FILE", help="YAML or JSON; without it, the defaults")
    parser.add_argument(
        "--shape",
        metavar="NAME",
        help="conversation, turns, chat, sharegpt, document, vcon, preference, prompt_completion or alpaca; "
        "default: recognised",
    )
    parser.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="NAME=YOURS",
        help="the name of a field in your data, such as conversation_id=call_id or turns.text=utterance",
    )
    parser.add_argument(
        "--from",
        dest="mapping",
        metavar="NAME",
        help="what the data comes from, as intercom, slack, whisper, or a mapping of your own (YAML); most are "
        "recognised",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="FIELD",
        help="another field to write, anonymised like the turns; repeatable",
    )
    parser.add_argument(
        "--opaque",
        action="append",
        default=[],
        metavar="FIELD=REASON",
        help="a field to write unchanged and uninspected, and why; repeatable",
    )
    parser.add_argument(
        "--max-turn-chars",
        type=positive,
        default=ReadOptions().max_turn_chars,
        metavar="N",
        help="quarantine conversations with longer turns (%(default)s)",
    )


def add_reading(parser: Options) -> None:
    """The same for commands that run as a job."""
    add_looking(parser)
    parser = group(parser, "run")
    _add_unit_bytes(parser)
    parser.add_argument(
        "--part-bytes",
        type=positive,
        default=ReadOptions().part_bytes,
        metavar="N",
        help="approximate bytes of text in an output file (%(default)s)",
    )


def add_running(parser: Options) -> None:
    """Add the arguments of every command that runs as a job; Beam's own options are passed through."""
    parser = group(parser, "run")
    parser.add_argument(
        "--output", required=True, metavar="URL", help="a folder: empty, or with the same run to resume"
    )
    parser.add_argument("--overwrite", action="store_true", help="remove another run from the output folder")
    _add_workers(parser)
    parser.add_argument(
        "--limit",
        type=positive,
        metavar="N",
        help="process only the first N conversations of the input; count the rows of the others",
    )
    parser.add_argument("--dry-run", action="store_true", help="check everything, print the plan, and stop")
    add_json(parser, "the summary, or the plan,")
    parser.add_argument(
        "--model-hint",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="on a runner of Beam: run the models in a stage of their own, with this resource hint; repeatable",
    )
    add_signing(parser)
    add_lineage(parser)


def add_figures(parser: Options) -> None:
    """Add the arguments of commands that read all of their input and give nothing but figures."""
    parser.add_argument("--output", metavar="FILE", help="write every figure there")
    add_json(parser)
    add_measuring(parser)


def add_measuring(parser: Options) -> None:
    """Add the arguments of commands that read all of their input and write figures."""
    _add_workers(group(parser, "run"))
    _add_unit_bytes(group(parser, "run"))


def add_bootstrap(parser: Options) -> None:
    """Add the arguments of commands that give intervals."""
    parser.add_argument(
        "--bootstrap",
        type=whole_number,
        default=1000,
        metavar="N",
        help="bootstrap resamples; 0 for no intervals",
    )
    parser.add_argument("--seed", type=whole_number, default=1, help="seed of the bootstrap (1)")


def _add_workers(parser: Options) -> None:
    parser.add_argument(
        "--workers", type=positive, metavar="N", help="processes on this machine; default by input size"
    )


def _add_unit_bytes(parser: Options) -> None:
    parser.add_argument(
        "--unit-bytes",
        type=positive,
        default=ReadOptions().unit_bytes,
        metavar="N",
        help="approximate bytes of text in a work unit (%(default)s)",
    )


def add_signing(parser: Options) -> None:
    """Add the option of every command that writes or changes an output folder."""
    parser = group(parser, "run")
    parser.add_argument(
        "--signing-key",
        metavar="KEY",
        help="sign the manifest, in OUT/history.jsonl: env:NAME or file:PATH of an Ed25519 key as PEM",
    )


def add_lineage(parser: Options) -> None:
    """Add the option of every command that runs as a job."""
    parser = group(parser, "run")
    parser.add_argument(
        "--lineage",
        metavar="URL",
        help="report start and end as OpenLineage events: a file to append to, or an http(s) address",
    )


def add_risk(parser: Options) -> None:
    """Add the argument for the score table."""
    parser = group(parser, "release")
    parser.add_argument(
        "--risk-preset", metavar="NAME", help="score table: appendix (default), worked_example …"
    )


def add_releasing(parser: Options) -> None:
    """Add the arguments of the commands that score risk and decide on release."""
    parser = group(parser, "release")
    add_risk(parser)
    parser.add_argument(
        "--release-anyway",
        metavar="REASON",
        help="release even if the criterion is not met; the reason is written to manifest and report",
    )
    parser.add_argument(
        "--date",
        type=day,
        metavar="YYYY-MM-DD",
        help="date of the run for manifest and report; never read from the clock, so runs are repeatable",
    )
    parser.add_argument("--operator", metavar="NAME", help="who runs this, for manifest and report")
    parser.add_argument(
        "--context",
        metavar="FILE",
        help="answers on the context of use, for manifest and report; form: 'config init --context-form'",
    )
    parser.add_argument(
        "--compare-to",
        metavar="URL",
        help="an earlier output folder; the report lists what has changed since: risk, findings, config …",
    )


def add_writing(parser: Options) -> None:
    """Add the arguments on how the corpus is written."""
    parser = group(parser, "corpus")
    parser.add_argument(
        "--format",
        choices=("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv", "tsv"),
        help="format of the corpus; default: Parquet for Parquet, else jsonl.gz; csv and tsv for these only",
    )
    parser.add_argument(
        "--compression",
        choices=("gzip", "zstd"),
        help="compression of JSON lines if --format does not name one (gzip); Parquet always uses zstd",
    )
    parser.add_argument(
        "--to",
        metavar="NAME",
        help="shape of the corpus: conversation, chat, sharegpt, alpaca, prompt_completion; default: as read",
    )
    parser.add_argument(
        "--role",
        action="append",
        default=[],
        metavar="SPEAKER=ROLE",
        help="for --to: which speaker is system, user or assistant; * for all others; repeatable",
    )
    parser.add_argument(
        "--split",
        type=shares,
        metavar="NAME=SHARE,…",
        help="split the corpus, as train=.9,validation=.1, into a folder each; near-duplicates stay together",
    )
    parser.add_argument(
        "--split-by",
        metavar="FIELD",
        help="a field, such as the customer: conversations with an equal value stay in one split; not written",
    )
    parser.add_argument(
        "--split-seed",
        type=int,
        metavar="N",
        help="number that decides which conversations go to which split (0)",
    )
    parser.add_argument(
        "--drop-over",
        type=positive,
        metavar="N",
        help="drop conversations that score N or more, list them in OUT/dropped, and judge the rest",
    )
    parser.add_argument(
        "--standoff",
        metavar="FOLDER",
        help="write the positions of all replacements there, without text; restrict access; outside of OUT",
    )
    parser.add_argument(
        "--dictionary",
        metavar="FOLDER",
        help="with entities.reconcile: write who is who there, with originals; restrict access; outside of OUT",
    )


def add_local_detectors(parser: Options, *more: str) -> None:
    """Add the arguments that choose local detectors; ``more`` names others."""
    parser = group(parser, "detectors")
    parser.add_argument(
        "--detector",
        action="append",
        choices=("rules", "gazetteer", "model", *more),
        help="detectors to run: rules, lists of names and places, a trained model (default: these)"
        f"{', Cloud DLP' if more else ''}; repeatable",
    )
    parser.add_argument(
        "--model",
        action="append",
        metavar="PATH",
        help="folder of a model package to use instead of the embedded one; repeatable",
    )


def add_detecting(parser: Options) -> None:
    """Add the arguments of the commands that look for personal data."""
    parser = group(parser, "detectors")
    add_local_detectors(parser, "cloud_dlp")
    parser.add_argument("--dlp-project", metavar="ID", help="the Google Cloud project for Cloud DLP")
    parser.add_argument("--dlp-location", metavar="PLACE", help="location of Cloud DLP; default global")
    parser.add_argument("--dlp-endpoint", metavar="HOST", help="host of Cloud DLP, if not the global one")


def read_options(arguments: argparse.Namespace) -> ReadOptions:
    """The reading options from parsed arguments."""
    fields: dict[str, str] = {}
    for pair in arguments.field:
        name, separator, actual = pair.partition("=")
        if not separator or not name or not actual:
            raise UserError(f"--field {pair}: write it as NAME=YOURS, as in conversation_id=call_id")
        fields[name] = actual
    # Imported here, so that --help does not wait for Arrow.
    from tacenda.transforms.shapes.mapping import mapping_named
    from tacenda.transforms.shapes.recognise import with_mapping

    mapping = None if arguments.mapping is None else mapping_named(arguments.mapping)
    if mapping is not None and arguments.shape:
        raise UserError("--from: says the shape already; leave --shape out")
    if mapping is not None and mapping.shape is None and fields:
        raise UserError(
            "--from: says where the fields are; leave --field out, or write a mapping of your own"
        )
    options = ReadOptions(
        shape=arguments.shape,
        fields=fields,
        keep=tuple(arguments.keep),
        max_turn_chars=arguments.max_turn_chars,
        unit_bytes=getattr(arguments, "unit_bytes", ReadOptions().unit_bytes),
        part_bytes=getattr(arguments, "part_bytes", ReadOptions().part_bytes),
        limit=getattr(arguments, "limit", None),
    )
    return with_mapping(options, mapping)


def model_hints(arguments: argparse.Namespace) -> dict[str, str] | None:
    """The resource hints of the models' own stage, from parsed arguments; None if there are none.

    Raises:
        UserError: one is not a pair, or Beam has no such hint.
    """
    hints: dict[str, str] = {}
    for pair in arguments.model_hint:
        name, separator, value = pair.partition("=")
        if not separator or name not in _HINTS or not value:
            raise UserError(
                f"--model-hint {pair}: write it as NAME=VALUE; a name is one of {', '.join(_HINTS)}"
            )
        hints[name] = value
    return hints or None


def day(text: str) -> str:
    """Parse an ISO 8601 date, for argparse."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a date; write it as 2024-03-21")


def positive(text: str) -> int:
    """Parse a whole number above 0, for argparse."""
    return _at_least(1, text, "a whole number above 0")


def whole_number(text: str) -> int:
    """Parse a whole number of at least 0, for argparse."""
    return _at_least(0, text, "a whole number of at least 0")


def shares(text: str) -> dict[str, float]:
    """Parse names with their shares, for argparse."""
    found: dict[str, float] = {}
    for pair in text.split(","):
        name, separator, value = pair.partition("=")
        if not separator or not name.strip() or name.strip() in found:
            raise argparse.ArgumentTypeError(f"'{text}' is not like train=.9,validation=.1")
        found[name.strip()] = share(value)
    return found


def share(text: str) -> float:
    """Parse a number from 0 to 1, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return value


def _at_least(least: int, text: str, what: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
    return value
