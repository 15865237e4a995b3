"""Resolve which place a URL means: a file has many spellings and may be reached through links."""

import os
from typing import NamedTuple

from tacenda.transforms.storage.opening import file_system, is_local


class Place(NamedTuple):
    """A file or folder of one kind of storage, whether it is there or not; ``path`` ends without a slash.

    Paths and not URLs: s3:// and s3a:// are one storage.
    """

    storage: type
    path: str

    def lies_in(self, folder: "Place") -> bool:
        """Whether it is the folder, or below it."""
        return self.storage is folder.storage and f"{self.path}/".startswith(f"{folder.path}/")


def place_of(url: str) -> Place:
    """Where a URL leads; local links are followed."""
    system, path = file_system(url)
    return Place(type(system), (os.path.realpath(path) if is_local(system) else path).rstrip("/"))


def unresolved_path(url: str) -> Place:
    """Where a URL stands: of a local link the link itself, and not what it leads to."""
    system, path = file_system(url)
    if is_local(system):
        folder, _, name = path.rpartition("/")
        path = f"{os.path.realpath(folder or '/').rstrip('/')}/{name}"
    return Place(type(system), path.rstrip("/"))


def without_steps(path: str) -> str:
    """An absolute local path without ``.`` and ``..``, spelled as it was where it does not go up.

    Up from a link leads where the system goes, which only following the link tells.
    """
    steps = path.split("/")
    up = len(steps) - steps[::-1].index("..") if ".." in steps else 0
    head = os.path.realpath("/".join(steps[:up])).rstrip("/") if up else steps[0]
    return "/".join([head, *(step for step in steps[up or 1 :] if step not in ("", "."))]) or "/"
