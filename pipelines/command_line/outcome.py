"""Turn the end of a command into an exit code and, on errors, one clear line."""

import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from enum import IntEnum
from types import FrameType
from typing import NoReturn

from tacenda.pipelines.command_line.terminal import be_quiet, complain, log_to_terminal
from tacenda.pipelines.work.error_sanitizing import RunFailedError, UnitFailedError
from tacenda.transforms.schema.errors import UserError, refuse_undecodable
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.lease import LeaseLostError


class ExitCode(IntEnum):
    """The codes of every command."""

    DONE = 0
    FAILED = 1
    USER_ERROR = 2
    HELD = 3
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.DONE: "done; the marker says whether the corpus is released or unreviewed",
    ExitCode.HELD: "done, and held; the last lines say why",
    ExitCode.USER_ERROR: "a user error in input, options or output; one line says which",
    ExitCode.INTERRUPTED: "interrupted (Ctrl-C, SIGTERM); the same command resumes",
    ExitCode.FAILED: "any other error",
}
"""Explanations, in the order of ``tacenda --help``."""


_STORAGE_PACKAGES = frozenset({"botocore", "aiobotocore", "google", "gcsfs", "azure", "adlfs", "aiohttp"})
"""Packages whose errors concern remote storage; matched by name, because they are optional."""

_PLACES = frozenset(
    {
        errno.EACCES, errno.EDQUOT, errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT,
        errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS,
    }
)  # fmt: skip
"""Error numbers that concern a path given by the user: paths, permissions and full disks."""


_STOPPING = (signal.SIGINT, signal.SIGTERM)


def cli_main(run: Callable[[Sequence[str]], int], argv: Sequence[str]) -> int:
    """Run a command so that users see one-line errors instead of tracebacks.

    Tracebacks can quote data, so they are shown only if ``TACENDA_DEBUG`` is set.
    """
    debugging = bool(os.environ.get("TACENDA_DEBUG"))
    log_to_terminal(debugging)
    be_quiet(False)
    try:
        _stop_at_signals()
        for word in argv:
            refuse_undecodable(word)
        return run(argv)
    except UserError as error:
        complain(str(error))
        return ExitCode.USER_ERROR
    except BrokenPipeError:
        # The reader of our stdout has gone; output on storage is not affected.
        return ExitCode.FAILED
    except KeyboardInterrupt as stop:
        kept = ", ".join(("stopped", *stop.args))  # our own words
        complain(f"{kept}; the same command resumes where it stopped")
        return ExitCode.INTERRUPTED
    except Exception as error:
        if debugging:
            raise
        told, code = _in_words(error)
        complain(told)
        return code


def _in_words(error: Exception) -> tuple[str, ExitCode]:
    """What a user is told of an error, without data, and the exit code."""
    kind = type(error).__name__
    if isinstance(error, (UnitFailedError, RunFailedError, LeaseLostError)):
        then = "the same command resumes where it stopped"
        if isinstance(error, RunFailedError) and not error.began:
            then = "check the options of the runner, and its log"
        elif isinstance(error, RunFailedError) and error.goes_on:
            then = (
                "the job may still be running: cancel it there or let it end, then run the same command again, "
                "which resumes where it stopped"
            )
        return f"{error}; {then}", ExitCode.FAILED
    if type(error).__module__.partition(".")[0] in _STORAGE_PACKAGES:
        return f"object storage error ({kind}); check credentials, address and permissions", ExitCode.FAILED
    if isinstance(error, OSError) and error.errno in _PLACES:
        place = f"{redact_url(str(error.filename))}: " if error.filename else ""
        told = f"{place}{os.strerror(error.errno)}; check the path, permissions and free space"
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return told, ExitCode.FAILED if full else ExitCode.USER_ERROR
    told = f"internal error ({kind}); set TACENDA_DEBUG=1 to see where (a traceback may quote your data)"
    return told, ExitCode.FAILED


def leave(code: int) -> NoReturn:
    """Exit the process immediately, since a stopped run may have threads that never end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            # Streams that were closed at start are None.
            if stream is not None:
                stream.flush()
        except BrokenPipeError:
            pass
        except OSError:
            code = code or ExitCode.FAILED  # output was lost, as on a full disk
    os._exit(code)


def _stop_at_signals() -> None:
    """Make SIGTERM raise KeyboardInterrupt, as SIGINT does; a second signal ends the process at once."""
    for number in _STOPPING:
        # Signals ignored by our parent, as for background jobs of scripts, stay ignored.
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, _stop)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    for number in _STOPPING:
        if signal.getsignal(number) is _stop:
            signal.signal(number, signal.SIG_DFL)
    raise KeyboardInterrupt
