"""Sanitise errors raised amid data: unit, error class and line of code, never text.

Runners log the errors of their workers, message and all, to terminals and to the logs of clouds. The message of
an error can quote the text it choked on, so it must not leave the function that met it.
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
    """A work unit, or the end of a run, could not be processed; the message holds nothing of the data."""


class RunFailedError(Exception):
    """The runner gave the job up, and no error of ours made it; the message says what happened.

    ``began`` is whether a worker may have seen it; ``goes_on``, whether it may still run elsewhere, though
    nobody here will hear of it.
    """

    def __init__(self, message: str, *, began: bool = True, goes_on: bool = False) -> None:
        super().__init__(message)
        self.began = began
        self.goes_on = goes_on


_OURS = re.compile(r"(UnitFailedError|UserError): ([^\n]*)")
_WHILE = re.compile(r" \[while running [^\n]*")


def unwrap_worker_error(error: BaseException) -> BaseException:
    """The error that a worker met, out of the runner's report of it; other errors as they are.

    A runner that has workers elsewhere knows their errors as text, and some add in which step it was.
    """
    if isinstance(error, (UnitFailedError, UserError)):
        return type(error)(_WHILE.sub("", str(error)))
    # The last one in a chain of tracebacks is the one that ended the work.
    found = _OURS.findall(str(error))
    if not found:
        return error
    name, message = found[-1]
    message = _WHILE.sub("", message)
    return UserError(message) if name == "UserError" else UnitFailedError(message)


@contextmanager
def sanitize_errors(what: str) -> Iterator[None]:
    """Let no error out of the block that could quote text; ``TACENDA_DEBUG`` lets them out as they are.

    ``what`` is done in the block, in a word or two.

    Raises:
        UnitFailedError: in place of any error but a ``UserError``, whose message is our own.
    """
    try:
        yield
    except StorageError as error:
        raise UnitFailedError(f"{what} failed: {error}") from None
    except UserError:
        raise
    except DetectorUnavailableError as error:
        # Its message is an error class, and what the user has to know.
        raise UnitFailedError(f"a detector could not be asked ({error})") from None
    except LeaseLostError:
        raise UnitFailedError(
            f"{what} was not written: another run took the output folder over, or its lease was removed"
        ) from None
    except Exception as error:
        if os.environ.get("TACENDA_DEBUG"):
            raise
        kind = type(error).__name__
        if isinstance(error, OSError) and error.errno is not None:
            kind = f"{kind}, {os.strerror(error.errno)}"
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)} line {place.lineno}"
        raise UnitFailedError(f"{what} failed: {kind} ({where})") from None
