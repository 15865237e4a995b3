"""Resolve URLs to canonical locations: a file may have several spellings and links."""

import os
from typing import NamedTuple

from tacenda.transforms.storage.opening import file_system, is_local


class Place(NamedTuple):
    """The location of a file or folder, existing or not; ``path`` has no trailing slash.

    Paths rather than URLs, since s3:// and s3a:// are the same storage.
    """

    storage: type
    path: str

    def lies_in(self, folder: "Place") -> bool:
        """Whether it is the folder or below it."""
        return self.storage is folder.storage and f"{self.path}/".startswith(f"{folder.path}/")


def place_of(url: str) -> Place:
    """The location of a URL, following local links."""
    system, path = file_system(url)
    return Place(type(system), (os.path.realpath(path) if is_local(system) else path).rstrip("/"))


def unresolved_path(url: str) -> Place:
    """The location of a URL itself; for a local link, the link and not its target."""
    system, path = file_system(url)
    if is_local(system):
        folder, _, name = path.rpartition("/")
        path = f"{os.path.realpath(folder or '/').rstrip('/')}/{name}"
    return Place(type(system), path.rstrip("/"))


def without_steps(path: str) -> str:
    """An absolute local path without ``.`` and ``..``; links are resolved only before a ``..``.

    The parent of a link is that of its target, so links before ``..`` must be followed.
    """
    steps = path.split("/")
    up = len(steps) - steps[::-1].index("..") if ".." in steps else 0
    head = os.path.realpath("/".join(steps[:up])).rstrip("/") if up else steps[0]
    return "/".join([head, *(step for step in steps[up or 1 :] if step not in ("", "."))]) or "/"
