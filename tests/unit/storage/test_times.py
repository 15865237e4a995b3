from datetime import datetime, timezone
from typing import Any

import pytest

from tacenda.transforms.storage.files import time_of_writing

AT = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("info", "seconds"),
    [
        ({"mtime": 12.5, "created": 3.0}, 12.5),
        ({"LastModified": AT, "ETag": "x"}, AT.timestamp()),
        ({"last_modified": AT.replace(tzinfo=None)}, AT.timestamp()),
        ({"updated": "2024-05-01T12:00:00Z"}, AT.timestamp()),
        ({"updated": "yesterday"}, None),
        ({"created": AT}, AT.timestamp()),
        ({"size": 5}, None),
        ({"mtime": None}, None),
    ],
)
def test_modification_times_of_every_storage(info: dict[str, Any], seconds: float | None) -> None:
    assert time_of_writing(info) == seconds
