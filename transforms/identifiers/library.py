"""Checks from python-stdnum.

Its modules that use today's date (Sweden, Norway, Denmark, Belgium, Korea, South Africa) are not used: their
result for a number can change overnight, and the output must not.
"""

from collections.abc import Callable
from typing import Any

from tacenda.transforms.storage.process_cache import built_once


def stdnum_check(module: str) -> Callable[[str], bool]:
    """The ``is_valid`` of ``stdnum.<module>``, imported on first use."""

    @built_once
    def check() -> Any:
        from importlib import import_module

        return import_module(f"stdnum.{module}").is_valid

    def valid(text: str) -> bool:
        # Most modules ignore spaces and hyphens between groups, but few ignore the dots that people write.
        return bool(check()(text.replace(".", "")))

    valid.__doc__ = f"As python-stdnum's {module} has it."
    return valid
