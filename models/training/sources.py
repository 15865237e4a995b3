"""The files from which the embedded model may be made, and for what: ``sources.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import yaml

USES = ("training", "calibration", "thresholds", "measuring")


@dataclass(frozen=True, slots=True)
class Source:
    """Licence of a file, and the ``USES`` that may be made of it."""

    licence: str
    uses: frozenset[str]


@lru_cache(maxsize=1)
def sources() -> Mapping[str, Source]:
    """The list, by file name."""
    listed = yaml.safe_load(files(__package__).joinpath("sources.yaml").read_text("utf-8"))["files"]
    return {name: Source(one["licence"], frozenset(one["uses"])) for name, one in listed.items()}
