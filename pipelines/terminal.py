"""What a command says: results on stdout, notes and mistakes on stderr, all of it in the log file."""

import logging
import sys

from tacenda.pipelines.log_lines import log_to_file

TERMINAL = "-"
"""Stdout, where a file can be named."""

_log = logging.getLogger("tacenda.terminal")
_log.setLevel(logging.INFO)
_log.propagate = False  # what is said on the terminal is not logged there as well
_log.addHandler(logging.NullHandler())  # nor by the handler that Python has for loggers without one

_quiet = False


def open_terminal(*, quiet: bool = False, log_file: str | None = None) -> None:
    """Begin a command.

    Args:
        quiet: say nothing but mistakes and what was explicitly asked for.
        log_file: a file on this machine to which every line is added, with its time.

    Raises:
        UserError: the log file cannot be written.
    """
    global _quiet
    _quiet = quiet
    log_to_file(log_file, also=_log)


def is_quiet() -> bool:
    """Whether only mistakes and answers are shown."""
    return _quiet


def record(text: str) -> None:
    """Add a line to the log file alone."""
    _log.info("%s", text)


def answer(text: str) -> None:
    """Print what was explicitly asked for, a list or JSON: on stdout, however quiet the command is."""
    print(text.removesuffix("\n"))


def say(text: str) -> None:
    """Print what came of the command, on stdout."""
    for line in text.splitlines():
        _log.info("%s", line)
    if not _quiet:
        answer(text)


def remark(text: str) -> None:
    """Print a line that the user should know though nothing is wrong, on stderr."""
    _log.warning("%s", text)
    if not _quiet:
        print(f"tacenda: note: {text}", file=sys.stderr)


def report_figures(text: str) -> None:
    """Print a line on how far a long command is, on stderr."""
    _log.info("%s", text)
    if not _quiet:
        print(text, file=sys.stderr)


def complain(text: str) -> None:
    """Print the one line that says what went wrong, on stderr."""
    _log.error("%s", text)
    print(f"tacenda: {text}", file=sys.stderr)
