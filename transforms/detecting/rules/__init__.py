"""The rules engine: patterns, what is checked and cut of their matches, and which findings they become."""

import inspect
import sys
from typing import Any


def public_functions(module: str) -> dict[str, Any]:
    """The functions of a module that are not private, by name, as infoType files call them."""
    functions = inspect.getmembers(sys.modules[module], inspect.isfunction)
    return {name: one for name, one in functions if one.__module__ == module and not name.startswith("_")}
