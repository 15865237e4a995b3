"""Format log lines: our own messages in full; for other libraries, only that they logged something."""

import logging
import time

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

    Raises:
        UserError: the file cannot be written.
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
