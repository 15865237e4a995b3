"""Open private files of this user safely: no links, no files that others can write."""

import os
import stat
from pathlib import Path

_OPEN_TO_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def open_private(path: Path, flags: int) -> int:
    """Open a regular file of this user without following links; returns its descriptor.

    New files are readable and writable by their owner only. ``flags`` must not have ``O_TRUNC``.

    Raises:
        OSError: it cannot be opened, for example because it is a link.
        ValueError: it is not a regular file, belongs to someone else, has other hard links, or others can
            write it.
    """
    # Without O_NONBLOCK, opening a named pipe would block.
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
