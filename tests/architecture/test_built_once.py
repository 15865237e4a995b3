"""Process-wide objects are built under a lock: threads that start together must not build two."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNLOCKED = {"cache", "lru_cache", "remembered"}
ONE_THREAD = {"transforms/generating", "models/training"}
"""Rooms of commands that run in one thread."""


def test_no_cached_function_without_arguments_is_left_unlocked():
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for folder in ("pipelines", "models", "transforms")
        for path in (ROOT / folder).rglob("*.py")
        if not any(path.is_relative_to(ROOT / room) for room in ONE_THREAD)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and not (node.args.args or node.args.vararg)
        and UNLOCKED.intersection(map(_name, node.decorator_list))
    ]
    assert found == [], "decorate them with storage.process_cache.built_once"


def _name(decorator):
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    return named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
