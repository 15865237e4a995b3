"""Modification times of files, from the metadata of any storage."""

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

_NAMES = ("mtime", "LastModified", "last_modified", "updated", "created")
"""Keys of file systems: local disks and HDFS, S3, Azure, Google, memory."""


def time_of_writing(info: Mapping[str, Any]) -> float | None:
    """Modification time in seconds since 1970, from a file system's metadata; None if unknown."""
    value = next((info[name] for name in _NAMES if info.get(name)), None)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return None
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=timezone.utc)).timestamp()
    return float(value) if isinstance(value, int | float) else None
