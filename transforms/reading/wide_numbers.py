"""Integers beyond 64 bits, which JSON allows and orjson would round to floats."""

import json
import re

_MAY_BE_WIDE = re.compile(rb"\d{19}")
_LEAST, _MOST = -(1 << 63), (1 << 64) - 1


def has_wide_number(line: bytes) -> bool:
    """Whether a line of valid JSON has an integer that orjson rounds."""
    if not _MAY_BE_WIDE.search(line):
        return False
    numbers: list[int] = []

    def note(digits: str) -> int:
        # 25 digits are enough to tell.
        numbers.append(int(digits[:25]))
        return 0

    json.loads(line, parse_int=note)
    return any(not _LEAST <= number <= _MOST for number in numbers)
