"""Open files owned by this user such that nobody else can redirect us through links."""

import os
import stat
from pathlib import Path

_OPEN_TO_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def open_private(path: Path, flags: int) -> int:
    """Open a regular file of this user, following no link; returns its descriptor.

    A file that is made can be read and written by its owner alone. None is ever cut: ``flags`` hold no
    ``O_TRUNC``.

    Raises:
        OSError: it cannot be opened; it is a link, for one.
        ValueError: it is no file, somebody else's, under a second name elsewhere, or others may write it.
    """
    # Without O_NONBLOCK, a pipe in its place would be waited for.
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    found = os.fstat(descriptor)
    if (
        not stat.S_ISREG(found.st_mode)
        or found.st_uid != os.getuid()
        or found.st_nlink > 1
        or found.st_mode & _OPEN_TO_OTHERS
    ):
        os.close(descriptor)
        raise ValueError("the file is not this user's alone")
    return descriptor
