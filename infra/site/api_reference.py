"""The reference of a public module: one entry for each public name, from its docstring."""

import inspect
from collections.abc import Iterator
from enum import Enum
from types import ModuleType
from typing import Any


def entries(module: ModuleType) -> str:
    """The mkdocstrings directives for all public names of a module."""
    return "\n".join(f"::: {module.__name__}.{name}\n" for name in module.__all__)


def undocumented(module: ModuleType) -> list[str]:
    """Public names of a module, and public members of its classes, that have no docstring of their own."""
    named = ((f"{module.__name__}.{name}", getattr(module, name)) for name in module.__all__)
    return [name for name, value in named for name in _undocumented(name, value)]


def _undocumented(name: str, value: Any) -> Iterator[str]:
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return  # a value or an alias of types has no docstring
    doc = value.__doc__ or ""
    if not doc.strip() or doc.startswith(f"{value.__name__}("):  # as dataclasses make one
        yield name
    if not inspect.isclass(value) or issubclass(value, Enum):
        return
    for member, inner in vars(value).items():
        if member.startswith("_") or any(hasattr(base, member) for base in value.__bases__):
            continue  # an override, such as Beam's expand, needs no docstring of its own
        inner = inner.__func__ if isinstance(inner, (classmethod, staticmethod)) else inner
        if (inspect.isfunction(inner) or isinstance(inner, property)) and not (inner.__doc__ or "").strip():
            yield f"{name}.{member}"
