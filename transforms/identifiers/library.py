"""Checks that python-stdnum provides.

Its modules that ask for today's date (Sweden, Norway, Denmark, Belgium, Korea, South Africa) are not used: what
they say of a number changes overnight, and an output must not.
"""

from collections.abc import Callable
from typing import Any

from tacenda.transforms.storage.process_cache import built_once


def stdnum_check(module: str) -> Callable[[str], bool]:
    """The ``is_valid`` of ``stdnum.<module>``, imported when first asked."""

    @built_once
    def check() -> Any:
        from importlib import import_module

        return import_module(f"stdnum.{module}").is_valid

    def valid(text: str) -> bool:
        # Most of its modules pass over spaces and hyphens between groups, few over the dots that people write.
        return bool(check()(text.replace(".", "")))

    valid.__doc__ = f"As python-stdnum's {module} has it."
    return valid
