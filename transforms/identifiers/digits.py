"""Building blocks of check-digit rules: bare digits, weighted sums, calendar days."""

import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from tacenda.transforms.storage.process_cache import built_once

_NOT_ALPHANUMERIC = re.compile(r"[^0-9A-Za-z]+")


def compact(text: str) -> str:
    """The ASCII letters, capitalised, and digits of a text."""
    return _NOT_ALPHANUMERIC.sub("", text).upper()


def weighted(digits: Iterable[str], weights: Iterable[int]) -> int:
    """The sum of digits times weights, over the length of the shorter."""
    return sum(int(d) * w for d, w in zip(digits, weights))  # noqa: B905 - check digits stay out on purpose


def day_exists(year: str, month: int, day: int) -> bool:
    """Whether a calendar day exists; with a two-digit ``year``, in any century."""
    try:
        date(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    except ValueError:
        return False
    return True


def stdnum_check(module: str) -> Callable[[str], bool]:
    """The ``is_valid`` of ``stdnum.<module>``, imported on first use."""

    @built_once
    def check() -> Any:
        from importlib import import_module

        return import_module(f"stdnum.{module}").is_valid

    def valid(text: str) -> bool:
        # Most modules ignore spaces and hyphens between groups, but few ignore the dots that people write.
        try:
            return bool(check()(text.replace(".", "")))
        except LookupError:  # a place of birth that its tables have in part
            return False

    valid.__doc__ = f"As python-stdnum's {module} has it."
    return valid
