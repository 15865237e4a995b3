"""Quarantine: rejected records by position and error class, without a word of their content."""

from collections.abc import Callable, Iterable
from operator import attrgetter

import orjson

from tacenda.transforms.schema.rejection import Rejection

_PLACE = attrgetter("file", "position", "stage", "error")


def quarantine_lines(unit: str, name_of: Callable[[int], str], rejections: Iterable[Rejection]) -> bytes:
    """JSON lines, one a rejection, sorted by file and position; ``name_of`` gives the name of an input file."""
    lines = []
    for rejection in sorted(rejections, key=_PLACE):
        assert rejection.file is not None, "what was read was read from a file"
        line = {
            "unit": unit,
            "file": name_of(rejection.file),
            "position": rejection.position,
            "stage": rejection.stage.value,
            "error": rejection.error,
            "rows": rejection.rows,
        }
        lines.append(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)
