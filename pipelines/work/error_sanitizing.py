"""Sanitise errors raised while processing data: report unit, error class and line of code, never text.

Runners log their workers' errors, with messages, to terminals and cloud logs. An error message can quote the
text that caused it, so it must not leave the function that catches it.
"""

import os
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.lease import LeaseLostError
from tacenda.transforms.storage.opening import StorageError


class UnitFailedError(Exception):
    """A work unit, or the conclusion of a run, failed; the message contains no data."""


class RunFailedError(Exception):
    """The runner gave up the job without an error of ours; the message says what happened.

    ``began``: workers may have started on it. ``goes_on``: it may still be running elsewhere, out of our
    reach.
    """

    def __init__(self, message: str, *, began: bool = True, goes_on: bool = False) -> None:
        super().__init__(message)
        self.began = began
        self.goes_on = goes_on


class JobLeftError(RunFailedError):
    """The runner took the job, and this process was asked not to wait for its end; nothing failed."""


_OURS = re.compile(r"(UnitFailedError|UserError): ([^\n]*)")
_WHILE = re.compile(r" \[while running [^\n]*")


def unwrap_worker_error(error: BaseException) -> BaseException:
    """Extract our error from a runner's report of it; other errors are returned unchanged.

    Runners with remote workers report their errors as text, some with the name of the step appended.
    """
    if isinstance(error, (UnitFailedError, UserError)):
        return type(error)(_WHILE.sub("", str(error)))
    # The last error in a chain of tracebacks is the one that was raised.
    found = _OURS.findall(str(error))
    if not found:
        return error
    name, message = found[-1]
    message = _WHILE.sub("", message)
    return UserError(message) if name == "UserError" else UnitFailedError(message)


@contextmanager
def sanitize_errors(what: str) -> Iterator[None]:
    """Replace errors raised in the block by sanitised ones; set ``TACENDA_DEBUG`` to see the originals.

    Raises:
        UnitFailedError: ``what`` failed; replaces any error but ours, whose messages have no data.
    """
    try:
        yield
    except StorageError as error:
        raise UnitFailedError(f"{what} failed: {error}") from None
    except (UserError, UnitFailedError):
        raise
    except DetectorUnavailableError as error:
        # The message is only an error class, and useful to the user.
        raise UnitFailedError(f"a detector is unavailable ({error})") from None
    except LeaseLostError as error:
        raise UnitFailedError(f"{what} was not written: {error}") from None
    except Exception as error:
        if os.environ.get("TACENDA_DEBUG"):
            raise
        kind = type(error).__name__
        if isinstance(error, OSError) and error.errno is not None:
            kind = f"{kind}, {os.strerror(error.errno)}"
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)} line {place.lineno}"
        raise UnitFailedError(f"{what} failed: {kind} ({where})") from None
