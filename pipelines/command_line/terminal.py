"""Output of commands: results to stdout, notes and errors to stderr, everything to the log file."""

import logging
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_credentials

_OURS = "tacenda"
_LOG_WHAT_THEY_RAISE = ("apache_beam", "fsspec", "gcsfs")
_file: logging.FileHandler | None = None


class SafeFormatter(logging.Formatter):
    """Formats a record as one line without data.

    Messages and tracebacks of libraries may quote text or signed URLs, so only their occurrence is reported.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        head = f"{record.levelname} {record.name}"
        if record.name.partition(".")[0] != _OURS:
            return f"{head}: logged a problem; TACENDA_DEBUG=1 shows it (it may quote your data)"
        return f"{head}: {redact_credentials(' '.join(record.getMessage().splitlines()))}"


class DatedFormatter(SafeFormatter):
    """The same line with its UTC time, for log files."""

    def __init__(self) -> None:
        super().__init__()
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%SZ')} {super().format(record)}"


def log_to_terminal(debugging: bool) -> None:
    """Log errors to stderr; with ``debugging``, messages are not sanitised.

    Libraries that log the tracebacks of errors which they then raise are silenced unless debugging.
    """
    handler = logging.StreamHandler()
    handler.setLevel(logging.ERROR)  # a logger with a level of its own does not ask the root's
    handler.setFormatter(
        logging.Formatter("%(levelname)s %(name)s: %(message)s") if debugging else SafeFormatter()
    )
    logging.basicConfig(handlers=[handler])
    logging.getLogger().setLevel(logging.ERROR)
    for name in _LOG_WHAT_THEY_RAISE:
        logging.getLogger(name).setLevel(logging.ERROR if debugging else logging.CRITICAL)


def log_to_file(path: str | None, also: logging.Logger) -> None:
    """Log to a file, instead of the previous one; None stops that.

    Args:
        path: a local file, to which lines are appended.
        also: a logger whose messages do not reach the root's handlers.
    """
    global _file
    if _file is not None:
        for logger in (logging.getLogger(), also):
            logger.removeHandler(_file)
        _file.close()
        _file = None
    if path is None:
        return
    try:
        _file = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"--log-file {path}: cannot be written ({type(error).__name__}); name a local file"
        ) from None
    _file.setFormatter(DatedFormatter())
    for logger in (logging.getLogger(), also):
        logger.addHandler(_file)


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


def figure(value: float | None) -> str:
    """A share or coefficient with three digits; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def indented_json(figures: Any) -> bytes:
    """Figures as an indented JSON document that ends with a line feed."""
    import orjson

    return orjson.dumps(figures, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def give_figures(arguments: Namespace, figures: Mapping[str, Any], lines: Iterable[str]) -> None:
    """Write figures to the file of ``--output``, if given; print them as JSON (``--json``) or as lines."""
    written = indented_json(figures)
    if arguments.output:
        # Imported here, so that --help does not wait for storage.
        from tacenda.transforms.storage.files import absolute
        from tacenda.transforms.storage.publishing import publish_bytes

        publish_bytes(absolute(arguments.output), written)
    if arguments.json:
        answer(written.decode())
    else:
        say("\n".join(lines))
