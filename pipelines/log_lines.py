"""Log lines on the terminal: our own messages, and of other libraries only that they logged something."""

import logging

from tacenda.transforms.schema.url_redaction import redact_credentials

_OURS = "tacenda"


class SafeFormatter(logging.Formatter):
    """Formats a record as one line without text of the data.

    A library's message or traceback may quote what it worked on: a record's text, a URL with a signature. Only
    that there was one is told.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        head = f"{record.levelname} {record.name}"
        if record.name.partition(".")[0] != _OURS:
            return f"{head}: logged a problem; TACENDA_DEBUG=1 shows it (it may quote text of your data)"
        return f"{head}: {redact_credentials(' '.join(record.getMessage().splitlines()))}"


def log_to_terminal(debugging: bool) -> None:
    """Log errors to stderr; ``debugging`` lets every message through as it is.

    Beam logs the traceback of an error that it then raises, so it is heard only when debugging.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(
        logging.Formatter("%(levelname)s %(name)s: %(message)s") if debugging else SafeFormatter()
    )
    logging.basicConfig(handlers=[handler])
    logging.getLogger().setLevel(logging.ERROR)
    logging.getLogger("apache_beam").setLevel(logging.ERROR if debugging else logging.CRITICAL)
