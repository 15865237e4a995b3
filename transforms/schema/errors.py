"""The two kinds of error that the job expects: the user's, and a record's."""


class UserError(Exception):
    """A mistake that the user can mend.

    The message is one line: what is wrong, where (file, row or line, column), and how to mend it. The command
    prints it and exits with 2. It holds no text of a conversation.
    """


class RecordError(Exception):
    """A record that cannot be processed and goes to quarantine.

    ``error`` is an error class in CamelCase (``MissingField``, ``NullText``); no content of the record is kept.
    """

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error
