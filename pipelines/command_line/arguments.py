"""Command-line arguments shared by several commands."""

import argparse
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacenda.pipelines.command_line.terminal import be_quiet
from tacenda.transforms.schema.errors import UserError, is_reason

if TYPE_CHECKING:
    from tacenda.transforms.shapes.options import ReadOptions

_HINTS = ("accelerator", "min_ram", "cpu_count")  # Beam's resource hints


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
            told = "show all options and exit, not only these" if brief else argparse.SUPPRESS
            self.add_argument("--help-all", action=_HelpAll, nargs=0, help=told)
            told = "print errors and the output of --json only"
            self.add_argument_group("messages").add_argument("--quiet", action="store_true", help=told)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse arguments and set up the terminal as they say."""
        arguments, rest = super().parse_known_args(args, namespace)
        if "quiet" in arguments and self._subparsers is None:
            be_quiet(arguments.quiet)
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


OF_READING = ("shape", "limit", "max_turn_chars", "unit_bytes", "part_bytes")
"""Options with the names and defaults of ``ReadOptions``."""


def read_options(arguments: argparse.Namespace) -> "ReadOptions":
    """The reading options from parsed arguments."""
    # Imported here, so that --help does not wait for Arrow.
    from tacenda.transforms.shapes.mapping import mapping_named
    from tacenda.transforms.shapes.options import ReadOptions
    from tacenda.transforms.shapes.recognise import with_mapping

    mapping = None if arguments.mapping is None else mapping_named(arguments.mapping)
    if mapping is not None and arguments.shape:
        raise UserError("--from: says the shape already; leave --shape out")
    if mapping is not None and mapping.shape is None and arguments.field:
        raise UserError(
            "--from: says where the fields are; leave --field out, or write a mapping of your own"
        )
    given = {name: getattr(arguments, name) for name in OF_READING if hasattr(arguments, name)}
    options = ReadOptions(fields=dict(arguments.field), keep=tuple(arguments.keep), **given)
    return with_mapping(options, mapping)


def _reason(text: str) -> str:
    if not is_reason(text):
        raise argparse.ArgumentTypeError("give the reason in words; it is written to the manifest")
    return text


def _read_by(
    kind: Callable[[str], Any], fits: Callable[[Any], object], what: str, *others: float
) -> Callable[[str], Any]:
    """A parser of values, for argparse; ``others`` are allowed besides those that fit."""

    def parse(text: str) -> Any:
        with suppress(ValueError):
            value = kind(text)
            if fits(value) or value in others:
                return value
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}")

    return parse


positive = _read_by(int, lambda value: value >= 1, "a whole number above 0")
whole_number = _read_by(int, lambda value: value >= 0, "a whole number of at least 0")
_share = _read_by(float, lambda value: 0 <= value <= 1, "a number from 0 to 1")
_BETWEEN = "between 0 and 1"


def _is_proper(value: float) -> bool:
    return 0 < value < 1


def _shares(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for pair in text.split(","):
        name, separator, value = pair.partition("=")
        if not separator or not name.strip() or name.strip() in found:
            raise argparse.ArgumentTypeError(f"'{text}' is not like train=.9,validation=.1")
        found[name.strip()] = _share(value)
    return found


_layers = _read_by(
    lambda text: tuple(map(int, text.split(","))),
    lambda layers: min(layers) >= 0 and list(layers) == sorted(set(layers)),
    "an ascending list of layers, such as 0,2,5",
)
_day = _read_by(
    lambda text: text if date.fromisoformat(text).isoformat() == text else "",
    bool,
    "a date; write it as 2024-03-21",
)


def _pair(written: str, fits: Callable[[str], bool] = bool) -> Callable[[str], tuple[str, str]]:
    """A parser of a name and a value, for argparse; ``written`` says how, ``fits`` whether a name is one."""

    def parse(text: str) -> tuple[str, str]:
        name, _, value = text.partition("=")
        if not (name and value.strip() and fits(name)):
            raise argparse.ArgumentTypeError(f"'{text}': write it as {written}")
        return name, value

    return parse


TYPES: Mapping[str, Callable[[str], Any]] = {
    "int": int,
    "Path": Path,
    "positive": positive,
    "whole_number": whole_number,
    "amount": _read_by(float, lambda value: 0 <= value < 1e6, "a number of at least 0"),
    "beta": _read_by(float, lambda value: 0 < value < math.inf, "a number above 0"),
    "share": _share,
    "proper_share": _read_by(float, _is_proper, _BETWEEN),
    "share_or_none": _read_by(float, _is_proper, _BETWEEN, 0),
    "reason": _reason,
    "shares": _shares,
    "day": _day,
    "layers": _layers,
    "field": _pair("NAME=YOURS, as in conversation_id=call_id"),
    "hint": _pair(f"NAME=VALUE; a name is one of {', '.join(_HINTS)}", _HINTS.__contains__),
    "opaque": _pair("FIELD=REASON; the reason is written to manifest and report"),
    "version": _pair("NAME=URL, as in tokens=clean/corpus", lambda name: "/" not in name),
}
"""What the values of options are, by the names in ``options.yaml``."""
