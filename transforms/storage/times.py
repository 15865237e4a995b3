"""When a file was written, as its storage says."""

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

_NAMES = ("mtime", "LastModified", "last_modified", "updated", "created")
"""What the file systems call it: local disks and HDFS, S3, Azure, Google, memory."""


def time_of_writing(info: Mapping[str, Any]) -> float | None:
    """Seconds since 1970, from what a file system tells of a file; None where it does not say."""
    value = next((info[name] for name in _NAMES if info.get(name)), None)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return None
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=timezone.utc)).timestamp()
    return float(value) if isinstance(value, int | float) else None
