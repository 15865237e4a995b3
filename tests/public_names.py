"""The public names with their signatures: ``python -m tests.public_names`` writes them anew.

What stands in ``golden/public_names.txt`` is what users build on. A name that goes, or a signature that
changes, breaks their code: say so in the release notes.
"""

import inspect
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, get_type_hints, is_typeddict

GOLDEN = Path(__file__).parent / "golden" / "public_names.txt"
MODULES = ("tacenda", "tacenda.beam")
MADE_BY_US = ("tacenda.Conversations",)
"""Handed out and never made by users, so that how they are made is no part of the API."""


def public_names() -> Iterator[tuple[str, Any]]:
    """Every public name and its object."""
    for module in MODULES:
        for name in sorted(import_module(module).__all__):
            yield f"{module}.{name}", getattr(import_module(module), name)


def listing() -> str:
    """One line per name: classes with their constructors, and their public methods."""
    return "".join(f"{line}\n" for name, value in public_names() for line in _lines(name, value))


def _lines(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, type) and issubclass(value, Enum):
        yield f"{name}: {', '.join(f'{member.name}={member.value!r}' for member in value)}"
        return
    if not isinstance(value, type):
        yield f"{name}: {value!r}"
        return
    if is_typeddict(value):
        yield f"{name}: {', '.join(f'{own}: {kind.__name__}' for own, kind in get_type_hints(value).items())}"
        return
    yield name if name in MADE_BY_US else f"{name}{inspect.signature(value)}"
    for own, member in sorted(vars(value).items()):
        if own.startswith("_") or own == "expand":
            continue  # Beam calls that, and no user
        if isinstance(member, property):
            yield f"{name}.{own}: property"
        elif isinstance(member, (classmethod, staticmethod, FunctionType)):
            yield f"{name}.{own}{inspect.signature(getattr(value, own))}"


if __name__ == "__main__":
    GOLDEN.write_text(listing(), encoding="utf-8")
