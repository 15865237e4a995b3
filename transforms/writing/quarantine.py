"""Quarantine: rejected records by position and error class, without any of their content."""

from collections.abc import Callable, Iterable

import orjson

from tacenda.transforms.schema.rejection import Rejection


def quarantine_lines(unit: str, name_of: Callable[[int], str], rejections: Iterable[Rejection]) -> bytes:
    """JSON lines, one per rejection, sorted by file and position.

    ``name_of`` gives the name of an input file. The file is null for records not read from one.
    """
    lines = []
    for rejection in sorted(rejections, key=_place):
        line = {
            "unit": unit,
            "file": None if rejection.file is None else name_of(rejection.file),
            "position": rejection.position,
            "stage": rejection.stage.value,
            "error": rejection.error,
            "rows": rejection.rows,
        }
        lines.append(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)


def _place(rejection: Rejection) -> tuple[int, int, str, str]:
    file = -1 if rejection.file is None else rejection.file
    return file, rejection.position, rejection.stage.value, rejection.error
