"""Data that a run did not look for, so that nobody mistakes it for data that is not there."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Literal

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.scoring.score_table import ScoreTable, Tag
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

Looked = Literal["yes", "in part", "no"]

_OF_SPEAKERS = "_SPEAKER"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of data that the score table scores but no detector looked for."""

    tag: str
    score: int
    direct: bool


@dataclass(frozen=True, slots=True)
class Category:
    """A category of a law, and whether it was looked for: ``by`` has the infoTypes that were.

    ``section`` is its letter in the law, if it has one.
    """

    law: str
    name: str
    looked_for: Looked
    by: tuple[str, ...]
    section: str = ""


@dataclass(frozen=True, slots=True)
class NotLookedFor:
    """Data that a run did not look for.

    ``in_vain`` are infoTypes asked for that no active detector can find; ``kinds`` are kinds in the score
    table that no detector looked for; ``weakly`` are infoTypes found by rules alone that need more;
    ``categories`` are all categories of the laws, whether looked for or not; ``by_config`` are built-in
    infoTypes that nothing but the config's own infoTypes of that name can find, or find more than few of.
    """

    in_vain: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    weakly: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    by_config: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data, for manifest and report."""
        return asdict(self)


def not_looked_for(
    asked: Sequence[str],
    able: Collection[str],
    weakly: Collection[str],
    table: ScoreTable,
    by_config: Collection[str] = (),
) -> NotLookedFor:
    """Determine what is not looked for, given the infoTypes asked for and those that detectors can find.

    Args:
        asked: the infoTypes of the config.
        able: those that some active detector can find.
        weakly: those of them found by rules alone, which find only few.
        table: the score table.
        by_config: those of them found by the config's own infoTypes alone.
    """
    looked = [name for name in asked if name in able]
    tags = set(_tags(looked, table))
    kinds = (
        Kind(name, row.score, row.direct)
        for name, row in table.rows.items()
        if row.score and name.removesuffix(_OF_SPEAKERS) not in tags
    )
    return NotLookedFor(
        in_vain=tuple(name for name in asked if name not in able),
        kinds=tuple(sorted(kinds, key=lambda kind: (-kind.score, kind.tag))),
        weakly=tuple(name for name in looked if name in weakly),
        categories=tuple(_categories(frozenset(looked))),
        by_config=tuple(name for name in looked if name in by_config),
    )


def _tags(names: Sequence[str], table: ScoreTable) -> Iterator[str]:
    for name in names:
        try:
            meaning = table.resolve(name)
        except RecordError:
            continue
        if isinstance(meaning, Tag):
            yield meaning.name


def _categories(looked: frozenset[str]) -> Iterator[Category]:
    for law in _laws():
        for category in law["categories"]:
            by = tuple(name for name in category["by"] if name in looked)
            whole = category.get("complete", False) and len(by) == len(category["by"])
            state: Looked = "yes" if whole else "in part" if by else "no"
            yield Category(law["law"], category["name"], state, by, category.get("section", ""))


@built_once
def _laws() -> list[dict[str, Any]]:
    laws: list[dict[str, Any]] = parse_yaml(
        files(__package__).joinpath("special_categories.yaml").read_text(encoding="utf-8")
    )
    return laws
