"""The passes between detectors and entities, and the figures of each: ``pipelines/chain/passes.json``."""

import json
from pathlib import Path
from typing import Any

from tacenda.pipelines.chain.passes import PASSES, Pass, hide_listed, resolve_overlaps, show_protected

USERS = frozenset((hide_listed, show_protected))
"""Passes that do what a user's lists say, so that nothing is measured of them."""

FIGURES = Path(__file__).parents[1] / "pipelines" / "chain" / "passes.json"


def tried() -> tuple[Pass, ...]:
    """The passes that stay by what they give: not the overlap resolver, nor what a user's lists say."""
    passes = dict.fromkeys(PASSES)
    return tuple(one for one in passes if one not in USERS and one is not resolve_overlaps)


def figures() -> dict[str, dict[str, Any]]:
    """What each pass gives, as ``tests.benchmarks.bench_passes`` wrote it."""
    known: dict[str, dict[str, Any]] = json.loads(FIGURES.read_text("utf-8"))
    return known


def measured() -> set[str]:
    """The names of the passes that have figures."""
    return set(figures())
