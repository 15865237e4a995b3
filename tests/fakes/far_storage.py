"""A remote object storage within this process, as an fsspec file system."""

from typing import Any

from fsspec.implementations.memory import MemoryFileSystem


class FarFileSystem(MemoryFileSystem):  # type: ignore[misc]
    """A store in which unfinished files are visible, so that finished ones must be renamed into place."""

    protocol = "tacendafar"
    store: dict[str, Any] = {}  # noqa: RUF012 - as in the class above
    pseudo_dirs = [""]  # noqa: RUF012

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.replace("tacendafar://", "memory://")))
