"""Output of commands: results to stdout, notes and errors to stderr, everything to the log file."""

import logging
import sys

from tacenda.pipelines.command_line.log_lines import log_to_file

TERMINAL = "-"
"""Stands for stdout where a file can be named."""

_log = logging.getLogger("tacenda.terminal")
_log.setLevel(logging.INFO)
_log.propagate = False  # messages are printed already
_log.addHandler(logging.NullHandler())  # disables Python's handler of last resort

_quiet = False


def open_terminal(*, quiet: bool = False, log_file: str | None = None) -> None:
    """Set up output for a command.

    Args:
        quiet: print only errors and explicitly requested output.
        log_file: a local file to which every line is appended, with its time.

    Raises:
        UserError: the log file cannot be written.
    """
    global _quiet
    _quiet = quiet
    log_to_file(log_file, also=_log)


def is_quiet() -> bool:
    """Whether only errors and requested output are printed."""
    return _quiet


def record(text: str) -> None:
    """Write a line to the log file only."""
    _log.info("%s", text)


def answer(text: str) -> None:
    """Print explicitly requested output, such as a list or JSON, to stdout, even with --quiet."""
    print(text.removesuffix("\n"))


def say(text: str) -> None:
    """Print the result of the command to stdout."""
    for line in text.splitlines():
        _log.info("%s", line)
    if not _quiet:
        answer(text)


def remark(text: str) -> None:
    """Print a note to stderr."""
    _log.warning("%s", text)
    if not _quiet:
        print(f"tacenda: note: {text}", file=sys.stderr)


def report_figures(text: str) -> None:
    """Print the progress of a long command to stderr."""
    _log.info("%s", text)
    if not _quiet:
        print(text, file=sys.stderr)


def complain(text: str) -> None:
    """Print an error to stderr."""
    _log.error("%s", text)
    print(f"tacenda: {text}", file=sys.stderr)
