"""UserError, for mistakes of the user, and RecordError, for records that cannot be processed."""

import re

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
        told = redact_credentials(" ".join(message.splitlines()))
        if len(told) > _MOST_CHARS:
            told = f"{told[: _MOST_CHARS - _TAIL_CHARS]} … {told[-_TAIL_CHARS:]}"
        super().__init__(told)


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
    ``field`` is the field that its shape looked for, if it is known.
    """

    def __init__(self, error: str, field: str | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.field = field


HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def made_whole(text: str) -> str:
    """The text with U+FFFD in place of each lone surrogate, so that offsets do not change."""
    return text if text.isascii() else HALF_CHARACTER.sub("\ufffd", text)


REASON = re.compile(
    r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0388-\u03f5\u03f7-\u0481\u048a-\u0556"
    r"\u0561-\u0587\u05d0-\u05ea\u0620-\u064a\u0671-\u06d3\u0904-\u0939\u0985-\u09b9\u0a05-\u0a39"
    r"\u0a85-\u0ab9\u0b05-\u0b39\u0b83-\u0bb9\u0c05-\u0c39\u0c85-\u0cb9\u0d05-\u0d3a\u0d85-\u0dc6"
    r"\u0e01-\u0e30\u0e81-\u0eb0\u0f40-\u0f6c\u1000-\u102a\u10a0-\u10fa\u1100-\u115e\u1200-\u135a"
    r"\u1780-\u17b3\u1820-\u1878\u1e00-\u1fbc\u3041-\u3096\u30a1-\u30fa\u3105-\u312f\u3400-\u4dbf"
    r"\u4e00-\u9fff\uac00-\ud7a3]"
)
"""A letter of a living script that can be seen; as in the schema of configs, whose readers know no classes of
letters."""


def is_reason(text: str | None) -> bool:
    """Whether a text can be a reason: it has a letter that can be seen.

    >>> is_reason("agreed"), is_reason("法務"), is_reason(" - "), is_reason(None)
    (True, True, False, False)
    """
    return REASON.search(text or "") is not None
