"""UserError, for mistakes of the user, and RecordError, for records that cannot be processed."""

from tacenda.transforms.schema.url_redaction import redact_credentials

_MOST_CHARS = 1_000
_TAIL_CHARS = 300


class UserError(Exception):
    """A mistake that the user can mend.

    The message is one line: what is wrong, where (file, row or line, column), and how to mend it. The command
    prints it and exits with 2. It contains no text of a conversation and no value of a word list. Credentials
    in URLs are redacted, and very long messages (a config may contain anything) are shortened in the middle.
    """

    def __init__(self, message: str) -> None:
        super().__init__(_shortened(redact_credentials(" ".join(message.splitlines()))))


def refuse_undecodable(name: str) -> None:
    """Reject a path or another argument that is not UTF-8, which no manifest could record.

    Raises:
        UserError: it is not.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        shown = name.encode("utf-8", "backslashreplace").decode()
        raise UserError(f"{shown}: not UTF-8; rename it") from None


class RecordError(Exception):
    """A record that cannot be processed and goes to quarantine.

    ``error`` is an error class in CamelCase (``MissingField``, ``NullText``); no content of the record is kept.
    """

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def _shortened(message: str) -> str:
    if len(message) <= _MOST_CHARS:
        return message
    return f"{message[: _MOST_CHARS - _TAIL_CHARS]} … {message[-_TAIL_CHARS:]}"
