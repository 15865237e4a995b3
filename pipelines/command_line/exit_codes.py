"""Exit codes for scripts and schedulers."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The codes of every command."""

    DONE = 0
    FAILED = 1
    USER_ERROR = 2
    HELD = 3
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.DONE: "done, criterion met; the marker says released or unreviewed",
    ExitCode.HELD: "done, and held: the criterion is not met, or rows are missing",
    ExitCode.USER_ERROR: "a user error in input, options or output; one line says which",
    ExitCode.INTERRUPTED: "interrupted (Ctrl-C, SIGTERM); the same command resumes",
    ExitCode.FAILED: "any other error",
}
"""Explanations, in the order of ``tacenda --help``."""
