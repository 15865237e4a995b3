"""Quarantine: rejected records by position and error class, without a word of their content."""

from collections.abc import Iterable

import orjson

from transforms.schema.rejection import Rejection


def quarantine_lines(unit: str, rejections: Iterable[Rejection]) -> bytes:
    """JSON lines, one a rejection, sorted by position."""
    return b"".join(
        orjson.dumps(
            {
                "unit": rejection.unit or unit,
                "position": rejection.position,
                "stage": rejection.stage.value,
                "error": rejection.error,
                "rows": rejection.rows,
            },
            option=orjson.OPT_APPEND_NEWLINE,
        )
        for rejection in sorted(rejections, key=lambda r: (r.unit or unit, r.position, r.stage, r.error))
    )
