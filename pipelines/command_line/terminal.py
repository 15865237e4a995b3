"""Output of commands: results to stdout, notes and errors to stderr."""

import logging
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any

from tacenda.transforms.schema.url_redaction import redact_credentials

_OURS = "tacenda"
_LOG_WHAT_THEY_RAISE = ("apache_beam", "fsspec", "gcsfs")


class SafeFormatter(logging.Formatter):
    """Formats a record as one line without data.

    Messages and tracebacks of libraries may quote text or signed URLs, so only their occurrence is reported.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        told = "logged a problem; TACENDA_DEBUG=1 shows it (it may quote your data)"
        if record.name.partition(".")[0] == _OURS:
            told = redact_credentials(" ".join(record.getMessage().splitlines()))
        return f"{record.levelname} {record.name}: {told}"


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


TERMINAL = "-"
"""Stands for stdout where a file can be named."""

_quiet = False


def be_quiet(quiet: bool) -> None:
    """Set whether only errors and requested output are printed."""
    global _quiet
    _quiet = quiet


def is_quiet() -> bool:
    """Whether only errors and requested output are printed."""
    return _quiet


def answer(text: str) -> None:
    """Print explicitly requested output, such as a list or JSON, to stdout, even with --quiet."""
    print(text.removesuffix("\n"))


def say(text: str) -> None:
    """Print the result of the command to stdout."""
    if not _quiet:
        answer(text)


def remark(text: str) -> None:
    """Print a note to stderr."""
    if not _quiet:
        print(f"tacenda: note: {text}", file=sys.stderr)


def report_figures(text: str) -> None:
    """Print the progress of a long command to stderr."""
    if not _quiet:
        print(text, file=sys.stderr)


def complain(text: str) -> None:
    """Print an error to stderr."""
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
