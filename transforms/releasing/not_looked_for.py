"""Data that a run did not look for, so that nobody mistakes it for data that is not there."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from tacenda.transforms.scoring.score_table import ScoreTable, Tag
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

_OF_SPEAKERS = "_SPEAKER"


def not_looked_for(
    asked: Sequence[str],
    able: Collection[str],
    weakly: Collection[str],
    table: ScoreTable,
    by_config: Collection[str] = (),
) -> dict[str, list[Any]]:
    """What is not looked for of the infoTypes ``asked`` for, as the manifest tells it.

    Detectors are ``able`` to find some of them, rules alone only few of those named ``weakly``. Nothing but the
    config's own infoTypes can find those of the same name that are in ``by_config``, or more than few of them.

    Returns:
        infoTypes asked for ``in_vain``, which no active detector can find; ``kinds`` that the score table
        scores but no detector looked for, each with ``tag``, ``score``, ``direct``; infoTypes found ``weakly``
        and ``by_config``; ``categories``, all of the laws, each with ``law``, ``name``, ``looked_for`` (yes, in
        part, no), the infoTypes ``by`` which it was, and ``section``, its letter in the law, if it has one.
    """
    looked = [name for name in asked if name in able]
    tags = {meaning.name for meaning in map(table.resolve, looked) if isinstance(meaning, Tag)}
    kinds = [
        {"tag": name, "score": row.score, "direct": row.direct}
        for name, row in table.rows.items()
        if row.score and name.removesuffix(_OF_SPEAKERS) not in tags
    ]
    return {
        "in_vain": [name for name in asked if name not in able],
        "kinds": sorted(kinds, key=lambda kind: (-kind["score"], kind["tag"])),
        "weakly": [name for name in looked if name in weakly],
        "categories": list(_categories(frozenset(looked))),
        "by_config": [name for name in looked if name in by_config],
    }


def _categories(looked: frozenset[str]) -> Iterator[dict[str, Any]]:
    for law in _laws():
        for one in law["categories"]:
            by = [name for name in one["by"] if name in looked]
            whole = one.get("complete", False) and len(by) == len(one["by"])
            state = "yes" if whole else "in part" if by else "no"
            told = {"law": law["law"], "name": one["name"], "looked_for": state, "by": by}
            yield {**told, "section": one.get("section", "")}


@built_once
def _laws() -> list[dict[str, Any]]:
    return list(data_file(__package__, "special_categories.yaml"))
